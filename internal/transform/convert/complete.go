package convert

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Complete returns an automaton with the language of a, an initial state, and an edge on each
// letter from each state. Missing letters lead to a rejecting sink. If nothing is missing, it
// returns a. A deterministic automaton stays deterministic, and marks on states stay on
// states.
//
// The sink carries marks that the condition rejects. Under Fin(0),
//
//	State: 0  [a] 0
//
// becomes
//
//	State: 0  [a] 0  [!a] 1
//	State: 1  [t] 1 {0}
//
// If the condition accepts every run, there are no such marks. Then the result has Büchi
// acceptance, with the mark on all edges of a. Complete
// fails with ErrAlternating and when ctx is done. Finding the marks may take time exponential
// in their number.
func Complete(ctx context.Context, a *omega.Automaton) (_ *omega.Automaton, err error) {
	switch err := omega.Supported(a); {
	case err != nil:
		return nil, err
	case a.IsComplete():
		return a, nil
	}
	w := budget.New(ctx)
	defer a.Alphabet().Bind(w).Release(&err)
	rejected, ok := satisfied(a.Acceptance().Condition.Dual(), w) // for the sink
	if w.Err() != nil {
		return nil, w.Err()
	}
	b := omega.NewBuilder(a.Alphabet(), omega.Buchi())
	marks := func(omega.Marks) omega.Marks { return 1 } // all edges but the sink's accept
	if ok {
		b = a.NewBuilder()
		marks = func(m omega.Marks) omega.Marks { return m }
	}
	onStates := a.HasStateMarks()
	b.AddStates(a.NumStates())
	sink := b.AddState()
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	if len(a.Initial()) == 0 {
		b.AddStart(sink)
	}
	for s := range omega.State(a.NumStates()) {
		covered, carried := omega.False, omega.Marks(0) // what the edge to the sink carries does not matter
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil, w.Err()
			}
			covered = a.Alphabet().Or(covered, e.Label)
			if onStates { // all edges of a state must carry the same
				carried = marks(e.Marks)
			}
			b.AddEdge(s, e.Label, marks(e.Marks), e.Dst)
		}
		b.AddEdge(s, a.Alphabet().Not(covered), carried, sink)
	}
	b.AddEdge(sink, a.Alphabet().True(), b.Marks().Of(rejected...), sink)
	x := b.Automaton()
	x.Name, x.StateMarks = a.Name, a.StateMarks
	if a.StateNames != nil {
		x.StateNames = append(slices.Clone(a.StateNames), "")
	}
	return x, w.Err()
}

// satisfied returns marks such that c holds for a run that sees exactly these
// infinitely often, if there are such. It tries each mark as it occurs first.
func satisfied(c *omega.Condition, w *budget.Budget) (marks []int, ok bool) {
	if c.Op == omega.CondTrue || c.Op == omega.CondFalse || w.Stop() {
		return nil, c.Op == omega.CondTrue
	}
	leaf := c
	for len(leaf.Args) > 0 {
		leaf = leaf.Args[0]
	}
	first := 1 // the value with which the leaf holds
	if leaf.Op == omega.CondFin {
		first = -1
	}
	for _, seen := range []int{first, -first} {
		rest := c.Assume(func(i int) int {
			if i == leaf.Mark {
				return seen
			}
			return 0
		})
		if marks, ok = satisfied(rest, w); ok {
			if seen > 0 {
				marks = append(marks, leaf.Mark)
			}
			return marks, true
		}
	}
	return nil, false
}
