package omega

// A markedGraph is what remains of an automaton when letters do not matter any
// more: edges with marks. It is used to decide membership of a word and
// structural properties, and is kept apart from the emptiness checks on purpose:
// it certifies what they find.
type markedGraph struct {
	nodes int
	edges []markedEdge
	table *MarkTable
}

type markedEdge struct {
	src, dst int32
	marks    Marks
}

// acceptingCycle reports whether some closed walk in the graph sees a set of
// marks that satisfies c (Emerson and Lei 1987). It returns a node on one.
//
// A walk that satisfies c stays in one strongly connected component. If its
// marks all together satisfy c, the walk through all of its edges does.
// Otherwise some Fin(i) fails that need not: an accepting walk either avoids i,
// and then lives in the component without the edges that carry i; or it does
// not, and then satisfies c with Fin(i) replaced by false. Each step loses a mark
// or a Fin. The number of steps is exponential in the number of marks at worst
// (the problem is NP-complete), and linear for Büchi, Rabin and Streett.
func (g *markedGraph) acceptingCycle(c *Condition) (node int32, ok bool) {
	for _, scc := range g.components() {
		var all Marks
		for _, e := range scc.edges {
			all = g.table.Union(all, e.marks)
		}
		rest := c.Assume(func(i int) int {
			if g.table.Has(all, i) {
				return 0
			}
			return -1
		})
		if node, ok := scc.acceptingWalk(rest, all); ok {
			return node, true
		}
	}
	return 0, false
}

// acceptingWalk does the same in a strongly connected graph that has the marks
// of all, and where c speaks of no others.
func (g *markedGraph) acceptingWalk(c *Condition, all Marks) (node int32, ok bool) {
	if c.Eval(g.table, all) {
		return g.edges[0].src, true
	}
	if c.Op == CondOr { // a disjunction holds if one operand does
		for _, d := range c.Args {
			if node, ok := g.acceptingWalk(d, all); ok {
				return node, true
			}
		}
		return 0, false
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
		return 0, false // c is monotone, and even all marks are not enough
	}
	without := &markedGraph{nodes: g.nodes, table: g.table}
	for _, e := range g.edges {
		if !g.table.Has(e.marks, fin) {
			without.edges = append(without.edges, e)
		}
	}
	if node, ok := without.acceptingCycle(c); ok {
		return node, true
	}
	seen := c.rebuild(false, func(l *Condition) *Condition {
		if l.Op == CondFin && l.Mark == fin {
			return condFalse
		}
		return l
	})
	return g.acceptingWalk(seen, all)
}

// components returns the strongly connected components that have edges, with
// just their inner edges.
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
	}
	c := components(first, dst)
	parts := make([]*markedGraph, c.Count)
	var list []*markedGraph
	for _, e := range g.edges {
		i := c.Of[e.src]
		if i != c.Of[e.dst] {
			continue
		}
		if parts[i] == nil {
			parts[i] = &markedGraph{nodes: g.nodes, table: g.table}
			list = append(list, parts[i])
		}
		parts[i].edges = append(parts[i].edges, e)
	}
	return list
}
