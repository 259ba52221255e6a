// Package runs shows how an automaton reads a word.
//
// [Explain] finds an accepting run, or says why there is none. [Verify] checks a run from the
// definition. [Tight] reports whether an accepting run is as short as the word.
//
// Package omega decides membership without runs (Automaton.Accepts). This package does it in
// another way, so that each tests the other.
package runs

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Run is a run of an automaton on a lasso word: the steps of Prefix once, then those of
// Cycle forever. It may unroll the cycle of the word. A run without a Cycle ends, because no
// edge of its last state matches the next letter.
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
	b.LimitMemory(b.MemoryLimit(), g.memory)
	e := g.explain()
	return e, g.budget.Err()
}

func (g *runGraph) explain() *Explanation {
	parts := g.components(g.arcs)
	if len(parts) == 0 {
		return g.stuck()
	}
	var best *omega.Lasso[runArc]
	for _, arcs := range parts {
		if part, c := g.accepting(g.a.Acceptance().Condition, arcs); part != nil {
			best = g.shortest(part, needed(c, g.a.Marks(), g.marks(part), nil), best)
		}
	}
	if best != nil {
		return &Explanation{Accepted: true, Run: g.run(best)}
	}
	e := &Explanation{}
	for _, arcs := range parts {
		if g.budget.Err() == nil {
			e.Stays = append(e.Stays, g.stay(arcs))
		}
	}
	if len(e.Stays) > 0 {
		e.Run = e.Stays[0].Run
	}
	return e
}

// needed appends to list the marks that have to be seen for a condition to hold, which
// holds for the marks of all: where one operand is enough, of that which needs the
// fewest.
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
				continue
			}
			if more := needed(d, t, all, slices.Clone(list)); !found || len(more) < len(best) {
				best, found = more, true
			}
		}
		return best
	}
	return list
}

// stay describes a component in which no run is accepting.
func (g *runGraph) stay(arcs []runArc) Stay {
	all := g.marks(arcs)
	known := make(map[int]int)
	c := g.a.Acceptance().Condition
	c.Leaves(func(l *omega.Condition) {
		if _, ok := known[l.Mark]; ok {
			return
		}
		switch {
		case !g.a.Marks().Has(all, l.Mark):
			known[l.Mark] = -1
		case len(g.components(g.without(arcs, l.Mark))) == 0:
			known[l.Mark] = 1
		}
	})
	value := func(i int) int { return known[i] }
	s := Stay{Marks: all, Rest: c.Assume(value).Simplify()}
	if s.Rest.Op == omega.CondFalse {
		s.Failed = failed(c, value, nil)
	}
	for _, arc := range arcs {
		state, _ := g.at(arc.src)
		s.States = append(s.States, state)
	}
	slices.Sort(s.States)
	s.States = slices.Compact(s.States)
	if best := g.shortest(arcs, nil, nil); best != nil {
		s.Run = g.run(best)
	}
	return s
}

// failed appends leaves that make a condition false, as what is known does: of a
// conjunction, those of one operand, with the fewest.
func failed(c *omega.Condition, known func(int) int, list []*omega.Condition) []*omega.Condition {
	switch c.Op {
	case omega.CondInf, omega.CondFin:
		return append(list, c)
	case omega.CondOr:
		for _, d := range c.Args {
			list = failed(d, known, list)
		}
	case omega.CondAnd:
		var best []*omega.Condition
		for _, d := range c.Args {
			if d.Assume(known).Op != omega.CondFalse {
				continue
			}
			if more := failed(d, known, nil); best == nil || len(more) < len(best) {
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
	nodes := make([]int32, order.Count) // against the arcs: each is a component
	for n, i := range order.Of {
		nodes[i] = int32(n)
	}
	length := make([]int32, len(g.place)) // of a longest run to a node
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
