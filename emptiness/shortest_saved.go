package emptiness

import (
	"math/bits"

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
func (h *hunt) bySaving() error {
	l := &saving{hunt: h}
	h.held = l.memory
	for _, s := range h.src.Initial() {
		l.meet(saved{state: s, save: none, from: none})
	}
	level, end := 0, len(l.reached) // the first entry of the next length
	for i := 0; i < len(l.reached); i++ {
		if i == end {
			level, end = level+1, len(l.reached)
			h.result.Depth, h.least = level, level+1
		}
		if level+1 >= h.bound {
			return nil
		}
		found, err := l.follow(int32(i))
		if found || err != nil {
			return err
		}
	}
	h.empty = true
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
	*hunt
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
	if l.buf, err = l.edges(l.buf[:0], at.state); err != nil {
		return false, err
	}
	for _, e := range l.buf {
		save := at.save
		if save == none {
			l.meet(saved{state: e.Dst, save: none, from: i})
			save = at.state
		}
		set := l.add(at.set, e.Marks)
		if l.hopeless(set) {
			continue
		}
		if e.Dst == save && l.accepting(set) {
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
			l.result.Matched++
			return
		}
	}
	l.reached = append(l.reached, x)
	l.index.Add(at, int32(len(l.reached)-1), func(i int32) uint64 { return l.reached[i].hash() })
}

func (x *saved) hash() uint64 {
	return scramble(uint64(uint32(x.state))<<32|uint64(uint32(x.save)), x.set)
}

// scramble is a hash of a key and a set of marks.
func scramble(key uint64, set omega.Marks) uint64 {
	hi, lo := bits.Mul64(key^0x9e3779b97f4a7c15, uint64(set)*0xbf58476d1ce4e5b9^0xd6e8feb86659fd93)
	hi2, lo2 := bits.Mul64(hi^lo, 0x94d049bb133111eb)
	return hi2 ^ lo2
}

// record makes the run that an edge of an entry closes.
func (l *saving) record(i int32, closing omega.Edge) error {
	save := l.reached[i].save
	if save == none {
		save = l.reached[i].state
	}
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
		step := Step{at.state, edge}
		if k > 0 && l.reached[path[k-1]].save == none {
			run.Prefix = append(run.Prefix, step)
		} else {
			run.Cycle = append(run.Cycle, step)
		}
	}
	l.improve(run)
	return nil
}

// between returns an edge by which the search came from one entry to the next.
func (l *saving) between(x, y saved) (omega.Edge, error) {
	var err error
	if l.buf, err = l.edges(l.buf[:0], x.state); err != nil {
		return omega.Edge{}, err
	}
	for _, e := range l.buf {
		if e.Dst == y.state && (y.save == none || l.add(x.set, e.Marks) == y.set) {
			return e, nil
		}
	}
	return omega.Edge{}, errNoPath
}

// A pairTable numbers pairs of a state and the marks seen. If it is trivial, the
// marks don't matter, and the number is that of the state.
type pairTable struct {
	trivial bool
	pairs   []markedState
	index   intern.Index
}

type markedState struct {
	set   omega.Marks
	state omega.State
}

func (t *pairTable) memory() int64 { return int64(16*cap(t.pairs)) + t.index.Memory() }

func (t *pairTable) at(n int32) (omega.State, omega.Marks) {
	if t.trivial {
		return omega.State(n), 0
	}
	p := &t.pairs[n]
	return p.state, p.set
}

func (t *pairTable) number(s omega.State, set omega.Marks) int32 {
	if t.trivial {
		return int32(s)
	}
	p := markedState{set, s}
	i, at := t.index.First(p.hash())
	for ; i >= 0; i, at = t.index.Next(at) {
		if t.pairs[i] == p {
			return i
		}
	}
	i = int32(len(t.pairs))
	t.pairs = append(t.pairs, p)
	t.index.Add(at, i, func(i int32) uint64 { return t.pairs[i].hash() })
	return i
}

func (p markedState) hash() uint64 { return scramble(uint64(uint32(p.state)), p.set) }
