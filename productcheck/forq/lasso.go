package forq

import (
	"iter"
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
)

// A lasso decides whether the right side accepts a prefix with a period that is repeated forever.
type lasso struct {
	seen []uint64 // states that the prefix and some periods lead to
	todo []uint64 // those whose rows are not known to be in seen
	ring []uint64 // states that an accepting cycle could lead through
}

// accepted reports whether the graph of a relation has a cycle past an accepting edge that can be
// reached from the set.
func (l *lasso) accepted(p *periods, set []uint64, relation []int32) bool {
	l.seen = append(l.seen[:0], set...)
	l.close(p, l.seen, relation, func(int32) bool { return true })
	for s := range members(l.seen) {
		passed := p.rows.passed(relation[p.place[s]-1])
		p.budget.Spend(1 + len(passed))
		if bitset.Has(passed, s) {
			return true
		}
	}
	for s := range members(l.seen) {
		row := relation[p.place[s]-1]
		if bitset.Empty(p.rows.passed(row)) {
			continue
		}
		part := p.right.part[s]
		l.ring = append(l.ring[:0], p.rows.passed(row)...)
		l.close(p, l.ring, relation, func(t int32) bool { return p.right.part[t] == part })
		if bitset.Has(l.ring, s) {
			return true
		}
	}
	return false
}

// close adds to a set what the relation leads to from it, past states that are inside.
func (l *lasso) close(p *periods, set []uint64, relation []int32, inside func(s int32) bool) {
	l.todo = append(l.todo[:0], set...)
	for again := true; again; {
		again = false
		for k := range l.todo {
			for l.todo[k] != 0 {
				s := int32(64*k + bits.TrailingZeros64(l.todo[k]))
				l.todo[k] &= l.todo[k] - 1
				if !inside(s) {
					continue
				}
				row := p.rows.reached(relation[p.place[s]-1])
				if p.budget.Spend(1 + len(row)) {
					return
				}
				for j, w := range row {
					l.todo[j] |= w &^ set[j]
					set[j] |= w
				}
				again = true
			}
		}
	}
}

// members returns the states of a set.
func members(set []uint64) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for k, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(int32(64*k + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
