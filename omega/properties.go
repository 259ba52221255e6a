package omega

import "slices"

// IsDeterministic reports whether no word has two runs: at most one initial
// state, no two edges of a state that meet, and no universal branching.
func (a *Automaton) IsDeterministic() bool {
	return len(a.start) <= 1 && !a.Alternating() && a.NondeterministicStates() == 0
}

// NondeterministicStates returns the number of states two edges of which meet.
func (a *Automaton) NondeterministicStates() int {
	n := 0
	for s := range a.NumStates() {
		if !a.disjoint(a.Edges(State(s))) {
			n++
		}
	}
	return n
}

func (a *Automaton) disjoint(edges []Edge) bool {
	sum := False
	for _, e := range edges {
		if a.alphabet.Meet(sum, e.Label) {
			return false
		}
		sum = a.alphabet.Or(sum, e.Label)
	}
	return true
}

// IsComplete reports whether there is an initial state, and each state has an
// edge on each letter.
func (a *Automaton) IsComplete() bool {
	for s := range a.NumStates() {
		sum := False
		for _, e := range a.Edges(State(s)) {
			sum = a.alphabet.Or(sum, e.Label)
		}
		if sum != a.alphabet.True() {
			return false
		}
	}
	return len(a.start) > 0
}

// HasStateMarks reports whether the edges of each state all carry the same
// marks.
func (a *Automaton) HasStateMarks() bool {
	for s := range a.NumStates() {
		edges := a.Edges(State(s))
		for _, e := range edges {
			if e.Marks != edges[0].Marks {
				return false
			}
		}
	}
	return true
}

// IsColored reports whether each edge carries exactly one mark.
func (a *Automaton) IsColored() bool {
	var list []int
	for _, e := range a.edges {
		if list = a.marks.AppendTo(list[:0], e.Marks); len(list) != 1 {
			return false
		}
	}
	return true
}

// IsWeak reports whether within each strongly connected component all edges
// carry the same marks.
func (a *Automaton) IsWeak() bool {
	for _, g := range a.parts(unwatched()) {
		for _, e := range g.edges {
			if e.marks != g.edges[0].marks {
				return false
			}
		}
	}
	return true
}

// IsVeryWeak reports whether the automaton is weak, and each strongly connected
// component is a single state.
func (a *Automaton) IsVeryWeak() bool {
	for _, g := range a.parts(unwatched()) {
		for _, e := range g.edges {
			if e.src != e.dst {
				return false
			}
		}
	}
	return a.IsWeak()
}

// IsInherentlyWeak reports whether no strongly connected component has both an
// accepting and a rejecting cycle.
func (a *Automaton) IsInherentlyWeak() bool {
	return !slices.Contains(a.kinds(a.Components(), unwatched(), unlimited), Mixed)
}

// IsTerminal reports whether the automaton is weak, and every state on an
// accepting cycle has an edge on each letter and leads to no rejecting cycle:
// once there, all words are accepted.
func (a *Automaton) IsTerminal() bool {
	if !a.IsWeak() {
		return false
	}
	c := a.Components()
	kinds := a.kinds(c, unwatched(), unlimited)
	// must[i]: component i is accepting or can be reached from one. Components
	// are numbered against the edges, so a pass downwards settles it.
	must := make([]bool, c.Count)
	byComponent := make([][]State, c.Count)
	for s := range a.NumStates() {
		byComponent[c.Of[s]] = append(byComponent[c.Of[s]], State(s))
	}
	for i := c.Count - 1; i >= 0; i-- {
		must[i] = must[i] || kinds[i] == Accepting
		if !must[i] {
			continue
		}
		if kinds[i] == Rejecting {
			return false
		}
		for _, s := range byComponent[i] {
			sum := False
			for _, e := range a.Edges(s) {
				sum = a.alphabet.Or(sum, e.Label)
				for _, t := range a.Universal(e.Dst) {
					must[c.Of[t]] = true
				}
			}
			if sum != a.alphabet.True() {
				return false
			}
		}
	}
	return true
}

// parts returns the strongly connected components that have edges.
func (a *Automaton) parts(w *watch) []*markedGraph {
	g := &markedGraph{nodes: a.NumStates(), table: a.marks, watch: w}
	g.edges = make([]markedEdge, 0, len(a.edges))
	for s := range a.NumStates() {
		for _, e := range a.Edges(State(s)) {
			for _, t := range a.Universal(e.Dst) {
				g.edges = append(g.edges, markedEdge{int32(s), int32(t), e.Marks})
			}
			if w.stop() {
				return nil
			}
		}
	}
	return g.components()
}
