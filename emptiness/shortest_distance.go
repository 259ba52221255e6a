package emptiness

import "github.com/xcheck-ltl/xcheck/omega"

// first looks for a first run, and notes whether there is none.
func (b *pivotSearch) first() (err error) {
	if b.simple {
		var c *colourDFS
		if c, b.old, err = b.colour(false); c != nil {
			b.black = c.colouring
		}
	} else {
		var r *Result
		r, err = Check(b.ctx, b.src, b.limits)
		b.old = r.Run
		b.result.Edges += r.Edges
		if err != nil {
			b.result.States = r.States
		}
	}
	if b.old == nil || err != nil {
		b.empty = err == nil
		return err
	}
	if b.use&SkipBlack == 0 {
		b.black = nil
	}
	if b.use&FirstRun == 0 {
		b.old = nil
	} else if b.old.Size() < b.bound {
		b.improve(b.old)
	}
	return nil
}

// distances is Algorithms 2 and 6: the distances from the initial states, and the pivots in the
// order of theirs. A state of the first run's prefix that is nearer than the run says lowers the
// bound at once (lines 17 to 20), and the search ends the earlier. In the end, a run of that
// length is made.
//
// With 0→1, 1→2, 0→2, 2→3, 3→3 {0}, the first run 0 1 2 3 has 4 edges, and comes to 2 after two of
// them. The distance of 2 is 1, so the bound is 3.
func (b *pivotSearch) distances() error {
	meet := func(s omega.State, n int32) {
		if b.dist = grown(b.dist, int(s)); b.dist[s] != 0 {
			b.result.Matched++
		} else if !b.black.is(s, black) {
			b.dist[s] = n + 1
			b.queue = append(b.queue, reach{int32(s), n})
		}
	}
	for _, s := range b.src.Initial() {
		meet(s, 0)
	}
	if b.old != nil && b.use&ShorterHead != 0 {
		for i := range len(b.old.Prefix) + 1 {
			s := b.old.At(i).From
			b.head = grown(b.head, int(s))
			b.head[s] = int32(i + 1)
		}
	}
	cut := 0 // where to cut the prefix, from 1 on; 0 is nowhere
	for i := 0; i < len(b.queue) && int(b.queue[i].n) < b.bound; i++ {
		s, n := omega.State(b.queue[i].pair), int(b.queue[i].n)
		if int(s) < len(b.head) && b.head[s] != 0 {
			at := int(b.head[s])
			if length := b.old.Size() - (at - 1) + n; length < b.bound {
				b.bound, cut = length, at
			}
		}
		var err error
		if b.buf, err = b.edges(b.buf[:0], s); err != nil {
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
		b.result.Depth = max(b.result.Depth, n+1)
	}
	if cut == 0 {
		return nil
	}
	return b.shorten(cut - 1)
}

// shorten replaces the way of the first run to its state at a place by a shortest path.
func (b *pivotSearch) shorten(at int) error {
	prefix, err := b.way(nil, leg{from: fromInitial, to: int32(b.old.At(at).From)})
	if err != nil {
		return err
	}
	b.improve(&Run{Lasso: omega.Lasso[Step]{Prefix: append(prefix, b.old.Prefix[at:]...), Cycle: b.old.Cycle}})
	return nil
}
