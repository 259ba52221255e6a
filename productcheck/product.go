package productcheck

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Product is the synchronous product of two automata over the same alphabet, made on
// request. It accepts the words that both accept.
type Product struct {
	left, right *side
	acceptance  omega.Acceptance
	marks       *omega.JointMarks
	table       pairTable
	initial     []omega.State
	failed      error // there is no product

	// The indexes of both sides, by one plan; nil if they are of no use.
	byLeft, byRight *indexes
	review          int // the number of edges known at which another plan is made
	found           []pairEdge
	other           []pairEdge // for sort
	next            []int32    // for sort

	// blind products leave out the labels of their edges, which cost most
	// where they are decision diagrams and which no emptiness check looks at.
	blind bool
}

// pairEdge is an edge of the product: the left and the right edge, and their numbers in their
// states.
type pairEdge struct {
	left, right int32
	e, f        *omega.Edge
}

// pairBytes is the memory of a pair of edges, with its edge of the product.
const pairBytes = 32 + 24

// manyPairs is the number of pairs of edges from which the search for those that meet asks its
// budget.
const manyPairs = 1 << 12

// less is the order of the product's edges.
func (x *pairEdge) less(y *pairEdge) bool {
	return x.left < y.left || x.left == y.left && x.right < y.right
}

// ErrAlphabet reports automata over different alphabets. omega.Automaton.Over brings an automaton
// to another alphabet.
var ErrAlphabet = errors.New("the automata have different alphabets")

// overOne fails with ErrAlphabet unless both have the same alphabet.
func overOne(x, y omega.Source) error {
	if omega.Supported(x) == omega.ErrNoAutomaton || omega.Supported(y) == omega.ErrNoAutomaton {
		return omega.ErrNoAutomaton
	}
	if x.Alphabet() == y.Alphabet() {
		return nil
	}
	return fmt.Errorf("productcheck: %w, of the propositions %q and %q", ErrAlphabet, x.Alphabet().Props(), y.Alphabet().Props())
}

// NewProduct returns the product of two Sources. If their alphabets differ, AppendEdges fails with
// ErrAlphabet.
func NewProduct(left, right omega.Source) *Product {
	err := overOne(left, right)
	if err != nil {
		left = (*omega.Automaton)(nil).OrEmpty()
		right = left
	}
	l, r := left.Acceptance(), right.Acceptance()
	p := &Product{
		failed: err,
		left:   sideOf(left),
		right:  sideOf(right),
		acceptance: omega.Acceptance{
			Sets:      l.Sets + r.Sets,
			Condition: omega.AllOf(l.Condition, r.Condition.Shift(l.Sets)),
		},
		marks:  left.Marks().Joint(right.Marks(), 0),
		review: 64,
	}
	// With known numbers of states, the table may become an array of all pairs.
	if p.left.explicit != nil && p.right.explicit != nil {
		p.table.left, p.table.right = p.left.explicit.NumStates(), p.right.explicit.NumStates()
	}
	if err != nil {
		p.initial = []omega.State{0}
	}
	for _, s := range left.Initial() {
		for _, t := range right.Initial() {
			p.initial = append(p.initial, p.table.number(pack(s, t)))
		}
	}
	return p
}

// Alphabet returns the alphabet of both sides.
func (p *Product) Alphabet() *omega.Alphabet { return p.left.alphabet }

// Acceptance returns the conjunction of both conditions. The marks of the left side come
// first.
func (p *Product) Acceptance() omega.Acceptance { return p.acceptance }

// Marks returns the table of the product's marks.
func (p *Product) Marks() *omega.MarkTable { return p.marks.MarkTable }

// Initial returns all pairs of initial states.
func (p *Product) Initial() []omega.State { return p.initial }

