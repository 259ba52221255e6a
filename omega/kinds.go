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
// inherently weak if it is not Mixed. Kinds may take time exponential in the number of marks,
// and fails when ctx is done.
func (a *Automaton) Kinds(ctx context.Context, c Components) ([]Kind, error) {
	w := budget.New(ctx)
	kinds, _ := a.kinds(c, w, budget.Unlimited)
	return kinds, w.Err()
}

// kinds is Kinds; what it returns means nothing if the budget ends. The search for
// accepting cycles takes so many steps at most, and that for rejecting ones as well:
// components that it has not come to the end of count as Mixed, and complete is false.
func (a *Automaton) kinds(c Components, w *budget.Budget, steps int) (kinds []Kind, complete bool) {
	kinds = make([]Kind, c.Count)
	parts := a.parts(w)
	complete = search(w, steps, parts, a.acceptance.Condition, func(g *markedGraph, found bool) {
		kinds[c.Of[g.root]] = Rejecting
		if found {
			kinds[c.Of[g.root]] = Mixed
		}
	})
	parts = slices.DeleteFunc(parts, func(g *markedGraph) bool { return kinds[c.Of[g.root]] == Rejecting })
	complete = search(w, steps, parts, a.acceptance.Condition.Dual(), func(g *markedGraph, found bool) {
		if !found {
			kinds[c.Of[g.root]] = Accepting
		}
	}) && complete
	return kinds, complete
}

// search tells of each of some graphs whether it has a cycle that satisfies a condition.
// It takes so many steps at most: true is what it tells of those that it has not come to
// the end of, and then it returns false.
func search(w *budget.Budget, steps int, graphs []*markedGraph, c *Condition, tell func(g *markedGraph, found bool)) bool {
	v := w.Part(steps)
	for _, g := range graphs {
		g.budget = v
		found := g.acceptingCycle(c)
		tell(g, found || v.Err() != nil)
	}
	return v.Err() == nil
}

// Occurring returns two sets for each component: the marks on some edge, and the marks on all
// edges. The automaton must not be alternating. It fails when ctx is done.
func (a *Automaton) Occurring(ctx context.Context, c Components) (all, always []Marks, err error) {
	w := budget.New(ctx)
	all, always = a.occurring(c, w)
	return all, always, w.Err()
}

func (a *Automaton) occurring(c Components, w *budget.Budget) (all, always []Marks) {
	all, always = make([]Marks, c.Count), make([]Marks, c.Count)
	for i, states := range c.members() {
		var some, every collector
		for _, s := range states {
			for _, e := range a.Edges(s) {
				if c.Of[e.Dst] != int32(i) {
					continue
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

// members returns the states of each component.
func (c Components) members() [][]State {
	first := make([]int32, c.Count+1)
	for _, i := range c.Of {
		first[i+1]++
	}
	for i := range c.Count {
		first[i+1] += first[i]
	}
	list, next := make([]State, len(c.Of)), slices.Clone(first)
	for s, i := range c.Of {
		list[next[i]] = State(s)
		next[i]++
	}
	members := make([][]State, c.Count)
	for i := range members {
		members[i] = list[first[i]:first[i+1]]
	}
	return members
}
