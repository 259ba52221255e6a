package ltl

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
)

// bulks say which of two formulas is the smaller one: the bulk of a formula is the
// sum over the nodes of its syntax tree, and of two with equal bulks the one with
// fewer propositions is smaller. They are chosen so that each step of Shrink goes
// down: an operator has more than those that it is replaced by, <-> as much more as
// to pay for the negations of !a & !b, and a negation more than two duals differ.
var bulks = [numOps]int{
	OpFalse: 1, OpTrue: 1,
	OpProp: 2, OpNext: 2,
	OpNot: 3, OpAnd: 3, OpOr: 3, OpFinally: 3, OpGlobally: 3, OpYesterday: 3,
	OpWeakYesterday: 4,
	OpRelease:       5, OpOnce: 5, OpHistorically: 5,
	OpImplies: 6, OpWeakUntil: 6, OpTriggered: 6,
	OpUntil:         7,
	OpStrongRelease: 8, OpSince: 8,
	OpEquiv: 10,
	OpXor:   11,
}

// simpler returns formulas with the operands of f and a simpler operator: those of
// the past become others of the past or those of the future, strong ones weak ones,
// binary ones those that speak of one operand only, implications,
// equivalences and exclusive ors what remains of them if they are written as a
// conjunction or disjunction and one side of that is dropped, and a negated one its
// dual.
func (s *Store) simpler(f *Formula) []*Formula {
	a, b := f.left, f.right
	switch f.op {
	case OpNot:
		switch a.op.Arity() {
		case 1:
			return []*Formula{s.Unary(dualOp(a.op), a.left)}
		case 2:
			return []*Formula{s.Binary(dualOp(a.op), a.left, a.right)}
		}
	case OpImplies:
		return []*Formula{s.Not(a), s.Or(a, b)}
	case OpEquiv:
		return []*Formula{s.And(a, b), s.Implies(a, b), s.Implies(b, a), s.And(s.Not(a), s.Not(b))}
	case OpXor:
		return []*Formula{s.Or(a, b), s.And(s.Not(a), b), s.And(a, s.Not(b)), s.Or(s.Not(a), s.Not(b)), s.Equiv(a, b)}
	case OpFinally, OpGlobally:
		return []*Formula{s.Next(a)}
	case OpRelease:
		return []*Formula{s.Finally(a), s.Globally(b), s.And(a, b)}
	case OpWeakUntil:
		return []*Formula{s.Globally(a), s.Finally(b), s.Or(a, b), s.Release(a, b)}
	case OpUntil:
		return []*Formula{s.Globally(a), s.Finally(b), s.Or(a, b), s.Release(a, b), s.WeakUntil(a, b)}
	case OpStrongRelease:
		return []*Formula{s.Finally(a), s.Globally(b), s.And(a, b), s.Release(a, b), s.Until(a, b)}
	case OpYesterday:
		return []*Formula{s.Next(a)}
	case OpWeakYesterday:
		return []*Formula{s.Yesterday(a)}
	case OpOnce:
		return []*Formula{s.Yesterday(a), s.Finally(a)}
	case OpHistorically:
		return []*Formula{s.WeakYesterday(a), s.Globally(a)}
	case OpTriggered:
		return []*Formula{s.Once(a), s.Historically(b), s.And(a, b), s.Release(a, b)}
	case OpSince:
		return []*Formula{s.Historically(a), s.Once(b), s.Or(a, b), s.Triggered(a, b), s.Until(a, b)}
	}
	return nil
}