// IsWeak reports whether both sides are known to be weak: within each strongly connected
// component, all edges carry the same marks. Then the product is weak too. It takes time
// linear in the sides.
func (p *Product) IsWeak() bool {
	for _, s := range []*side{p.left, p.right} {
		if w, ok := s.src.(interface{ IsWeak() bool }); !ok || !w.IsWeak() {
			return false
		}
	}
	return true
}

// Pair returns the states of both sides that make up a state of the product.
func (p *Product) Pair(s omega.State) (left, right omega.State) {
	if uint(s) >= uint(len(p.table.pairs)) {
		return 0, 0
	}
	return unpack(p.table.pairs[s])
}

// NumStates returns the number of pairs met so far.
func (p *Product) NumStates() int { return len(p.table.pairs) }

// Memory returns the number of bytes that the product takes, including its sides, if they are
// made on request, and the labels.
func (p *Product) Memory() int64 {
	n := p.left.memory() + int64(8*cap(p.table.pairs)+4*cap(p.table.slots))
	if p.right != p.left {
		n += p.right.memory()
	}
	return n + p.marks.Memory() + int64(pairBytes*cap(p.found)) + p.left.alphabet.Memory()
}

// AppendEdges appends the edges of a pair: one for each left and right edge that meet, in
// their order. If labels are narrow, an index finds these edges, at the cost of comparing 16
// words. Otherwise, every pair of edges is tried.
func (p *Product) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if uint(s) >= uint(len(p.table.pairs)) {
		return buf, p.failed
	}
	if err := p.match(s); err != nil {
		return buf, err
	}
	p.left.alphabet.Spend(len(p.found))
	buf = grow.By(buf, len(p.found))
	for i := range p.found {
		e, f := p.found[i].e, p.found[i].f
		edge := omega.Edge{
			Marks: p.marks.Join(e.Marks, f.Marks),
			Dst:   p.table.number(pack(e.Dst, f.Dst)),
		}
		if !p.blind {
			edge.Label = p.left.alphabet.And(e.Label, f.Label)
		}
		buf = append(buf, edge)
	}
	return buf, nil
}

// match collects in p.found the pairs of edges of s that meet. They are ordered by the left edge,
// then by the right one.
func (p *Product) match(s omega.State) error {
	l, r := p.Pair(s)
	p.found = p.found[:0]
	if p.byLeft != nil {
		// Most pairs consist of states that were met before: this is the common path.
		if a, b := p.byLeft.known(l), p.byRight.known(r); a != nil && b != nil {
			p.matchRows(&p.left.rows[l], &p.right.rows[r], a, b)
			return nil
		}
	}
	if err := p.left.know(l); err != nil {
		return err
	}
	if err := p.right.know(r); err != nil {
		return err
	}
	if p.left.known+p.right.known >= p.review {
		// Plans are made for ever more edges, so that making them takes linear time in all.
		p.review = 4 * (p.left.known + p.right.known)
		if p.left.explicit != nil && p.right.explicit != nil {
			p.review = math.MaxInt // all labels are known
		}
		p.byLeft, p.byRight = nil, nil
		if plan := newPlan(p.left.sample(), p.right.sample()); plan.useful {
			p.byLeft, p.byRight = p.left.by(plan), p.right.by(plan)
		}
	}
	x, y := &p.left.rows[l], &p.right.rows[r]
	// An index is worth it where there are many pairs of edges for each edge.
	if n, m := len(x.edges), len(y.edges); p.byLeft != nil && n*m >= 4*(n+m) {
		p.matchRows(x, y, p.byLeft.of(p.left, l), p.byRight.of(p.right, r))
	} else {
		p.matchAll(x, y)
	}
	return nil
}

// matchRows is match for two states with indexes, unless one is unfit.
func (p *Product) matchRows(x, y *row, a, b *index) {
	if a == unfit || b == unfit {
		p.matchAll(x, y)
		return
	}
	p.matchBuckets(x, y, a, b)
	if len(a.loose)+len(b.loose) > 0 {
		p.matchLoose(x.edges, y.edges, a.loose, b.loose)
	}
	if len(p.found) > 1 {
		p.sort(len(x.edges), len(y.edges))
	}
}

