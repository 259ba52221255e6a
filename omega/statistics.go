package omega

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// Statistics are the sizes and the shape of the reachable part of an automaton, which may be
// alternating.
type Statistics struct {
	Sizes
	Shape
}

// Sizes count what the reachable part of an automaton has. Their tags are the names in JSON.
type Sizes struct {
	Props  int `json:"ap"`     // number of propositions
	States int `json:"states"` // number of reachable states
	// number of states that are not reachable, which all other fields leave out
	Unreachable int `json:"unreachable"`
	Edges       int `json:"edges"` // number of edges
	// number of edges to several states at once
	Universal int `json:"universal_edges,omitempty"`
	Totals
	Components int `json:"scc"`         // number of strongly connected components
	Largest    int `json:"largest_scc"` // number of states of the largest component
	// number of states with two edges that share a letter
	NondetStates int `json:"nondet_states"`
	// number of edges that share a letter with another edge of their state
	NondetEdges int `json:"nondet_edges"`
}

// Totals are those sizes that a run also adds up, besides states and edges.
type Totals struct {
	// number of edges, each counted once for each letter
	Transitions float64 `json:"transitions"`
	Sets        int     `json:"acc"` // number of acceptance sets
}

// A Shape says what kind of automaton it is.
type Shape struct {
	Deterministic bool `json:"deterministic"` // true if the automaton is deterministic
	Complete      bool `json:"complete"`      // true if each state has an edge for each letter
	StateMarks    bool `json:"state_acc"`     // true if all edges of a state have the same marks
	VeryWeak      bool `json:"very_weak"`     // true if each component has one state
	Alternating   bool `json:"alternating"`   // true if the automaton is alternating
	// name of the acceptance condition, or the condition if it has no name
	Acceptance string `json:"acceptance,omitempty"`
}

// Statistics returns what it has counted also with an error. It measures the automaton. Apart from
// the labels, this takes time linear in states and edges. An edge is nondeterministic if it shares a
// letter with another edge of its state, and a state if it has such edges. Statistics fails when ctx
// is done, and with a LimitError if the unions of labels take too much memory.
func (a *Automaton) Statistics(ctx context.Context) (s Statistics, err error) {
	b := budget.New(ctx)
	defer a.alphabet.Bind(b).Release(&err)
	s.Props, s.Sets = a.alphabet.Len(), a.Acceptance().Sets
	s.Alternating, s.Acceptance = a.Alternating(), cmp.Or(a.Acceptance().Name(), a.Acceptance().String())
	reached := a.reached()
	c := a.ComponentsWithin(b)
	if b.Err() != nil {
		return s, b.Err()
	}
	s.Deterministic = len(a.start) <= 1 && !s.Alternating
	s.Complete, s.StateMarks, s.VeryWeak = len(a.start) > 0, true, true
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
			if slices.Contains(a.Universal(e.Dst), q) { // in a very weak automaton, all of these carry the same marks
				if loop < 0 {
					loop = i
				}
				s.VeryWeak = s.VeryWeak && e.Marks == edges[loop].Marks
			}
		}
		s.Edges += len(edges)
		s.Complete = s.Complete && once == a.alphabet.True()
		if twice == False {
			continue
		}
		s.NondetStates++
		for _, e := range edges {
			if a.alphabet.Meet(twice, e.Label) {
				s.NondetEdges++
			}
		}
	}
	s.VeryWeak = s.VeryWeak && s.Largest <= 1 // all components are single states
	s.Deterministic = s.Deterministic && s.NondetStates == 0
	return s, nil
}

// reached returns which states some run visits.
func (a *Automaton) reached() []bool {
	reached := make([]bool, a.NumStates())
	var stack []State
	for _, s := range a.start {
		stack = append(stack, a.Universal(s)...)
	}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; !reached[s] {
			reached[s] = true
			for _, e := range a.Edges(s) {
				stack = append(stack, a.Universal(e.Dst)...)
			}
		}
	}
	return reached
}

// Strength counts the reachable strongly connected components by strength, as ltlcross does.
// Nonaccepting, Terminal, Weak and Strong together are all of them. A component counts as weak
// if all of its edges carry the same marks; its cycles are not examined. The tags are the names
// in JSON.
type Strength struct {
	Class string `json:"strength"` // with --strength: "terminal", "weak" or "strong"
	// with --strength: number of components without accepting cycles
	Nonaccepting int `json:"nonacc_scc"`
	Terminal     int `json:"terminal_scc"` // with --strength: number of terminal components
	Weak         int `json:"weak_scc"`     // with --strength: number of weak components
	Strong       int `json:"strong_scc"`   // with --strength: number of strong components
	// with --strength: number of components without a cycle
	Transient int `json:"transient_scc"`
	// with --strength: number of components with both accepting and rejecting cycles
	Mixed int `json:"mixed_scc"`
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
	complete := slices.Repeat([]bool{true}, c.Count) // components in which each state has on each letter an edge that stays
	for q := range State(a.NumStates()) {
		i := c.Of[q]
		sum := False
		for _, e := range a.Edges(q) {
			if complete[i] && c.Of[e.Dst] == i {
				sum = a.alphabet.Or(sum, e.Label)
			}
			if w.Stop() {
				return Strength{}, w.Err()
			}
		}
		complete[i] = complete[i] && sum == a.alphabet.True()
	}
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
	s.Class = "terminal"
	if s.Strong > 0 {
		s.Class = "strong"
	} else if s.Weak > 0 {
		s.Class = "weak"
	}
	return s, w.Err()
}

// uniform reports whether all edges carry the same marks.
func uniform(g *markedGraph) bool {
	return !slices.ContainsFunc(g.Edges, func(e markedEdge) bool { return e.Tag != g.Edges[0].Tag })
}
