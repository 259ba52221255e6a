package productcheck

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Superiors is what implied knows about the states of two automata.
var Superiors = superiors

// DecideLate is Decide as if the first slice of work had not been enough. It also reports whether
// simulation said something about the states of both sides.
func (d *Decider) DecideLate(ctx context.Context, x *Language, inX bool, y *Language, inY bool) (*Decision, bool, error) {
	c := newContest(d, [2]Side{{x, inX}, {y, inY}})
	c.started = 1
	err := c.turns(ctx)
	return c.decision, c.implied != nil, err
}

// EveryPair is the product that its definition says: it tries every pair of edges
// of two states. What the index of Product finds is compared with it.
type EveryPair struct {
	*Product
	left, right []omega.Edge
}

// NewEveryPair returns the product of two automata.
func NewEveryPair(left, right omega.Source) *EveryPair {
	return &EveryPair{Product: NewProduct(left, right)}
}

// AppendEdges appends an edge for each pair of edges that meet.
func (p *EveryPair) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	l, r := p.Pair(s)
	var err error
	if p.left, err = p.Product.left.src.AppendEdges(p.left[:0], l); err != nil {
		return buf, err
	}
	if p.right, err = p.Product.right.src.AppendEdges(p.right[:0], r); err != nil {
		return buf, err
	}
	alphabet := p.Alphabet()
	for i := range p.left {
		e := &p.left[i]
		for j := range p.right {
			f := &p.right[j]
			label := alphabet.And(e.Label, f.Label)
			if label == omega.False {
				continue
			}
			buf = append(buf, omega.Edge{Label: label, Marks: p.marks.Join(e.Marks, f.Marks), Dst: p.table.number(pack(e.Dst, f.Dst))})
		}
	}
	return buf, nil
}

// Proofs returns what each proof finds, whether an earlier one has decided it or not.
func Proofs(ctx context.Context, a, b *Language) (found []Step, err error) {
	d := &Decider{}
	c := newContest(d.bounded(), [2]Side{{a, true}, {b, false}})
	c.a, c.b = a, b
	for _, l := range []*Language{a, b} {
		if _, err := l.Reduced(ctx, omega.Limits{}); err != nil {
			return nil, err
		}
	}
	for i, x := range c.proofs(ctx) {
		if i < 2 && !x.fits {
			continue
		}
		by, err := x.try()
		if err = unlimited(err); err != nil {
			return nil, err
		}
		if by != "" {
			found = append(found, by)
		}
	}
	return found, nil
}

// TestPlanOfLetters: if labels are letters of ten propositions, each has a bucket of its own.
func TestPlanOfLetters(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	const letters = 1 << 10
	fixed := &sample{}
	for range sampled {
		fixed.fixed = append(fixed.fixed, letters-1)
	}
	p := newPlan(fixed, fixed)
	type bucket struct {
		word int
		set  uint64
	}
	seen := make(map[bucket]bool)
	for l := range uint64(letters) {
		word, set := p.place(alphabet, alphabet.Cube(l, ^l&(letters-1)), 0)
		seen[bucket{word, set}] = true
	}
	if len(seen) != letters || seen[bucket{0, 0}] {
		t.Errorf("%d buckets for %d letters", len(seen), letters)
	}
}