// matchAll adds the pairs of edges that meet, after it has tried all. Edges whose keys share no bit don't meet;
// with few propositions, the others do.
func (p *Product) matchAll(x, y *row) {
	p.left.needKeys(x)
	p.right.needKeys(y)
	exact := p.left.alphabet.Exact()
	for i, k := range x.keys {
		p.left.alphabet.Spend(len(y.keys))
		for j, m := range y.keys {
			if k&m != 0 && (exact || p.left.alphabet.Meet(x.edges[i].Label, y.edges[j].Label)) {
				p.found = append(grow.By(p.found, 1), pairEdge{int32(i), int32(j), &x.edges[i], &y.edges[j]})
			}
		}
	}
}

// matchBuckets tries the pairs of edges in the same bucket. Two edges may share several buckets of
// one word. They are tried in the first one.
func (p *Product) matchBuckets(x, y *row, a, b *index) {
	hashed, alphabet := p.byLeft.plan.hashed, p.left.alphabet
	exact := alphabet.Exact() && !hashed // a common bit of the keys is all there is to it
	many := len(x.edges)*len(y.edges) > manyPairs
	for w := range words {
		for both := a.sets[w] & b.sets[w]; both != 0; both &= both - 1 {
			below := both&-both - 1
			first := b.rank(w, below)
			for k := a.rank(w, below); ; {
				i, e := &a.entries[k], a.edge(k)
				if many {
					alphabet.Spend(1 + len(y.edges)/64)
				}
				for m := first; ; {
					j, f := &b.entries[m], b.edge(m)
					// Keys with a common bit below this one have met there already. Hashed edges
					// have one bucket each.
					if (hashed || x.keys[i.number]&y.keys[j.number]&below == 0) &&
						(exact || e.Label == f.Label || alphabet.Meet(e.Label, f.Label)) {
						p.found = append(grow.By(p.found, 1), pairEdge{i.number, j.number, e, f})
					}
					if m = j.next; m == 0 {
						break
					}
				}
				if k = i.next; k == 0 {
					break
				}
			}
		}
	}
}

// matchLoose tries the pairs of edges in which at least one is loose. The loose edges are ordered
// from the last to the first.
func (p *Product) matchLoose(left, right []omega.Edge, looseLeft, looseRight []int32) {
	alphabet := p.left.alphabet
	for _, i := range looseLeft {
		e := &left[i]
		alphabet.Spend(len(right))
		for j := range right {
			if f := &right[j]; alphabet.Meet(e.Label, f.Label) {
				p.found = append(grow.By(p.found, 1), pairEdge{i, int32(j), e, f})
			}
		}
	}
	for _, j := range looseRight {
		f := &right[j]
		alphabet.Spend(len(left))
		// Pairs of two loose edges were tried above.
		done := looseLeft
		for i := int32(len(left)) - 1; i >= 0; i-- {
			if len(done) > 0 && done[0] == i {
				done = done[1:]
			} else if e := &left[i]; alphabet.Meet(e.Label, f.Label) {
				p.found = append(grow.By(p.found, 1), pairEdge{i, j, e, f})
			}
		}
	}
}

// sort orders the pairs found, of n left and m right edges.
func (p *Product) sort(n, m int) {
	// Few pairs: insertion sort is faster than counting.
	if len(p.found) <= 16 {
		for i := 1; i < len(p.found); i++ {
			for k := i; k > 0 && p.found[k].less(&p.found[k-1]); k-- {
				p.found[k], p.found[k-1] = p.found[k-1], p.found[k]
			}
		}
		return
	}
	// By counting: first by the right edge, then by the left one.
	p.other = slices.Grow(p.other[:0], len(p.found))[:len(p.found)]
	next := p.counts(m)
	for _, f := range p.found {
		next[f.right+1]++
	}
	for k := range m {
		next[k+1] += next[k]
	}
	for _, f := range p.found {
		p.other[next[f.right]] = f
		next[f.right]++
	}
	next = p.counts(n)
	for _, f := range p.other {
		next[f.left+1]++
	}
	for k := range n {
		next[k+1] += next[k]
	}
	for _, f := range p.other {
		p.found[next[f.left]] = f
		next[f.left]++
	}
}

