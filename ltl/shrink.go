package ltl

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
)

// Steps is a set of kinds of steps from a formula to a smaller one; see [Store.Shrink].
type Steps uint16

// The kinds of steps. The first six are the mutation rules of Spot's ltlgrind. The others
// shorten the way and reach more formulas.
const (
	// PropToConst replaces a proposition by 0 or 1.
	PropToConst Steps = 1 << iota
	// MergeProps replaces one proposition by another, everywhere.
	MergeProps
	// DropOperand drops one operand of a conjunction or disjunction.
	DropOperand
	// RemoveOp replaces any other operator by one of its operands.
	RemoveOp
	// SplitOp rewrites <-> or xor with simpler operators, and drops one side of the result.
	SplitOp
	// RewriteOp replaces a U b by a W b, a M b by a R b or b U a, and a R b by b W a. It does
	// the same for S and T.
	RewriteOp
	// Leap replaces f by any subformula, and drops 2, 4, 8, … operands in a row, or all but
	// one.
	Leap
	// ToConst replaces any other subformula by 0 or 1.
	ToConst
	// LowerOp replaces an operator by a simpler one with the same operands: a W b by Ga, Fa by
	// Xa, !Fa by Ga, O a by Fa, a -> b by !a, r[*2..3] by r[*2].
	LowerOp
	// Everywhere also takes each step at all occurrences of a subformula at once.
	Everywhere
)

const (
	// Structural steps add no operator and no constant to a formula.
	Structural = MergeProps | DropOperand | RemoveOp | Leap | Everywhere
	// AllSteps are all kinds of steps.
	AllSteps = Structural | PropToConst | SplitOp | RewriteOp | ToConst | LowerOp
)

// Shrink returns formulas that are one step smaller than f, each once, much smaller ones
// first. kinds selects the steps:
//
//   - replace f by any subformula,
//   - replace a subformula by 0, 1 or one of its operands; or drop 2, 4, 8, … operands of a
//     conjunction or disjunction, or all but one,
//   - replace an operator by a simpler one: a U b by a W b, a R b, a | b, G a or F b, and a
//     <-> b by a -> b, a & b or !a & !b. Past operators likewise, and a S b also by a U b,
//   - replace an expression, or a part of it, by a simpler one: an operand, a letter, an iteration
//     with lower bounds; {r}[]->f by {r}, {b} by b, and {b}[]->f by b -> f,
//   - replace one proposition by another.
//
// The first candidates for F(a & b) are 0, 1, a, b, F 0, F 1, F a, F b and a & b.
//
// The middle kinds apply to each occurrence of the subformula, and to all of them at
// once. The last kind always applies to all occurrences.
//
// Every candidate is smaller in a well-founded order: a weighted number of nodes, then the
// number of propositions. So every sequence of steps ends. Few candidates mean something
// similar to f. Shrink serves to find one with a property that f has; see [Store.Smallest].
//
// There are four or five candidates for each node of the syntax tree. They are made as the
// caller iterates, and stay in the store. Each has at most as many new nodes as f has nested
// operators. In trees of more than 4096 nodes, subformulas are replaced only at all their
// occurrences at once.
func (s *Store) Shrink(f *Formula, kinds Steps) iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) {
		f := s.Import(f)
		if f == nil {
			return
		}
		sh := newShrinking(s, f, kinds)
		seen := map[*Formula]bool{f: true}
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
		if kinds&MergeProps == 0 {
			return
		}
		// Renaming does not change the bulk, so these are the largest. First the later
		// proposition of two goes: the other way about gives the same up to names.
		names := f.Props()
		for _, later := range []bool{true, false} {
			for i, name := range names {
				for j, other := range names {
					if i == j || later != (j < i) {
						continue
					}
					g := sh.apply(step{place: everywhere, from: s.Prop(name), to: s.Prop(other)})
					if fresh(g) && !yield(g) {
						return
					}
				}
			}
		}
	}
}

// Smallest returns a formula that fails, although no candidate of [Store.Shrink] for it fails.
// It goes from f, which is known to fail, to the first candidate that fails, and repeats. It
// tries no formula twice. The result depends only on f and fails. A smaller failing formula
// may exist, but every way to it leads through formulas that do not fail.
//
// If fails returns an error, or the context is done, Smallest returns the smallest formula so
// far and the error.
func (s *Store) Smallest(ctx context.Context, f *Formula, kinds Steps, fails func(*Formula) (bool, error)) (*Formula, error) {
	f = s.Import(f)
	passed := map[*Formula]bool{}
	for {
		next, err := s.firstFailing(ctx, f, kinds, fails, passed)
		if next == nil {
			return f, err
		}
		f = next
	}
}

