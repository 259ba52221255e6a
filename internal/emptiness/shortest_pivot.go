package emptiness

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Improvements are described by Gastin and Moro 2007, section 4. Each can be left out to measure
// its effect.
type Improvements uint8

const (
	// FirstRun: a first run is found by Minimizer.First, the colour DFS in the paper.
	// After that, only shorter ones count (Algorithm 6, lines 4 and 5).
	FirstRun Improvements = 1 << iota
	// ShorterHead: a shortest path to a state of the first run's prefix replaces the way there
	// (Algorithm 6, lines 17 to 20).
	ShorterHead
	// SkipBlack: states that are black after that are skipped (Algorithm 6, line
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

// ByPivots is the algorithm of Gastin and Moro 2007. Every accepting cycle has
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
//
// The pivots come nearest first. If each is set, it gets the pivot and its distance, and calls search, or
// does not, to look for a run through the pivot that is shorter than the bound.
func (h *Hunt) ByPivots(use Improvements, each func(r omega.State, distance int, search func() error) error) error {
	b := &pivotSearch{Hunt: h, use: use, trace: h.tracer}
	b.hit, b.every = h.hitting(h.cond)
	b.pairs.trivial = h.Simple
	h.Held = b.memory
	if use&(FirstRun|SkipBlack) != 0 {
		if err := b.first(); h.Empty || err != nil {
			return err
		}
		h.Held = b.memory
	}
	if each == nil {
		each = func(_ omega.State, distance int, search func() error) error {
			h.Least = distance // the pivots to come are as far away, and each has an edge
			return search()
		}
	}
	err := b.distances()
	for i := 0; i < len(b.pivots) && err == nil; i++ {
		r := b.pivots[i]
		err = each(r, int(b.dist[r]), func() error { return b.around(r) })
	}
	return err
}

type pivotSearch struct {
	*Hunt
	use   Improvements
	hit   omega.Marks // every accepting cycle has one of these marks,
	every bool        // or there are no such marks, and every state is a pivot

	black  []bool        // by state: no word is accepted from there
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

	trace Tracer // of the legs of a run
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
		8*cap(b.prio)+8*cap(b.now)+8*cap(b.next)) + b.pairs.memory() + b.trace.Memory() + b.RunBytes()
}

// hitting returns marks such that every set that satisfies c has one of them. They are as few as
// the shape of c shows. If there are no such marks, none is true.
//
//	Inf(0) & (Inf(1) | Inf(2))              mark 0
//	Fin(0) & Inf(1) | Fin(2) & Inf(3)       marks 1 and 3
//	Fin(0) | Inf(1)                         none
func (h *Hunt) hitting(c *omega.Condition) (hit omega.Marks, none bool) {
	switch c.Op {
	case omega.CondFalse:
		return 0, false
	case omega.CondInf:
		return h.Marks.Of(c.Mark), false
	case omega.CondAnd:
		none = true
		for _, d := range c.Args {
			m, no := h.hitting(d)
			// All conjuncts must hold, so the marks of one are enough: the fewest make the fewest
			// pivots.
			if !no && (none || len(h.Marks.AppendTo(nil, m)) < len(h.Marks.AppendTo(nil, hit))) {
				hit, none = m, false
			}
		}
		return hit, none
	case omega.CondOr:
		for _, d := range c.Args {
			m, no := h.hitting(d)
			// Each disjunct may be the one that holds, so all need their marks.
			if no {
				return 0, true
			}
			hit = h.Marks.Union(hit, m)
		}
		return hit, false
	}
	return 0, true
}

// pivotal reports whether an edge with marks m makes the state that it leaves a
// pivot.
func (b *pivotSearch) pivotal(m omega.Marks) bool { return b.every || b.Marks.Common(m, b.hit) }

// around looks for a run through a pivot, shorter than the best one so far.
func (b *pivotSearch) around(r omega.State) error {
	// The way to r and one edge are too long already.
	if b.use&ShortLoops != 0 && int(b.dist[r]) >= b.Bound {
		return nil
	}
	b.round++
	loop, err := b.fill(r)
	// If every state is a pivot, the cycle that begins at r is enough. If no cycle passes r, the
	// second search finds none.
	if err != nil || b.every || !loop && b.use&NeedLoop != 0 {
		return err
	}
	return b.drain(r)
}

// closes reports whether a search from r has closed an accepting cycle.
func (b *pivotSearch) closes(r, t omega.State, set omega.Marks) bool {
	return t == r && (b.Simple || b.Accepting(set))
}