// Shrink gives formulas that are one step smaller than f, those that are much
// smaller first, each once. A step is one of
//
//   - any subformula instead of f,
//   - 0, 1 or one of its operands instead of a subformula; a conjunction or
//     disjunction also loses 2, 4, 8, … operands in a row, or all but one,
//   - a simpler operator: a U b becomes a W b, a R b, a | b, G a or F b, and
//     a <-> b becomes a -> b, a & b or !a & !b; likewise of the past, where a S b may
//     also become a U b; !Fa becomes Ga,
//   - one proposition instead of another that came after it.
//
// The second and third kind are applied to each occurrence of the subformula by
// itself, and if there are several to all of them at once; the last to all of them.
// All candidates are smaller in a well-founded order (that of a weighted number of
// nodes, then of the number of propositions), so that every
// sequence of steps ends. Few of them mean something similar to f: what is wanted is
// that some of them have a property that f has, see [Store.Smallest].
//
// There are four or five candidates for each node of the syntax tree. They are
// built as they are asked for, and stay in the store, with up to as many new nodes
// each as f has operators inside each other. In trees of more than 4096 nodes,
// subformulas are only replaced at all their occurrences at once.
func (s *Store) Shrink(f *Formula) iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) {
		sh := newShrinking(s, s.Import(f))
		seen := map[*Formula]bool{}
		fresh := func(g *Formula) bool {
			old := seen[g]
			seen[g] = true
			return !old
		}
		for _, x := range sh.steps {
			if g := sh.apply(x); fresh(g) && !yield(g) {
				return
			}
		}
		// Renaming does not change the bulk, so these are the largest.
		names := f.Props()
		for i, name := range names {
			for _, other := range names[:i] {
				g := sh.apply(step{place: everywhere, from: s.Prop(name), to: s.Prop(other)})
				if fresh(g) && !yield(g) {
					return
				}
			}
		}
	}
}

// Smallest returns a formula that fails, as f is known to do, but none of the
// candidates of Shrink for it does. It goes from f to the first candidate that
// fails, and so on, and tries no formula twice; the result depends on f and fails
// alone. There may be smaller ones, behind formulas that do not fail.
//
// If fails returns an error, or the context is done, the smallest formula so far is
// returned with the error.
func (s *Store) Smallest(ctx context.Context, f *Formula, fails func(*Formula) (bool, error)) (*Formula, error) {
	f = s.Import(f)
	passed := map[*Formula]bool{}
	for {
		next, err := s.firstFailing(ctx, f, fails, passed)
		if next == nil {
			return f, err
		}
		f = next
	}
}

// firstFailing returns the first candidate for f that fails, or nil. Those that
// do not are added to passed.
func (s *Store) firstFailing(ctx context.Context, f *Formula, fails func(*Formula) (bool, error), passed map[*Formula]bool) (*Formula, error) {
	for g := range s.Shrink(f) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if passed[g] {
			continue
		}
		failed, err := fails(g)
		if err != nil {
			return nil, err
		}
		if failed {
			return g, nil
		}
		passed[g] = true
	}
	return nil, nil
}

// maxPlaces bounds the syntax trees whose nodes are looked at one by one. Larger ones
// can be exponentially larger than the number of their subformulas.
const maxPlaces = 1 << 12

// everywhere is the place of a step that is taken at all occurrences.
const everywhere = -1

// A place is a node of the syntax tree: an occurrence of a subformula.
type place struct {
	f      *Formula
	parent int // -1 at the root
	right  bool
}

// A step replaces a subformula at one place or everywhere.
type step struct {
	place    int
	from, to *Formula
	bulk     int // of the whole formula after it
}

// A shrinking is what is needed to make smaller formulas of one.
type shrinking struct {
	s      *Store
	f      *Formula
	bulk   map[*Formula]int // of subformulas
	places []place          // parents first; the root only, if the tree is too large
	steps  []step           // the smallest result first
}

func newShrinking(s *Store, f *Formula) *shrinking {
	sh := &shrinking{s: s, f: f, bulk: map[*Formula]int{}, places: []place{{f: f, parent: -1}}}
	subs := f.subformulas()
	for _, g := range subs {
		sh.bulkOf(g)
	}
	for _, g := range subs[:len(subs)-1] {
		sh.add(0, f, 1, g)
	}
	small := f.size <= maxPlaces
	if small {
		sh.grow()
	}
	// How often each subformula occurs.
	count := map[*Formula]int{f: 1}
	for _, g := range slices.Backward(subs) {
		for _, h := range []*Formula{g.left, g.right} {
			if h != nil {
				count[h] = addBulk(count[h], count[g])
			}
		}
		if count[g] > 1 || !small {
			sh.add(everywhere, g, count[g], sh.smaller(g)...)
		}
	}
	slices.SortStableFunc(sh.steps, func(x, y step) int { return cmp.Compare(x.bulk, y.bulk) })
	return sh
}

