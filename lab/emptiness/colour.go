package emptiness

import (
	"slices"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

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

// black reports whether no word is accepted from a state.
func (c colouring) black(s omega.State) bool { return int(s) < len(c) && c[s]&tint == black }

// colour looks for a first run by the colour DFS (Gastin, Moro, Zeitoun 2004, Algorithm 1). It returns the
// search in its last state, which has the colours, and the run or nil. It takes a byte per state and the path's
// edges, and sees each edge three times at most. If places is set, it notes where on the path each state was
// met, in 4 bytes.
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
func colour(h *product.Hunt, places bool) (*colourDFS, *Run, error) {
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
	*product.Hunt
	colouring
	places bool
	first  []int32 // if places: by state, where on the path it was blue first, from 1 on
	start  int     // the path begins with this initial state
	path   []tinted
	buf    []omega.Edge // the edges of the path's states
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
	c.colouring = product.Grown(c.colouring, int(s))
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
		c.first = product.Grown(c.first, int(s))
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
		steps[i] = Step{From: f.state, Edge: c.buf[f.next-1]}
		if f.state == t {
			start = i
		}
	}
	return &Run{Lasso: omega.Lasso[Step]{Prefix: steps[:start], Cycle: steps[start:]}}
}