// fill is Algorithms 3 and 7: the first search. It fills the priority queue, and reports whether it came back to r.
// meet takes edge e, the n-th after r. An entry must have a smaller distance than before.
func (b *pivotSearch) fill(r omega.State) (loop bool, err error) {
	b.queue, b.prio = b.queue[:0], b.prio[:0]
	meet := func(before int32, set omega.Marks, e omega.Edge, n int32) error {
		// Too far from the initial states for a shorter run, or black.
		if int(e.Dst) >= len(b.dist) || b.dist[e.Dst] == 0 {
			return nil
		}
		if !b.Simple {
			if set = b.Add(set, e.Marks); b.Hopeless(set) {
				return nil
			}
		}
		total := int(b.dist[e.Dst]-1) + int(n)
		if b.closes(r, e.Dst, set) {
			loop = true
			if (b.every || b.use&CloseEarly != 0) && total < b.Bound {
				// A shortest cycle among the cycles that begin at r.
				return b.record(r, fromPivot)
			}
			return nil
		}
		p := b.pairs.number(e.Dst, set)
		b.stamp = Grown(b.stamp, int(p))
		if b.stamp[p] >= 2*b.round {
			b.Result.Matched++
			return nil
		}
		b.stamp[p] = 2 * b.round
		b.queue = append(b.queue, reach{p, n})
		// A run may enter its cycle here. If the state before is as near to the initial states, the
		// run that enters there and takes this edge next is no longer.
		if !b.every && total < b.Bound && (b.use&FewerEntries == 0 || b.dist[e.Dst] < before) {
			b.prio = append(b.prio, uint64(total)<<32|uint64(p))
			b.Result.Queued++
		}
		return nil
	}
	if b.buf, err = b.Edges(b.buf[:0], r); err != nil {
		return false, err
	}
	for _, e := range b.buf {
		if b.pivotal(e.Marks) {
			// The pivot lies on the edge from r to e.Dst. So e.Dst is an entry even if it is only as near as
			// r.
			if err := meet(b.dist[r]+1, 0, e, 1); err != nil {
				return false, err
			}
		}
	}
	for i := 0; i < len(b.queue); i++ {
		at := b.queue[i]
		// Each cycle that is closed from here on has as many edges as that.
		if b.use&ShortLoops != 0 && int(at.n)+1 >= b.Bound {
			break
		}
		s, set := b.pairs.at(at.pair)
		if b.buf, err = b.Edges(b.buf[:0], s); err != nil {
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
	// The length is in the upper half, so this sorts by length.
	slices.Sort(b.prio)
	b.now, b.next = b.now[:0], b.next[:0]
	length := func(i int) int { return int(b.prio[i] >> 32) }
	entry, n, pivot := 0, int(b.dist[r]-1), false
	if len(b.prio) > 0 {
		n = min(n, length(0))
	}
	for (entry < len(b.prio) || len(b.now) > 0 || !pivot) && n+1 < b.Bound {
		// Entries join when the search reaches their length. One that the search has already
		// reached from another entry gives no shorter run.
		for ; entry < len(b.prio) && length(entry) == n; entry++ {
			if p := int32(uint32(b.prio[entry])); b.stamp[p] != 2*b.round+1 {
				b.stamp[p] = 2*b.round + 1
				b.now = append(b.now, reach{p, p})
			}
		}
		if !pivot && n == int(b.dist[r]-1) {
			pivot = true
			// The cycle may also begin at r itself.
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
	if b.buf, err = b.Edges(b.buf[:0], s); err != nil {
		return false, err
	}
	for _, e := range b.buf {
		// The run takes a pivotal edge of r, and no edge that the first search left out.
		if at.pair == fromPivot && !b.pivotal(e.Marks) || int(e.Dst) >= len(b.dist) || b.dist[e.Dst] == 0 {
			continue
		}
		seen := set
		if !b.Simple {
			if seen = b.Add(set, e.Marks); b.Hopeless(seen) {
				continue
			}
		}
		if b.closes(r, e.Dst, seen) {
			// The search goes by length, so this is a shortest run for the pivot.
			return true, b.record(r, at.n)
		}
		p := b.pairs.number(e.Dst, seen)
		b.stamp = Grown(b.stamp, int(p))
		if b.stamp[p] == 2*b.round+1 {
			b.Result.Matched++
			continue
		}
		b.stamp[p] = 2*b.round + 1
		b.next = append(b.next, reach{p, at.n})
	}
	return false, nil
}

// First looks for any accepting run, as Check does. The run is nil if the automaton is empty. First also
// returns which states are black: no word is accepted from them. These are the states of complete components,
// because the search ends with the first component that is accepting.
func (h *Hunt) First() (first *Run, black []bool, err error) {
	s := &search{Explorer: NewExplorer(h.ctx, h.Src, h.Limits)}
	s.hasFin = s.Cond.HasFin()
	h.Held = s.own
	r, err := s.any()
	h.Result.Edges += r.Edges
	for state, n := range s.order {
		black = append(black, n == dead)
		if n != 0 && err == nil {
			err = h.meet(omega.State(state))
		}
	}
	return r.Run, black, err
}

// first looks for a first run, and notes whether there is none.
func (b *pivotSearch) first() error {
	first, black, err := b.Hunt.first(b.Hunt)
	if first == nil || err != nil {
		b.Empty = err == nil
		return err
	}
	if b.use&SkipBlack != 0 {
		b.black = black
	}
	if b.use&FirstRun != 0 {
		if b.old = first; first.Size() < b.Bound {
			b.Improve(first)
		}
	}
	return nil
}

// distances is Algorithms 2 and 6: the distances from the initial states, and the pivots in the
// order of theirs. A state of the first run's prefix that is nearer than the run says lowers the
// bound at once (lines 17 to 20), and the search ends the earlier. In the end, a run of that
// length is made.
//
// With 0→1, 1→2, 0→2, 2→3, 3→3 {0}, the first run may be 0 1 2 3. It has 4 edges, and comes to 2 after
// two of them. The distance of 2 is 1, so the bound is 3.
func (b *pivotSearch) distances() error {
	meet := func(s omega.State, n int32) {
		if b.dist = Grown(b.dist, int(s)); b.dist[s] != 0 {
			b.Result.Matched++
		} else if int(s) >= len(b.black) || !b.black[s] {
			b.dist[s] = n + 1
			b.queue = append(b.queue, reach{int32(s), n})
		}
	}
	for _, s := range b.Src.Initial() {
		meet(s, 0)
	}
	if b.old != nil && b.use&ShorterHead != 0 {
		for i := range len(b.old.Prefix) + 1 {
			s := b.old.At(i).From
			b.head = Grown(b.head, int(s))
			b.head[s] = int32(i + 1)
		}
	}
	cut := 0 // where to cut the prefix, from 1 on; 0 is nowhere
	// A run through a state at this distance has at least one edge more.
	for i := 0; i < len(b.queue) && int(b.queue[i].n) < b.Bound; i++ {
		s, n := omega.State(b.queue[i].pair), int(b.queue[i].n)
		if int(s) < len(b.head) && b.head[s] != 0 {
			at := int(b.head[s])
			// The first run, with the shortest way to s instead of its own.
			if length := b.old.Size() - (at - 1) + n; length < b.Bound {
				b.Bound, cut = length, at
			}
		}
		var err error
		if b.buf, err = b.Edges(b.buf[:0], s); err != nil {
			return err
		}
		pivot := false
		for _, e := range b.buf {
			pivot = pivot || b.pivotal(e.Marks)
			meet(e.Dst, b.queue[i].n+1)
		}
		if pivot {
			b.pivots = append(b.pivots, s)
		}
		b.Result.Depth = max(b.Result.Depth, n+1)
	}
	if cut == 0 {
		return nil
	}
	prefix, err := b.way(nil, leg{from: fromInitial, to: int32(b.old.At(cut - 1).From)})
	if err == nil {
		b.Improve(&Run{Lasso: omega.Lasso[Step]{Prefix: append(prefix, b.old.Prefix[cut-1:]...), Cycle: b.old.Cycle}})
	}
	return err
}

// record takes note of the run through pivot r that the second search found from a
// given start: from an initial state to the state of the start, on to r, and back.
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
	b.Improve(run)
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

// out appends the arcs of a node of a leg's graph.
func (b *pivotSearch) out(arcs []Arc, l *leg, node int32) ([]Arc, error) {
	s, set := b.source(l, node), omega.Marks(0)
	if l.from != fromInitial && node != fromPivot {
		_, set = b.pairs.at(node)
	}
	var err error
	if b.buf, err = b.Edges(b.buf[:0], s); err != nil {
		return arcs, err
	}
	for _, e := range b.buf {
		// The same edges as in the searches, or the leg would have another length.
		if int(e.Dst) >= len(b.dist) || b.dist[e.Dst] == 0 || node == fromPivot && !b.pivotal(e.Marks) {
			continue
		}
		a := Arc{Edge: e, Node: int32(e.Dst)}
		if l.from != fromInitial {
			seen := set
			if !b.Simple {
				if seen = b.Add(set, e.Marks); b.Hopeless(seen) {
					continue
				}
			}
			a.Goal = l.to == closing && b.closes(l.pivot, e.Dst, seen)
			a.Node = b.pairs.number(e.Dst, seen)
		}
		a.Goal = a.Goal || a.Node == l.to
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
	for _, s := range b.Src.Initial() {
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
	return b.trace.Find(steps, starts, func(arcs []Arc, node int32) (omega.State, []Arc, error) {
		arcs, err := b.out(arcs, &l, node)
		return b.source(&l, node), arcs, err
	})
}
