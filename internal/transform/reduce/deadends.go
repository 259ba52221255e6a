package reduce

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// WithoutDeadEnds returns a without its dead ends: states from which no infinite run starts.
// The language is the same, and the other states keep their order. In
//
//	State: 0  [a] 0 {0}  [!a] 1
//	State: 1  [a] 2
//	State: 2
//
// 1 and 2 are dead ends:
//
//	State: 0  [a] 0 {0}
//
// If there are no dead ends, or a is alternating, it returns a.
func WithoutDeadEnds(a *omega.Automaton) *omega.Automaton {
	if a.Alternating() {
		return a
	}
	dead := deadEnds(a)
	if dead == nil {
		return a
	}
	number := make([]omega.State, a.NumStates()) // of the states that stay
	b := a.NewBuilder()
	var names []string
	for s := range number {
		if !dead[s] {
			number[s] = b.AddState()
			if a.StateNames != nil {
				names = append(names, a.StateNames[s])
			}
		}
	}
	for _, s := range a.Initial() {
		if !dead[s] {
			b.AddStart(number[s])
		}
	}
	for s := range number {
		for _, e := range a.Edges(omega.State(s)) {
			if !dead[e.Dst] { // then s is not, either
				b.AddEdge(number[s], e.Label, e.Marks, number[e.Dst])
			}
		}
	}
	x := b.Automaton()
	x.Name, x.Declared, x.Written, x.StateMarks, x.Reduced, x.StateNames = a.Name, a.Declared, a.Written, a.StateMarks, a.Reduced, names
	return x
}

// deadEnds returns the states from which no infinite run starts, or nil if there are no such
// states.
func deadEnds(a *omega.Automaton) []bool {
	var queue []omega.State
	left := make([]int, a.NumStates()) // edges to states not known to be dead
	for s := range left {
		if left[s] = len(a.Edges(omega.State(s))); left[s] == 0 {
			queue = append(queue, omega.State(s))
		}
	}
	if queue == nil {
		return nil
	}
	from, source := predecessors(a, budget.Free())
	dead := make([]bool, a.NumStates())
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		dead[s] = true
		for _, src := range source[from[s]:from[s+1]] {
			if left[src]--; left[src] == 0 { // no way on is left
				queue = append(queue, src)
			}
		}
	}
	return dead
}
