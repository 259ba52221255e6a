package omega

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// ReduceStateBased is Reduce for an automaton with marks on states, and keeps them there. It
// fails as Reduce does.
func ReduceStateBased(ctx context.Context, a *Automaton) (*Automaton, error) {
	b, err := reduce(ctx, a, simulationBudget, (*Automaton).useful, (*Automaton).simplified, (*Automaton).settled, (*Automaton).quotient,
		(*Automaton).simulated, (*Automaton).delayedStates)
	if err == nil {
		b.StateMarks = true
	}
	return b, err
}

// settled returns an automaton in which the edges of each state that stay in its
// component carry the same marks with these marks on all of its edges. A state on
// no cycle may have any: it gets those of one with the same edges, if there is one,
// so that they are bisimilar. (Neither useful nor simplified keeps marks on edges
// that leave.)
func (a *Automaton) settled(w *reducer) *Automaton {
	c := a.ComponentsWithin(w.Budget)
	if w.Err() != nil {
		return nil
	}
	marks := make([]Marks, a.NumStates())
	byEdges := make(map[string]Marks)
	var open []State
	for s := range State(a.NumStates()) {
		if w.Stop() {
			return nil
		}
		var found bool
		if marks[s], found = a.OwnMarks(s, c); found {
			byEdges[string(a.edgeKey(s))] = marks[s]
		} else {
			open = append(open, s)
		}
	}
	for _, s := range open {
		if w.Stop() {
			return nil
		}
		marks[s] = byEdges[string(a.edgeKey(s))]
	}
	return a.withMarks(marks, w.Budget)
}

// edgeKey tells states apart that have other edges, whatever their marks.
func (a *Automaton) edgeKey(s State) []byte {
	edges := slices.Clone(a.Edges(s))
	slices.SortFunc(edges, func(e, f Edge) int {
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
func (a *Automaton) withMarks(marks []Marks, w *budget.Budget) *Automaton {
	b := NewBuilderLike(a)
	b.AddStates(a.NumStates())
	for _, s := range a.start {
		b.AddStart(s)
	}
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil
			}
			b.AddEdge(s, e.Label, marks[s], e.Dst)
		}
	}
	return b.Automaton()
}

// delayedStates is delayed for marks on states: a merged state is accepting if one
// of its members is, which is the quotient of Etessami, Wilke and Schuller.
func (a *Automaton) delayedStates(w *reducer) *Automaton {
	b := a.delayed(w)
	if b == a || w.Err() != nil {
		return b
	}
	marks := make([]Marks, b.NumStates())
	for s := range State(b.NumStates()) {
		for _, e := range b.Edges(s) {
			marks[s] |= e.Marks
		}
	}
	return b.withMarks(marks, w.Budget)
}
