package emptiness

import (
	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// bySaving is liveness to safety (Schuppan and Biere 2005, section 5, and before in
// 2004): a run saves a state when it comes to it, and keeps the marks that it sees
// from then on. When it comes to the saved state again with marks
// that satisfy the condition, a cycle is closed. That is a question of what can be
// reached, and breadth-first search answers it with a shortest run.
//
// With 0→1, 1→2 {0}, 2→1, the search goes from (0, none saved) to (1, none), then to (2, 1 saved,
// mark 0 seen). The edge 2→1 comes back to 1.
func bySaving(h *product.Hunt) error {
	l := &saving{Hunt: h}
	h.Held = l.memory
	for _, s := range h.Src.Initial() {
		l.meet(saved{state: s, save: none, from: none})
	}
	level, end := 0, len(l.reached) // the first entry of the next length
	for i := 0; i < len(l.reached); i++ {
		if i == end {
			level, end = level+1, len(l.reached)
			h.Result.Depth, h.Least = level, level+1
		}
		// A run that an edge closes now has level+1 edges.
		if level+1 >= h.Bound {
			return nil
		}
		found, err := l.follow(int32(i))
		if found || err != nil {
			return err
		}
	}
	h.Empty = true
	return nil
}

// none stands for no saved state, and for no entry before.
const none = -1

// saved is what the search reaches: a state, the saved one, and the marks seen
// since then.
type saved struct {
	state, save omega.State
	set         omega.Marks
	from        int32 // the entry before
}

type saving struct {
	*product.Hunt
	reached []saved
	index   intern.Index
	buf     []omega.Edge
}

func (l *saving) memory() int64 {
	return int64(24*cap(l.reached)+24*cap(l.buf)) + l.index.Memory()
}

// follow follows the edges of an entry. If no state is saved, its own may be.
func (l *saving) follow(i int32) (found bool, err error) {
	at := l.reached[i]
	if l.buf, err = l.Edges(l.buf[:0], at.state); err != nil {
		return false, err
	}
	for _, e := range l.buf {
		save := at.save
		if save == none {
			// The cycle begins later, or here.
			l.meet(saved{state: e.Dst, save: none, from: i})
			save = at.state
		}
		set := l.Add(at.set, e.Marks)
		if l.Hopeless(set) {
			continue
		}
		// Entries come by length, so no other run is shorter.
		if e.Dst == save && l.Accepting(set) {
			return true, l.record(i, e)
		}
		l.meet(saved{state: e.Dst, save: save, set: set, from: i})
	}
	return false, nil
}

// meet adds an entry, unless it is there.
func (l *saving) meet(x saved) {
	i, at := l.index.First(x.hash())
	for ; i >= 0; i, at = l.index.Next(at) {
		if y := &l.reached[i]; y.state == x.state && y.save == x.save && y.set == x.set {
			l.Result.Matched++
			return
		}
	}
	l.reached = append(l.reached, x)
	l.index.Add(at, int32(len(l.reached)-1), func(i int32) uint64 { return l.reached[i].hash() })
}

func (x *saved) hash() uint64 {
	return intern.Hash([]uint64{uint64(uint32(x.state))<<32 | uint64(uint32(x.save)), uint64(x.set)})
}

// record makes the run that an edge of an entry closes.
func (l *saving) record(i int32, closing omega.Edge) error {
	var path []int32 // from the last entry to the first
	for ; i != none; i = l.reached[i].from {
		path = append(path, i)
	}
	run := &Run{}
	for k := len(path) - 1; k >= 0; k-- {
		at := l.reached[path[k]]
		edge := closing
		if k > 0 {
			var err error
			if edge, err = l.between(at, l.reached[path[k-1]]); err != nil {
				return err
			}
		}
		step := Step{From: at.state, Edge: edge}
		// The cycle begins with the step after which a state is saved.
		if k > 0 && l.reached[path[k-1]].save == none {
			run.Prefix = append(run.Prefix, step)
		} else {
			run.Cycle = append(run.Cycle, step)
		}
	}
	l.Improve(run)
	return nil
}

// between returns an edge by which the search came from one entry to the next.
func (l *saving) between(x, y saved) (omega.Edge, error) {
	var err error
	if l.buf, err = l.Edges(l.buf[:0], x.state); err != nil {
		return omega.Edge{}, err
	}
	for _, e := range l.buf {
		// Entries keep no edge. Any that leads from the one to the other will do.
		if e.Dst == y.state && (y.save == none || l.Add(x.set, e.Marks) == y.set) {
			return e, nil
		}
	}
	return omega.Edge{}, product.ErrNoPath
}