// counts returns n+1 zeros.
func (p *Product) counts(n int) []int32 {
	p.next = slices.Grow(p.next[:0], n+1)[:n+1]
	clear(p.next)
	return p.next
}

// sides returns the left and the right edge of an edge of the product from s.
func (p *Product) sides(s omega.State, edge omega.Edge) (left, right omega.Edge, err error) {
	if err := p.match(s); err != nil {
		return left, right, err
	}
	p.left.alphabet.Spend(len(p.found))
	for i := range p.found {
		e, f := *p.found[i].e, *p.found[i].f
		// Several pairs of edges may make the same edge. Any of them will do.
		if p.marks.Join(e.Marks, f.Marks) == edge.Marks && p.table.number(pack(e.Dst, f.Dst)) == edge.Dst &&
			(p.blind || p.left.alphabet.And(e.Label, f.Label) == edge.Label) {
			return e, f, nil
		}
	}
	return left, right, fmt.Errorf("%w: productcheck: pair %d does not have the edge that it had before", omega.ErrInternal, s)
}

// pairTable numbers pairs of states in the order in which they are first met. It
// is a hash table with open addressing and linear probing, at most half full,
// until that would take as much as an array of all pairs: then it is that array.
// (With an intern.Index, looking up a pair takes 8 to 14 % longer.)
type pairTable struct {
	pairs []uint64 // left state, right state; by number
	slots []int32  // number plus one, or 0; by hash, or by pair
	// The numbers of states of the sides, 0 if they aren't known.
	left, right int
	array       bool
}

func pack(l, r omega.State) uint64 { return uint64(uint32(l))<<32 | uint64(uint32(r)) }

func unpack(p uint64) (l, r omega.State) { return omega.State(p >> 32), omega.State(uint32(p)) }

// number returns the number of a pair, a new one if it is new.
func (t *pairTable) number(p uint64) omega.State {
	if !t.array {
		return t.lookup(p)
	}
	l, r := unpack(p)
	slot := &t.slots[int(l)*t.right+int(r)]
	if *slot == 0 {
		t.pairs = append(grow.By(t.pairs, 1), p)
		*slot = int32(len(t.pairs))
	}
	return omega.State(*slot - 1)
}

// lookup is number in the hash table.
func (t *pairTable) lookup(p uint64) omega.State {
	if 2*len(t.pairs) >= len(t.slots) {
		t.grow()
		if t.array {
			return t.number(p)
		}
	}
	mask := uint64(len(t.slots) - 1)
	for h := intern.HashWord(p) & mask; ; h = (h + 1) & mask {
		i := t.slots[h]
		if i == 0 {
			t.pairs = append(grow.By(t.pairs, 1), p)
			t.slots[h] = int32(len(t.pairs))
			return omega.State(len(t.pairs) - 1)
		}
		if t.pairs[i-1] == p {
			return omega.State(i - 1)
		}
	}
}

func (t *pairTable) grow() {
	size := max(256, 4*len(t.slots))
	// The array is no larger than the hash table would be, and needs no probing.
	if t.left > 0 && t.right > 0 && t.left <= size/t.right {
		t.array = true
		t.slots = make([]int32, t.left*t.right)
		for i, p := range t.pairs {
			l, r := unpack(p)
			t.slots[int(l)*t.right+int(r)] = int32(i + 1)
		}
		return
	}
	t.slots = make([]int32, size)
	mask := uint64(size - 1)
	for i, p := range t.pairs {
		h := intern.HashWord(p) & mask
		for t.slots[h] != 0 {
			h = (h + 1) & mask
		}
		t.slots[h] = int32(i + 1)
	}
}

