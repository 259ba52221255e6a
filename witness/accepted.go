package witness

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/omega"
)

// accepted finds from which states a loop is accepted, from its profile. Its
// tables are kept from one to the next.
type accepted struct {
	*side
	first []int32 // the arcs of s are arcs[first[s]:first[s+1]]
	arcs  []arc
	good  []bool // by state: an accepting closed walk can be reached

	// Of the search for components: order is 0 for a state that is new, its number if
	// it is live, and -1 if its component is complete.
	order      []int32
	live, path []int32
	next       []int32
	roots      []int32
}

// arc leads to a state through a set of marks, by numbers.
type arc struct{ dst, set int32 }

func newAccepted(s *side) *accepted {
	n := s.states
	return &accepted{side: s, first: make([]int32, n+1), good: make([]bool, n), order: make([]int32, n), next: make([]int32, n)}
}

// states adds to set the states from which the loop with the given rows is
// accepted.
func (t *accepted) states(rows, set []uint64) {
	k := int32(len(t.sets))
	t.arcs = t.arcs[:0]
	for s := range t.side.states {
		for w, row := range rows[s*t.words : (s+1)*t.words] {
			for ; row != 0; row &= row - 1 {
				b := int32(64*w + bits.TrailingZeros64(row))
				t.arcs = append(t.arcs, arc{b / k, b % k})
			}
		}
		t.first[s+1] = int32(len(t.arcs))
		t.good[s] = false
	}
	clear(t.order)
	for s := range int32(t.side.states) {
		t.components(s, 0, func(members []int32, marks omega.Marks, closed bool) bool {
			good := closed && t.acceptingWalk(members, marks, 0, t.condition)
			for i := 0; i < len(members) && !good; i++ {
				for _, a := range t.arcs[t.first[members[i]]:t.first[members[i]+1]] {
					good = good || t.good[a.dst]
				}
			}
			for _, m := range members {
				t.good[m] = good
			}
			return false
		})
	}
	for s, good := range t.good {
		if good {
			bitset.Add(set, s)
		}
	}
}

// components gives to found each strongly connected component that can be
// reached from s along arcs without a mark of cut, unless it has been completed
// before, with the marks of its arcs and whether it has any; those that others lead
// to come first. It stops when found returns true. (Gabow 2000.)
func (t *accepted) components(s int32, cut omega.Marks, found func(members []int32, marks omega.Marks, closed bool) bool) bool {
	if t.order[s] != 0 {
		return false
	}
	t.live, t.path, t.roots = t.live[:0], t.path[:0], t.roots[:0]
	enter := func(s int32) {
		t.live = append(t.live, s)
		t.order[s] = int32(len(t.live))
		t.roots = append(t.roots, t.order[s])
		t.path = append(t.path, s)
		t.next[s] = t.first[s]
	}
	enter(s)
	for len(t.path) > 0 {
		s := t.path[len(t.path)-1]
		if t.next[s] < t.first[s+1] {
			a := t.arcs[t.next[s]]
			t.next[s]++
			if t.order[a.dst] < 0 || t.table.Common(t.sets[a.set], cut) {
				continue
			}
			if t.order[a.dst] == 0 {
				enter(a.dst)
				continue
			}
			for t.roots[len(t.roots)-1] > t.order[a.dst] {
				t.roots = t.roots[:len(t.roots)-1]
			}
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if root := t.roots[len(t.roots)-1]; root == t.order[s] {
			t.roots = t.roots[:len(t.roots)-1]
			members := t.live[root-1:]
			marks, closed := t.inside(members, root, cut)
			for _, m := range members {
				t.order[m] = -1
			}
			t.live = t.live[:root-1]
			if found(members, marks, closed) {
				return true
			}
		}
	}
	return false
}

// inside returns the marks of the arcs between the members of a component, which
// are numbered from root on, and whether there are any arcs.
func (t *accepted) inside(members []int32, root int32, cut omega.Marks) (marks omega.Marks, closed bool) {
	for _, m := range members {
		for _, a := range t.arcs[t.first[m]:t.first[m+1]] {
			if t.order[a.dst] >= root && !t.table.Common(t.sets[a.set], cut) {
				closed = true
				marks = t.table.Union(marks, t.sets[a.set])
			}
		}
	}
	return marks, closed
}

// acceptingWalk reports whether some closed walk in a component, which has the
// given marks all together, satisfies c without a mark of cut. (Emerson and Lei
// 1987: where a Fin fails, its mark is avoided or the Fin is given up.)
func (t *accepted) acceptingWalk(members []int32, marks, cut omega.Marks, c *omega.Condition) bool {
	c = c.Assume(func(i int) int {
		if t.table.Has(marks, i) {
			return 0
		}
		return -1
	})
	if c.Eval(t.table, marks) {
		return true
	}
	fin := -1
	c.Leaves(func(l *omega.Condition) {
		if fin < 0 && l.Op == omega.CondFin {
			fin = l.Mark
		}
	})
	if fin < 0 {
		return false
	}
	part := newAccepted(t.side)
	part.arcs, part.first = t.arcs, t.first
	for s := range part.order {
		part.order[s] = -1
	}
	for _, m := range members {
		part.order[m] = 0
	}
	avoid := t.table.Union(cut, t.table.Of(fin))
	for _, m := range members {
		if part.components(m, avoid, func(members []int32, marks omega.Marks, closed bool) bool {
			return closed && part.acceptingWalk(members, marks, avoid, c)
		}) {
			return true
		}
	}
	return t.acceptingWalk(members, marks, cut, c.GiveUp(fin))
}
