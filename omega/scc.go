package omega

import "github.com/xcheck-ltl/xcheck/internal/budget"

// Components holds the strongly connected components of an explicit automaton, in reverse
// topological order: an edge leads to a component of the same or a smaller number.
type Components struct {
	Count int
	Of    []int32 // component of each state
}

// Components returns the strongly connected components of all states, reachable
// or not, in time linear in states and edges (Tarjan 1972, without recursion).
// A universal destination counts as an edge to each of its states.
func (a *Automaton) Components() Components { return a.components(budget.Free()) }

func (a *Automaton) components(w *budget.Budget) Components {
	n := a.NumStates()
	var first = make([]int32, n+1)
	var dst []State
	for s := range n {
		for _, e := range a.Edges(State(s)) {
			if e.Dst < 0 {
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
	return components(w, first, dst)
}

// components returns the components of the graph in which the successors of s
// are dst[first[s]:first[s+1]], or nothing if the watch says to stop.
func components(w *budget.Budget, first []int32, dst []State) Components {
	n := len(first) - 1
	c := Components{Of: make([]int32, n)}
	low := make([]int32, n)  // 0: not visited; later the least number seen
	next := make([]int32, n) // next successor to look at
	var path, stack []State
	var number int32
	for root := range n {
		if low[root] != 0 {
			continue
		}
		path = append(path, State(root))
		for len(path) > 0 {
			s := path[len(path)-1]
			if next[s] == 0 {
				number++
				low[s] = number
				next[s] = first[s] + 1 // kept one too high, so that 0 says "new"
				stack = append(stack, s)
			}
			if w.Stop() {
				return Components{}
			}
			if i := next[s] - 1; i < first[s+1] {
				next[s]++
				if t := dst[i]; low[t] == 0 {
					path = append(path, t)
				}
				continue
			}
			path = path[:len(path)-1]
			c.close(s, low, first, dst, &stack)
		}
	}
	return c
}

// closed is the low number of states whose component is complete.
const closed = int32(^uint32(0) >> 1)

// close is called when all successors of s have been visited: it computes the
// low number of s, and makes a component of all above s on the stack if there
// is no way further down.
func (c *Components) close(s State, low, first []int32, dst []State, stack *[]State) {
	mine := low[s]
	for _, t := range dst[first[s]:first[s+1]] {
		low[s] = min(low[s], low[t])
	}
	if low[s] != mine {
		return
	}
	for {
		t := (*stack)[len(*stack)-1]
		*stack = (*stack)[:len(*stack)-1]
		low[t] = closed
		c.Of[t] = int32(c.Count)
		if t == s {
			break
		}
	}
	c.Count++
}
