package omega

import "github.com/xcheck-ltl/xcheck/internal/budget"

// A markedGraph is what remains of an automaton when letters do not matter any
// more: edges with marks. It is used to decide membership of a word and
// structural properties, and is kept apart from the emptiness checks: each is a
// rival of the other in tests.
type markedGraph struct {
	nodes  int
	edges  []markedEdge
	table  *MarkTable
	root   int32          // of a component: one of its nodes, as the whole graph numbers it
	budget *budget.Budget // when it says to stop, nothing is found
}

type markedEdge struct {
	src, dst int32
	marks    Marks
}

// acceptingCycle reports whether some closed walk in the graph sees a set of
// marks that satisfies c (Emerson and Lei 1987).
//
// A walk that satisfies c stays in one strongly connected component. If its
// marks all together satisfy c, the walk through all of its edges does.
// Otherwise some Fin(i) fails that need not: an accepting walk either avoids i,
// and then lives in the component without the edges that carry i; or it does
// not, and then satisfies c with Fin(i) replaced by false. Each step loses a mark
// or a Fin. The number of steps is exponential in the number of marks at worst
// (the problem is NP-complete), and linear for Büchi, Rabin and Streett.
func (g *markedGraph) acceptingCycle(c *Condition) bool {
	size := c.Size()
	for _, scc := range g.components() {
		all := scc.all()
		if g.budget.Spend(size) {
			return false
		}
		rest := c.Assume(func(i int) int {
			if g.table.Has(all, i) {
				return 0
			}
			return -1
		})
		if scc.acceptingWalk(rest, all) {
			return true
		}
	}
	return false
}

// all returns the marks of all edges.
func (g *markedGraph) all() Marks {
	if g.table.Inline() {
		var all Marks
		for _, e := range g.edges {
			all |= e.marks
		}
		g.budget.Spend(len(g.edges))
		return all
	}
	var all collector
	for _, e := range g.edges {
		if g.budget.Spend(g.table.words) {
			break
		}
		all.add(g.table, e.marks)
	}
	return all.marks(g.table)
}

// acceptingWalk does the same in a strongly connected graph that has the marks
// of all, and where c speaks of no others.
func (g *markedGraph) acceptingWalk(c *Condition, all Marks) bool {
	if g.budget.Spend(c.Size()) {
		return false
	}
	if c.Eval(g.table, all) {
		return true
	}
	if c.Op == CondOr { // a disjunction holds if one operand does
		for _, d := range c.Args {
			if g.acceptingWalk(d, all) {
				return true
			}
		}
		return false
	}
	// Only an operand that fails with all marks asks for one to be avoided; a Fin
	// that is an operand by itself fails without alternative.
	from := c
	if c.Op == CondAnd {
		from = nil
		for _, d := range c.Args {
			if !d.Eval(g.table, all) && (from == nil || d.Op == CondFin) {
				from = d
			}
		}
	}
	fin := -1
	from.Leaves(func(l *Condition) {
		if l.Op == CondFin && fin < 0 {
			fin = l.Mark
		}
	})
	if fin < 0 {
		return false // c is monotone, and even all marks are not enough
	}
	without := &markedGraph{nodes: g.nodes, table: g.table, budget: g.budget}
	for _, e := range g.edges {
		if !g.table.Has(e.marks, fin) {
			without.edges = append(without.edges, e)
		}
	}
	if without.acceptingCycle(c) {
		return true
	}
	return g.acceptingWalk(c.GiveUp(fin), all)
}

// components returns the strongly connected components that have edges, with
// just their inner edges and their nodes numbered anew, so that what is done with
// one takes time by its own size.
func (g *markedGraph) components() []*markedGraph {
	first := make([]int32, g.nodes+1)
	for _, e := range g.edges {
		first[e.src+1]++
	}
	for i := range g.nodes {
		first[i+1] += first[i]
	}
	next := append([]int32(nil), first...)
	dst := make([]State, len(g.edges))
	for _, e := range g.edges {
		dst[next[e.src]] = State(e.dst)
		next[e.src]++
		if g.budget.Stop() {
			return nil
		}
	}
	c := components(g.budget, first, dst)
	if c.Count == 0 {
		return nil
	}
	// The inner edges of all components are in one array.
	inner := make([]int32, c.Count+1)
	all, some := 0, 0
	for _, e := range g.edges {
		if i := c.Of[e.src]; i == c.Of[e.dst] {
			if inner[i] == 0 {
				some++
			}
			inner[i]++
			all++
		}
	}
	edges := make([]markedEdge, all)
	parts := make([]markedGraph, some)
	list := make([]*markedGraph, 0, some)
	part := make([]int32, c.Count) // of a component: its place in parts, plus one
	number := next[:g.nodes]       // of a node in its component, plus one; next has done its work
	clear(number)
	for _, e := range g.edges {
		i := c.Of[e.src]
		if i != c.Of[e.dst] {
			continue
		}
		if part[i] == 0 {
			n := inner[i]
			p := &parts[len(list)]
			*p = markedGraph{table: g.table, root: e.src, budget: g.budget, edges: edges[:0:n]}
			edges = edges[n:]
			list = append(list, p)
			part[i] = int32(len(list))
		}
		p := list[part[i]-1]
		for _, n := range [2]int32{e.src, e.dst} {
			if number[n] == 0 {
				p.nodes++
				number[n] = int32(p.nodes)
			}
		}
		p.edges = append(p.edges, markedEdge{number[e.src] - 1, number[e.dst] - 1, e.marks})
		if g.budget.Stop() {
			return nil
		}
	}
	return list
}
