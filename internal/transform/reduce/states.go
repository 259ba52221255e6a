package reduce

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// StateBased is Reduce for an automaton with marks on states, and keeps them there: it has only the
// steps that leave equal marks on all edges of a state. It fails as Reduce does.
func StateBased(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	b, err := reduce(ctx, a, trim, simplified, settled, quotient,
		simulated, mergeDelayedStates)
	if err == nil {
		b.StateMarks = true
	}
	return b, err
}

// settled returns an automaton with marks on states, if the edges of each state that stay in its
// component carry the same marks. A state on no cycle may carry any marks. It gets the marks of a
// state with the same edges, if there is one, so that the two are bisimilar:
//
//	State: 0  [t] 1
//	State: 1  [t] 1 {0}
//
// becomes
//
//	State: 0  [t] 1 {0}
//	State: 1  [t] 1 {0}
//
// (Neither trim nor simplified keeps marks on edges that leave a component.)
func settled(a *omega.Automaton, w *reducer) *omega.Automaton {
	c := a.ComponentsWithin(w.Budget)
	if w.Err() != nil {
		return nil
	}
	marks := make([]omega.Marks, a.NumStates())
	byEdges := make(map[string]omega.Marks)
	var open []omega.State
	for s := range omega.State(a.NumStates()) {
		if w.Stop() {
			return nil
		}
		var found bool
		if marks[s], found = a.OwnMarks(s, c); found {
			byEdges[string(edgeKey(a, s))] = marks[s]
		} else {
			open = append(open, s)
		}
	}
	for _, s := range open {
		if w.Stop() {
			return nil
		}
		marks[s] = byEdges[string(edgeKey(a, s))] // or none
	}
	return withMarks(a, marks, w.Budget)
}

// edgeKey returns a key that two states share if they have the same edges, marks aside.
func edgeKey(a *omega.Automaton, s omega.State) []byte {
	edges := slices.Clone(a.Edges(s))
	slices.SortFunc(edges, func(e, f omega.Edge) int {
		return cmp.Or(cmp.Compare(e.Dst, f.Dst), cmp.Compare(e.Label, f.Label))
	})
	var key []byte
	for _, e := range edges {
		key = binary.LittleEndian.AppendUint64(key, uint64(e.Label))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.Dst))
	}
	return key
}

// withMarks returns a with the given marks on the edges of each state.
func withMarks(a *omega.Automaton, marks []omega.Marks, w *budget.Budget) *omega.Automaton {
	b := a.NewBuilder()
	b.Copy(a, w, func(s omega.State, e omega.Edge) omega.Edge {
		e.Marks = marks[s]
		return e
	})
	return b.Automaton()
}

// mergeDelayedStates is delayed for marks on states: a merged state is accepting if one
// of its members is, which is the quotient of Etessami, Wilke and Schuller.
func mergeDelayedStates(a *omega.Automaton, w *reducer) *omega.Automaton {
	b := delayed(a, w)
	if b == a || w.Err() != nil {
		return b
	}
	marks := make([]omega.Marks, b.NumStates())
	for s := range omega.State(b.NumStates()) {
		for _, e := range b.Edges(s) {
			marks[s] |= e.Marks
		}
	}
	return withMarks(b, marks, w.Budget)
}
