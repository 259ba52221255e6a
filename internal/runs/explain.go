// Package runs shows how an automaton reads a word.
//
// [Explain] finds an accepting run, or says why there is none. [Verify] checks a run from the
// definition. [Tight] reports whether an accepting run is as short as the word.
//
// Package omega decides membership without runs (Automaton.Accepts), and finds the part of an
// automaton on a word in which runs are accepting.
package runs

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Run is a run of an automaton on a lasso word: the steps of Prefix once, then the steps
// of Cycle forever. It may unroll the cycle of the word. A run without a Cycle ends, because
// no edge of its last state matches the next letter.
type Run struct {
	omega.Lasso[Step]
	End omega.State // the last state of a run without a Cycle
}

// A Step is an edge of a run, taken on one letter of the word.
type Step struct {
	State  omega.State
	Letter int // the letter's position, below the word's Size
	Edge   int // the edge's place in Edges(State)
}

// An Explanation says why an automaton accepts or rejects a word.
//
//   - It accepts: Run is an accepting run.
//   - It rejects, and every run ends: Run is a longest run, and Stuck has the states in which
//     longest runs end. Without an initial state, Run is nil and Stuck is empty.
//   - It rejects, and there are infinite runs: Stays are the places where these stay, the
//     farthest from the start first. Run is the run of the first of them.
//
// For example, on cycle{a} with Inf(0):
//
//	0 -a-> 0 {0}               accepts, by the run 0 0 …
//	0 -a-> 1; 1 -!a-> 0        rejects: all runs end, in the state 1
//	0 -a-> 1; 1 -a-> 1         rejects: runs stay in the state 1, and Inf(0) fails
type Explanation struct {
	Accepted bool
	Run      *Run
	Stuck    []omega.State
	Stays    []Stay
}

// A Stay is a strongly connected component of the automaton on the word, in which runs can
// stay, but none is accepting.
type Stay struct {
	States []omega.State // ascending
	Marks  omega.Marks   // seen on its edges
	Run    *Run          // one that stays, with a short cycle
	// Failed are parts of the acceptance condition that each run that stays violates: Inf(i)
	// if i is on no edge, Fin(i) if i is on each cycle. If Rest is false, they make the
	// condition false. Otherwise Rest is what remains of the condition, and each cycle
	// violates it in its own way.
	Failed []*omega.Condition
	Rest   *omega.Condition
}

// Explain says why the automaton accepts or rejects the word. Open propositions are treated as
// in Accepts. It takes time linear in edges times letters, plus the search for a short
// accepting run. That search is exponential in the number of marks at worst. Explain fails
// with ErrAlternating for an alternating automaton, because its runs are no paths, and when
// ctx is done.
//
// VerifyExplanation checks the result.
func Explain(ctx context.Context, a *omega.Automaton, w *omega.Word) (_ *Explanation, err error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	if a.Alternating() {
		return nil, omega.ErrAlternating
	}
	both := omega.Union(a.Alphabet(), w.Alphabet)
	b := budget.New(ctx)
	defer both.Bind(b).Release(&err)
	if a, err = a.Over(ctx, both); err != nil {
		return nil, err
	}
	g := newRunGraph(b, a, w.Over(both))
	b.LimitMemory(b.MemoryLimit(), func() int64 { // without an index of the places
		return int64(4*(cap(g.place)+cap(g.depth)+cap(g.way)+cap(g.first)) + 24*cap(g.arcs))
	})
	e := g.explain()
	return e, g.budget.Err()
}

func (g *runGraph) explain() *Explanation {
	parts := g.parts()
	if len(parts) == 0 {
		return g.stuck()
	}
	var best *omega.Lasso[runArc]
	for _, p := range parts {
		part, c := omega.AcceptingPart(p, func(arc runArc) omega.Marks { return arc.marks }, g.a.Marks(), g.a.Acceptance().Condition)
		if part != nil {
			// A run that stays in the part and sees what the condition needs is accepting.
			best = g.shortest(part, needed(c, g.a.Marks(), g.marks(part), nil), best)
		}
	}
	if best != nil {
		return &Explanation{Accepted: true, Run: g.run(best)}
	}
	e := &Explanation{}
	for _, part := range parts {
		if g.budget.Err() == nil {
			e.Stays = append(e.Stays, g.stay(part))
		}
	}
	if len(e.Stays) > 0 {
		e.Run = e.Stays[0].Run
	}
	return e
}

