package emptiness

import (
	"fmt"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Run returns an accepting Run through a component, by way of visited states.
//
// With 0→0, 0→1 {0}, 1→0, 1→1 {1} and Inf(0)&Inf(1), the cycle goes from 0 to the nearest edge
// with a mark that is needed, 0→1, on to the next one, 1→1, and back: 0→1, 1→1, 1→0.
func (x *Explorer) Run(c *Component, visited func(omega.State) bool) (*Run, error) {
	start := time.Now()
	defer func() { x.Result.RunTime = time.Since(start) }()
	var in []bool
	for _, state := range c.States {
		in = Grown(in, state)
		in[state] = true
	}
	is := func(state omega.State) bool { return int(state) < len(in) && in[state] }
	f := &Finder{}
	r := &Run{}
	// The way to the component, through states that the search has visited.
	entry := omega.State(-1)
	for _, init := range x.Src.Initial() {
		if is(init) {
			entry = init
			break
		}
	}
	if entry < 0 {
		var err error
		entry, err = x.Walk(f, &r.Prefix, x.Src.Initial(),
			func(e omega.Edge) bool { return visited(e.Dst) },
			func(e omega.Edge) bool { return is(e.Dst) })
		if err != nil {
			return nil, err
		}
	}
	// The cycle: from one mark that is needed to the next, then back.
	// Other marks than the component's may not be seen: a Fin might fail by them.
	within := func(e omega.Edge) bool {
		return is(e.Dst) && x.Marks.Minus(e.Marks, c.Marks) == 0
	}
	list, _ := x.needed(x.Cond, c.Marks)
	need := x.Marks.Of(list...)
	at := entry
	for need != 0 {
		// The nearest edge with any of the marks. Together the walks may be longer than the
		// shortest cycle, but to find that is NP-hard.
		from := len(r.Cycle)
		next, err := x.Walk(f, &r.Cycle, []omega.State{at}, within,
			func(e omega.Edge) bool { return x.Marks.Common(e.Marks, need) })
		if err != nil {
			return nil, err
		}
		for _, step := range r.Cycle[from:] {
			need = x.Marks.Minus(need, step.Edge.Marks)
		}
		at = next
	}
	// A condition that needs no mark still needs a cycle.
	if at != entry || len(r.Cycle) == 0 {
		_, err := x.Walk(f, &r.Cycle, []omega.State{at}, within,
			func(e omega.Edge) bool { return e.Dst == entry })
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// needed reports whether c holds where all of m are seen and no others, and
// returns marks that are enough for it, as few as the shape of c shows. (A mark may be
// there twice.) For Inf(0)&Inf(1) | Inf(2) and all three marks, that is mark 2.
func (x *Explorer) needed(c *omega.Condition, m omega.Marks) (need []int, ok bool) {
	switch c.Op {
	case omega.CondInf:
		return []int{c.Mark}, x.Marks.Has(m, c.Mark)
	case omega.CondAnd:
		for _, d := range c.Args {
			more, ok := x.needed(d, m)
			if !ok {
				return nil, false
			}
			need = append(need, more...)
		}
		return need, true
	case omega.CondOr:
		// One disjunct is enough: the one with the fewest marks.
		least := -1
		for _, d := range c.Args {
			marks, ok := x.needed(d, m)
			if !ok {
				continue
			}
			slices.Sort(marks)
			if n := len(slices.Compact(slices.Clone(marks))); least < 0 || n < least {
				need, least = marks, n
			}
		}
		return need, least >= 0
	}
	// Fin, t and f need no mark.
	return nil, c.Eval(x.Marks, m)
}

// A Finder finds shortest paths in a graph by breadth-first search. Its tables are kept from one
// search to the next.
type Finder struct {
	seen  []bool // by node, counted from -1
	links []link // of the last search
	arcs  []Arc  // of one node
}

// A link is a node that a search met, with the step that led there from the node of another link;
// -1 if there is none.
type link struct {
	step       Step
	node, from int32
}

// An Arc is an edge of the graph.
type Arc struct {
	Edge omega.Edge
	Node int32 // where it leads
	Goal bool  // it ends the path
}

// A Tracer finds shortest paths.
type Tracer interface {
	// Find appends to steps the steps of a shortest path from one of the nodes in starts, of -1 and
	// more, to the end of an arc that is a goal. The function out appends the arcs of a node, and
	// returns its state.
	Find(steps []Step, starts []int32, out func(arcs []Arc, node int32) (omega.State, []Arc, error)) ([]Step, error)
	Memory() int64
}

// Memory returns the number of bytes that the Finder takes.
func (f *Finder) Memory() int64 { return int64(32*cap(f.arcs) + cap(f.seen) + 40*cap(f.links)) }

// ErrNoPath cannot happen unless a Source changes its answers or a search is
// wrong.
var ErrNoPath = fmt.Errorf("%w: emptiness: no path in a strongly connected component", omega.ErrInternal)

// Find implements Tracer.
func (f *Finder) Find(steps []Step, starts []int32, out func(arcs []Arc, node int32) (omega.State, []Arc, error)) ([]Step, error) {
	// Only nodes that the last search met are cleared, so a search costs no more than the nodes it
	// meets.
	for _, l := range f.links {
		f.seen[l.node+1] = false
	}
	f.links = f.links[:0]
	for _, n := range starts {
		f.meet(link{node: n, from: -1})
	}
	for i := 0; i < len(f.links); i++ {
		s, arcs, err := out(f.arcs[:0], f.links[i].node)
		if f.arcs = arcs; err != nil {
			return steps, err
		}
		for _, a := range arcs {
			l := link{Step{s, a.Edge}, a.Node, int32(i)}
			if !a.Goal {
				f.meet(l)
				continue
			}
			end := len(steps)
			// Back along the links, to one of the starts, which has no step.
			for ; l.from >= 0; l = f.links[l.from] {
				steps = append(steps, l.step)
			}
			slices.Reverse(steps[end:])
			return steps, nil
		}
	}
	return steps, fmt.Errorf("%w (%d nodes searched)", ErrNoPath, len(f.links))
}

func (f *Finder) meet(l link) {
	f.seen = Grown(f.seen, l.node+1)
	if !f.seen[l.node+1] {
		f.seen[l.node+1] = true
		f.links = append(f.links, l)
	}
}

// Walk appends to steps a shortest path from one of some states, along edges that may be used,
// whose last edge is as wanted. It returns where that ends.
func (x *Explorer) Walk(f *Finder, steps *[]Step, from []omega.State, use, wanted func(omega.Edge) bool) (end omega.State, err error) {
	var starts []int32
	for _, s := range from {
		starts = append(starts, int32(s))
	}
	var buf []omega.Edge
	*steps, err = f.Find(*steps, starts, func(arcs []Arc, node int32) (s omega.State, _ []Arc, err error) {
		s = omega.State(node)
		if buf, err = x.Src.AppendEdges(buf[:0], s); err != nil {
			return s, arcs, err
		}
		if x.Budget.Spend(1 + len(buf)) {
			return s, arcs, x.Budget.Err()
		}
		for _, e := range buf {
			if use(e) {
				arcs = append(arcs, Arc{e, int32(e.Dst), wanted(e)})
			}
		}
		return s, arcs, nil
	})
	if err != nil {
		return 0, err
	}
	return (*steps)[len(*steps)-1].Edge.Dst, nil
}

// Word returns the word of a run: the labels of its edges.
func (r *Run) Word(alphabet *omega.Alphabet) *omega.Word {
	w := &omega.Word{Alphabet: alphabet}
	for _, s := range r.Prefix {
		w.Prefix = append(w.Prefix, s.Edge.Label)
	}
	for _, s := range r.Cycle {
		w.Cycle = append(w.Cycle, s.Edge.Label)
	}
	return w
}
