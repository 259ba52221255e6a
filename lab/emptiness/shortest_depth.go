package emptiness

import (
	"fmt"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// byDepth is DFS_MIN (Gastin, Moro, Zeitoun 2004, Algorithm 2): a depth-first
// search of simple paths, each as long as a run that is shorter than the best one
// may still come of it. It has two modes. In the normal one, it goes on only to
// states that are new, and to those that it has met on longer paths only. It is
// careful, and goes on to every state, after an accepting edge, and after a state
// that it met on a longer path: there a run may be missed otherwise.
//
// With 0→1, 1→2, 0→2, 2→3, 3→3 {0}, it finds the path 0 1 2 3, a run of 4 edges. Then 0→2 leads to
// a state that was third on a path and is second now. It goes on, and finds a run of 3 edges.
//
// In the paper the second of these rules waits for the first run. With a bound
// from the start (section 3.4) that is wrong: what a bound cuts off on a long path
// has to be looked at on a shorter one. So the rule applies as soon as there is
// a bound.
//
// If colours is set, a colour DFS gives a first run, and the search begins again with the initial states. If resume is set, it
// continues from the path on which the colour DFS found its run (section 4): nothing is accepted by
// paths before the first accepting edge of that path. This takes more steps, because the colour DFS
// met states on longer paths than the bound of its run allows.
func byDepth(h *product.Hunt, colours, resume bool) error {
	if !h.Simple {
		return fmt.Errorf("%w: gmz-min can't decide %s: use gm-min", ErrUnfit, h.Src.Acceptance())
	}
	d := &minDFS{Hunt: h}
	start := 0
	if colours {
		c, first, err := colour(h, resume)
		h.Empty = first == nil && err == nil
		if first == nil || err != nil {
			return err
		}
		if d.black = c.colouring; first.Size() < h.Bound {
			h.Improve(first)
		}
		if resume {
			d.resume(c)
			start = c.start + 1
		}
	}
	h.Held = d.memory
	return d.search(h.Src.Initial()[start:])
}

type minDFS struct {
	*product.Hunt
	black colouring // states from which no word is accepted
	// By state: its place on the path, from 1 on, 0 if it is not there; and
	// the first place that it ever had.
	place, first []int32
	path         []spot
	buf          []omega.Edge // the edges of the path's states
}

// A spot is a state on the path. The edge taken from it is the one before next.
type spot struct {
	state      omega.State
	base, next int
	accepted   int32 // the place of the last state with an accepting edge before this one, or 0
	careful    bool
}

func (d *minDFS) memory() int64 {
	return int64(4*cap(d.place)+4*cap(d.first)+40*cap(d.path)+24*cap(d.buf)+cap(d.black)) + d.RunBytes()
}

// resume makes the path the one on which the colour DFS found its run, up to the state that its
// first accepting edge leaves. That edge is next.
func (d *minDFS) resume(c *colourDFS) {
	d.first, d.buf = c.first, c.buf
	d.place = make([]int32, len(c.first))
	for i, f := range c.path {
		s := spot{state: f.state, base: f.base, next: f.next}
		d.place[f.state] = int32(i + 1)
		if d.Accepting(d.buf[f.next-1].Marks) {
			s.next--
			d.path = append(d.path, s)
			if i+1 < len(c.path) {
				d.buf = d.buf[:c.path[i+1].base]
			}
			return
		}
		d.path = append(d.path, s)
	}
}

// search tries all ways on from the path that resume has made, if any, and then those from the initial
// states.
func (d *minDFS) search(initial []omega.State) error {
	if err := d.drain(); err != nil {
		return err
	}
	for _, init := range initial {
		if err := d.meet(init, spot{}, false); err != nil {
			return err
		}
		if err := d.drain(); err != nil {
			return err
		}
	}
	return nil
}

// drain searches until the path is empty.
func (d *minDFS) drain() error {
	for len(d.path) > 0 {
		top := &d.path[len(d.path)-1]
		if top.next == len(d.buf) {
			d.place[top.state] = 0
			d.buf = d.buf[:top.base]
			d.path = d.path[:len(d.path)-1]
			continue
		}
		e := d.buf[top.next]
		top.next++
		if err := d.meet(e.Dst, *top, d.Accepting(e.Marks)); err != nil {
			return err
		}
	}
	return nil
}

// meet decides what becomes of an edge from the end of the path, or of an initial
// state: lines 4 to 14 of the algorithm.
func (d *minDFS) meet(t omega.State, from spot, accepting bool) error {
	// A run that this edge closes has as many edges as the path has states; one by way of t has
	// more.
	if len(d.path) >= d.Bound || d.black.black(t) {
		return nil
	}
	d.place, d.first = product.Grown(d.place, int(t)), product.Grown(d.first, int(t))
	next := int32(len(d.path) + 1) // the place that t would get
	if d.first[t] != 0 {
		d.Result.Matched++
	}
	accepted := from.accepted
	if accepting {
		accepted = int32(len(d.path))
	}
	switch p := d.place[t]; {
	case p != 0:
		// The cycle from t to the end of the path has an accepting edge.
		if accepted >= p {
			d.Improve(d.lasso(int(p)))
		}
		return nil
	// States that were met before may still be on a shorter accepting cycle here.
	case from.careful || accepting:
		return d.push(t, accepted, true)
	case d.first[t] == 0:
		return d.push(t, accepted, false)
	// A shorter way to t. What the bound cut off behind the longer one may now be near enough.
	case d.first[t] > next && d.Bound != product.Unbounded:
		return d.push(t, accepted, true)
	}
	return nil
}

func (d *minDFS) push(t omega.State, accepted int32, careful bool) (err error) {
	s := spot{state: t, base: len(d.buf), next: len(d.buf), accepted: accepted, careful: careful}
	if d.buf, err = d.Edges(d.buf, t); err != nil {
		return err
	}
	d.path = append(d.path, s)
	n := int32(len(d.path))
	d.place[t] = n
	if d.first[t] == 0 || n < d.first[t] {
		d.first[t] = n
	}
	d.Result.Depth = max(d.Result.Depth, int(n))
	return nil
}

// lasso returns the run along the path whose cycle starts at a given place.
func (d *minDFS) lasso(place int) *Run {
	steps := make([]Step, len(d.path))
	for i, s := range d.path {
		steps[i] = Step{From: s.state, Edge: d.buf[s.next-1]}
	}
	return &Run{Lasso: omega.Lasso[Step]{Prefix: steps[:place-1], Cycle: steps[place-1:]}}
}
