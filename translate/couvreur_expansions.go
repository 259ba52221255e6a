package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
)

// An expansion is a function from letters to sets of terms, its alternatives: the number of a node
// of a decision diagram over the first propositions, at whose leaves are the sets. It is reduced
// and ordered (Bryant 1986), and a set has no term that implies another. So equal functions have
// equal numbers, but for terms that imply each other. (Obligations that others of a term imply are
// not taken out: a run could put them off for ever, while those that are left rely on them.)
type expansion int32

const (
	never  expansion = 0 // no alternative on any letter
	always expansion = 1 // the empty conjunction on all
)

// expansions makes expansions.
type expansions struct {
	*budget.Budget
	long int // steps of the budget that one of ours takes
	*termTable
	levels int32 // propositions that nodes ask for; leaves have this level
	nodes  []expansionNode
	sets   []term         // the terms of the leaves
	index  intern.Index   // of the nodes
	done   [2][]operation // by connective: a cache
	buffer []term         // scratch of product and union
}

// An expansionNode is a proposition with an expansion for each of its values, or a leaf with the
// place of its terms, ascending, in sets.
type expansionNode struct {
	level  int32
	lo, hi int32
}

// An operation is an entry of a cache, direct mapped.
type operation struct{ x, y, result expansion }

// A connective is an index of the caches.
type connective uint8

const (
	conjunction connective = iota
	disjunction
)

// newExpansions starts with the two constants, over the first props propositions.
func newExpansions(ctx context.Context, props int, t *termTable) *expansions {
	e := &expansions{Budget: budget.New(ctx), long: 1, termTable: t, levels: int32(props)}
	e.done = [2][]operation{make([]operation, 256), make([]operation, 256)}
	e.leaf(nil)
	e.leaf([]term{nothing})
	return e
}

func (e *expansions) memory() int64 {
	return e.termTable.memory() + e.index.Memory() + int64(12*(cap(e.nodes)+2*len(e.done[0]))+4*cap(e.sets))
}

// alternatives returns the terms of a leaf.
func (e *expansions) alternatives(x expansion) []term {
	n := &e.nodes[x]
	return e.sets[n.lo:n.hi]
}

// node returns the expansion that is lo or hi, by whether a proposition is false or true.
func (e *expansions) node(level int32, lo, hi expansion) expansion {
	if lo == hi {
		return lo
	}
	n := expansionNode{level, int32(lo), int32(hi)}
	i, at := e.index.First(e.hash(n))
	for ; i >= 0; i, at = e.index.Next(at) {
		if e.nodes[i] == n {
			return expansion(i)
		}
	}
	return e.addNode(at, n)
}

// leaf returns the expansion to the given terms on all letters: ascending, and none
// of them implied by another.
func (e *expansions) leaf(set []term) expansion {
	i, at := e.index.First(intern.Hash(set))
	for ; i >= 0; i, at = e.index.Next(at) {
		if e.nodes[i].level == e.levels && slices.Equal(e.alternatives(expansion(i)), set) {
			return expansion(i)
		}
	}
	first := int32(len(e.sets))
	e.sets = append(e.sets, set...)
	return e.addNode(at, expansionNode{e.levels, first, int32(len(e.sets))})
}

func (e *expansions) hash(n expansionNode) uint64 {
	if n.level == e.levels {
		return intern.Hash(e.sets[n.lo:n.hi])
	}
	return intern.Hash([]uint64{uint64(n.lo)<<32 | uint64(n.hi), uint64(n.level)})
}

func (e *expansions) addNode(at uint64, n expansionNode) expansion {
	x := int32(len(e.nodes))
	e.nodes = append(e.nodes, n)
	e.index.Add(at, x, func(i int32) uint64 { return e.hash(e.nodes[i]) })
	// The caches grow with the nodes. Their entries are lost, which costs only time.
	if n := 2 * len(e.done[0]); n < 8*len(e.nodes) && n <= 1<<18 {
		e.done = [2][]operation{make([]operation, n), make([]operation, n)}
	}
	return expansion(x)
}

// split returns what x becomes if the proposition of a level is false, and if it is true. No proposition of x has a
// smaller level.
func (e *expansions) split(x expansion, level int32) (lo, hi expansion) {
	n := &e.nodes[x]
	if n.level != level {
		return x, x
	}
	return expansion(n.lo), expansion(n.hi)
}

// and returns the expansion with the conjunctions of an alternative of x and one of y.
func (e *expansions) and(x, y expansion) expansion {
	switch {
	case x == y || y == always:
		return x
	case x == always:
		return y
	case x == never || y == never:
		return never
	}
	return e.combine(x, y, conjunction)
}

// or returns the expansion with the alternatives of x and of y.
func (e *expansions) or(x, y expansion) expansion {
	switch {
	case x == y || y == never:
		return x
	case x == never:
		return y
	case x == always || y == always:
		return always
	}
	return e.combine(x, y, disjunction)
}

