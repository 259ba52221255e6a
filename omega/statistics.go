package omega

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// Statistics are the sizes of the reachable part of an automaton, which may be alternating.
type Statistics struct {
	States                    int
	Unreachable               int // states that no run visits; all other fields leave them out
	Edges                     int
	Universal                 int     // edges to several states at once
	Transitions               float64 // pairs of an edge and a letter on it
	Components                int     // strongly connected ones; a state without a cycle is one too
	Largest                   int     // states of the largest component
	NondetStates, NondetEdges int
	// Nondeterministic: some state has two edges that meet, or there are several
	// initial states. (Universal branching is no choice.)
	Nondeterministic bool
	// Complete: there is an initial state, and each state has an edge on each letter.
	Complete bool
	// StateMarks: the edges of each state all carry the same marks.
	StateMarks bool
	// VeryWeak: each component is a single state, and its edges to itself carry the same
	// marks.
	VeryWeak bool
}

// Statistics measures the automaton. Apart from the labels, this takes time linear in states
// and edges. An edge is nondeterministic if it shares a letter with another edge of its state,
// and a state if it has such edges. Statistics fails when ctx is done, and with a LimitError
// if the unions of labels take too much memory.
func (a *Automaton) Statistics(ctx context.Context) (s Statistics, err error) {
	b := budget.New(ctx)
	defer a.alphabet.Bind(b).Release(&err)
	reached := a.reached()
	c := a.ComponentsWithin(b)
	if b.Err() != nil {
		return s, b.Err()
	}
	s = Statistics{Complete: len(a.start) > 0, Nondeterministic: len(a.start) > 1, StateMarks: true, VeryWeak: true}
	sizes := make([]int, c.Count)
	memo := make(map[Label]float64)
	for q := range State(a.NumStates()) {
		if !reached[q] {
			s.Unreachable++
			continue
		}
		s.States++
		if sizes[c.Of[q]]++; sizes[c.Of[q]] == 1 { // its first reachable state counts it
			s.Components++
		}
		s.Largest = max(s.Largest, sizes[c.Of[q]])
		if b.Spend(1 + len(a.Edges(q))) {
			return s, b.Err()
		}
		s.state(a, q, memo)
	}
	s.VeryWeak = s.VeryWeak && s.Largest <= 1 // all components are single states
	s.Nondeterministic = s.Nondeterministic || s.NondetStates > 0
	return s, nil
}

func (s *Statistics) state(a *Automaton, q State, memo map[Label]float64) {
	edges := a.Edges(q)
	once, twice := False, False // letters on an edge at least, and on two
	loop := -1                  // the first edge back to q
	for i, e := range edges {
		s.Transitions += a.alphabet.count(e.Label, memo)
		twice = a.alphabet.Or(twice, a.alphabet.And(once, e.Label))
		once = a.alphabet.Or(once, e.Label)
		s.StateMarks = s.StateMarks && e.Marks == edges[0].Marks
		if e.Dst < 0 {
			s.Universal++
		}
		if slices.Contains(a.Universal(e.Dst), q) {
			if loop < 0 {
				loop = i
			}
			s.VeryWeak = s.VeryWeak && e.Marks == edges[loop].Marks
		}
	}
	s.Edges += len(edges)
	s.Complete = s.Complete && once == a.alphabet.True()
	if twice == False {
		return
	}
	s.NondetStates++
	for _, e := range edges {
		if a.alphabet.Meet(twice, e.Label) {
			s.NondetEdges++
		}
	}
}

// reached returns which states some run visits.
func (a *Automaton) reached() []bool {
	reached := make([]bool, a.NumStates())
	var stack []State
	visit := func(s State) {
		for _, t := range a.Universal(s) {
			if !reached[t] {
				reached[t] = true
				stack = append(stack, t)
			}
		}
	}
	for _, s := range a.start {
		visit(s)
	}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range a.Edges(s) {
			visit(e.Dst)
		}
	}
	return reached
}

// Strength counts the reachable strongly connected components by strength, as ltlcross does.
// Nonaccepting, Terminal, Weak and Strong together are all of them. A component counts as weak
// if all of its edges carry the same marks; its cycles are not examined.
type Strength struct {
	Nonaccepting int // no run that stays is accepting; single states without a cycle are among them
	Terminal     int // accepting and weak, and complete: on each letter an edge of each state stays
	Weak         int // accepting and weak, but not complete
	Strong       int // accepting, but not weak
	Transient    int // nonaccepting components without a cycle
	Mixed        int // of the strong ones: those with a rejecting cycle. The others are inherently weak
}

// Class returns the strength of the automaton: "strong" if a component is, else "weak" if one
// is, else "terminal".
func (s Strength) Class() string {
	switch {
	case s.Strong > 0:
		return "strong"
	case s.Weak > 0:
		return "weak"
	}
	return "terminal"
}

// Strength computes the strength of the automaton. It takes time linear in the edges if
// components are weak or the acceptance is Büchi, Rabin or Streett. At worst it is exponential
// in the number of marks. It fails with ErrAlternating, and when ctx is done.
func (a *Automaton) Strength(ctx context.Context) (_ Strength, err error) {
	if a.Alternating() {
		return Strength{}, ErrAlternating
	}
	w := budget.New(ctx)
	defer a.alphabet.Bind(w).Release(&err)
	c := a.ComponentsWithin(w)
	if w.Err() != nil {
		return Strength{}, w.Err()
	}
	reached := a.reached()
	total := make([]bool, c.Count) // reachable components
	for q, ok := range reached {
		total[c.Of[q]] = total[c.Of[q]] || ok
	}
	complete := a.completeComponents(c, w)
	var s Strength
	for i := range total {
		if total[i] {
			s.Transient++
		}
	}
	dual := a.acceptance.Condition.Dual()
	for _, g := range a.parts(w) {
		if !reached[g.Root] {
			continue
		}
		s.Transient-- // all reachable components were counted above
		switch weak := uniform(g); {
		case weak && !a.acceptance.Condition.Eval(a.marks, g.Edges[0].Tag) || !weak && !acceptingPart(g, a.marks, a.acceptance.Condition): // one edge decides
			s.Nonaccepting++
		case weak && complete[c.Of[g.Root]]:
			s.Terminal++
		case weak:
			s.Weak++
		default:
			s.Strong++
			if acceptingPart(g, a.marks, dual) { // accepting cycles and rejecting ones
				s.Mixed++
			}
		}
	}
	s.Nonaccepting += s.Transient // no run stays in them
	return s, w.Err()
}

// uniform reports whether all edges carry the same marks.
func uniform(g *markedGraph) bool {
	return !slices.ContainsFunc(g.Edges, func(e markedEdge) bool { return e.Tag != g.Edges[0].Tag })
}

// completeComponents returns in which components each state has on each letter an edge
// that stays.
func (a *Automaton) completeComponents(c Components, w *budget.Budget) []bool {
	complete := slices.Repeat([]bool{true}, c.Count)
	for q := range State(a.NumStates()) {
		i := c.Of[q]
		if !complete[i] {
			continue
		} // edges that leave do not count
		sum := False
		for _, e := range a.Edges(q) {
			if c.Of[e.Dst] == i {
				sum = a.alphabet.Or(sum, e.Label)
			}
			if w.Stop() {
				return complete
			}
		}
		complete[i] = sum == a.alphabet.True()
	}
	return complete
}
