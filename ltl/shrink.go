package ltl

import (
	"cmp"
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
	// DropOperand drops one operand of a conjunction or disjunction, or of a concatenation or
	// fusion of expressions.
	DropOperand
	// RemoveOp replaces any other operator by one of its operands.
	RemoveOp
	// SplitOp rewrites <-> or xor with simpler operators, and drops one side of the result.
	SplitOp
	// RewriteOp replaces a U b by a W b, a M b by a R b or b U a, and a R b by b W a. It does
	// the same for S and T.
	RewriteOp
	// Leap replaces f by any subformula, and drops 2, 4, 8, … operands in a row, or all but one.
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
// similar to f. Shrink serves to find one with a property that f has: go to the first candidate that
// has it, and repeat.
//
// There are four or five candidates for each node of the syntax tree. They are made as the caller
// iterates, and stay in the store. Each has at most as many new nodes as f has nested operators. In
// trees of more than 4096 nodes, subformulas are replaced only at all their occurrences at once.
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
	bulk   map[*Formula]int // of subformulas: their weights, see bulks
	places []place          // parents first; the root only, if the tree is too large
	steps  []step           // the smallest result first
}

// newShrinking finds the steps from f: to its subformulas; at each place, if f is small; and at all
// occurrences of a subformula at once, if f is large or kinds has Everywhere.
func newShrinking(s *Store, f *Formula, kinds Steps) *shrinking {
	sh := &shrinking{s: s, f: f, kinds: kinds, bulk: map[*Formula]int{}, places: []place{{f: f, parent: -1}}}
	subs := f.Subformulas()
	for _, g := range subs {
		sh.bulkOf(g) // add reads sh.bulk
	}
	for _, g := range subs[:len(subs)-1] { // all but f
		sh.add(0, f, 1, Leap, g)
	}
	small := f.size <= maxPlaces
	if small {
		sh.grow()
	}
	if !small || kinds&Everywhere != 0 {
		// If the places have steps of their own, subformulas that occur once need no others.
		count := map[*Formula]int{f: 1}           // how often each occurs
		for _, g := range slices.Backward(subs) { // the counts of larger formulas are complete
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
	slices.SortStableFunc(sh.steps, func(x, y step) int { return cmp.Compare(x.bulk, y.bulk) })
	return sh
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

// add notes steps of a kind that replace a subformula that stands at count places. The bulk of a
// formula that is too large to tell stays as it is, which is of no consequence but for the order.
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

// grow lists all places, and the steps at each. A conjunction (or disjunction) of n operands is a
// chain of n-1 nodes: see growChain.
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

// growChain adds the steps at one node of a chain. An inner node has only the first operands. In
// ((a & b) & c) & d, the nodes and the operands that their steps keep are
//
//	((a & b) & c) & d    abc, d, ab, c, a, b    and the other steps that fit the whole chain
//	(a & b) & c          abd, cd, ad
//	a & b                acd, bcd
//
// Steps that drop 2, 4, 8, … operands make long chains short soon, with few candidates.
func (sh *shrinking) growChain(i int, inner bool) {
	g := sh.places[i].f
	if inner {
		sh.addOperands(i, g, 1)
	} else {
		sh.addSmaller(i, g, 1)
	}
	dropped := 1 // operands of g that h lacks; in the loop, that h.left lacks
	for h := g.left; h.op == g.op; h = h.left {
		dropped++
		if dropped&(dropped-1) == 0 || h.left.op != g.op && !inner { // 2, 4, 8, …, or all but the first
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
		bulk := sh.bulkOfSERE(g.sere)
		seen := map[*SERE]bool{g.sere: true}
		sh.s.smallerSEREs(g.sere, g.sere.size <= maxShrunkSERE, func(kind Steps, r *SERE) {
			if !seen[r] && sh.bulkOfSERE(r) < bulk {
				seen[r] = true
				sh.add(place, g, count, kind, sh.s.make(node{op: g.op, left: g.left, sere: r}))
			}
		})
	}
}

// addOperands adds the steps that replace g by one of its operands. In the chain (a & b) & c, to keep
// a & b drops one operand, and to keep c drops all but one: the kinds are DropOperand and Leap.
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
	switch {
	case x.place != everywhere: // see below
	case x.from.op == OpProp && x.to.op == OpProp: // in expressions, too
		return sh.s.Rename(sh.f, func(name string) string {
			if name == x.from.name {
				return x.to.name
			}
			return name
		})
	default:
		return sh.s.transform(sh.f, func(g, left, right *Formula) *Formula {
			if g == x.from {
				return x.to
			}
			return sh.s.WithOperands(g, left, right)
		})
	}
	g := x.to
	for p := sh.places[x.place]; p.parent >= 0; p = sh.places[p.parent] { // up to the root
		parent := sh.places[p.parent].f
		if p.right {
			g = sh.s.WithOperands(parent, parent.left, g)
		} else {
			g = sh.s.WithOperands(parent, g, parent.right)
		}
	}
	return g
}

// bulks say which of two formulas is the smaller one: the bulk of a formula is the
// sum over the nodes of its syntax tree, and of two with equal bulks the one with
// fewer propositions is smaller. They are chosen so that each step of Shrink goes
// down: an operator has more than those that it is replaced by, <-> as much more as
// to pay for the negations of !a & !b, and a negation more than two duals differ.
var bulks = [numOps]int{
	OpFalse: 1, OpTrue: 1,
	OpProp: 2, OpNext: 2,
	OpAnd: 3, OpOr: 3, OpFinally: 3, OpGlobally: 3, OpYesterday: 3,
	OpNot: 4, OpWeakYesterday: 4,
	OpWeakUntil: 5, OpOnce: 5, OpHistorically: 5,
	OpImplies: 6, OpRelease: 6,
	OpUntil: 7, OpTriggered: 7,
	OpStrongRelease: 8,
	OpSince:         9,
	OpEquiv:         12,
	OpXor:           13,

	// Of these, without the expression: see bulkOf.
	OpClosure: 1, OpSuffixImplication: 7, OpSuffixConjunction: 8,
}

// simpler gives formulas with the operands of f and a simpler operator, with the kind of each step.
func (s *Store) simpler(f *Formula, give func(Steps, ...*Formula)) {
	a, b := f.left, f.right
	switch f.op {
	case OpNot:
		if a.op.Arity() > 0 {
			give(LowerOp, s.dualWith(a, a.left, a.right))
		}
	case OpImplies:
		give(LowerOp, s.Not(a), s.Or(a, b))
	case OpEquiv:
		give(SplitOp, s.And(a, b), s.Implies(a, b), s.Implies(b, a), s.And(s.Not(a), s.Not(b)))
		give(LowerOp, s.Not(a), s.Not(b))
	case OpXor:
		give(SplitOp, s.And(s.Not(a), b), s.And(a, s.Not(b)), s.Or(a, b), s.Or(s.Not(a), s.Not(b)))
		give(LowerOp, s.Not(a), s.Not(b), s.Equiv(a, b))
	case OpFinally, OpGlobally:
		give(LowerOp, s.Next(a))
	case OpWeakUntil:
		give(LowerOp, s.Globally(a), s.Finally(b), s.Or(a, b))
	case OpRelease:
		give(RewriteOp, s.WeakUntil(b, a))
		give(LowerOp, s.Finally(a), s.Globally(b), s.And(a, b))
	case OpUntil:
		give(RewriteOp, s.WeakUntil(a, b))
		give(LowerOp, s.Globally(a), s.Finally(b), s.Or(a, b), s.Release(a, b))
	case OpStrongRelease:
		give(RewriteOp, s.Release(a, b), s.Until(b, a))
		give(LowerOp, s.Finally(a), s.Globally(b), s.And(a, b))
	case OpYesterday:
		give(LowerOp, s.Next(a))
	case OpWeakYesterday:
		give(LowerOp, s.Unary(OpYesterday, a))
	case OpOnce:
		give(LowerOp, s.Unary(OpYesterday, a), s.Finally(a))
	case OpHistorically:
		give(LowerOp, s.Unary(OpWeakYesterday, a), s.Globally(a))
	case OpTriggered:
		give(RewriteOp, s.Release(a, b))
		give(LowerOp, s.Unary(OpOnce, a), s.Unary(OpHistorically, b), s.And(a, b))
	case OpClosure:
		if b := f.sere.letter; b != nil {
			give(LowerOp, b)
		}
	case OpSuffixImplication:
		give(LowerOp, s.Closure(f.sere))
		if b := f.sere.letter; b != nil {
			give(LowerOp, s.Implies(b, a), s.Or(b, a))
		}
	case OpSuffixConjunction:
		give(LowerOp, s.Closure(f.sere), s.SuffixImplication(f.sere, a), s.Not(s.Closure(f.sere)))
		if b := f.sere.letter; b != nil {
			give(LowerOp, s.And(b, a))
		}
	case OpSince:
		give(RewriteOp, s.Binary(OpTriggered, a, b), s.Until(a, b))
		give(LowerOp, s.Unary(OpHistorically, a), s.Unary(OpOnce, b), s.Or(a, b))
	}
}

// sereBulks are the bulks of operators of expressions: see bulks. Iterations add their bounds, and
// letters have the bulks of their formulas.
var sereBulks = [...]int{
	SERELetter: 0, SEREEmpty: 2, SEREOr: 3, SEREConcat: 3, SEREFusion: 4, SEREIntersection: 4, SEREAnd: 5,
	SEREStar: 3, SEREFusionStar: 4, SEREFirstMatch: 3,
}

// bulkOfSERE returns the bulk of an expression. It takes time linear in its syntax tree.
func (sh *shrinking) bulkOfSERE(r *SERE) int {
	c := sereBulks[r.op]
	switch r.op {
	case SERELetter:
		return sh.bulkOf(r.letter)
	case SEREStar, SEREFusionStar:
		c += r.low + 1
		if r.high != Unbounded {
			c += r.high + 1
		}
	}
	for _, q := range []*SERE{r.left, r.right} {
		if q != nil {
			c = addBulk(c, sh.bulkOfSERE(q))
		}
	}
	return c
}

// maxShrunkSERE is the size of the largest expression in which each place is looked at.
const maxShrunkSERE = 1 << 8

// smallerSEREs gives expressions that are r with one change, with the kind of the change. The
// change replaces r itself, or, if deep is set, any of its parts. If r is a letter, it may also
// replace a part of the letter's formula. Some expressions are r again or have a larger bulk; the
// caller drops them.
func (s *Store) smallerSEREs(r *SERE, deep bool, give func(Steps, *SERE)) {
	if r.op == SERELetter {
		s.smallerLetters(r.letter, func(kind Steps, f *Formula) { give(kind, s.Letter(f)) })
		return
	}
	give(ToConst, s.Letter(s.False()))
	give(ToConst, s.Letter(s.True()))
	give(ToConst, s.EmptyWord())
	// Spot has lists of operands for these operators, so ltlgrind drops one operand of a list.
	kind := RemoveOp
	if r.op == SEREOr || r.op == SEREIntersection || r.op == SEREAnd || r.op == SEREConcat || r.op == SEREFusion {
		kind = DropOperand
	}
	for _, q := range []*SERE{r.left, r.right} {
		if q != nil {
			give(kind, q)
		}
	}
	s.lowerSEREs(r, func(q *SERE) { give(LowerOp, q) })
	if !deep || r.left == nil { // the empty word has no parts
		return
	}
	s.smallerSEREs(r.left, true, func(kind Steps, q *SERE) { give(kind, s.sereWith(r, q, r.right)) })
	if r.right != nil {
		s.smallerSEREs(r.right, true, func(kind Steps, q *SERE) { give(kind, s.sereWith(r, r.left, q)) })
	}
}

// sereWith returns r with other operands.
func (s *Store) sereWith(r, left, right *SERE) *SERE {
	if right != nil {
		return s.SEREBinary(r.op, left, right)
	}
	return s.makeSERE(sereNode{op: r.op, left: left, low: r.low, high: r.high})
}

// lowerSEREs gives expressions with the operands of r and a simpler operator or lower bounds.
func (s *Store) lowerSEREs(r *SERE, give func(*SERE)) {
	switch r.op {
	case SEREAnd:
		give(s.SEREBinary(SEREIntersection, r.left, r.right))
		give(s.SEREBinary(SEREConcat, r.left, r.right))
	case SEREIntersection:
		give(s.SEREBinary(SEREOr, r.left, r.right))
	case SEREFusion:
		give(s.SEREBinary(SEREConcat, r.left, r.right))
	case SEREStar, SEREFusionStar:
		give(s.Star(r.left, r.low, r.high))
		give(s.iteration(r.op, r.left, 0, Unbounded))
		give(s.iteration(r.op, r.left, min(1, r.low), Unbounded))
		for _, low := range []int{0, r.low / 2, r.low - 1} {
			if low >= 0 && low < r.low {
				give(s.iteration(r.op, r.left, low, r.high))
			}
		}
		if r.high == Unbounded {
			return
		}
		give(s.iteration(r.op, r.left, r.low, r.low))
		for _, high := range []int{r.high / 2, r.high - 1} {
			if high >= 0 {
				give(s.iteration(r.op, r.left, min(r.low, high), high))
			}
		}
	}
}

// smallerLetters gives Boolean formulas that are f with one change. The syntax trees of letters are
// small, or else only f itself is replaced.
func (s *Store) smallerLetters(f *Formula, give func(Steps, *Formula)) {
	switch f.op {
	case OpFalse, OpTrue:
		return
	case OpProp:
		give(PropToConst, s.False())
		give(PropToConst, s.True())
		return
	}
	give(ToConst, s.False())
	give(ToConst, s.True())
	kind := RemoveOp
	if f.op == OpAnd || f.op == OpOr {
		kind = DropOperand
	}
	for _, g := range []*Formula{f.left, f.right} {
		if g != nil {
			give(kind, g)
		}
	}
	s.simpler(f, func(kind Steps, list ...*Formula) {
		for _, g := range list {
			give(kind, g)
		}
	})
	if f.size > maxShrunkSERE {
		return
	}
	s.smallerLetters(f.left, func(kind Steps, g *Formula) { give(kind, s.WithOperands(f, g, f.right)) })
	if f.right != nil {
		s.smallerLetters(f.right, func(kind Steps, g *Formula) { give(kind, s.WithOperands(f, f.left, g)) })
	}
}

// maxEmbeddingSteps bounds the time of Embeds: deciding it is NP-hard, by the propositions.
const maxEmbeddingSteps = 1 << 16

// Embeds reports whether f can shrink to small: whether f becomes small if some of its
// subformulas are replaced by one of their operands, and its propositions are renamed, perhaps
// several to one. The operands of & | <-> xor may change places. A constant of f matches a
// proposition: a U 0 is an instance of a U b.
//
//	a U b    is embedded in (p & q) U G r, and in X(p U (q & F r)); not in p R q
//	a U a    is embedded in p U q; a U b is not in p U p
//
// These are steps of [Store.Shrink] that bring nothing new into the formula. Embeds may return
// false by mistake if both formulas are large and have many propositions.
func Embeds(small, f *Formula) bool {
	e := &embedding{names: map[string]string{}, steps: maxEmbeddingSteps}
	return small != nil && f != nil && e.within(small, f, func() bool { return true })
}

// An embedding is under way: names has the new names of propositions so far.
type embedding struct {
	names map[string]string
	steps int
}

// within places small somewhere in f, such that rest holds of what is to be placed after it.
func (e *embedding) within(small, f *Formula, rest func() bool) bool {
	// A proposition may be placed at a constant, so f need not have any.
	if e.steps--; e.steps < 0 || small.size > f.size || small.ops&^f.ops&^Ops(OpProp) != 0 {
		return false
	}
	if e.at(small, f, rest) {
		return true
	}
	return f.left != nil && e.within(small, f.left, rest) || f.right != nil && e.within(small, f.right, rest)
}

// at places small such that its top is the top of f.
func (e *embedding) at(small, f *Formula, rest func() bool) bool {
	if small.op == OpProp && f.op.Arity() == 0 && f.sere == nil {
		return e.bind(small, f, rest)
	}
	if small.op != f.op {
		return false
	}
	if small.sere != nil {
		return e.expression(small.sere, f.sere, func() bool {
			return small.left == nil && rest() || small.left != nil && e.within(small.left, f.left, rest)
		})
	}
	switch small.op.Arity() {
	case 1:
		return e.within(small.left, f.left, rest)
	case 2:
		if e.both(small, f.left, f.right, rest) {
			return true
		}
		switch small.op {
		case OpAnd, OpOr, OpEquiv, OpXor:
			return e.both(small, f.right, f.left, rest)
		}
		return false
	}
	return rest()
}

// bind gives a leaf of f, a proposition or constant, the name of a proposition.
func (e *embedding) bind(small, f *Formula, rest func() bool) bool {
	leaf := f.name
	if f.op != OpProp {
		leaf = f.op.String() // no proposition has such a name, or it does no harm
	}
	name, ok := e.names[leaf]
	if ok {
		return name == small.name && rest()
	}
	e.names[leaf] = small.name
	if rest() {
		return true
	}
	delete(e.names, leaf) // another leaf may fit
	return false
}

func (e *embedding) both(small, left, right *Formula, rest func() bool) bool {
	return e.within(small.left, left, func() bool { return e.within(small.right, right, rest) })
}

// expression places an expression at r: all operators must be the same, and each letter of small is
// placed in the letter of r.
func (e *embedding) expression(small, r *SERE, rest func() bool) bool {
	switch {
	case small.op != r.op || small.low != r.low || small.high != r.high:
		return false
	case small.op == SERELetter:
		return e.within(small.letter, r.letter, rest)
	case small.left == nil:
		return rest()
	case small.right == nil:
		return e.expression(small.left, r.left, rest)
	}
	return e.expression(small.left, r.left, func() bool { return e.expression(small.right, r.right, rest) })
}
