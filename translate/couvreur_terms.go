package translate

import "github.com/xcheck-ltl/xcheck/internal/intern"

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
	words          int // of a term
	bits           intern.Lists[uint64]
	above          []uint64 // of each term, what it implies
	implied        []bitSet // of each obligation, the bits that it implies; nil: none
	clash          bitSet   // the bits of propositions: not both they and the next
	nextBits       bitSet   // the bits of obligations
	weakest        []choice // obligations that go beside others
	marked         int      // the first bit of a marked obligation
	unmarked       []int    // by marked obligation: the bit of the same one, unmarked
	scratch        bitSet
	list           []int // scratch
}

// newTermTable returns a table for terms of so many promises, propositions and
// obligations.
func newTermTable(promises, props, obligations int) *termTable {
	literals := (promises + 1) &^ 1
	next := literals + 2*props
	n := next + obligations
	t := &termTable{literals: literals, next: next, scratch: newBitSet(n), clash: newBitSet(n), nextBits: newBitSet(n)}
	t.words = len(t.scratch)
	for i := literals; i < next; i += 2 {
		t.clash.add(i)
	}
	for i := next; i < n; i++ {
		t.nextBits.add(i)
	}
	t.intern() // nothing
	return t
}

// imply tells the table which of n obligations imply which. It must do so before there
// are terms other than nothing.
func (t *termTable) imply(n int, implies func(i, j int) bool) {
	some := false
	t.implied = make([]bitSet, n)
	for i := range n {
		t.implied[i] = make(bitSet, t.words)
		for j := range n {
			if i != j && implies(i, j) {
				t.implied[i].add(t.next + j)
				some = true
			}
		}
	}
	if !some {
		t.implied = nil
		return
	}
	// Implication is transitive.
	for k, row := range t.implied {
		for _, other := range t.implied {
			if other.has(t.next + k) {
				other.unite(row)
			}
		}
	}
}

// A choice is a set of obligations, of which one implies none but another one, the weakest.
type choice struct {
	weakest int    // bit
	others  bitSet // bits
}

// keepOne tells the table that each of count obligations from first on implies the weakest one of
// them, and does not rely on it: a term with another one is without the weakest.
func (t *termTable) keepOne(first, count, weakest int) {
	c := choice{t.next + first + weakest, newBitSet(len(t.scratch) * 64)}
	for i := range count {
		if i != weakest {
			c.others.add(t.next + first + i)
		}
	}
	t.weakest = append(t.weakest, c)
}

// keepMarked tells the table which obligations, from a first one on, are marked, and which are the
// same, unmarked: these go beside them.
func (t *termTable) keepMarked(first int, unmarked []int) {
	t.marked = t.next + first
	for _, i := range unmarked {
		t.unmarked = append(t.unmarked, t.next+i)
	}
}

// breakpoint reports whether no obligation of x is marked, although there may be such.
func (t *termTable) breakpoint(x term) bool {
	return len(t.unmarked) > 0 && !t.of(x).hasFrom(t.marked)
}

// remarked returns the term in which each obligation of x that can be is marked.
func (t *termTable) remarked(x term) term {
	copy(t.scratch, t.of(x))
	for i, bit := range t.unmarked {
		if t.scratch.has(bit) {
			t.scratch.remove(bit)
			t.scratch.add(t.marked + i)
		}
	}
	return t.intern()
}

func (t *termTable) of(x term) bitSet { return t.bits.At(int32(x)) }

// intern returns the number of the conjunction in scratch.
func (t *termTable) intern() term {
	x, fresh := t.bits.Number(t.scratch)
	if !fresh {
		return term(x)
	}
	t.above = append(t.above, t.scratch...)
	if t.implied != nil {
		t.list = t.scratch.appendTo(t.list[:0], t.next)
		for _, i := range t.list {
			t.aboveOf(term(x)).unite(t.implied[i])
		}
	}
	return term(x)
}

func (t *termTable) bit(i int) term {
	clear(t.scratch)
	t.scratch.add(i)
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
	for _, c := range t.weakest {
		if t.scratch.has(c.weakest) && t.scratch.meets(c.others) {
			t.scratch.remove(c.weakest)
		}
	}
	if len(t.unmarked) > 0 {
		t.list = t.scratch.appendTo(t.list[:0], t.marked)
		for _, i := range t.list {
			t.scratch.remove(t.unmarked[i])
		}
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

// aboveOf returns what x implies.
func (t *termTable) aboveOf(x term) bitSet { return t.above[int(x)*t.words:][:t.words] }

// implies reports whether x implies all of y.
func (t *termTable) implies(x, y term) bool { return t.of(y).within(t.aboveOf(x)) }

func (t *termTable) memory() int64 {
	return t.bits.Memory() + int64(8*cap(t.above))
}
