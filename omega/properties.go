package omega

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// IsDeterministic reports whether no word has two runs: there is at most one initial state, no
// two edges of a state meet, and there is no universal branching.
func (a *Automaton) IsDeterministic() bool {
	return len(a.start) <= 1 && !a.Alternating() && a.NondeterministicStates() == 0
}

// NondeterministicStates returns the number of states with two edges that meet.
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
	for s := range State(a.NumStates()) {
		if a.Uncovered(s) != False {
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
	for _, g := range a.parts(budget.Free()) {
		if !uniform(g) {
			return false
		}
	}
	return true
}

// IsVeryWeak reports whether the automaton is weak, and each strongly connected
// component is a single state.
func (a *Automaton) IsVeryWeak() bool {
	for _, g := range a.parts(budget.Free()) {
		for _, e := range g.Edges {
			if e.Src != e.Dst {
				return false
			}
		}
	}
	return a.IsWeak()
}

// IsInherentlyWeak reports whether no strongly connected component has both an
// accepting and a rejecting cycle. It may take time exponential in the number of
// marks, and fails when ctx is done.
func (a *Automaton) IsInherentlyWeak(ctx context.Context) (bool, error) {
	kinds, err := a.Kinds(ctx, a.Components())
	return err == nil && !slices.Contains(kinds, Mixed), err
}

// IsTerminal reports whether the automaton is weak, and every state of an accepting component
// has an edge on each letter and leads to no rejecting cycle. It fails when ctx is done.
func (a *Automaton) IsTerminal(ctx context.Context) (_ bool, err error) {
	if !a.IsWeak() {
		return false, ctx.Err()
	}
	w := budget.New(ctx)
	defer a.alphabet.Bind(w).Release(&err)
	c := a.ComponentsWithin(w)
	kinds, _ := a.KindsWithin(c, w, budget.Unlimited)
	if w.Err() != nil {
		return false, w.Err()
	}
	behind := a.behind(c, kinds)
	for s := range State(a.NumStates()) {
		switch kinds[c.Of[s]] {
		case Rejecting:
			if behind[c.Of[s]] {
				return false, nil
			}
		case Accepting, Mixed:
			if a.Uncovered(s) != False {
				return false, nil
			}
		}
	}
	return true, nil
}

// Uncovered returns the letters on which state s has no edge.
func (a *Automaton) Uncovered(s State) Label {
	sum := False
	for _, e := range a.Edges(s) {
		sum = a.alphabet.Or(sum, e.Label)
	}
	return a.alphabet.Not(sum)
}

// behind returns of each component whether it can be reached from one with accepting
// cycles, or is one.
func (a *Automaton) behind(c Components, kinds []Kind) []bool {
	behind := make([]bool, c.Count)
	order := make([]State, a.NumStates())
	for s := range order {
		order[s] = State(s)
	}
	// Edges lead to components of smaller numbers.
	slices.SortFunc(order, func(s, t State) int { return cmp.Compare(c.Of[t], c.Of[s]) })
	for _, s := range order {
		i := c.Of[s]
		if behind[i] = behind[i] || kinds[i] >= Accepting; !behind[i] {
			continue
		}
		for _, e := range a.Edges(s) {
			for _, t := range a.Universal(e.Dst) {
				behind[c.Of[t]] = true
			}
		}
	}
	return behind
}

// parts returns the strongly connected components that have edges.
func (a *Automaton) parts(w *budget.Budget) []*markedGraph {
	g := &markedGraph{Nodes: a.NumStates(), Budget: w}
	g.Edges = make([]markedEdge, 0, len(a.edges))
	for s := range a.NumStates() {
		for _, e := range a.Edges(State(s)) {
			for _, t := range a.Universal(e.Dst) {
				g.Edges = append(g.Edges, markedEdge{Src: int32(s), Dst: int32(t), Tag: e.Marks})
			}
			if w.Stop() {
				return nil
			}
		}
	}
	return g.Parts()
}
