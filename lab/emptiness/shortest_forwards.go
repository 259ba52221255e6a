package emptiness

import (
	"fmt"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A forwards finds the legs of a run by breadth-first search with a distance for each node (Gastin and
// Moro 2007, Algorithm 1), by which the edges are found afterwards: 4 bytes per node, and not 40 as for
// the links of the product's Finder.
//
// The printed Algorithm 1 has four faults. It sets fields of s instead of s' (lines 7 and 8). It finds
// no cycle if both states are the same. It uses distances of earlier searches. It may take exponential
// time, because it tries dead ends again. Here a leg ends with an edge and not in a state, distances
// are cleared, and a dead end loses its distance.
//
// For a leg from 0 to 3 by 0→1, 0→2, 2→3, the distances of 0, 1 and 2 are 0, 1 and 1. From 1 no
// edge leads to 3, so 1 loses its distance, and the leg is 0→2, 2→3.
type forwards struct {
	dist  []int32 // by node, counted from -1: distance plus one
	now   []int32
	next  []int32
	arcs  []product.Arc
	stack []traceFrame
}

// A traceFrame is a node on the way down. Its arcs before next have been tried.
type traceFrame struct{ node, next int32 }

func (t *forwards) Memory() int64 {
	return int64(32*cap(t.arcs) + 4*cap(t.dist) + 4*cap(t.now) + 4*cap(t.next) + 8*cap(t.stack))
}

type arcsOf = func(arcs []product.Arc, node int32) (omega.State, []product.Arc, error)

// Find implements product.Tracer.
func (t *forwards) Find(steps []Step, starts []int32, out arcsOf) ([]Step, error) {
	clear(t.dist)
	t.next = t.next[:0]
	at := func(n int32) *int32 { // -1 is at 0
		t.dist = product.Grown(t.dist, int(n)+1)
		return &t.dist[n+1]
	}
	for _, n := range starts {
		*at(n) = 1
		t.next = append(t.next, n)
	}
	last := int32(0) // distance of the node before the goal, plus one
	for n := int32(1); last == 0; n++ {
		if t.now, t.next = t.next, t.now[:0]; len(t.now) == 0 {
			return nil, fmt.Errorf("%w (at distance %d)", product.ErrNoPath, n)
		}
		for _, node := range t.now {
			var err error
			if _, t.arcs, err = out(t.arcs[:0], node); err != nil {
				return nil, err
			}
			for _, a := range t.arcs {
				if a.Goal {
					last = n
				} else if d := at(a.Node); *d == 0 {
					*d = n + 1
					t.next = append(t.next, a.Node)
				}
			}
			if last != 0 {
				break
			}
		}
	}
	for _, n := range starts {
		found, err := false, error(nil)
		if steps, found, err = t.descend(steps, out, n, last); found || err != nil {
			return steps, err
		}
	}
	return nil, product.ErrNoPath
}

// nowhere is no node.
const nowhere = int32(-1)

// descend appends the steps from a start down to the goal, from each node to one
// that is one further away. The arcs of a node are asked for again when the search
// comes back to it, so that the stack is small.
func (t *forwards) descend(steps []Step, out arcsOf, start, last int32) (_ []Step, found bool, err error) {
	t.stack = append(t.stack[:0], traceFrame{node: start})
	for len(t.stack) > 0 {
		f, n := &t.stack[len(t.stack)-1], int32(len(t.stack))
		var from omega.State
		if from, t.arcs, err = out(t.arcs[:0], f.node); err != nil {
			return nil, false, err
		}
		down := nowhere
		for ; int(f.next) < len(t.arcs) && down == nowhere; f.next++ {
			a := &t.arcs[f.next]
			// Only steps that take the search further away are on a shortest path.
			if n == last && !a.Goal || n < last && t.dist[a.Node+1] != n+1 {
				continue
			}
			steps = append(steps, Step{From: from, Edge: a.Edge})
			if n == last {
				return steps, true, nil
			}
			down = a.Node
		}
		if down != nowhere {
			t.stack = append(t.stack, traceFrame{node: down})
			continue
		}
		// No way on from here: never try the node again.
		t.dist[f.node+1] = 0
		t.stack = t.stack[:n-1]
		if n > 1 {
			steps = steps[:len(steps)-1]
		}
	}
	return steps, false, nil
}