// combine is and or or, for expansions that are neither equal nor always nor never.
func (e *expansions) combine(x, y expansion, op connective) expansion {
	// Both operations are commutative, and so share an entry of the cache.
	if x > y {
		x, y = y, x
	}
	at := intern.HashWord(uint64(x)<<32 | uint64(y))
	if c := &e.done[op][at&uint64(len(e.done[op])-1)]; c.x == x && c.y == y {
		return c.result
	}
	if e.Spend(e.long) {
		return never
	}
	var result expansion
	level := min(e.nodes[x].level, e.nodes[y].level) // the first that either depends on
	switch {
	case level < e.levels:
		x0, x1 := e.split(x, level)
		y0, y1 := e.split(y, level)
		var lo, hi expansion
		if op == conjunction {
			lo, hi = e.and(x0, y0), e.and(x1, y1)
		} else {
			lo, hi = e.or(x0, y0), e.or(x1, y1)
		}
		result = e.node(level, lo, hi)
	case op == conjunction:
		e.buffer = e.buffer[:0]
		for i := e.nodes[x].lo; i < e.nodes[x].hi; i++ {
			for j := e.nodes[y].lo; j < e.nodes[y].hi; j++ {
				if both, ok := e.both(e.sets[i], e.sets[j]); ok {
					e.alternative(both)
				}
				if e.Err() != nil {
					return never
				}
			}
		}
	default:
		e.buffer = append(e.buffer[:0], e.alternatives(x)...)
		for _, t := range e.alternatives(y) {
			e.alternative(t)
		}
	}
	if level == e.levels {
		slices.Sort(e.buffer)
		result = e.leaf(e.buffer)
	}
	e.done[op][at&uint64(len(e.done[op])-1)] = operation{x, y, result}
	return result
}

// alternative adds a term to those in the buffer, unless it implies one of them;
// those that it is implied by go. Of two that imply each other the first stays.
func (e *expansions) alternative(t term) {
	for _, u := range e.buffer {
		if u == t || e.implies(t, u) {
			return
		}
		if e.Spend(e.long) {
			return
		}
	}
	kept := e.buffer[:0]
	for _, u := range e.buffer {
		if !e.implies(u, t) {
			kept = append(kept, u)
		}
	}
	e.buffer = append(kept, t)
}

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
	above          []uint64          // of each term, the bits that it implies
	implied        []ondemand.BitSet // of each obligation, the bits that it implies; nil: none
	clash          ondemand.BitSet   // the bits of propositions: not both they and the next
	nextBits       ondemand.BitSet   // the bits of obligations
	marked         int               // the first bit of a marked obligation
	unmarked       []int             // by marked obligation: the bit of the same one, unmarked
	scratch        ondemand.BitSet
	list           []int // scratch
}

// newTermTable returns a table for terms of so many promises, propositions and obligations.
func newTermTable(promises, props, obligations int) *termTable {
	literals := (promises + 1) &^ 1
	next := literals + 2*props
	n := next + obligations
	t := &termTable{literals: literals, next: next, scratch: ondemand.NewBitSet(n), clash: ondemand.NewBitSet(n), nextBits: ondemand.NewBitSet(n)}
	t.words = len(t.scratch)
	for i := literals; i < next; i += 2 {
		t.clash.Add(i)
	}
	for i := next; i < n; i++ {
		t.nextBits.Add(i)
	}
	t.intern() // nothing
	return t
}

// imply tells the table which of n obligations imply which. It must do so before there
// are terms other than nothing.
func (t *termTable) imply(n int, implies func(i, j int) bool) {
	some := false
	t.implied = make([]ondemand.BitSet, n)
	for i := range n {
		t.implied[i] = make(ondemand.BitSet, t.words)
		for j := range n {
			if i != j && implies(i, j) {
				t.implied[i].Add(t.next + j)
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
			if other.Has(t.next + k) {
				other.Unite(row)
			}
		}
	}
}

// breakpoint reports whether no obligation of x is marked, although there may be such.
func (t *termTable) breakpoint(x term) bool {
	if len(t.unmarked) == 0 {
		return false
	}
	t.list = t.of(x).AppendTo(t.list[:0], t.marked)
	return len(t.list) == 0
}

// remarked returns the term in which each obligation of x that can be is marked.
func (t *termTable) remarked(x term) term {
	copy(t.scratch, t.of(x))
	for i, bit := range t.unmarked {
		if t.scratch.Has(bit) {
			t.scratch.Remove(bit)
			t.scratch.Add(t.marked + i)
		}
	}
	return t.intern()
}

func (t *termTable) of(x term) ondemand.BitSet { return t.bits.At(int32(x)) }

// intern returns the number of the conjunction in scratch.
func (t *termTable) intern() term {
	x, fresh := t.bits.Number(t.scratch)
	if !fresh {
		return term(x)
	}
	t.above = append(t.above, t.scratch...)
	if t.implied != nil {
		t.list = t.scratch.AppendTo(t.list[:0], t.next)
		for _, i := range t.list {
			t.aboveOf(term(x)).Unite(t.implied[i])
		}
	}
	return term(x)
}

func (t *termTable) bit(i int) term {
	clear(t.scratch)
	t.scratch.Add(i)
	return t.intern()
}

// both returns the conjunction of x and y; ok is false if their literals contradict each other.
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
		// A proposition and its negation are neighboring bits.
		if w&(w>>1)&t.clash[i] != 0 {
			return nothing, false
		}
		t.scratch[i] = w
	}
	if len(t.unmarked) > 0 {
		t.list = t.scratch.AppendTo(t.list[:0], t.marked)
		// What is marked need not be there unmarked as well.
		for _, i := range t.list {
			t.scratch.Remove(t.unmarked[i])
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

// aboveOf returns the bits that x implies.
func (t *termTable) aboveOf(x term) ondemand.BitSet { return t.above[int(x)*t.words:][:t.words] }

// implies reports whether x implies all of y.
func (t *termTable) implies(x, y term) bool { return bitset.Subset(t.of(y), t.aboveOf(x)) }

func (t *termTable) memory() int64 {
	return t.bits.Memory() + int64(8*cap(t.above))
}
