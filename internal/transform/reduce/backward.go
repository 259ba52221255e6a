package reduce

import (
	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// backward merges states that simulate each other backwards, and takes out edges
// that this shows to be superfluous (reverse simulation: Somenzi and Bloem 2000,
// "Efficient Büchi automata from LTL formulae", here for marks on edges).
//
// State q simulates p backwards if q is initial where p is, and each edge to p can be
// answered, letter by letter, by an edge to q that is at least as good and comes from
// a state that simulates backwards where the first comes from. An edge is superfluous
// if there is another one to the same state, on the same letters, with marks at least
// as good, from a state that simulates backwards where it comes from.
//
// For example, the same words lead to 1 and 2:
//
//	State: 0  [a] 1  [a] 2
//	State: 1  [b] 3
//	State: 2  [c] 3
//	State: 3  [t] 3 {0}
//
// becomes
//
//	State: 0  [a] 1
//	State: 1  [b | c] 2
//	State: 2  [t] 2 {0}
//
// This keeps the language. For a finite part of a run of the result, from its start,
// and a state of the class that it ends in, there is a run of a to that state, with
// marks at least as good at each step: it is built from the end to the start. So by
// König's lemma there is one for the whole run. For the converse, take a finite part
// of a run of a, and replace edges that are missing in the result, the last one first
// with all that is before it, by what simulates them; König's lemma again gives a run
// without any.
//
// A deterministic automaton is not changed by this: no two of its states are reached
// by the same words.
func backward(a *omega.Automaton, w *reducer) *omega.Automaton {
	if n := a.NumStates(); n > simulationStates || n == 0 || w.noBackward {
		return a
	}
	b := omega.NewBuilderLike(a)
	if w.attempt(a, w.simulation, func(v *budget.Budget) { buildBackward(a, b, v) }) {
		return b.Automaton()
	}
	w.noBackward = true
	return a
}

// buildBackward adds what backward returns to a Builder.
func buildBackward(a *omega.Automaton, b *omega.Builder, w *budget.Budget) {
	turned := omega.NewBuilderLike(a)
	turn(a, turned, w)
	r := turned.Automaton()
	merged := omega.NewBuilderLike(r)
	class := simulateWithin(r, startingAlike(a), w).addQuotient(merged, r, w)
	if w.Err() != nil {
		return
	}
	turn(merged.Automaton(), b, w)
	for _, s := range a.Initial() {
		b.AddStart(class[s])
	}
}

// startingAlike returns the pairs p, q of states in which q is initial if p is.
func startingAlike(a *omega.Automaton) *relation {
	by := newRelation(a.NumStates())
	by.fill()
	initial := make([]uint64, by.words)
	for _, s := range a.Initial() {
		bitset.Add(initial, s)
	}
	for _, s := range a.Initial() {
		copy(by.row(s), initial) // only initial states simulate an initial one
	}
	return by
}

// turn adds the states of a to a Builder, and its edges in the other direction.
func turn(a *omega.Automaton, b *omega.Builder, w *budget.Budget) {
	b.AddStates(a.NumStates())
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return
			}
			b.AddEdge(e.Dst, e.Label, e.Marks, s)
		}
	}
}
