package runs

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A runGraph is an automaton on one word: a node is a state and the position of the
// letter to be read next. It has what is reachable, in breadth-first order.
type runGraph struct {
	a      *omega.Automaton
	word   *omega.Word
	budget *budget.Budget
	place  []int32  // of a node: state*size+position
	depth  []int32  // of a node: the number of letters of a shortest way to it
	way    []int32  // of a node: the last arc of such a way; -1 at the start
	first  []int32  // the arcs of node n are arcs[first[n]:first[n+1]]
	arcs   []runArc // in the order of their sources
	index  []int32  // see sources
}

type runArc struct {
	src, dst int32
	edge     int32
	marks    omega.Marks
}

// newRunGraph returns the graph of what is reachable from the initial states.
func newRunGraph(b *budget.Budget, a *omega.Automaton, w *omega.Word) *runGraph {
	g := &runGraph{a: a, word: w, budget: b}
	size, places := w.Size(), omega.Positions(a, w, b)
	number := make([]int32, places) // plus one
	visit := func(s omega.State, pos int, depth, way int32) int32 {
		p := int(s)*size + pos
		if number[p] == 0 {
			g.place = append(g.place, int32(p))
			g.depth = append(g.depth, depth)
			g.way = append(g.way, way)
			number[p] = int32(len(g.place))
		}
		return number[p] - 1
	}
	if b.Err() != nil {
		return g
	}
	for _, s := range a.Initial() {
		visit(s, 0, 0, -1)
	}
	g.first = append(g.first, 0)
	for n := 0; n < len(g.place) && !b.Stop(); n++ {
		s, pos := g.at(int32(n))
		next := w.Next(pos)
		for i, e := range a.Edges(s) {
			if b.Stop() {
				break
			}
			if a.Alphabet().Meet(e.Label, w.At(pos)) {
				m := visit(e.Dst, next, g.depth[n]+1, int32(len(g.arcs)))
				g.arcs = append(g.arcs, runArc{int32(n), m, int32(i), e.Marks})
			}
		}
		g.first = append(g.first, int32(len(g.arcs)))
	}
	g.index = make([]int32, len(g.place))
	return g
}

// memory returns the bytes that the graph takes, but for an index of its places.
func (g *runGraph) memory() int64 {
	return int64(4*(cap(g.place)+cap(g.depth)+cap(g.way)+cap(g.first)+cap(g.index)) + 24*cap(g.arcs))
}

func (g *runGraph) at(n int32) (omega.State, int) {
	size := g.word.Size()
	return omega.State(int(g.place[n]) / size), int(g.place[n]) % size
}

func (g *runGraph) steps(arcs []runArc) []Step {
	var steps []Step
	for _, arc := range arcs {
		s, pos := g.at(arc.src)
		steps = append(steps, Step{s, pos, int(arc.edge)})
	}
	return steps
}

// trace returns the arcs that nodes were reached by, from where there is none to node n.
func (g *runGraph) trace(n int32, way []int32) []runArc {
	var arcs []runArc
	for way[n] >= 0 {
		arcs = append(arcs, g.arcs[way[n]])
		n = g.arcs[way[n]].src
	}
	slices.Reverse(arcs)
	return arcs
}

// components returns the arcs of each strongly connected component that has any, those
// that nothing leads on from first. It takes time linear in the arcs, and nothing for
// the rest of the graph.
func (g *runGraph) components(arcs []runArc) [][]runArc {
	nodes, first := g.sources(arcs)
	dst := make([]omega.State, 0, len(arcs))
	inner := make([]int32, 1, len(nodes)+1)
	for n := range nodes {
		for _, arc := range arcs[first[n]:first[n+1]] {
			// A node that nothing leaves is a component without arcs.
			if m, ok := g.among(nodes, arc.dst); ok {
				dst = append(dst, omega.State(m))
			}
		}
		inner = append(inner, int32(len(dst)))
	}
	c := scc.Find(g.budget, inner, dst)
	if c.Count == 0 {
		return nil
	}
	parts := make([][]runArc, c.Count)
	for n := range nodes {
		for _, arc := range arcs[first[n]:first[n+1]] {
			if m, ok := g.among(nodes, arc.dst); ok && c.Of[n] == c.Of[m] {
				parts[c.Of[n]] = append(parts[c.Of[n]], arc)
			}
		}
	}
	return slices.DeleteFunc(parts, func(p []runArc) bool { return len(p) == 0 })
}

// sources returns the nodes that arcs leave, in order, and where the arcs of each start.
// Until it is called again, among tells the place of a node in that list.
func (g *runGraph) sources(arcs []runArc) (nodes, first []int32) {
	for i, arc := range arcs {
		if i == 0 || arcs[i-1].src != arc.src {
			g.index[arc.src] = int32(len(nodes))
			nodes = append(nodes, arc.src)
			first = append(first, int32(i))
		}
	}
	return nodes, append(first, int32(len(arcs)))
}

func (g *runGraph) among(nodes []int32, n int32) (place int32, ok bool) {
	i := g.index[n] // left from another list, perhaps
	return i, int(i) < len(nodes) && nodes[i] == n
}

func (g *runGraph) marks(arcs []runArc) omega.Marks {
	var all omega.Marks
	for _, arc := range arcs {
		all = g.a.Marks().Union(all, arc.marks)
	}
	return all
}

// without returns the arcs that don't carry a mark.
func (g *runGraph) without(arcs []runArc, mark int) []runArc {
	return slices.DeleteFunc(slices.Clone(arcs), func(arc runArc) bool { return g.a.Marks().Has(arc.marks, mark) })
}

// accepting returns a strongly connected part of a component, and a condition at least
// as strong as c, that holds for all marks of that part: so a run that stays in the part
// and sees what the condition needs is accepting. It returns nil if there is none
// (Emerson and Lei 1987).
//
// Take Fin(0)&Inf(1) and one state with the loops {0}, {1} and {0 1}. With all three, Fin(0) fails.
// So those with mark 0 are removed, and the loop {1} is the part.
func (g *runGraph) accepting(c *omega.Condition, arcs []runArc) ([]runArc, *omega.Condition) {
	all := g.marks(arcs)
	if c.Eval(g.a.Marks(), all) {
		return arcs, c
	}
	if g.budget.Stop() {
		return nil, nil
	}
	if c.Op == omega.CondOr {
		for _, d := range c.Args {
			if part, by := g.accepting(d, arcs); part != nil {
				return part, by
			}
		}
		return nil, nil
	}
	// Some Fin fails that must hold if this mark is not to be avoided.
	fin := g.failingFin(c, all)
	if fin < 0 {
		return nil, nil
	}
	for _, part := range g.components(g.without(arcs, fin)) {
		if part, by := g.accepting(c, part); part != nil {
			return part, by
		}
	}
	return g.accepting(c.GiveUp(fin), arcs)
}

// failingFin returns the mark of a Fin that fails with all marks, in an operand that
// fails; -1 if there is none, so that less marks are no better.
func (g *runGraph) failingFin(c *omega.Condition, all omega.Marks) int {
	switch {
	case c.Eval(g.a.Marks(), all):
		return -1
	case c.Op == omega.CondFin:
		return c.Mark
	}
	least := -1
	for _, d := range c.Args {
		fin := g.failingFin(d, all)
		if c.Op == omega.CondAnd && fin < 0 && !d.Eval(g.a.Marks(), all) {
			return -1 // an operand that no part satisfies
		}
		if least < 0 || d.Op == omega.CondFin && fin >= 0 {
			least = fin
		}
	}
	return least
}
