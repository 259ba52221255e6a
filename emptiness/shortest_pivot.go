package emptiness

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Improvements are those of Gastin and Moro 2007, section 4. Each can be left out to measure
// its effect.
type Improvements uint8

const (
	// FirstRun: a first run is found by the colour DFS, or by Check if that does not apply.
	// After that, only shorter ones count (Algorithm 6, lines 4 and 5).
	FirstRun Improvements = 1 << iota
	// ShorterHead: a shortest path to a state of the first run's prefix replaces the way there
	// (Algorithm 6, lines 17 to 20).
	ShorterHead
	// SkipBlack: states that are black after the colour DFS are skipped (Algorithm 6, line
	// 11).
	SkipBlack
	// ShortLoops: the first search stops at cycles that are too long (Algorithm 7, lines 9 to
	// 11).
	ShortLoops
	// CloseEarly: a cycle that the first search closes counts as a run (Algorithm 7, lines 19
	// to 21).
	CloseEarly
	// NeedLoop: there is no second search if the first one closes no cycle
	// (Algorithm 7, lines 6, 18 and 25).
	NeedLoop
	// FewerEntries: a state goes into the queue only if it is nearer to the
	// initial states than the one before it (Algorithm 7, line 15).
	FewerEntries

	All = FirstRun | ShorterHead | SkipBlack | ShortLoops | CloseEarly | NeedLoop | FewerEntries
)

// byPivots is the algorithm of Gastin and Moro 2007. Every accepting cycle has
// an edge with a certain mark; the states that such edges leave are the pivots
// (in the paper, the accepting states). For a pivot r, a shortest run that goes
// through such an edge of r goes from an initial state to some state s, from there
// to r, and back to s. Its length is d(s) + d(r,s) + d(s,r), where d(s) is the
// distance from the initial states. One breadth-first search from the edges of r
// gives d(r,s) for all s. Another one starts with all s at once, each as soon as
// it gets to the length d(s) + d(r,s); when it meets r, that is the length of
// the run.
//
// With 0→1 {0}, 0→4, 1→2, 2→3, 3→0, 4→0 {0}, the pivots are 0 and 4. For 4 and s = 0, the length
// is 0 + 1 + 1: the cycle 0 4 begins before its pivot. For s = 4 it is 1 + 0 + 2. For the pivot 0,
// the edge with the mark is 0→1, and the cycle has 4 edges.
//
// For conditions that the marks of a single edge do not decide, both searches go
// over pairs of a state and the marks seen since r, and the cycle is closed where
// r is met with marks that satisfy the condition. If there are accepting cycles
// that have no mark in common, every state is a pivot. Then it is enough to look at
// cycles that begin at r, which are found by the first search.
func (h *hunt) byPivots(use Improvements, forward bool) error {
	b, err := h.preparePivots(use, forward)
	for i := 0; i < len(b.pivots) && err == nil; i++ {
		h.least = int(b.dist[b.pivots[i]]) // the pivots to come are as far away, and each has an edge
		err = b.around(b.pivots[i])
	}
	return err
}

// preparePivots returns the search with its pivots. There are none if the automaton is known
// to be empty.
func (h *hunt) preparePivots(use Improvements, forward bool) (*pivotSearch, error) {
	b := &pivotSearch{hunt: h, use: use, forward: forward}
	b.hit, b.every = h.hitting(h.cond)
	b.pairs.trivial = h.simple
	h.held = b.memory
	if use&FirstRun != 0 || use&SkipBlack != 0 && h.simple {
		if err := b.first(); h.empty || err != nil {
			return b, err
		}
		h.held = b.memory
	}
	return b, b.distances()
}

