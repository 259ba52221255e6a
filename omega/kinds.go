package omega

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// A Kind describes the cycles of a strongly connected component.
type Kind uint8

const (
	Transient Kind = iota // there is no cycle
	Rejecting             // no run that stays is accepting
	Accepting             // every run that stays is accepting
	Mixed                 // some are, some are not
)

// Kinds returns the kind of each component of a; c must be its Components. A component is
// inherently weak if it is not Mixed. With Inf(0), 0→0 and 0→1 and 1→1 {0}, state 0 is Rejecting
// and state 1 Accepting; with 1→1 as well, state 1 is Mixed. Kinds may take time exponential in the
// number of marks, and fails when ctx is done.
func (a *Automaton) Kinds(ctx context.Context, c Components) ([]Kind, error) {
	w := budget.New(ctx)
	kinds, _ := a.KindsWithin(c, w, budget.Unlimited)
	return kinds, w.Err()
}

// KindsWithin is Kinds on a budget. If that ends, the result means nothing. The search for
// accepting cycles takes so many steps at most, and so does that for rejecting ones. Components
// that are not searched to the end count as Mixed, and complete is false.
func (a *Automaton) KindsWithin(c Components, w *budget.Budget, steps int) (kinds []Kind, complete bool) {
	w = w.OrFree()
	c = c.of(a, w)
	kinds = make([]Kind, c.Count)
	parts := a.parts(w)
	condition := a.acceptance.condition()
	complete = search(w, steps, parts, a.marks, condition, func(g *markedGraph, found bool) {
		// Without an accepting cycle it is Rejecting. Otherwise a rejecting one makes it Mixed.
		kinds[c.Of[g.Root]] = Rejecting
		if found {
			kinds[c.Of[g.Root]] = Mixed
		}
	})
	// Now the others: a cycle that satisfies the dual condition is a rejecting one.
	parts = slices.DeleteFunc(parts, func(g *markedGraph) bool { return kinds[c.Of[g.Root]] == Rejecting })
	complete = search(w, steps, parts, a.marks, condition.Dual(), func(g *markedGraph, found bool) {
		if !found {
			kinds[c.Of[g.Root]] = Accepting
		}
	}) && complete
	return kinds, complete
}

// search tells of each of some strongly connected graphs whether it has a cycle that satisfies a condition.
// It takes so many steps at most: of graphs that are not finished by then it tells true,
// and then it returns false.
func search(w *budget.Budget, steps int, graphs []*markedGraph, t *MarkTable, c *Condition, tell func(g *markedGraph, found bool)) bool {
	v := w.Part(steps)
	for _, g := range graphs {
		g.Budget = v
		found := acceptingPart(g, t, c)
		tell(g, found || v.Err() != nil)
	}
	return v.Err() == nil
}

// LiveWithin reports of each component whether some run from it is accepting. The search for
// accepting cycles takes so many steps at most. Components that it has not come to the end of count
// as live, and complete is false. If the budget ends, the result is nil.
func (a *Automaton) LiveWithin(c Components, w *budget.Budget, steps int) (live []bool, complete bool) {
	w = w.OrFree()
	c = c.of(a, w)
	live = make([]bool, c.Count)
	complete = search(w, steps, a.parts(w), a.marks, a.acceptance.condition(), func(g *markedGraph, found bool) {
		live[c.Of[g.Root]] = found
	})
	if w.Err() != nil {
		return nil, false
	}
	for i, states := range c.Members() { // edges lead to components of smaller numbers
		for _, s := range states {
			for _, e := range a.Edges(s) {
				if w.Stop() {
					return nil, false
				}
				live[i] = live[i] || live[c.Of[e.Dst]]
			}
		}
	}
	return live, complete
}

// OccurringWithin returns two sets for each component, of its edges that stay in it: the marks on some, and the
// marks on all. The automaton must not be alternating. If the budget ends, the result means nothing.
func (a *Automaton) OccurringWithin(c Components, w *budget.Budget) (all, always []Marks) {
	w = w.OrFree()
	c = c.of(a, w)
	all, always = make([]Marks, c.Count), make([]Marks, c.Count)
	for i, states := range c.Members() {
		var some, every collector
		for _, s := range states {
			for _, e := range a.Edges(s) {
				if c.Of[e.Dst] != int32(i) {
					continue // on no cycle
				}
				if w.Spend(a.marks.words) {
					return all, always
				}
				some.add(a.marks, e.Marks)
				every.keep(a.marks, e.Marks)
			}
		}
		all[i], always[i] = some.marks(a.marks), every.marks(a.marks)
	}
	return all, always
}