// needed appends to list the marks that have to be seen for a condition to hold, which
// holds for the marks of all.
func needed(c *omega.Condition, t *omega.MarkTable, all omega.Marks, list []int) []int {
	switch c.Op {
	case omega.CondInf:
		if !slices.Contains(list, c.Mark) {
			list = append(list, c.Mark)
		}
	case omega.CondAnd:
		for _, d := range c.Args {
			list = needed(d, t, all, list)
		}
	case omega.CondOr:
		var best []int
		found := false
		for _, d := range c.Args {
			if !d.Eval(t, all) {
				continue // can't hold in the part
			}
			// The operand that needs the fewest.
			if more := needed(d, t, all, slices.Clone(list)); !found || len(more) < len(best) {
				best, found = more, true
			}
		}
		return best
	}
	return list
}

// stay describes a component in which no run is accepting.
func (g *runGraph) stay(part *runPart) Stay {
	all := g.marks(part)
	known := make(map[int]int)
	c := g.a.Acceptance().Condition
	c.Leaves(func(l *omega.Condition) {
		if _, ok := known[l.Mark]; ok {
			return
		}
		switch {
		case !g.a.Marks().Has(all, l.Mark):
			known[l.Mark] = -1 // on no edge: Fin holds, Inf fails
		case !g.avoidable(part, l.Mark):
			known[l.Mark] = 1 // on each cycle: Inf holds, Fin fails
		}
	})
	value := func(i int) int { return known[i] }
	s := Stay{Marks: all, Rest: c.Assume(value).Simplify()}
	if s.Rest.Op == omega.CondFalse {
		s.Failed = failed(c, value, nil)
	}
	for _, e := range part.Edges {
		state, _ := g.at(e.Tag.src)
		s.States = append(s.States, state)
	}
	slices.Sort(s.States)
	s.States = slices.Compact(s.States)
	if best := g.shortest(part, nil, nil); best != nil {
		s.Run = g.run(best)
	}
	return s
}

// failed appends leaves that suffice to make a condition false, as known does.
func failed(c *omega.Condition, known func(int) int, list []*omega.Condition) []*omega.Condition {
	switch c.Op {
	case omega.CondInf, omega.CondFin:
		return append(list, c)
	case omega.CondOr: // all operands must fail
		for _, d := range c.Args {
			list = failed(d, known, list)
		}
	case omega.CondAnd:
		var best []*omega.Condition
		for _, d := range c.Args {
			if d.Assume(known).Op != omega.CondFalse {
				continue
			}
			if more := failed(d, known, nil); best == nil || len(more) < len(best) { // one operand is enough
				best = more
			}
		}
		return append(list, best...)
	}
	return list
}

// stuck explains that all runs end, as there is no cycle.
func (g *runGraph) stuck() *Explanation {
	e := &Explanation{}
	if len(g.place) == 0 || g.budget.Err() != nil {
		return e
	}
	dst := make([]omega.State, len(g.arcs))
	for i, arc := range g.arcs {
		dst[i] = omega.State(arc.dst)
	}
	order := scc.Find(g.budget, g.first, dst)
	if order.Count == 0 {
		return e
	}
	// Without cycles, each node is a component, and these are numbered against the arcs.
	nodes := make([]int32, order.Count)
	for n, i := range order.Of {
		nodes[i] = int32(n)
	}
	// Runs to a node are known when those to all nodes before it are.
	length := make([]int32, len(g.place)) // of a longest one
	way := slices.Repeat([]int32{-1}, len(g.place))
	last := nodes[0]
	for _, n := range slices.Backward(nodes) {
		if length[n] > length[last] {
			last = n
		}
		for i := g.first[n]; i < g.first[n+1]; i++ {
			if m := g.arcs[i].dst; length[m] <= length[n] {
				length[m], way[m] = length[n]+1, i
			}
		}
	}
	end, _ := g.at(last)
	e.Run = &Run{Lasso: omega.Lasso[Step]{Prefix: g.steps(g.trace(last, way))}, End: end}
	for n := range g.place {
		if length[n] == length[last] {
			s, _ := g.at(int32(n))
			e.Stuck = append(e.Stuck, s)
		}
	}
	slices.Sort(e.Stuck)
	return e
}

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
}

