package omega

import "github.com/xcheck-ltl/xcheck/internal/budget"

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
func (a *Automaton) backward(w *reducer) *Automaton {
	if n := a.NumStates(); n > simulationStates || n == 0 || w.noBackward {
		return a
	}
	b := NewBuilderLike(a)
	if w.attempt(a, w.simulation, func(v *budget.Budget) { a.buildBackward(b, v) }) {
		return b.Automaton()
	}
	w.noBackward = true
	return a
}

// buildBackward adds what backward returns to a Builder.
func (a *Automaton) buildBackward(b *Builder, w *budget.Budget) {
	turned := NewBuilderLike(a)
	a.turn(turned, w)
	r := turned.Automaton()
	merged := NewBuilderLike(r)
	class := r.simulationWithin(a.startingAlike(), w).addQuotient(merged, r, w)
	if w.Err() != nil {
		return
	}
	merged.Automaton().turn(b, w)
	for _, s := range a.start {
		b.AddStart(class[s])
	}
}

// startingAlike returns the pairs p, q of states in which q is initial if p is.
func (a *Automaton) startingAlike() *relation {
	by := newRelation(a.NumStates())
	by.fill()
	initial := make([]uint64, by.words)
	for _, s := range a.start {
		initial[s>>6] |= 1 << (s & 63)
	}
	for _, s := range a.start {
		copy(by.row(s), initial)
	}
	return by
}

// turn adds the states of a to a Builder, and its edges in the other direction.
func (a *Automaton) turn(b *Builder, w *budget.Budget) {
	b.AddStates(a.NumStates())
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return
			}
			b.AddEdge(e.Dst, e.Label, e.Marks, s)
		}
	}
}
