package omega

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
)

// Components holds the strongly connected components of an explicit automaton, in reverse
// topological order: an edge leads to a component of the same or a smaller number.
type Components struct {
	Count int
	Of    []int32 // component of each state
}

// Components returns the strongly connected components of all states, reachable
// or not, in time linear in states and edges (Tarjan 1972, without recursion).
// A universal destination counts as an edge to each of its states.
func (a *Automaton) Components() Components { return a.ComponentsWithin(budget.Free()) }

// ComponentsWithin is Components on a budget. It returns nothing if the budget ends.
func (a *Automaton) ComponentsWithin(w *budget.Budget) Components {
	w = w.OrFree()
	n := a.NumStates()
	var first = make([]int32, n+1)
	var dst []State
	for s := range n {
		for _, e := range a.Edges(State(s)) {
			if e.Dst < 0 { // a conjunction: the run is in all of these states
				dst = append(dst, a.Universal(e.Dst)...)
			} else {
				dst = append(dst, e.Dst)
			}
			if w.Stop() {
				return Components{}
			}
		}
		first[s+1] = int32(len(dst))
	}
	return Components(scc.Find(w, first, dst))
}

// Members returns the states of each component, in ascending order.
func (c Components) Members() [][]State {
	first, list := scc.Grouped(c.Count, func(yield func(int32, State) bool) {
		for s, i := range c.Of {
			yield(i, State(s))
		}
	})
	members := make([][]State, c.Count)
	for i := range members {
		members[i] = list[first[i]:first[i+1]]
	}
	return members
}

// of returns c, or the components of a if they can't be c.
func (c Components) of(a *Automaton, w *budget.Budget) Components {
	if len(c.Of) != a.NumStates() {
		return a.ComponentsWithin(w)
	}
	return c
}

// OwnMarks returns the marks of the first edge of s to one state of its component, if there is one. They are the
// marks of s if all such edges agree, which the caller checks.
func (a *Automaton) OwnMarks(s State, c Components) (Marks, bool) {
	c = c.of(a, nil)
	for _, e := range a.Edges(s) {
		if e.Dst >= 0 && c.Of[e.Dst] == c.Of[s] {
			return e.Marks, true
		}
	}
	return 0, false
}
