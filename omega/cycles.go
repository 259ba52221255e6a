package omega

import (
	"github.com/xcheck-ltl/xcheck/internal/scc"
)

// A markedGraph is what remains of an automaton when letters do not matter any
// more: edges with marks. It is used to decide membership of a word and
// structural properties, and is kept apart from the emptiness checks: each is a
// rival of the other in tests.
type markedGraph = scc.Graph[Marks]

type markedEdge = scc.Edge[Marks]

// acceptingPart reports whether some closed walk in a strongly connected graph sees a set of marks that satisfies c.
func acceptingPart(g *markedGraph, t *MarkTable, c *Condition) bool {
	part, _ := AcceptingPart(g, func(m Marks) Marks { return m }, t, c)
	return part != nil
}

// AcceptingPart returns a strongly connected part of a strongly connected graph, and a condition at
// least as strong as c that the marks of all edges of this part satisfy together: a closed walk
// through them satisfies c. It returns nil if no closed walk satisfies c, and if the budget of the
// graph ends (Emerson and Lei 1987). The marks of an edge are those of its tag.
//
// The number of steps is exponential in the number of marks at worst (the problem is NP-complete),
// and linear for Büchi, Rabin and Streett.
func AcceptingPart[T any](g *scc.Graph[T], marks func(tag T) Marks, t *MarkTable, c *Condition) (part *scc.Graph[T], by *Condition) {
	if g == nil || g.Budget == nil || marks == nil || t == nil || c == nil {
		return nil, nil
	}
	var all collector
	for _, e := range g.Edges {
		if g.Budget.Spend(t.words) {
			return nil, nil
		}
		all.add(t, marks(e.Tag))
	}
	return acceptingWalk(g, marks, t, c, all.marks(t))
}

// acceptingWalk is AcceptingPart, where all are the marks of the edges.
func acceptingWalk[T any](g *scc.Graph[T], marks func(tag T) Marks, t *MarkTable, c *Condition, all Marks) (*scc.Graph[T], *Condition) {
	if g.Budget.Spend(c.Size()) {
		return nil, nil
	}
	if c.Eval(t, all) {
		return g, c // the walk through all edges satisfies it
	}
	if c.Op == CondOr { // a disjunction holds if one operand does
		for _, d := range c.Args {
			if part, by := acceptingWalk(g, marks, t, d, all); part != nil {
				return part, by
			}
		}
		return nil, nil
	}
	// Some Fin fails that need not. A walk avoids its mark, and lives in a part without the edges
	// that carry it; or it sees the mark, and satisfies c with this Fin replaced by false. Each step
	// loses a mark or a Fin. With Fin(0) & Inf(1), the cycles of 0→1 {0}, 1→0 {1}, 1→1 {1} have both
	// marks together. Without mark 0, 1→1 remains, which satisfies it.
	fin := failingFin(c, t, all)
	if fin < 0 {
		return nil, nil
	}
	without := &scc.Graph[T]{Nodes: g.Nodes, Budget: g.Budget}
	for _, e := range g.Edges {
		if !t.Has(marks(e.Tag), fin) {
			without.Edges = append(without.Edges, e)
		}
	}
	for _, part := range without.Parts() {
		if part, by := AcceptingPart(part, marks, t, c); part != nil {
			return part, by
		}
	}
	return acceptingWalk(g, marks, t, c.GiveUp(fin), all)
}

// failingFin returns the mark of a Fin that fails with all marks, in an operand that fails. It
// returns -1 if there is none, so that fewer marks are no better.
func failingFin(c *Condition, t *MarkTable, all Marks) int {
	switch {
	case c.Eval(t, all):
		return -1
	case c.Op == CondFin:
		return c.Mark
	}
	least := -1
	for _, d := range c.Args {
		fin := failingFin(d, t, all)
		if c.Op == CondAnd && fin < 0 && !d.Eval(t, all) {
			return -1 // an operand that no part satisfies
		}
		// A Fin that is an operand by itself fails without alternative.
		if least < 0 || d.Op == CondFin && fin >= 0 {
			least = fin
		}
	}
	return least
}
