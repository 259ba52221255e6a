package emptiness

import (
	"fmt"
	"slices"

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
func (h *Hunt) byDepth(colours, resume bool) error {
	if !h.Simple {
		return fmt.Errorf("%w: gmz-min can't decide %s: use gm-min", ErrUnfit, h.Src.Acceptance())
	}
	d := &minDFS{Hunt: h}
	start := 0
	if colours {
		c, first, err := h.colour(resume)
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
	*Hunt
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

func (h *Hunt) bestBytes() int64 {
	if h.Result.Run == nil {
		return 0
	}
	return int64(32 * h.Result.Run.Size())
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
	if len(d.path) >= d.Bound || d.black.is(t, black) {
		return nil
	}
	d.place, d.first = Grown(d.place, int(t)), Grown(d.first, int(t))
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
	case d.first[t] > next && d.Bound != unbounded:
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
		steps[i] = Step{s.state, d.buf[s.next-1]}
	}
	return &Run{Lasso: omega.Lasso[Step]{Prefix: steps[:place-1], Cycle: steps[place-1:]}}
}

// colouring is the colour of each state in the colour DFS. States that are not in
// it are white.
type colouring []uint8

const (
	white = iota
	blue  // met
	red   // reached from an accepting edge
	black // no word is accepted from here
)

// Set beside the colour of states on the path.
const (
	tint   = 3 // the bits of the colour itself
	onPath = 4
	leaves = 8 // the path leaves the state by an accepting edge
)

func (c colouring) is(s omega.State, colour uint8) bool {
	return int(s) < len(c) && c[s]&tint == colour
}

// colour looks for a first run by the colour DFS (Gastin, Moro, Zeitoun 2004, Algorithm 1). It
// returns the search as it is when it ends, with the colours of the states, and the run, if
// there is one. It takes a byte per state and the path's edges, and sees each edge three times
// at most. If places is set, it notes where on the path each state was met, in 4 bytes.
//
// With marks on edges, the red search starts when all that an accepting edge leads to is blue.
// The blue search closes a cycle by an edge to a state of the path, if that edge is accepting or
// the path leaves the state by an accepting edge (line 3: t ∈ F). Black are the states from
// which nothing is accepted, whatever the path: the minimal run does not meet them. They are
// kept apart from those that are red, or grey in the paper, for which that is not known
// (Remark 2).
//
// With 0→1, 1→2, 0→0 {0}, state 2 has no edges and is black. So is 1, whose edges all lead to
// black states. Then 0→0 closes a cycle.
func (h *Hunt) colour(places bool) (*colourDFS, *Run, error) {
	c := &colourDFS{Hunt: h, places: places}
	h.Held = c.memory
	for i, init := range h.Src.Initial() {
		if c.at(init) != white {
			continue
		}
		c.start = i
		if err := c.push(init, blue); err != nil {
			return nil, nil, err
		}
		for len(c.path) > 0 {
			found, err := c.step()
			if found != nil || err != nil {
				return c, found, err
			}
		}
	}
	return c, nil, nil
}

type colourDFS struct {
	*Hunt
	colouring
	places bool
	first  []int32 // if places: by state, where on the path it was blue first, from 1 on
	start  int     // the path begins with this initial state
	path   []tinted
	buf    []omega.Edge
}

// tinted is a state on the path of the search of a colour. Its edge before next is
// being dealt with as far as stage says.
type tinted struct {
	state      omega.State
	base, next int
	colour     uint8
	stage      uint8
}

// The stages of an edge in the blue search.
const (
	untouched = iota
	blued     // its destination is not white any more
	reddened  // the red search from there found nothing
)

func (c *colourDFS) memory() int64 {
	return int64(cap(c.colouring) + 4*cap(c.first) + 32*cap(c.path) + 24*cap(c.buf))
}

func (c *colourDFS) at(s omega.State) uint8 {
	c.colouring = Grown(c.colouring, int(s))
	return c.colouring[s]
}

// push puts a state at the end of the path, with its edges at the end of buf, none of them followed.
func (c *colourDFS) push(s omega.State, colour uint8) (err error) {
	f := tinted{state: s, base: len(c.buf), next: len(c.buf), colour: colour}
	if c.buf, err = c.Edges(c.buf, s); err != nil {
		return err
	}
	c.path = append(c.path, f)
	c.at(s)
	c.colouring[s] = colour | onPath
	if c.places && colour == blue { // for minDFS, whose places count from 1
		c.first = Grown(c.first, int(s))
		c.first[s] = int32(len(c.path))
	}
	c.Result.Depth = max(c.Result.Depth, len(c.path))
	return nil
}

func (c *colourDFS) pop() {
	f := &c.path[len(c.path)-1]
	c.colouring[f.state] &= tint
	if f.colour == blue && !slices.ContainsFunc(c.buf[f.base:], func(e omega.Edge) bool { return c.at(e.Dst) != black }) {
		c.colouring[f.state] = black
	}
	c.buf = c.buf[:f.base]
	c.path = c.path[:len(c.path)-1]
}

// step goes on with the state at the end of the path. It returns a run if one is
// closed.
func (c *colourDFS) step() (*Run, error) {
	f := &c.path[len(c.path)-1]
	if f.stage == untouched {
		if f.next == len(c.buf) {
			c.pop()
			return nil, nil
		}
		f.next++
		c.colouring[f.state] &^= leaves
	}
	e := c.buf[f.next-1]
	at := c.at(e.Dst)
	colour, inPath := at&tint, at&onPath != 0
	if f.stage == untouched && colour != white {
		c.Result.Matched++
	}
	switch f.colour {
	// The red search from here has found nothing, so nothing is accepted from any state that can be
	// reached: all of them become black.
	case black:
		if colour != black {
			return nil, c.push(e.Dst, black)
		}
	case red:
		// From a blue state of the path, the path leads to the accepting edge where the red search
		// began.
		if colour == blue && inPath {
			return c.lasso(e.Dst), nil
		}
		if colour == blue {
			return nil, c.push(e.Dst, red)
		}
	case blue:
		accepting := c.Accepting(e.Marks)
		switch {
		case inPath && f.stage == untouched:
			// The cycle is the path from there on, and this edge. It has an accepting edge at its
			// end or start.
			if accepting || at&leaves != 0 {
				return c.lasso(e.Dst), nil
			}
		case colour == white:
			f.stage = blued
			if accepting {
				c.colouring[f.state] |= leaves
			}
			return nil, c.push(e.Dst, blue)
		// All that the edge leads to is blue by now, so the red search goes through complete
		// states.
		case f.stage != reddened && accepting && colour == blue:
			f.stage = reddened
			return nil, c.push(e.Dst, red)
		case f.stage == reddened && colour != black:
			return nil, c.push(e.Dst, black)
		}
		f.stage = untouched
	}
	return nil, nil
}

// lasso returns the run along the path whose cycle starts at t.
func (c *colourDFS) lasso(t omega.State) *Run {
	steps := make([]Step, len(c.path))
	start := 0
	for i, f := range c.path {
		steps[i] = Step{f.state, c.buf[f.next-1]}
		if f.state == t {
			start = i
		}
	}
	return &Run{Lasso: omega.Lasso[Step]{Prefix: steps[:start], Cycle: steps[start:]}}
}
