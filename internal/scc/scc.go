// Package scc finds the strongly connected components of graphs.
//
// The nodes of a graph are numbered from 0. [Find] takes the successors of all nodes in one slice:
//
//	first := []int32{0, 1, 3, 3} // 0 → 1, 1 → 0, 1 → 2
//	dst := []int32{1, 0, 2}
//	c := scc.Find(budget.Free(), first, dst) // {0, 1} is component 1, {2} is component 0
//
// [Graph.Parts] divides a graph into its components, so that each can be searched by itself.
// [Grouped] makes such slices from edges in any order.
package scc

import "github.com/xcheck-ltl/xcheck/internal/budget"

// Components are the strongly connected components of a graph, in reverse topological order: an
// edge leads to a component of the same or a smaller number.
type Components struct {
	Count int
	Of    []int32 // component of each node
}

// Find returns the components of the graph in which the successors of node s are
// dst[first[s]:first[s+1]], in time linear in nodes and edges (Tarjan 1972, without recursion). It
// returns nothing if the budget ends.
func Find[N ~int32](b *budget.Budget, first []int32, dst []N) Components {
	n := len(first) - 1
	c := Components{Of: make([]int32, n)}
	low := make([]int32, n)  // 0: not visited; later the least number seen
	next := make([]int32, n) // next successor to look at
	var path, stack []int32
	var number int32
	for root := range int32(n) {
		if low[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			s := path[len(path)-1]
			if next[s] == 0 {
				number++
				low[s] = number
				next[s] = first[s] + 1 // kept one too high, so that 0 says "new"
				stack = append(stack, s)
			}
			if b.Stop() {
				return Components{}
			}
			if i := next[s] - 1; i < first[s+1] {
				next[s]++
				if t := int32(dst[i]); low[t] == 0 {
					path = append(path, t)
				}
				continue
			}
			path = path[:len(path)-1]
			mine := low[s]
			for _, t := range dst[first[s]:first[s+1]] {
				low[s] = min(low[s], low[t])
			}
			if low[s] == mine {
				stack = c.close(s, low, stack)
			}
		}
	}
	return c
}

// closed is the low number of nodes whose component is complete.
const closed = int32(^uint32(0) >> 1)

// close makes a component of s and all above it on the stack.
func (c *Components) close(s int32, low, stack []int32) []int32 {
	for {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		low[t] = closed
		c.Of[t] = int32(c.Count)
		if t == s {
			c.Count++
			return stack
		}
	}
}
