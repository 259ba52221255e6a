package emptiness

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/omega"
)

// record takes note of the run through pivot r that the second search found from a
// given start: from an initial state to that of the start, on to r, and back.
func (b *pivotSearch) record(r omega.State, start int32) error {
	s := r
	if start != fromPivot {
		s, _ = b.pairs.at(start)
	}
	buf := b.buf
	defer func() { b.buf = buf }() // its edges are still being followed
	b.buf = nil
	run := &Run{}
	var err error
	if run.Prefix, err = b.way(nil, leg{from: fromInitial, to: int32(s)}); err != nil {
		return err
	}
	if run.Cycle, err = b.way(nil, leg{from: start, to: closing, pivot: r}); err != nil {
		return err
	}
	if start != fromPivot {
		if run.Cycle, err = b.way(run.Cycle, leg{from: fromPivot, to: start, pivot: r}); err != nil {
			return err
		}
	}
	b.improve(run)
	return nil
}

// A leg is a part of a run that is to be found again: a shortest path between
// two pairs of a state and the marks seen since the pivot, or in the prefix
// between states.
type leg struct {
	from  int32 // a pair, or fromPivot, or fromInitial
	to    int32 // a pair, or closing; a state if from is fromInitial
	pivot omega.State
}

const (
	fromInitial = -2 // from any initial state
	closing     = -1 // back to the pivot, with marks that satisfy the condition
)

// A tracer finds legs by breadth-first search, in one of two ways: with a link
// for each node that it meets, or with a distance only (Gastin and Moro 2007,
// Algorithm 1), by which the edges are found afterwards.
//
// As it is printed, Algorithm 1 sets the fields of s where those of s' are meant
// (lines 7 and 8); finds no cycle if both states are the same; takes distances of
// earlier searches for its own; and may take exponential time, as it tries nodes
// again that it found to be no way. Here distances are cleared, a leg ends with an
// edge and not in a state, and a node that is no way loses its distance.
//
// For a leg from 0 to 3 by 0→1, 0→2, 2→3, the distances of 0, 1 and 2 are 0, 1 and 1. From 1 no
// edge leads to 3, so 1 loses its distance, and the leg is 0→2, 2→3.
type tracer struct {
	finder
	dist  []int32 // by node: distance plus one
	now   []int32
	next  []int32
	stack []traceFrame
}

// A traceFrame is a node on the way down. Its arcs before next have been tried.
type traceFrame struct{ node, next int32 }

func (t *tracer) memory() int64 {
	return int64(32*cap(t.arcs) + cap(t.seen) + 40*cap(t.links) + 4*cap(t.dist) + 4*cap(t.now) + 4*cap(t.next) + 8*cap(t.stack))
}

// out appends the arcs of a node of a leg's graph.
func (b *pivotSearch) out(arcs []arc, l *leg, node int32) ([]arc, error) {
	s, set := b.source(l, node), omega.Marks(0)
	if l.from != fromInitial && node != fromPivot {
		_, set = b.pairs.at(node)
	}
	var err error
	if b.buf, err = b.edges(b.buf[:0], s); err != nil {
		return arcs, err
	}
	for _, e := range b.buf {
		if int(e.Dst) >= len(b.dist) || b.dist[e.Dst] == 0 || node == fromPivot && !b.pivotal(e.Marks) {
			continue
		}
		a := arc{edge: e, node: int32(e.Dst)}
		if l.from != fromInitial {
			seen := set
			if !b.simple {
				if seen = b.add(set, e.Marks); b.hopeless(seen) {
					continue
				}
			}
			a.goal = l.to == closing && b.closes(l.pivot, e.Dst, seen)
			a.node = b.pairs.number(e.Dst, seen)
		}
		a.goal = a.goal || a.node == l.to
		arcs = append(arcs, a)
	}
	return arcs, nil
}

func (b *pivotSearch) source(l *leg, node int32) omega.State {
	switch {
	case node == fromPivot:
		return l.pivot
	case l.from == fromInitial:
		return omega.State(node)
	}
	s, _ := b.pairs.at(node)
	return s
}

// starts returns the nodes from which a leg may start, and whether it ends there.
func (b *pivotSearch) starts(l *leg) (nodes []int32, done bool) {
	if l.from != fromInitial {
		return []int32{l.from}, false
	}
	for _, s := range b.src.Initial() {
		if int32(s) == l.to {
			return nil, true
		}
		nodes = append(nodes, int32(s))
	}
	return nodes, false
}

// way appends the steps of a shortest path for a leg.
func (b *pivotSearch) way(steps []Step, l leg) ([]Step, error) {
	starts, done := b.starts(&l)
	if done {
		return steps, nil
	}
	if b.forward {
		return b.forwards(steps, &l, starts)
	}
	return b.trace.find(steps, starts, func(arcs []arc, node int32) (omega.State, []arc, error) {
		arcs, err := b.out(arcs, &l, node)
		return b.source(&l, node), arcs, err
	})
}

// forwards searches with distances.
func (b *pivotSearch) forwards(steps []Step, l *leg, starts []int32) ([]Step, error) {
	t := &b.trace
	clear(t.dist)
	t.next = t.next[:0]
	at := func(n int32) *int32 { // fromPivot is at 0
		t.dist = grown(t.dist, int(n)+1)
		return &t.dist[n+1]
	}
	for _, n := range starts {
		*at(n) = 1
		t.next = append(t.next, n)
	}
	last := int32(0) // distance of the node before the goal, plus one
	for n := int32(1); last == 0; n++ {
		if t.now, t.next = t.next, t.now[:0]; len(t.now) == 0 {
			return nil, fmt.Errorf("%w (at distance %d)", errNoPath, n)
		}
		for _, node := range t.now {
			var err error
			if t.arcs, err = b.out(t.arcs[:0], l, node); err != nil {
				return nil, err
			}
			for _, a := range t.arcs {
				if a.goal {
					last = n
				} else if d := at(a.node); *d == 0 {
					*d = n + 1
					t.next = append(t.next, a.node)
				}
			}
			if last != 0 {
				break
			}
		}
	}
	for _, n := range starts {
		found, err := false, error(nil)
		if steps, found, err = b.descend(steps, l, n, last); found || err != nil {
			return steps, err
		}
	}
	return nil, errNoPath
}

// descend appends the steps from a start down to the goal, from each node to one
// that is one further away. The arcs of a node are asked for again when the search
// comes back to it, so that the stack is small.
func (b *pivotSearch) descend(steps []Step, l *leg, start, last int32) (_ []Step, found bool, err error) {
	t := &b.trace
	t.stack = append(t.stack[:0], traceFrame{node: start})
	for len(t.stack) > 0 {
		f, n := &t.stack[len(t.stack)-1], int32(len(t.stack))
		if t.arcs, err = b.out(t.arcs[:0], l, f.node); err != nil {
			return nil, false, err
		}
		down := int32(none)
		for ; int(f.next) < len(t.arcs) && down == none; f.next++ {
			a := &t.arcs[f.next]
			if n == last && !a.goal || n < last && t.dist[a.node+1] != n+1 {
				continue
			}
			steps = append(steps, Step{b.source(l, f.node), a.edge})
			if n == last {
				return steps, true, nil
			}
			down = a.node
		}
		if down != none {
			t.stack = append(t.stack, traceFrame{node: down})
			continue
		}
		t.dist[f.node+1] = 0
		t.stack = t.stack[:n-1]
		if n > 1 {
			steps = steps[:len(steps)-1]
		}
	}
	return steps, false, nil
}
