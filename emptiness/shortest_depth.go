package emptiness

import (
	"fmt"

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
// After the colour DFS, the search begins again with the initial states. If resume is set, it
// continues from the path on which the colour DFS found its run (section 4): nothing is accepted by
// paths before the first accepting edge of that path. This takes more steps, because the colour DFS
// met states on longer paths than the bound of its run allows.
func (h *hunt) byDepth(colours, resume bool) error {
	if !h.simple {
		return fmt.Errorf("%w: gmz-min can't decide %s: use gm-min", ErrUnfit, h.src.Acceptance())
	}
	d := &minDFS{hunt: h}
	start := 0
	if colours {
		c, first, err := h.colour(resume)
		h.empty = first == nil && err == nil
		if first == nil || err != nil {
			return err
		}
		if d.black = c.colouring; first.Size() < h.bound {
			h.improve(first)
		}
		if resume {
			d.resume(c)
			start = c.start + 1
		}
	}
	h.held = d.memory
	return d.search(h.src.Initial()[start:])
}

type minDFS struct {
	*hunt
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
	return int64(4*cap(d.place)+4*cap(d.first)+40*cap(d.path)+24*cap(d.buf)+cap(d.black)) + d.bestBytes()
}

func (h *hunt) bestBytes() int64 {
	if h.result.Run == nil {
		return 0
	}
	return int64(32 * h.result.Run.Size())
}

// resume makes the path the one on which the colour DFS found its run, up to the state that its
// first accepting edge leaves. That edge is next.
func (d *minDFS) resume(c *colourDFS) {
	d.first, d.buf = c.first, c.buf
	d.place = make([]int32, len(c.first))
	for i, f := range c.path {
		s := spot{state: f.state, base: f.base, next: f.next}
		d.place[f.state] = int32(i + 1)
		if d.accepting(d.buf[f.next-1].Marks) {
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

// search goes on with the path, and then searches from the initial states.
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
		if err := d.meet(e.Dst, *top, d.accepting(e.Marks)); err != nil {
			return err
		}
	}
	return nil
}

// meet decides what becomes of an edge from the end of the path, or of an initial
// state: lines 4 to 14 of the algorithm.
func (d *minDFS) meet(t omega.State, from spot, accepting bool) error {
	if len(d.path) >= d.bound || d.black.is(t, black) {
		return nil
	}
	d.place, d.first = grown(d.place, int(t)), grown(d.first, int(t))
	next := int32(len(d.path) + 1) // the place that t would get
	if d.first[t] != 0 {
		d.result.Matched++
	}
	accepted := from.accepted
	if accepting {
		accepted = int32(len(d.path))
	}
	switch p := d.place[t]; {
	case p != 0:
		if accepted >= p {
			d.improve(d.lasso(int(p)))
		}
		return nil
	case from.careful || accepting:
		return d.push(t, accepted, true)
	case d.first[t] == 0:
		return d.push(t, accepted, false)
	case d.first[t] > next && d.bound != unbounded:
		return d.push(t, accepted, true)
	}
	return nil
}

func (d *minDFS) push(t omega.State, accepted int32, careful bool) (err error) {
	s := spot{state: t, base: len(d.buf), next: len(d.buf), accepted: accepted, careful: careful}
	if d.buf, err = d.edges(d.buf, t); err != nil {
		return err
	}
	d.path = append(d.path, s)
	n := int32(len(d.path))
	d.place[t] = n
	if d.first[t] == 0 || n < d.first[t] {
		d.first[t] = n
	}
	d.result.Depth = max(d.result.Depth, int(n))
	return nil
}

// lasso returns the run along the path whose cycle starts at a given place.
func (d *minDFS) lasso(place int) *Run {
	steps := make([]Step, len(d.path))
	for i, s := range d.path {
		steps[i] = Step{s.state, d.buf[s.next-1]}
	}
	return &Run{Lasso: omega.Lasso[Step]{Prefix: steps[:place-1], Cycle: steps[place-1:]}}
}
