package forq

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// rows numbers the rows of relations: the states of the right side that a word leads to from one of
// them, and those among them that it may lead to past an accepting edge, within the component that
// the row begins in. The set of states that a prefix leads to is a row without a component.
//
// A row is a list of words: the component, the first set as bits, and the second.
type rows struct {
	right  *right
	budget *budget.Budget
	words  int // of a set
	table  intern.Lists[uint64]
	size   []int32 // of both sets, by row
	next   []int32 // by row and class: the row of the word that is one letter longer, plus one
	buf    []uint64
}

func newRows(r *right, b *budget.Budget) *rows {
	words := bitset.Words(r.states)
	return &rows{right: r, budget: b, words: words, buf: make([]uint64, 1+2*words)}
}

// set returns the row of a set of states.
func (x *rows) set(states []omega.State) int32 {
	x.begin(noPart)
	for _, s := range states {
		bitset.Add(x.buf[1:], int32(s))
	}
	return x.number()
}

// one returns the row of the empty word, from a state.
func (x *rows) one(state int32) int32 {
	x.begin(x.right.part[state])
	bitset.Add(x.buf[1:], state)
	return x.number()
}

// begin clears the buffer for a new row.
func (x *rows) begin(part int32) {
	clear(x.buf)
	x.buf[0] = uint64(uint32(part))
}

// number returns the number of the row in the buffer.
func (x *rows) number() int32 {
	i, fresh := x.table.Number(x.buf)
	if fresh {
		n := 0
		for _, w := range x.buf[1:] {
			n += bits.OnesCount64(w)
		}
		x.size = append(x.size, int32(n))
		x.next = append(x.next, make([]int32, len(x.right.classes))...)
	}
	return i
}

// reached returns the states of a row.
func (x *rows) reached(i int32) []uint64 { return x.table.At(i)[1 : 1+x.words] }

// passed returns the states of a row that are reached past an accepting edge.
func (x *rows) passed(i int32) []uint64 { return x.table.At(i)[1+x.words:] }

// after returns the row after one more letter.
func (x *rows) after(i, class int32) int32 {
	at := int(i)*len(x.right.classes) + int(class)
	if n := x.next[at]; n > 0 {
		return n - 1
	}
	row := x.table.At(i)
	part := int32(uint32(row[0]))
	x.begin(part)
	reached, passed := x.buf[1:1+x.words], x.buf[1+x.words:]
	for k, w := range row[1 : 1+x.words] {
		for ; w != 0; w &= w - 1 {
			bit := bits.TrailingZeros64(w)
			s := 64*k + bit
			own := part != noPart && x.right.part[s] == part
			was := row[1+x.words+k]>>bit&1 != 0
			arcs := x.right.from(int(class), s)
			x.budget.Spend(1 + len(arcs))
			for _, e := range arcs {
				bitset.Add(reached, e.dst)
				if own && (e.marked || was && e.inner) {
					bitset.Add(passed, e.dst)
				}
			}
		}
	}
	n := x.number()
	x.next[at] = n + 1
	return n
}

// subset reports whether both sets of row i are subsets of those of row j.
func (x *rows) subset(i, j int32) bool {
	if i == j {
		return true
	}
	if x.size[i] > x.size[j] {
		return false
	}
	return bitset.Subset(x.table.At(i)[1:], x.table.At(j)[1:])
}

func (x *rows) memory() int64 {
	return x.table.Memory() + 4*int64(cap(x.size)+cap(x.next))
}