type runArc struct {
	src, dst int32
	edge     int32
	marks    omega.Marks
}

// A runPart is a part of the graph, with nodes of its own numbers.
type runPart = scc.Graph[runArc]

// newRunGraph returns the graph of what is reachable from the initial states.
func newRunGraph(b *budget.Budget, a *omega.Automaton, w *omega.Word) *runGraph {
	g := &runGraph{a: a, word: w, budget: b}
	size, places := w.Size(), a.PositionsWithin(w, b)
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
		s, pos := g.at(int32(n)) // breadth first, so depth is the length of a shortest way
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
	return g
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

// parts returns the strongly connected components that have arcs, those that nothing leads on from
// first.
func (g *runGraph) parts() []*runPart {
	all := &runPart{Nodes: len(g.place), Budget: g.budget}
	for _, arc := range g.arcs {
		all.Edges = append(all.Edges, scc.Edge[runArc]{Src: arc.src, Dst: arc.dst, Tag: arc})
	}
	parts := all.Parts()
	slices.SortFunc(parts, func(x, y *runPart) int { return cmp.Compare(x.Number, y.Number) })
	return parts
}

func (g *runGraph) marks(part *runPart) omega.Marks {
	var all omega.Marks
	for _, e := range part.Edges {
		all = g.a.Marks().Union(all, e.Tag.marks)
	}
	return all
}

// avoidable reports whether some cycle has no edge with a mark.
func (g *runGraph) avoidable(part *runPart, mark int) bool {
	without := *part
	without.Edges = slices.DeleteFunc(slices.Clone(part.Edges), func(e scc.Edge[runArc]) bool { return g.a.Marks().Has(e.Tag.marks, mark) })
	return len(without.Parts()) > 0
}

// lassoSteps bounds the search for a short lasso, in arcs looked at: each node of a
// component may be where the cycle starts.
const lassoSteps = 1 << 20

// shortest returns a short lasso with a cycle in a strongly connected part that sees some marks, or
// best if it finds none that is shorter.
func (g *runGraph) shortest(part *runPart, marks []int, best *omega.Lasso[runArc]) *omega.Lasso[runArc] {
	s := newPartSearch(g, part)
	// The lasso is a shortest one if there are at most stageMarks marks, and if lassoSteps allows to
	// try all nodes as starts.
	for i := 0; i < len(s.nodes) && s.steps < lassoSteps; i++ {
		start := s.nodes[i] // in breadth-first order
		way := int(g.depth[start])
		if best != nil && way+1 >= best.Size() || g.budget.Stop() {
			break
		}
		most := -1
		if best != nil {
			most = best.Size() - way
		}
		if cycle := s.cycle(int32(i), marks, most); cycle != nil {
			best = &omega.Lasso[runArc]{Prefix: g.trace(start, g.way), Cycle: cycle}
		}
	}
	return best
}

func (g *runGraph) run(l *omega.Lasso[runArc]) *Run {
	r := &Run{Lasso: omega.Lasso[Step]{Prefix: g.steps(l.Prefix), Cycle: g.steps(l.Cycle)}}
	// Steps before the cycle that it ends with as well are rolled into it.
	for len(r.Prefix) > 0 && r.Prefix[len(r.Prefix)-1] == r.Cycle[len(r.Cycle)-1] {
		last := len(r.Cycle) - 1
		r.Cycle = slices.Concat(r.Cycle[last:], r.Cycle[:last])
		r.Prefix = r.Prefix[:len(r.Prefix)-1]
	}
	return r
}

// A partSearch walks through a strongly connected part of a runGraph. Its nodes are numbered in the
// order in which their arcs are listed, which is the breadth-first order of the graph.
type partSearch struct {
	g     *runGraph
	arcs  []scc.Edge[runArc] // in the order of their sources
	nodes []int32            // of the graph, ascending
	index []int32            // of the part's nodes, in nodes
	first []int32            // the arcs of nodes[i] are arcs[first[i]:first[i+1]]
	// A place is an index in nodes and the set of marks that have been seen.
	seen  []int32 // the stage in which the place was last visited
	from  []int32 // and the place that it was then reached from
	way   []int32 // and the arc
	queue []int32
	stage int32
	steps int
}

func newPartSearch(g *runGraph, part *runPart) *partSearch {
	s := &partSearch{g: g, arcs: part.Edges, index: make([]int32, part.Nodes)}
	for i, e := range s.arcs {
		if i == 0 || s.arcs[i-1].Src != e.Src {
			s.index[e.Src] = int32(len(s.nodes))
			s.nodes = append(s.nodes, e.Tag.src)
			s.first = append(s.first, int32(i))
		}
	}
	s.first = append(s.first, int32(len(s.arcs)))
	return s
}

// stageMarks is how many marks are looked for at a time: a stage takes time exponential
// in that.
const stageMarks = 4

// cycle returns a closed walk from nodes[start] that sees the marks, or nil if it would have most
// arcs or more (unless that is negative). It is a shortest one if one stage is enough.
func (s *partSearch) cycle(start int32, marks []int, most int) (walk []runArc) {
	at := start
	for {
		n := min(len(marks), stageMarks)
		last := n == len(marks)
		from := len(walk)
		walk, at = s.extend(walk, at, marks[:n], start, last)
		if len(walk) == from || most >= 0 && len(walk) >= most {
			return nil
		}
		if last {
			return walk
		}
		// The walk may have seen some of the later marks on its way.
		marks = slices.DeleteFunc(slices.Clone(marks[n:]), func(i int) bool {
			return slices.ContainsFunc(walk[from:], func(arc runArc) bool { return s.g.a.Marks().Has(arc.marks, i) })
		})
	}
}

// extend appends a shortest walk from a node that sees all of the marks, and returns where it ends.
// With goHome, that is home. It is a breadth-first search of the pairs of a node and the set of
// marks seen on the way, and each place is such a pair: the index of the node, and a bit for each
// mark.
func (s *partSearch) extend(walk []runArc, at int32, marks []int, home int32, goHome bool) ([]runArc, int32) {
	k := len(marks)
	if size := len(s.nodes) << k; len(s.seen) < size {
		s.seen, s.from, s.way = make([]int32, size), make([]int32, size), make([]int32, size)
		s.stage = 0
	}
	s.stage++         // older entries of seen do not count
	origin := at << k // not visited: a walk has an arc
	s.queue = append(s.queue[:0], origin)
	for head := 0; head < len(s.queue); head++ {
		place := s.queue[head]
		n := place >> k
		for i := s.first[n]; i < s.first[n+1]; i++ {
			s.steps++
			dst := s.index[s.arcs[i].Dst]
			next := dst<<k | place&(1<<k-1)
			for j, mark := range marks {
				if s.g.a.Marks().Has(s.arcs[i].Tag.marks, mark) {
					next |= 1 << j
				}
			}
			if s.seen[next] == s.stage {
				continue
			}
			s.seen[next], s.from[next], s.way[next] = s.stage, place, i
			if next&(1<<k-1) == 1<<k-1 && (!goHome || dst == home) {
				return s.trace(walk, next, origin), dst
			}
			s.queue = append(s.queue, next)
		}
	}
	return walk, at
}

// trace appends the walk to a place. The first place of the queue may have been reached
// again: the walk starts where it is met first.
func (s *partSearch) trace(walk []runArc, place, origin int32) []runArc {
	end := len(walk)
	for {
		walk = append(walk, s.arcs[s.way[place]].Tag)
		if place = s.from[place]; place == origin {
			slices.Reverse(walk[end:])
			return walk
		}
	}
}
