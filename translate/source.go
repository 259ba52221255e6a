package translate

import (
	"context"
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A header is what a Source has beside its edges.
type header struct {
	alphabet   *omega.Alphabet
	acceptance omega.Acceptance
	marks      *omega.MarkTable
	initial    []omega.State
}

// newHeader returns the header of a generalized Büchi automaton, as yet without initial states.
func newHeader(alphabet *omega.Alphabet, sets int) header {
	return header{alphabet: alphabet, acceptance: omega.GeneralizedBuchi(sets), marks: omega.NewMarkTable(sets)}
}

func (h *header) Alphabet() *omega.Alphabet    { return h.alphabet }
func (h *header) Acceptance() omega.Acceptance { return h.acceptance }
func (h *header) Marks() *omega.MarkTable      { return h.marks }
func (h *header) Initial() []omega.State       { return h.initial }

// An onDemand is a Source that makes the edges of a state at the first request, and keeps them.
type onDemand struct {
	header
	makeEdges func(s omega.State) ([]omega.Edge, error) // not nil

	edges [][]omega.Edge     // of each state that was asked for; nil: not yet made
	made  int64              // edges
	at    map[omega.Edge]int // of the state being expanded: the edge with those marks and destination
}

func newOnDemand(alphabet *omega.Alphabet, sets int) onDemand {
	return onDemand{header: newHeader(alphabet, sets), at: make(map[omega.Edge]int)}
}

func (o *onDemand) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	for int(s) >= len(o.edges) {
		o.edges = append(o.edges, nil)
	}
	if o.edges[s] == nil {
		clear(o.at)
		edges, err := o.makeEdges(s)
		if err != nil {
			return buf, err
		}
		o.edges[s] = edges
	}
	return append(buf, o.edges[s]...), nil
}

// merge adds an edge to the edges of the state being expanded. Edges that differ only in their
// labels become one.
func (o *onDemand) merge(edges []omega.Edge, e omega.Edge) []omega.Edge {
	key := omega.Edge{Marks: e.Marks, Dst: e.Dst}
	if i, ok := o.at[key]; ok {
		edges[i].Label = o.alphabet.Or(edges[i].Label, e.Label)
		return edges
	}
	o.at[key] = len(edges)
	o.made++
	return append(edges, e)
}

const (
	// maxMemory bounds the bytes that a translation takes for its states and edges, and for making
	// them.
	maxMemory = 512 << 20

	// maxSubformulas bounds the distinct subformulas of a formula that is translated. So linear work
	// on it need not look at the context.
	maxSubformulas = 1 << 17

	// maxBits bounds the number of bits of a state: of its subformulas, or whatever the
	// algorithm has in its states. A state then takes at most 4 KB, and few of them are
	// made from one look at the memory to the next.
	maxBits = 1 << 15
)

// admit fails if ctx is done, or with an omega.LimitError if f has too many subformulas.
func admit(ctx context.Context, f *ltl.Formula) error {
	if err := ctx.Err(); err != nil || f.Size() <= maxSubformulas {
		return err
	}
	if len(f.Subformulas()) > maxSubformulas {
		return &omega.LimitError{What: "subformulas", Limit: maxSubformulas}
	}
	return nil
}

// admitBits fails with an omega.LimitError if states would have too many bits.
func admitBits(n int) error {
	if n > maxBits {
		return &omega.LimitError{What: "subformulas in a state", Limit: maxBits}
	}
	return nil
}

// stepLength returns how many usual steps it takes to combine labels and sets of bits: a
// diagram of a label may be as deep as there are propositions.
func stepLength(alphabet *omega.Alphabet, bits int) int {
	return 1 + max(alphabet.Len(), bits/64)/16
}

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
