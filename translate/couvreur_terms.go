package translate

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/intern"
)

// A term is the number of a conjunction in its expansions: a set of bits, each of
// which stands for a promise that is put off, for a literal, or for a formula that
// must hold next. Equal conjunctions have equal numbers.
type term int32

// nothing is the empty conjunction, in every table.
const nothing term = 0

// A termTable owns the conjunctions of one translation. Their bits are the promises,
// from 0 on; then literals, a proposition at an even bit and its negation at the next;
// and then formulas for the next letter, obligations.
type termTable struct {
	literals, next int // the first literal, and the first obligation
	obligationBits int
	words          int // of a term
	bits           intern.Lists[uint64]
	above          []uint64 // of each term, what it implies
	implied        []uint64 // of each obligation, the bits that it implies; nil: none
	clash          []uint64 // the bits of propositions: not both they and the next
	nextBits       []uint64 // the bits of obligations
	scratch        []uint64
}

// newTermTable returns a table for terms of so many promises, propositions and
// obligations.
func newTermTable(promises, props, obligations int) *termTable {
	literals := (promises + 1) &^ 1
	next := literals + 2*props
	n := next + obligations
	t := &termTable{literals: literals, next: next, obligationBits: obligations, words: max(1, (n+63)/64)}
	masks := make([]uint64, 3*t.words)
	t.scratch, t.clash, t.nextBits = masks[:t.words], masks[t.words:2*t.words], masks[2*t.words:]
	for i := literals; i < next; i += 2 {
		t.clash[i/64] |= 1 << (i % 64)
	}
	for i := next; i < n; i++ {
		t.nextBits[i/64] |= 1 << (i % 64)
	}
	t.intern() // nothing
	return t
}

// imply says that obligation i implies obligation j. It must be said before there are
// terms other than nothing, and be followed by close.
func (t *termTable) imply(i, j int) {
	if t.implied == nil {
		t.implied = make([]uint64, t.obligationBits*t.words)
	}
	j += t.next
	t.implied[i*t.words+j/64] |= 1 << (j % 64)
}

// close makes the implications of obligations transitive.
func (t *termTable) close() {
	n := len(t.implied) / t.words
	for k := range n {
		row := t.implied[k*t.words:][:t.words]
		bit := t.next + k
		for i := range n {
			if t.implied[i*t.words+bit/64]>>(bit%64)&1 != 0 {
				for j, w := range row {
					t.implied[i*t.words+j] |= w
				}
			}
		}
	}
}

func (t *termTable) of(x term) []uint64 { return t.bits.At(int32(x)) }

// intern returns the number of the conjunction in scratch.
func (t *termTable) intern() term {
	x, fresh := t.bits.Number(t.scratch)
	if !fresh {
		return term(x)
	}
	t.above = append(t.above, t.scratch...)
	above := t.above[int(x)*t.words:]
	for i, w := range t.scratch {
		if w &= t.nextBits[i]; t.implied == nil {
			break
		}
		for ; w != 0; w &= w - 1 {
			row := t.implied[(64*i+bits.TrailingZeros64(w)-t.next)*t.words:]
			for j := range above {
				above[j] |= row[j]
			}
		}
	}
	return term(x)
}

// bit returns the term of one bit.
func (t *termTable) bit(i int) term {
	clear(t.scratch)
	t.scratch[i/64] |= 1 << (i % 64)
	return t.intern()
}

// both returns the conjunction of x and y; ok is false if their literals contradict
// each other.
func (t *termTable) both(x, y term) (both term, ok bool) {
	if x == y || y == nothing {
		return x, true
	}
	if x == nothing {
		return y, true
	}
	b := t.of(y)
	for i, w := range t.of(x) {
		w |= b[i]
		if w&(w>>1)&t.clash[i] != 0 {
			return nothing, false
		}
		t.scratch[i] = w
	}
	return t.intern(), true
}

// obligations returns the part of x that is obligations.
func (t *termTable) obligations(x term) term {
	for i, w := range t.of(x) {
		t.scratch[i] = w & t.nextBits[i]
	}
	return t.intern()
}

// implies reports whether x implies all of y.
func (t *termTable) implies(x, y term) bool {
	above := t.above[int(x)*t.words:][:t.words]
	for i, w := range t.of(y) {
		if w&^above[i] != 0 {
			return false
		}
	}
	return true
}

// appendTo appends the bits of x from first on, ascending, to list, counted from
// first.
func (t *termTable) appendTo(list []int, x term, first int) []int {
	for i, w := range t.of(x) {
		for ; w != 0; w &= w - 1 {
			if b := 64*i + bits.TrailingZeros64(w); b >= first {
				list = append(list, b-first)
			}
		}
	}
	return list
}

func (t *termTable) memory() int64 {
	return t.bits.Memory() + int64(8*cap(t.above))
}
