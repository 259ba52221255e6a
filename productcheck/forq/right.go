package forq

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/letters"
)

// right is the automaton whose language is to include that of the left side.
type right struct {
	alphabet *omega.Alphabet
	states   int
	initial  []omega.State
	classes  []omega.Label // of letters that it does not tell apart
	part     []int32       // component of each state; noPart if its runs can't stay and be accepted

	// The edges on class c from state s are arcs[first[c*states+s]:first[c*states+s+1]], sorted by
	// destination.
	first []int32
	arcs  []arc
}

// noPart is the component of states that have no accepting cycle.
const noPart = -1

// An arc is an edge on a class of letters.
type arc struct {
	dst    int32
	inner  bool // it stays in the component
	marked bool // and a cycle with it is accepting
}

// Limits of the classes of letters, and of them times edges.
const (
	maxClasses = 1 << 12
	maxArcs    = 1 << 26
)

// newRight reads a Büchi automaton.
func newRight(a *omega.Automaton, b *budget.Budget) (*right, error) {
	r := &right{alphabet: a.Alphabet(), states: a.NumStates(), part: make([]int32, a.NumStates())}
	p := newParts(a, b)
	if b.Err() != nil {
		return nil, b.Err()
	}
	for s, c := range p.Of {
		r.part[s] = c
		if p.kinds[c] == omega.Transient || p.kinds[c] == omega.Rejecting {
			r.part[s] = noPart
		}
	}
	for _, s := range a.Initial() {
		if p.live[p.Of[s]] {
			r.initial = append(r.initial, s)
		}
	}
	r.classes = letters.Classes(a, b, func(n int) bool { return n > maxClasses || n*a.NumEdges() > maxArcs })
	if r.classes == nil {
		if b.Err() != nil {
			return nil, b.Err()
		}
		return nil, &omega.LimitError{What: "sets of letters told apart", Limit: maxClasses}
	}
	r.first = append(r.first, 0)
	for _, c := range r.classes {
		for s := range omega.State(r.states) {
			for _, e := range a.Edges(s) {
				if b.Stop() {
					return nil, b.Err()
				}
				if p.live[p.Of[e.Dst]] && r.alphabet.Meet(c, e.Label) {
					part := r.part[s]
					inner := part != noPart && part == r.part[e.Dst]
					marked := inner && (e.Marks != 0 || p.kinds[part] == omega.Accepting)
					r.arcs = append(r.arcs, arc{int32(e.Dst), inner, marked})
				}
			}
			r.close()
		}
	}
	return r, nil
}

// close ends the list of arcs of a class and a state: one for each destination, marked if possible.
func (r *right) close() {
	begin := r.first[len(r.first)-1]
	list := r.arcs[begin:]
	slices.SortFunc(list, func(x, y arc) int {
		if x.dst != y.dst {
			return cmp.Compare(x.dst, y.dst)
		}
		if x.marked == y.marked {
			return 0
		}
		if x.marked {
			return -1
		}
		return 1
	})
	list = slices.CompactFunc(list, func(x, y arc) bool { return x.dst == y.dst })
	r.arcs = r.arcs[:int(begin)+len(list)]
	r.first = append(r.first, int32(len(r.arcs)))
}

// from returns the arcs of a state on a class of letters.
func (r *right) from(class, state int) []arc {
	i := class*r.states + state
	return r.arcs[r.first[i]:r.first[i+1]]
}

// below reports whether the relation of class i is a subset of that of class j.
func (r *right) below(i, j int, b *budget.Budget) bool {
	for s := range r.states {
		x, y := r.from(i, s), r.from(j, s)
		if b.Spend(1 + len(x)) {
			return false
		}
		if len(x) > len(y) {
			return false
		}
		for _, e := range x {
			for len(y) > 0 && y[0].dst < e.dst {
				y = y[1:]
			}
			if len(y) == 0 || y[0].dst > e.dst || e.marked && !y[0].marked {
				return false
			}
		}
	}
	return true
}

func (r *right) memory() int64 {
	return 8*int64(cap(r.arcs)) + 4*int64(cap(r.first)) + 8*int64(cap(r.classes))
}
