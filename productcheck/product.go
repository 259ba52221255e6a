package productcheck

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Product is the synchronous product of two automata over the same alphabet,
// made on demand. It accepts the words that both accept.
type Product struct {
	left, right side
	acceptance  omega.Acceptance
	marks       *omega.MarkTable
	shift       int // added to the right side's marks
	joined      map[[2]omega.Marks]omega.Marks
	table       pairTable
	initial     []omega.State

	plan   plan
	review int // the number of edges known at which another plan is made
	found  []pairEdge
	other  []pairEdge // for sort
	next   []int32    // for sort

	// blind products leave out the labels of their edges, which cost most
	// where they are decision diagrams and which no emptiness check looks at.
	blind bool
}

// pairEdge is an edge of the product by the indices of those it is made of.
type pairEdge struct{ left, right int32 }

func (e pairEdge) less(f pairEdge) bool {
	return e.left < f.left || e.left == f.left && e.right < f.right
}

// NewProduct returns the product of two Sources, which must have the same
// Alphabet.
func NewProduct(left, right omega.Source) *Product {
	if left.Alphabet() != right.Alphabet() {
		panic("productcheck: product of automata over different alphabets")
	}
	l, r := left.Acceptance(), right.Acceptance()
	p := &Product{
		left:  newSide(left),
		right: newSide(right),
		acceptance: omega.Acceptance{
			Sets:      l.Sets + r.Sets,
			Condition: omega.AllOf(l.Condition, r.Condition.Shift(l.Sets)),
		},
		marks:  omega.NewMarkTable(l.Sets + r.Sets),
		shift:  l.Sets,
		review: 64,
	}
	if !p.marks.Inline() {
		p.joined = make(map[[2]omega.Marks]omega.Marks)
	}
	if p.left.explicit != nil && p.right.explicit != nil {
		p.table.left, p.table.right = p.left.explicit.NumStates(), p.right.explicit.NumStates()
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

// Acceptance returns the conjunction of both sides' conditions. The marks of the
// left side come first.
func (p *Product) Acceptance() omega.Acceptance { return p.acceptance }

// Marks returns the table of the product's marks.
func (p *Product) Marks() *omega.MarkTable { return p.marks }

// Initial returns all pairs of initial states.
func (p *Product) Initial() []omega.State { return p.initial }

// Pair returns the states that a state of the product stands for.
func (p *Product) Pair(s omega.State) (left, right omega.State) { return unpack(p.table.pairs[s]) }

// NumStates returns the number of pairs met so far.
func (p *Product) NumStates() int { return len(p.table.pairs) }

// Memory returns the bytes that the product takes, with what its sides have made
// on demand and the labels of their alphabet.
func (p *Product) Memory() int64 {
	n := p.left.memory() + p.right.memory() + int64(8*cap(p.table.pairs)+4*cap(p.table.slots))
	// Marks of more than a word: an entry of the map, and the set twice in the table.
	n += int64(len(p.joined)) * int64(128+p.acceptance.Sets/4)
	return n + p.left.alphabet.Memory()
}

// AppendEdges appends the edges of a pair: one for each edge of the left and
// of the right state that meet, in the order of these. Where labels are narrow it
// takes time for a comparison of 16 words and for the edges that it finds (those of
// a state are put into buckets the first time); otherwise for every pair of edges.
func (p *Product) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	x, y, err := p.match(s)
	if err != nil {
		return buf, err
	}
	for _, pe := range p.found {
		e, f := &x.edges[pe.left], &y.edges[pe.right]
		edge := omega.Edge{
			Marks: p.join(e.Marks, f.Marks),
			Dst:   p.table.number(pack(e.Dst, f.Dst)),
		}
		if !p.blind {
			edge.Label = p.left.alphabet.And(e.Label, f.Label)
		}
		buf = append(buf, edge)
	}
	return buf, nil
}

// join returns the product's marks for those of both sides.
func (p *Product) join(l, r omega.Marks) omega.Marks {
	if p.joined == nil {
		return l | r<<p.shift
	}
	k := [2]omega.Marks{l, r}
	m, ok := p.joined[k]
	if !ok {
		list := p.left.src.Marks().AppendTo(nil, l)
		n := len(list)
		list = p.right.src.Marks().AppendTo(list, r)
		for i := range list[n:] {
			list[n+i] += p.shift
		}
		m = p.marks.Of(list...)
		p.joined[k] = m
	}
	return m
}

// match collects in p.found the pairs of edges of s that meet, in the order of
// the left edges, those with the same left one in that of the right.
func (p *Product) match(s omega.State) (x, y *row, err error) {
	l, r := p.Pair(s)
	if x, err = p.left.row(l); err != nil {
		return nil, nil, err
	}
	if y, err = p.right.row(r); err != nil {
		return nil, nil, err
	}
	p.found = p.found[:0]
	if p.left.known+p.right.known >= p.review {
		p.replan()
	}
	if p.indexed(x, y) {
		p.matchBuckets(x, y)
		p.sort(len(x.edges), len(y.edges))
	} else {
		p.matchAll(x, y)
	}
	return x, y, nil
}

// indexed reports whether both rows have an index, which it makes if that is worth
// it: if there are many pairs of edges for each edge.
func (p *Product) indexed(x, y *row) bool {
	if n, m := len(x.edges), len(y.edges); !p.plan.useful || n*m < 4*(n+m) {
		return false
	}
	if !x.tried {
		p.left.fill(x, &p.plan)
	}
	if !y.tried {
		p.right.fill(y, &p.plan)
	}
	return x.index != nil && y.index != nil
}

// replan makes a plan for the labels known now.
func (p *Product) replan() {
	l, r := &p.left, &p.right
	p.review = 4 * (l.known + r.known)
	labels := r.sample(l.sample(nil))
	plan := newPlan(l.alphabet, l.domain, labels)
	if plan != p.plan {
		p.plan = plan
		l.forget()
		r.forget()
	}
}

// matchAll tries every pair of edges.
func (p *Product) matchAll(x, y *row) {
	p.left.needKeys(x)
	p.right.needKeys(y)
	exact := p.left.alphabet.Exact()
	for i, k := range x.keys {
		for j, m := range y.keys {
			if k&m != 0 && (exact || p.left.alphabet.Meet(x.edges[i].Label, y.edges[j].Label)) {
				p.found = append(p.found, pairEdge{int32(i), int32(j)})
			}
		}
	}
}

// matchBuckets tries only pairs of edges in the same bucket, and those of which one
// is loose. Two edges may share several buckets, all of one word; they are tried in
// the first.
func (p *Product) matchBuckets(x, y *row) {
	a, b := x.index, y.index
	hashed, alphabet := p.plan.hashed, p.left.alphabet
	exact := alphabet.Exact() && !hashed // a common bit of the keys is all there is to it
	for w := range words {
		for both := a.sets[w] & b.sets[w]; both != 0; both &= both - 1 {
			below := both&-both - 1
			first := b.rank(w, below)
			for k := a.rank(w, below); ; {
				i := a.entries[k]
				e := &x.edges[i.edge]
				for m := first; ; {
					j := b.entries[m]
					f := &y.edges[j.edge]
					if (hashed || x.keys[i.edge]&y.keys[j.edge]&below == 0) && (exact || e.Label == f.Label || alphabet.Meet(e.Label, f.Label)) {
						p.found = append(p.found, pairEdge{i.edge, j.edge})
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
	for _, i := range a.loose {
		for j := range y.edges {
			if alphabet.Meet(x.edges[i].Label, y.edges[j].Label) {
				p.found = append(p.found, pairEdge{i, int32(j)})
			}
		}
	}
	for _, j := range b.loose {
		done := a.loose // from the last to the first
		for i := int32(len(x.edges)) - 1; i >= 0; i-- {
			if len(done) > 0 && done[0] == i {
				done = done[1:]
			} else if alphabet.Meet(x.edges[i].Label, y.edges[j].Label) {
				p.found = append(p.found, pairEdge{i, j})
			}
		}
	}
}

// sort orders the pairs found, of n left and m right edges.
func (p *Product) sort(n, m int) {
	if len(p.found) <= 16 {
		for i := 1; i < len(p.found); i++ {
			for k := i; k > 0 && p.found[k].less(p.found[k-1]); k-- {
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

// sides returns the edges of the left and the right automaton that an edge of
// the product from s is made of.
func (p *Product) sides(s omega.State, edge omega.Edge) (left, right omega.Edge, err error) {
	x, y, err := p.match(s)
	if err != nil {
		return left, right, err
	}
	for _, pe := range p.found {
		e, f := x.edges[pe.left], y.edges[pe.right]
		if p.join(e.Marks, f.Marks) == edge.Marks && p.table.number(pack(e.Dst, f.Dst)) == edge.Dst &&
			(p.blind || p.left.alphabet.And(e.Label, f.Label) == edge.Label) {
			return e, f, nil
		}
	}
	return left, right, fmt.Errorf("internal error: productcheck: pair %d does not have the edge that it had before", s)
}
