package translate

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/intern"
)

// A set is the number of a set of states of a very weak alternating automaton,
// in its setTable: equal sets have equal numbers.
type set int32

// empty is the empty set in every table.
const empty set = 0

// A setTable owns sets of the numbers 0, …, n-1.
type setTable struct {
	known   intern.Lists[uint64]
	scratch []uint64
}

func newSetTable(n int) *setTable {
	t := &setTable{scratch: make([]uint64, max(1, (n+63)/64))}
	t.intern() // the empty set
	return t
}

// intern returns the number of the set in scratch.
func (t *setTable) intern() set {
	s, _ := t.known.Number(t.scratch)
	return set(s)
}

func (t *setTable) of(s set) []uint64 { return t.known.At(int32(s)) }

// singleton returns the set of q alone.
func (t *setTable) singleton(q int) set {
	clear(t.scratch)
	t.scratch[q/64] |= 1 << (q % 64)
	return t.intern()
}

// union returns the union of a and b.
func (t *setTable) union(a, b set) set {
	if a == b || b == empty {
		return a
	}
	if a == empty {
		return b
	}
	y := t.of(b)
	for i, x := range t.of(a) {
		t.scratch[i] = x | y[i]
	}
	return t.intern()
}

// has reports whether q is in s.
func (t *setTable) has(s set, q int) bool {
	return t.of(s)[q/64]>>(q%64)&1 != 0
}

// subset reports whether a is a subset of b.
func (t *setTable) subset(a, b set) bool {
	y := t.of(b)
	for i, x := range t.of(a) {
		if x&^y[i] != 0 {
			return false
		}
	}
	return true
}

// appendTo appends the members of s, ascending, to list.
func (t *setTable) appendTo(list []int, s set) []int {
	for i, w := range t.of(s) {
		for ; w != 0; w &= w - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(w))
		}
	}
	return list
}
