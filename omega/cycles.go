package omega

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/scc"
)

// A markedGraph is what remains of an automaton when letters do not matter any
// more: edges with marks. It is used to decide membership of a word and
// structural properties, and is kept apart from the emptiness checks: each is a
// rival of the other in tests.
type markedGraph = scc.Graph[Marks]

type markedEdge = scc.Edge[Marks]

// acceptingCycle reports whether some closed walk in the graph sees a set of
// marks that satisfies c (Emerson and Lei 1987).
//
// A walk that satisfies c stays in one strongly connected component. If its marks all together
// satisfy c, the walk through all of its edges does. Otherwise some Fin(i) fails that need not: an
// accepting walk either avoids i, and then lives in the component without the edges that carry i;
// or it does not, and then satisfies c with Fin(i) replaced by false. Each step loses a mark or a
// Fin. With Fin(0) & Inf(1), the cycles of 0→1 {0}, 1→0 {1}, 1→1 {1} have both marks together.
// Without mark 0, 1→1 remains, which satisfies it.
//
// The number of steps is exponential in the number of marks at worst
// (the problem is NP-complete), and linear for Büchi, Rabin and Streett.
func acceptingCycle(g *markedGraph, t *MarkTable, c *Condition) bool {
	return slices.ContainsFunc(g.Parts(), func(part *markedGraph) bool { return acceptingPart(part, t, c) })
}

// acceptingPart is acceptingCycle for a strongly connected graph.
func acceptingPart(g *markedGraph, t *MarkTable, c *Condition) bool {
	all := allMarks(g, t)
	if g.Budget.Spend(c.Size()) {
		return false
	}
	// Marks that no edge has are not seen.
	rest := c.Assume(func(i int) int {
		if t.Has(all, i) {
			return 0
		}
		return -1
	})
	return acceptingWalk(g, t, rest, all)
}

func allMarks(g *markedGraph, t *MarkTable) Marks {
	if t.Inline() {
		var all Marks
		for _, e := range g.Edges {
			all |= e.Tag
		}
		g.Budget.Spend(len(g.Edges))
		return all
	}
	var all collector
	for _, e := range g.Edges {
		if g.Budget.Spend(t.words) {
			break
		}
		all.add(t, e.Tag)
	}
	return all.marks(t)
}

// acceptingWalk does the same in a strongly connected graph that has the marks
// of all, and where c speaks of no others.
func acceptingWalk(g *markedGraph, t *MarkTable, c *Condition, all Marks) bool {
	if g.Budget.Spend(c.Size()) {
		return false
	}
	if c.Eval(t, all) {
		return true
	}
	if c.Op == CondOr { // a disjunction holds if one operand does
		return slices.ContainsFunc(c.Args, func(d *Condition) bool { return acceptingWalk(g, t, d, all) })
	}
	// Only an operand that fails with all marks asks for one to be avoided; a Fin
	// that is an operand by itself fails without alternative.
	from := c
	if c.Op == CondAnd {
		from = nil
		for _, d := range c.Args {
			if !d.Eval(t, all) && (from == nil || d.Op == CondFin) {
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
	// A walk avoids the mark, and is in a part without its edges; or it sees it, and this Fin is
	// false.
	without := &markedGraph{Nodes: g.Nodes, Budget: g.Budget}
	for _, e := range g.Edges {
		if !t.Has(e.Tag, fin) {
			without.Edges = append(without.Edges, e)
		}
	}
	if acceptingCycle(without, t, c) {
		return true
	}
	return acceptingWalk(g, t, c.GiveUp(fin), all)
}