// bulkOf returns the bulk of a formula.
func (sh *shrinking) bulkOf(f *Formula) int {
	c, ok := sh.bulk[f]
	if !ok {
		c = bulks[f.op]
		for _, g := range []*Formula{f.left, f.right} {
			if g != nil {
				c = addBulk(c, sh.bulkOf(g))
			}
		}
		sh.bulk[f] = c
	}
	return c
}

// addBulk adds numbers that are not negative; what is too large is MaxInt.
func addBulk(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// add notes steps that replace a subformula that stands at count places. The bulk of
// a formula that is too large to tell stays as it is, which is of no
// consequence but for the order.
func (sh *shrinking) add(place int, from *Formula, count int, list ...*Formula) {
	for _, to := range list {
		bulk := sh.bulk[sh.f]
		if bulk < math.MaxInt {
			bulk -= count * (sh.bulk[from] - sh.bulkOf(to))
		}
		sh.steps = append(sh.steps, step{place, from, to, bulk})
	}
}

// grow lists all places, and the steps at each. A conjunction (or disjunction) of n
// operands is a chain of n-1 nodes. An inner one is but its first operands: its own
// second operand instead of it means to drop those before that, and an earlier node to
// drop 1, 2, 4, … operands before the next, so that long chains soon are
// short. What may stand for the whole chain is left to the outermost.
func (sh *shrinking) grow() {
	for i := 0; i < len(sh.places); i++ {
		p := sh.places[i]
		g := p.f
		if chain := g.op == OpAnd || g.op == OpOr; chain {
			inner := p.parent >= 0 && !p.right && sh.places[p.parent].f.op == g.op
			sh.growChain(i, inner)
		} else {
			sh.add(i, g, 1, sh.smaller(g)...)
		}
		if g.left != nil {
			sh.places = append(sh.places, place{g.left, i, false})
		}
		if g.right != nil {
			sh.places = append(sh.places, place{g.right, i, true})
		}
	}
}

// growChain adds the steps at one node of a chain.
func (sh *shrinking) growChain(i int, inner bool) {
	g := sh.places[i].f
	if inner {
		sh.add(i, g, 1, g.left, g.right)
	} else {
		sh.add(i, g, 1, sh.smaller(g)...)
	}
	dropped := 1
	for h := g.left; h.op == g.op; h = h.left {
		dropped++
		if dropped&(dropped-1) == 0 || h.left.op != g.op && !inner {
			sh.add(i, g, 1, h.left)
		}
		if !inner {
			sh.add(i, g, 1, h.right)
		}
	}
}

// smaller returns what may stand for any formula g in a step.
func (sh *shrinking) smaller(g *Formula) []*Formula {
	var list []*Formula
	switch g.op.Arity() {
	case 2:
		list = append(list, g.left, g.right)
	case 1:
		list = append(list, g.left)
	}
	if g.op != OpFalse && g.op != OpTrue {
		list = append(list, sh.s.False(), sh.s.True())
	}
	return append(list, sh.s.simpler(g)...)
}

// apply takes a step.
func (sh *shrinking) apply(x step) *Formula {
	if x.place == everywhere {
		return sh.s.transform(sh.f, func(g, left, right *Formula) *Formula {
			if g == x.from {
				return x.to
			}
			return sh.s.same(g, left, right)
		})
	}
	g := x.to
	for p := sh.places[x.place]; p.parent >= 0; p = sh.places[p.parent] {
		parent := sh.places[p.parent].f
		if p.right {
			g = sh.s.same(parent, parent.left, g)
		} else {
			g = sh.s.same(parent, g, parent.right)
		}
	}
	return g
}