type pivotSearch struct {
	*hunt
	use     Improvements
	forward bool
	hit     omega.Marks // every accepting cycle has one of these marks,
	every   bool        // or there are no such marks, and every state is a pivot

	black  colouring
	old    *Run          // the first one
	head   []int32       // by state: where in the prefix of old or its end it is, from 1 on, 0 if it is not there
	dist   []int32       // by state: distance from the initial states plus one, 0 if too far or black
	pivots []omega.State // nearest first
	buf    []omega.Edge

	pairs pairTable
	round int32
	stamp []int32  // by pair: 2·round if the first search met it, 2·round+1 if the second one did
	queue []reach  // of the first search
	prio  []uint64 // the priority queue: length and pair. It is filled before it is emptied, so it is sorted once.
	now   []reach  // of the second search: what has been reached with the present length,
	next  []reach  // and with the next one

	trace tracer
}

// A reach is a pair that a search has reached, with the distance (first search) or
// the pair that it started from (second search).
type reach struct {
	pair, n int32
}

// fromPivot stands for the edges of the pivot as a start of the second search.
const fromPivot = -1

func (b *pivotSearch) memory() int64 {
	return int64(cap(b.black)+4*cap(b.head)+4*cap(b.dist)+4*cap(b.pivots)+24*cap(b.buf)+4*cap(b.stamp)+8*cap(b.queue)+
		8*cap(b.prio)+8*cap(b.now)+8*cap(b.next)) + b.pairs.memory() + b.trace.memory() + b.bestBytes()
}

// hitting returns marks one of which every set has that satisfies c; as few as
// the shape of c shows. If there are no such marks, none is true.
//
//	Inf(0) & (Inf(1) | Inf(2))              mark 0
//	Fin(0) & Inf(1) | Fin(2) & Inf(3)       marks 1 and 3
//	Fin(0) | Inf(1)                         none
func (h *hunt) hitting(c *omega.Condition) (hit omega.Marks, none bool) {
	switch c.Op {
	case omega.CondFalse:
		return 0, false
	case omega.CondInf:
		return h.marks.Of(c.Mark), false
	case omega.CondAnd:
		none = true
		for _, d := range c.Args {
			m, no := h.hitting(d)
			if !no && (none || len(h.marks.AppendTo(nil, m)) < len(h.marks.AppendTo(nil, hit))) {
				hit, none = m, false
			}
		}
		return hit, none
	case omega.CondOr:
		for _, d := range c.Args {
			m, no := h.hitting(d)
			if no {
				return 0, true
			}
			hit = h.marks.Union(hit, m)
		}
		return hit, false
	}
	return 0, true
}

// pivotal reports whether an edge with marks m makes the state that it leaves a
// pivot.
func (b *pivotSearch) pivotal(m omega.Marks) bool { return b.every || b.marks.Common(m, b.hit) }

// around looks for a run through a pivot, shorter than the best one so far.
func (b *pivotSearch) around(r omega.State) error {
	if b.use&ShortLoops != 0 && int(b.dist[r]) >= b.bound {
		return nil
	}
	b.round++
	loop, err := b.fill(r)
	if err != nil || b.every || !loop && b.use&NeedLoop != 0 {
		return err
	}
	return b.drain(r)
}

// closes reports whether a search from r has closed an accepting cycle.
func (b *pivotSearch) closes(r, t omega.State, set omega.Marks) bool {
	return t == r && (b.simple || b.accepting(set))
}

