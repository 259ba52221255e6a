package translate

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/intern"
)

// A bitSet is a set of numbers below a bound.
type bitSet []uint64

func newBitSet(n int) bitSet { return make(bitSet, max(1, (n+63)/64)) }

func (s bitSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s bitSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitSet) remove(i int)   { s[i/64] &^= 1 << (i % 64) }

func (s bitSet) set(i int, to bool) {
	s.remove(i)
	if to {
		s.add(i)
	}
}

func (s bitSet) hasAll(list []int) bool {
	for _, i := range list {
		if !s.has(i) {
			return false
		}
	}
	return true
}

// within reports whether s is a subset of t.
func (s bitSet) within(t bitSet) bool {
	for i, x := range s {
		if x&^t[i] != 0 {
			return false
		}
	}
	return true
}

// meets reports whether s and t have a common member.
func (s bitSet) meets(t bitSet) bool {
	for i, x := range s {
		if x&t[i] != 0 {
			return true
		}
	}
	return false
}

// unite adds the members of t.
func (s bitSet) unite(t bitSet) {
	for i, x := range t {
		s[i] |= x
	}
}

// first returns the least member.
func (s bitSet) first() (i int, ok bool) {
	for k, w := range s {
		if w != 0 {
			return 64*k + bits.TrailingZeros64(w), true
		}
	}
	return 0, false
}

// hasFrom reports whether there is a member that is not less than i.
func (s bitSet) hasFrom(i int) bool {
	if i/64 >= len(s) {
		return false
	}
	if s[i/64]>>(i%64) != 0 {
		return true
	}
	for _, w := range s[i/64+1:] {
		if w != 0 {
			return true
		}
	}
	return false
}

// appendTo appends the members from first on, ascending, to list, counted from first.
func (s bitSet) appendTo(list []int, first int) []int {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if b := 64*i + bits.TrailingZeros64(w); b >= first {
				list = append(list, b-first)
			}
		}
	}
	return list
}

// A set is the number of a set in its setTable: equal sets have equal numbers.
type set int32

// empty is the empty set in every table.
const empty set = 0

// A setTable owns sets of the numbers 0, …, n-1.
type setTable struct {
	known   intern.Lists[uint64]
	scratch bitSet
}

func newSetTable(n int) *setTable {
	t := &setTable{scratch: newBitSet(n)}
	t.intern() // the empty set
	return t
}

// intern returns the number of the set in scratch.
func (t *setTable) intern() set {
	s, _ := t.known.Number(t.scratch)
	return set(s)
}

func (t *setTable) of(s set) bitSet { return t.known.At(int32(s)) }

func (t *setTable) singleton(q int) set {
	clear(t.scratch)
	t.scratch.add(q)
	return t.intern()
}

func (t *setTable) union(a, b set) set {
	if a == b || b == empty {
		return a
	}
	if a == empty {
		return b
	}
	copy(t.scratch, t.of(a))
	t.scratch.unite(t.of(b))
	return t.intern()
}

func (t *setTable) has(s set, q int) bool { return t.of(s).has(q) }

func (t *setTable) subset(a, b set) bool { return t.of(a).within(t.of(b)) }
