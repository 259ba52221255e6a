package scc

import (
	"iter"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// A Graph has nodes 0, …, Nodes-1 and edges, each with a tag.
type Graph[T any] struct {
	Nodes  int
	Edges  []Edge[T]
	Root   int32          // of a part: one of its nodes, as the whole graph numbers it
	Number int32          // of a part: its number among the Components
	Budget *budget.Budget // when it ends, there are no parts
}

// An Edge leads from Src to Dst.
type Edge[T any] struct {
	Src, Dst int32
	Tag      T
}

// Parts returns the strongly connected components that have edges, with just their inner edges and
// their nodes numbered anew. So what is done with one takes time by its own size. The edges 0→1,
// 1→2, 2→1, 2→3 have one part, with the edges 0→1, 1→0 and the Root 1.
func (g *Graph[T]) Parts() []*Graph[T] {
	first := make([]int32, g.Nodes+1)
	for _, e := range g.Edges {
		first[e.Src+1]++
	}
	for i := range g.Nodes {
		first[i+1] += first[i]
	}
	next := append([]int32(nil), first...)
	dst := make([]int32, len(g.Edges))
	for _, e := range g.Edges {
		dst[next[e.Src]] = e.Dst
		next[e.Src]++
		if g.Budget.Stop() {
			return nil
		}
	}
	c := Find(g.Budget, first, dst)
	if c.Count == 0 {
		return nil
	}
	// The inner edges of all components are in one array.
	inner := make([]int32, c.Count+1)
	all, some := 0, 0
	for _, e := range g.Edges {
		if i := c.Of[e.Src]; i == c.Of[e.Dst] {
			if inner[i] == 0 {
				some++
			}
			inner[i]++
			all++
		}
	}
	edges := make([]Edge[T], all)
	parts := make([]Graph[T], some)
	list := make([]*Graph[T], 0, some)
	part := make([]int32, c.Count) // of a component: its place in parts, plus one
	number := next[:g.Nodes]       // of a node in its component, plus one; next has done its work
	clear(number)
	for _, e := range g.Edges {
		i := c.Of[e.Src]
		if i != c.Of[e.Dst] {
			continue
		}
		if part[i] == 0 {
			n := inner[i]
			p := &parts[len(list)]
			*p = Graph[T]{Root: e.Src, Number: i, Budget: g.Budget, Edges: edges[:0:n]}
			edges = edges[n:]
			list = append(list, p)
			part[i] = int32(len(list))
		}
		p := list[part[i]-1]
		for _, n := range [2]int32{e.Src, e.Dst} {
			if number[n] == 0 {
				p.Nodes++
				number[n] = int32(p.Nodes)
			}
		}
		p.Edges = append(p.Edges, Edge[T]{number[e.Src] - 1, number[e.Dst] - 1, e.Tag})
		if g.Budget.Stop() {
			return nil
		}
	}
	return list
}

// Grouped returns the values of some pairs of a key below keys and a value: those of key k are
// list[first[k]:first[k+1]], in the order of the pairs. It goes over the pairs twice.
func Grouped[K ~int32, V any](keys int, pairs iter.Seq2[K, V]) (first []int32, list []V) {
	first = make([]int32, keys+1)
	for k := range pairs {
		first[k+1]++
	}
	for k := range keys {
		first[k+1] += first[k]
	}
	list = make([]V, first[keys])
	next := slices.Clone(first)
	for k, v := range pairs {
		list[next[k]] = v
		next[k]++
	}
	return first, list
}
