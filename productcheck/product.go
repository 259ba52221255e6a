package productcheck

import (
	"fmt"
	"math/bits"

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
	found       []pairEdge

	// blind products leave out the labels of their edges, which cost most
	// where they are decision diagrams and which no emptiness check looks at.
	blind bool
}

// pairEdge is an edge of the product by the indices of those it is made of.
type pairEdge struct{ left, right int32 }

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
		marks: omega.NewMarkTable(l.Sets + r.Sets),
		shift: l.Sets,
	}
	if !p.marks.Inline() {
		p.joined = make(map[[2]omega.Marks]omega.Marks)
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
	return n + p.left.alphabet.Memory()
}

// AppendEdges appends the edges of a pair: one for each edge of the left and
// of the right state that meet.
func (p *Product) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if err := p.match(s); err != nil {
		return buf, err
	}
	for _, pe := range p.found {
		e, f := &p.left.edges[pe.left], &p.right.edges[pe.right]
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

// match collects in p.found the pairs of edges of s that meet.
func (p *Product) match(s omega.State) error {
	l, r := p.Pair(s)
	x, err := p.left.row(l)
	if err != nil {
		return err
	}
	y, err := p.right.row(r)
	if err != nil {
		return err
	}
	p.found = p.found[:0]
	if x.occupied != 0 && y.occupied != 0 {
		p.matchBuckets(x, y)
	} else {
		p.matchAll(x, y)
	}
	return nil
}

// matchAll tries every pair of edges.
func (p *Product) matchAll(x, y *row) {
	keys, right := p.right.keys[y.lo:y.hi], p.right.edges
	exact := p.left.alphabet.Exact()
	for i := x.lo; i < x.hi; i++ {
		k := p.left.keys[i]
		for j, m := range keys {
			if k&m == 0 {
				continue
			}
			j := y.lo + int32(j)
			if exact || p.left.alphabet.Meet(p.left.edges[i].Label, right[j].Label) {
				p.found = append(p.found, pairEdge{i, j})
			}
		}
	}
}

// matchBuckets tries only pairs of edges in corresponding buckets. Two edges
// may share several buckets; they are tried in the first.
func (p *Product) matchBuckets(x, y *row) {
	exact := p.left.alphabet.Exact()
	for both := x.occupied & y.occupied; both != 0; both &= both - 1 {
		b := bits.TrailingZeros64(both)
		below := uint64(1)<<b - 1
		right := p.right.bucket(y, b)
		for _, i := range p.left.bucket(x, b) {
			k := p.left.keys[i] & below
			for _, j := range right {
				if k&p.right.keys[j] != 0 {
					continue
				}
				if exact || p.left.alphabet.Meet(p.left.edges[i].Label, p.right.edges[j].Label) {
					p.found = append(p.found, pairEdge{i, j})
				}
			}
		}
	}
}

// sides returns the edges of the left and the right automaton that an edge of
// the product from s is made of.
func (p *Product) sides(s omega.State, edge omega.Edge) (left, right omega.Edge, err error) {
	if err := p.match(s); err != nil {
		return left, right, err
	}
	for _, pe := range p.found {
		e, f := p.left.edges[pe.left], p.right.edges[pe.right]
		if p.join(e.Marks, f.Marks) == edge.Marks && p.table.number(pack(e.Dst, f.Dst)) == edge.Dst &&
			(p.blind || p.left.alphabet.And(e.Label, f.Label) == edge.Label) {
			return e, f, nil
		}
	}
	return left, right, fmt.Errorf("internal error: productcheck: pair %d does not have the edge that it had before", s)
}
