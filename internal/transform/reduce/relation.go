package reduce

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A relation is a set of pairs of states, as a bit matrix.
type relation struct {
	n     int
	words int // of a row
	bits  []uint64
}

func newRelation(n int) *relation {
	words := bitset.Words(n)
	return &relation{n, words, make([]uint64, n*words)}
}

func (r *relation) has(p, q omega.State) bool {
	return r.bits[int(p)*r.words+int(q)>>6]>>(q&63)&1 != 0
}

func (r *relation) add(p, q omega.State) { r.bits[int(p)*r.words+int(q)>>6] |= 1 << (q & 63) }

func (r *relation) remove(p, q omega.State) { r.bits[int(p)*r.words+int(q)>>6] &^= 1 << (q & 63) }

// row returns the states that p is related to, as a bit set.
func (r *relation) row(p omega.State) []uint64 { return r.bits[int(p)*r.words : (int(p)+1)*r.words] }

// fill makes all pairs related.
func (r *relation) fill() {
	for p := range omega.State(r.n) {
		row := r.row(p)
		for i := range row {
			row[i] = ^uint64(0)
		}
		if k := r.n % 64; k != 0 { // the last word has bits past n
			row[len(row)-1] = 1<<k - 1
		}
	}
}

// An agenda has the pairs of states that a fixpoint has yet to examine. Whether a pair is in the
// fixpoint depends on pairs of successors. So when one changes, the pairs of its predecessors are
// put on the agenda, a whole row at once. Each pair has a bit, so it is there once, however many of
// its successors changed.
type agenda struct {
	pending *relation
	waiting []bool // by row: has pending pairs
	from    []int32
	source  []omega.State
	changed []omega.State // in the row at hand
	preds   []uint64      // their predecessors
}

func newAgenda(a *omega.Automaton, w *budget.Budget) *agenda {
	n := a.NumStates()
	g := &agenda{pending: newRelation(n), waiting: make([]bool, n)}
	g.preds = make([]uint64, g.pending.words)
	g.from, g.source = predecessors(a, w)
	return g
}

// all puts all pairs of r on the agenda.
func (g *agenda) all(r *relation) {
	copy(g.pending.bits, r.bits)
	for p := range g.waiting {
		g.waiting[p] = true
	}
}

// run examines the pairs on the agenda, by rows up and down, until it is empty. If examine reports
// that a pair has changed, run puts the pairs of its predecessors that are in within on the agenda.
func (g *agenda) run(within *relation, w *budget.Budget, examine func(p, q omega.State) bool) {
	n := len(g.waiting)
	for left := true; left; {
		left = false
		for p := range n {
			if g.waiting[p] {
				left = true
				g.examineRow(omega.State(p), within, w, examine)
			}
		}
		for p := n - 1; p >= 0; p-- { // and down: changes go both ways
			if g.waiting[p] {
				g.examineRow(omega.State(p), within, w, examine)
			}
		}
		if w.Stop() {
			return
		}
	}
}

func (g *agenda) examineRow(p omega.State, within *relation, w *budget.Budget, examine func(p, q omega.State) bool) {
	g.waiting[p] = false
	g.changed = g.changed[:0]
	row := g.pending.row(p)
	for i, x := range row {
		row[i] = 0
		for ; x != 0; x &= x - 1 {
			if w.Stop() {
				return
			}
			if q := omega.State(64*i + bits.TrailingZeros64(x)); examine(p, q) {
				g.changed = append(g.changed, q)
			}
		}
	}
	g.follow(p, g.changed, within, w)
}

// follow puts the pairs of predecessors of p and of the others on the agenda.
func (g *agenda) follow(p omega.State, others []omega.State, within *relation, w *budget.Budget) {
	if len(others) == 0 || g.from[p] == g.from[p+1] { // nothing depends on these pairs
		return
	}
	clear(g.preds)
	for _, q := range others {
		for _, s := range g.source[g.from[q]:g.from[q+1]] {
			bitset.Add(g.preds, s)
		}
	}
	for _, s := range g.source[g.from[p]:g.from[p+1]] {
		if w.Stop() {
			return
		}
		row, mask := g.pending.row(s), within.row(s)
		for i, x := range g.preds {
			row[i] |= x & mask[i]
		}
		g.waiting[s] = true
	}
}

// equivalent returns, for a preorder, the classes of states that are related both
// ways, in the order of their first members, and the class of each state.
func (r *relation) equivalent(w *budget.Budget) (class []omega.State, classes [][]omega.State) {
	class = make([]omega.State, r.n)
	if w.Stop() {
		return class, nil
	}
	for p := range class {
		class[p] = -1
	}
	for p := range omega.State(r.n) {
		if class[p] >= 0 {
			continue
		}
		c := omega.State(len(classes))
		var members []omega.State
		for i, x := range r.row(p) {
			for ; x != 0; x &= x - 1 {
				if q := omega.State(64*i + bits.TrailingZeros64(x)); r.has(q, p) {
					class[q] = c
					members = append(members, q)
				}
			}
			if w.Stop() {
				return class, classes
			}
		}
		classes = append(classes, members)
	}
	return class, classes
}