// classed is a side that knows which of its states accept only words that another one
// accepts too. In a complement, a macrostate refutes all runs from a set of states. The
// more states the set has, the fewer words the macrostate accepts.
type classed interface {
	Class(s omega.State) (class int32, ok bool)
	Weaker(i, j int32) bool
}

// pruned is a product that leaves out pairs from which no word is accepted, if the search
// has seen enough to know it. After a component was searched without success, no word is
// accepted from its pairs. Nor is one from a pair whose two sides accept no more. For example,
// if no word is accepted from (1, {0,2}), none is accepted from (1, {0,2,3}). (This is the
// subsumption of De Wulf, Doyen, Henzinger, Raskin 2006, "Antichains: a new algorithm for
// checking universality of finite automata".)
type pruned struct {
	*Product
	known       *implied // or nil
	left, right classed
	dead        map[uint64]struct{} // pairs of classes
	least       map[int32][]int32   // by left class: right classes that are dead
}

// leastClasses bounds the dead classes of a left state that a pair is compared with.
const leastClasses = 24

// states is a side without such knowledge.
type states struct{}

func (states) Class(s omega.State) (class int32, ok bool) { return int32(s), true }
func (states) Weaker(i, j int32) bool                     { return i == j }

// prune returns the product for a search, pruned if that may help.
func (p *Product) prune(known *implied) omega.Source {
	left, ok := p.left.src.(classed)
	right, also := p.right.src.(classed)
	if !ok && !also {
		return p
	}
	q := &pruned{Product: p, known: known, left: states{}, right: states{}, dead: make(map[uint64]struct{}), least: make(map[int32][]int32)}
	if ok {
		q.left = left
	}
	if also {
		q.right = right
	}
	for _, s := range p.initial {
		if _, _, ok := q.classes(s); !ok && known == nil {
			return p
		}
	}
	return q
}

func (p *pruned) classes(s omega.State) (l, r int32, ok bool) {
	x, y := p.Pair(s)
	l, known := p.left.Class(x)
	r, ok = p.right.Class(y)
	return l, r, ok && known
}

// Dead notes pairs from which no word is accepted.
func (p *pruned) Dead(list []omega.State) {
	for _, s := range list {
		l, r, ok := p.classes(s)
		if !ok {
			continue
		}
		p.dead[pack(omega.State(l), omega.State(r))] = struct{}{}
		p.leave(l, r)
	}
}

// leave adds a dead class to the dead classes of a left one, unless it follows from another.
func (p *pruned) leave(l, r int32) {
	list := p.least[l]
	kept := list[:0]
	for i, old := range list {
		// What is dead already accepts no less, so r says nothing new.
		if p.right.Weaker(r, old) {
			p.least[l] = append(kept, list[i:]...)
			return
		}
		if !p.right.Weaker(old, r) {
			kept = append(kept, old)
		}
	}
	// A class that is left out costs time only: pairs that it would have shown dead are searched.
	if len(kept) < leastClasses {
		kept = append(kept, r)
	}
	p.least[l] = kept
}

// Hopeless reports whether it is known that no word is accepted from s.
func (p *pruned) Hopeless(s omega.State) bool {
	if p.known != nil && p.known.hopeless(p.Pair(s)) {
		return true
	}
	l, r, ok := p.classes(s)
	if !ok {
		return false
	}
	if _, ok := p.dead[pack(omega.State(l), omega.State(r))]; ok {
		return true
	}
	for _, old := range p.least[l] {
		if p.right.Weaker(r, old) {
			return true
		}
	}
	return false
}

// Memory returns the bytes that the product takes.
func (p *pruned) Memory() int64 { return p.Product.Memory() + int64(40*len(p.dead)) }