// firstFailing returns the first candidate for f that fails, or nil. Those that
// do not are added to passed.
func (s *Store) firstFailing(ctx context.Context, f *Formula, kinds Steps, fails func(*Formula) (bool, error), passed map[*Formula]bool) (*Formula, error) {
	for g := range s.Shrink(f, kinds) {
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
	kinds  Steps
	bulk   map[*Formula]int // of subformulas
	places []place          // parents first; the root only, if the tree is too large
	steps  []step           // the smallest result first
}

func newShrinking(s *Store, f *Formula, kinds Steps) *shrinking {
	sh := &shrinking{s: s, f: f, kinds: kinds, bulk: map[*Formula]int{}, places: []place{{f: f, parent: -1}}}
	subs := f.Subformulas()
	for _, g := range subs {
		sh.bulkOf(g)
	}
	for _, g := range subs[:len(subs)-1] {
		sh.add(0, f, 1, Leap, g)
	}
	small := f.size <= maxPlaces
	if small {
		sh.grow()
	}
	if !small || kinds&Everywhere != 0 {
		sh.growEverywhere(subs, small)
	}
	slices.SortStableFunc(sh.steps, func(x, y step) int { return cmp.Compare(x.bulk, y.bulk) })
	return sh
}

// growEverywhere adds the steps at all occurrences of subformulas that have several, or
// if the tree is not small of all.
func (sh *shrinking) growEverywhere(subs []*Formula, small bool) {
	count := map[*Formula]int{sh.f: 1} // how often each occurs
	for _, g := range slices.Backward(subs) {
		for _, h := range []*Formula{g.left, g.right} {
			if h != nil {
				count[h] = addBulk(count[h], count[g])
			}
		}
		if count[g] > 1 || !small {
			sh.addSmaller(everywhere, g, count[g])
		}
	}
}

func (sh *shrinking) bulkOf(f *Formula) int {
	c, ok := sh.bulk[f]
	if !ok {
		c = bulks[f.op]
		for _, g := range []*Formula{f.left, f.right} {
			if g != nil {
				c = addBulk(c, sh.bulkOf(g))
			}
		}
		if f.sere != nil {
			c = addBulk(c, sh.bulkOfSERE(f.sere))
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

// add notes steps of a kind that replace a subformula that stands at count places. The
// bulk of a formula that is too large to tell stays as it is, which is of no
// consequence but for the order.
func (sh *shrinking) add(place int, from *Formula, count int, kind Steps, list ...*Formula) {
	if sh.kinds&kind == 0 {
		return
	}
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
			sh.addSmaller(i, g, 1)
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
		sh.addOperands(i, g, 1)
	} else {
		sh.addSmaller(i, g, 1)
	}
	dropped := 1
	for h := g.left; h.op == g.op; h = h.left {
		dropped++
		if dropped&(dropped-1) == 0 || h.left.op != g.op && !inner {
			sh.add(i, g, 1, Leap, h.left)
		}
		if !inner {
			sh.add(i, g, 1, Leap, h.right)
		}
	}
}

// addSmaller adds all that may stand for a subformula g.
func (sh *shrinking) addSmaller(place int, g *Formula, count int) {
	sh.addOperands(place, g, count)
	switch g.op {
	case OpFalse, OpTrue:
	case OpProp:
		sh.add(place, g, count, PropToConst, sh.s.False(), sh.s.True())
	default:
		sh.add(place, g, count, ToConst, sh.s.False(), sh.s.True())
	}
	sh.s.simpler(g, func(kind Steps, list ...*Formula) { sh.add(place, g, count, kind, list...) })
	if g.sere != nil {
		sh.addExpressions(place, g, count)
	}
}

// addOperands adds the operands of g. If g is a chain of several nodes, its second
// operand alone is all but one dropped.
func (sh *shrinking) addOperands(place int, g *Formula, count int) {
	switch {
	case g.op.Arity() == 1:
		sh.add(place, g, count, RemoveOp, g.left)
	case g.op != OpAnd && g.op != OpOr:
		if g.op.Arity() == 2 {
			sh.add(place, g, count, RemoveOp, g.left, g.right)
		}
	case g.left.op == g.op:
		sh.add(place, g, count, DropOperand, g.left)
		sh.add(place, g, count, Leap, g.right)
	default:
		sh.add(place, g, count, DropOperand, g.left, g.right)
	}
}

func (sh *shrinking) apply(x step) *Formula {
	if x.place == everywhere {
		return sh.s.transform(sh.f, func(g, left, right *Formula) *Formula {
			switch {
			case g == x.from:
				return x.to
			case g.sere != nil && x.from.op == OpProp && x.to.op == OpProp:
				return sh.s.make(node{op: g.op, left: left, sere: sh.mergedIn(g, x.from, x.to)})
			}
			return sh.s.WithOperands(g, left, right)
		})
	}
	g := x.to
	for p := sh.places[x.place]; p.parent >= 0; p = sh.places[p.parent] {
		parent := sh.places[p.parent].f
		if p.right {
			g = sh.s.WithOperands(parent, parent.left, g)
		} else {
			g = sh.s.WithOperands(parent, g, parent.right)
		}
	}
	return g
}