// fill is Algorithms 3 and 7: the first search. It fills the priority queue, and
// reports whether it came back to r.
func (b *pivotSearch) fill(r omega.State) (loop bool, err error) {
	b.queue, b.prio = b.queue[:0], b.prio[:0]
	meet := func(nearer int32, set omega.Marks, e omega.Edge, n int32) error {
		if int(e.Dst) >= len(b.dist) || b.dist[e.Dst] == 0 {
			return nil
		}
		if !b.simple {
			if set = b.add(set, e.Marks); b.hopeless(set) {
				return nil
			}
		}
		total := int(b.dist[e.Dst]-1) + int(n)
		if b.closes(r, e.Dst, set) {
			loop = true
			if (b.every || b.use&CloseEarly != 0) && total < b.bound {
				return b.record(r, fromPivot)
			}
			return nil
		}
		p := b.pairs.number(e.Dst, set)
		b.stamp = grown(b.stamp, int(p))
		if b.stamp[p] >= 2*b.round {
			b.result.Matched++
			return nil
		}
		b.stamp[p] = 2 * b.round
		b.queue = append(b.queue, reach{p, n})
		if !b.every && total < b.bound && (b.use&FewerEntries == 0 || b.dist[e.Dst] < nearer) {
			b.prio = append(b.prio, uint64(total)<<32|uint64(p))
			b.result.Queued++
		}
		return nil
	}
	if b.buf, err = b.edges(b.buf[:0], r); err != nil {
		return false, err
	}
	for _, e := range b.buf {
		if b.pivotal(e.Marks) {
			// The edge is between r and what it leads to, and nearer than that
			// if r is.
			if err := meet(b.dist[r]+1, 0, e, 1); err != nil {
				return false, err
			}
		}
	}
	for i := 0; i < len(b.queue); i++ {
		at := b.queue[i]
		if b.use&ShortLoops != 0 && int(at.n)+1 >= b.bound {
			break
		}
		s, set := b.pairs.at(at.pair)
		if b.buf, err = b.edges(b.buf[:0], s); err != nil {
			return false, err
		}
		for _, e := range b.buf {
			if err := meet(b.dist[s], set, e, at.n+1); err != nil {
				return false, err
			}
		}
	}
	return loop, nil
}

// drain is Algorithm 4: the second search, from all entries of the priority queue
// and from the edges of r.
func (b *pivotSearch) drain(r omega.State) error {
	slices.Sort(b.prio)
	b.now, b.next = b.now[:0], b.next[:0]
	length := func(i int) int { return int(b.prio[i] >> 32) }
	entry, n, pivot := 0, int(b.dist[r]-1), false
	if len(b.prio) > 0 {
		n = min(n, length(0))
	}
	for (entry < len(b.prio) || len(b.now) > 0 || !pivot) && n+1 < b.bound {
		for ; entry < len(b.prio) && length(entry) == n; entry++ {
			if p := int32(uint32(b.prio[entry])); b.stamp[p] != 2*b.round+1 {
				b.stamp[p] = 2*b.round + 1
				b.now = append(b.now, reach{p, p})
			}
		}
		if !pivot && n == int(b.dist[r]-1) {
			pivot = true
			b.now = append(b.now, reach{fromPivot, fromPivot})
		}
		for _, at := range b.now {
			closed, err := b.follow(r, at)
			if closed || err != nil {
				return err
			}
		}
		b.now, b.next = b.next, b.now[:0]
		n++
	}
	return nil
}

// follow follows the edges of what the second search has reached. It reports
// whether that closes the cycle.
func (b *pivotSearch) follow(r omega.State, at reach) (closed bool, err error) {
	s, set := r, omega.Marks(0)
	if at.pair != fromPivot {
		s, set = b.pairs.at(at.pair)
	}
	if b.buf, err = b.edges(b.buf[:0], s); err != nil {
		return false, err
	}
	for _, e := range b.buf {
		if at.pair == fromPivot && !b.pivotal(e.Marks) || int(e.Dst) >= len(b.dist) || b.dist[e.Dst] == 0 {
			continue
		}
		seen := set
		if !b.simple {
			if seen = b.add(set, e.Marks); b.hopeless(seen) {
				continue
			}
		}
		if b.closes(r, e.Dst, seen) {
			return true, b.record(r, at.n)
		}
		p := b.pairs.number(e.Dst, seen)
		b.stamp = grown(b.stamp, int(p))
		if b.stamp[p] == 2*b.round+1 {
			b.result.Matched++
			continue
		}
		b.stamp[p] = 2*b.round + 1
		b.next = append(b.next, reach{p, at.n})
	}
	return false, nil
}
