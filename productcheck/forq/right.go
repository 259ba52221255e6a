package forq

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/letters"
)

// right is the automaton whose language may include the left one.
type right struct {
	*omega.Automaton
	budget  *budget.Budget
	states  int
	initial []omega.State
	classes []omega.Label // of letters that it does not tell apart
	part    []int32       // component of each state; noPart if its runs can't stay and be accepted

	parts parts
	lists [][]list // by class and state: the arcs; empty for classes that were not needed
	arcs  []arc
}

// A list is a part of arcs. It is known if end is not 0. The first arc is unused.
type list struct{ begin, end int32 }

// noPart is the component of states that have no accepting cycle.
const noPart = -1

// An arc is an edge on a class of letters.
type arc struct {
	dst    int32
	inner  bool // it stays in the component
	marked bool // and a cycle with it is accepting
}

// maxClasses limits the classes of letters.
const maxClasses = 1 << 12

// newRight reads a Büchi automaton.
func newRight(a *omega.Automaton, b *budget.Budget) (*right, error) {
	r := &right{Automaton: a, budget: b, states: a.NumStates(), part: make([]int32, a.NumStates()), arcs: make([]arc, 1)}
	r.parts = newParts(a, b)
	p := &r.parts
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
	r.classes = letters.Classes(a, b, func(n int) bool { return n > maxClasses })
	if r.classes == nil {
		if b.Err() != nil {
			return nil, b.Err()
		}
		return nil, &omega.LimitError{What: "sets of letters told apart", Limit: maxClasses}
	}
	r.lists = make([][]list, len(r.classes))
	return r, nil
}

// from returns the arcs of a state on a class of letters, sorted by destination. They are made when
// they are first needed.
func (r *right) from(class, state int) []arc {
	if len(r.lists[class]) == 0 {
		r.lists[class] = make([]list, r.states)
	}
	l := &r.lists[class][state]
	if l.end == 0 {
		l.begin = int32(len(r.arcs))
		r.meet(r.classes[class], omega.State(state))
		l.end = int32(len(r.arcs))
	}
	return r.arcs[l.begin:l.end]
}

// meet appends the arcs of a state on a class of letters: one for each destination, marked if
// possible.
func (r *right) meet(class omega.Label, s omega.State) {
	begin := len(r.arcs)
	part := r.part[s]
	edges := r.Edges(s)
	r.budget.Spend(len(edges))
	for _, e := range edges {
		if !r.parts.live[r.parts.Of[e.Dst]] || !r.Alphabet().Meet(class, e.Label) {
			continue
		}
		inner := part != noPart && part == r.part[e.Dst]
		marked := inner && (e.Marks != 0 || r.parts.kinds[part] == omega.Accepting)
		r.arcs = append(r.arcs, arc{int32(e.Dst), inner, marked})
	}
	list := r.arcs[begin:]
	slices.SortFunc(list, func(x, y arc) int {
		if x.dst == y.dst && x.marked != y.marked {
			if x.marked {
				return -1
			}
			return 1
		}
		return cmp.Compare(x.dst, y.dst)
	})
	list = slices.CompactFunc(list, func(x, y arc) bool { return x.dst == y.dst })
	r.arcs = r.arcs[:begin+len(list)]
}

// below reports whether the relation of class i is a subset of that of class j.
func (r *right) below(i, j int32) bool {
	for s := range r.states {
		x, y := r.from(int(i), s), r.from(int(j), s)
		if r.budget.Spend(1 + len(x)) {
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
	n := 8*int64(cap(r.arcs)) + 8*int64(cap(r.classes)) + 4*int64(r.states)
	for _, l := range r.lists {
		n += 8 * int64(len(l))
	}
	return n
}
