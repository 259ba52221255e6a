package ltl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/recent"
)

// RandomOptions describe random formulas.
type RandomOptions struct {
	Seed             uint64
	Props            []string
	MinSize, MaxSize int // of the syntax tree; each size is as likely as any other
	// Weights say how often each applicable operator is chosen. The default weight is 1, for
	// past operators 0 unless Past is set. OpProp stands for all propositions together; its
	// default is their number. PSLOps have the weight 0 unless PSL is set.
	Weights map[Op]int
	Past    bool
	// PSL adds {r}, {r}<>->f and {r}[]->f. SEREWeights say how often each kind of expression is
	// chosen; the default weight is 1.
	PSL         bool
	SEREWeights map[SEREKind]int
	// Boolean formulas have no temporal operators, whatever their weights.
	Boolean bool
	// WeakFairness adds one to three weak fairness conditions to each formula: f & GFb & GFc. Here
	// b and c are random Boolean formulas without constants, of size 1 to 5. MinSize and MaxSize
	// apply to f. (A weakly fair process is disabled, or makes a step, infinitely often.)
	WeakFairness bool
	// Simplify is the level of Store.Reduce for each formula; LevelNNF means none. MinSize and
	// MaxSize apply before.
	Simplify Level
	// KeepTrivial keeps formulas that Simplify makes true or false. KeepDuplicates keeps
	// formulas that occurred before. Otherwise a formula is not among the 262,144 different
	// ones that were drawn last.
	KeepTrivial    bool
	KeepDuplicates bool
}

// ParseWeights reads weights such as "X=0,U=3". The name "ap" means OpProp, and "0" and "1"
// are the constants. It accepts spaces, and the names of randltl such as "implies=0". An
// operator may occur only once.
func ParseWeights(text string) (map[Op]int, error) {
	return parseWeights(text, "operator", opNames[:], func(name string) (Op, bool) {
		if op, ok := ParseOp(name); ok {
			return op, true
		}
		op, ok := opWords[name]
		return op, ok
	})
}

// parseWeights reads weights such as "X=0,U=3". The names are shown if find does not know one.
func parseWeights[K comparable](text, what string, names []string, find func(name string) (K, bool)) (map[K]int, error) {
	weights := map[K]int{}
	for _, part := range strings.Split(text, ",") {
		i := strings.LastIndexByte(part, '=')
		if i < 0 {
			return nil, fmt.Errorf("weight %q: expected OPERATOR=NUMBER", part)
		}
		k, ok := find(strings.TrimSpace(part[:i]))
		if !ok {
			return nil, fmt.Errorf("weight %q: unknown %s: expected one of %s", part, what, strings.Join(names, " "))
		}
		if _, ok := weights[k]; ok {
			return nil, fmt.Errorf("weight %q: %v occurs twice", part, k)
		}
		n, err := strconv.Atoi(strings.TrimSpace(part[i+1:]))
		if err != nil || n < 0 || n > 1000000 {
			return nil, fmt.Errorf("weight %q: expected a number from 0 to 1000000", part)
		}
		weights[k] = n
	}
	return weights, nil
}

// opWords are what randltl calls the operators that it has no letter for.
var opWords = map[string]Op{"false": OpFalse, "true": OpTrue, "not": OpNot, "and": OpAnd, "or": OpOr,
	"implies": OpImplies, "equiv": OpEquiv, "Closure": OpClosure, "EConcat": OpSuffixConjunction, "UConcat": OpSuffixImplication}

// A Generator makes random formulas. Formula k depends only on the options and k, so a longer
// sequence starts with a shorter one.
type Generator struct {
	o     RandomOptions
	all   grammar
	fair  grammar // of the conditions of weak fairness
	sizes []int   // that there are formulas of
	index uint64
	seen  recent.Set
}

// booleanOps are the operators of Boolean formulas.
const booleanOps OpSet = 1<<OpFalse | 1<<OpTrue | 1<<OpProp | 1<<OpNot | 1<<OpAnd | 1<<OpOr | 1<<OpImplies | 1<<OpEquiv | 1<<OpXor

// NewGenerator returns a Generator. It fails if the options are invalid.
func NewGenerator(o RandomOptions) (*Generator, error) {
	weighsPSL := len(o.SEREWeights) > 0 // weights are given that only PSL has
	for op := range o.Weights {
		weighsPSL = weighsPSL || PSLOps.Has(op)
	}
	switch {
	case o.MinSize < 1 || o.MaxSize < o.MinSize:
		return nil, fmt.Errorf("random formulas: bad range of sizes %d..%d", o.MinSize, o.MaxSize)
	case o.Boolean && o.Past:
		return nil, errors.New("random formulas: Boolean formulas have no past operators")
	case o.Boolean && o.PSL:
		return nil, errors.New("random formulas: Boolean formulas have no expressions")
	case !o.PSL && weighsPSL:
		return nil, errors.New("random formulas: weights of expressions need PSL")
	case o.Boolean && o.WeakFairness:
		return nil, errors.New("random formulas: Boolean formulas have no weak fairness conditions")
	case o.Simplify > LevelImplications:
		return nil, fmt.Errorf("random formulas: unknown simplification level %d: expected 0 to %d", o.Simplify, LevelImplications)
	}
	used := ^OpSet(0)
	if o.Boolean {
		used = booleanOps
	}
	g := &Generator{o: o}
	g.all = newGrammar(&o, used)
	g.fair = newGrammar(&o, booleanOps&^Ops(OpFalse, OpTrue)) // G F of a constant says nothing
	if o.PSL {
		var err error
		if g.all.expressions, err = newSEREGrammar(&o); err != nil {
			return nil, err
		}
	}
	if o.WeakFairness && !g.fair.possible(1) {
		return nil, errors.New("random formulas: weak fairness conditions need at least one proposition")
	}
	for n := o.MinSize; n <= o.MaxSize; n++ {
		if g.all.possible(n) {
			g.sizes = append(g.sizes, n)
		}
	}
	if len(g.sizes) == 0 {
		return nil, fmt.Errorf("random formulas: the weights allow no formula of size %d..%d", o.MinSize, o.MaxSize)
	}
	return g, nil
}

// Weights returns the weight of each operator, defaults included.
func (g *Generator) Weights() map[Op]int {
	weights := map[Op]int{}
	for op, w := range g.all.weights {
		if g.o.PSL || !PSLOps.Has(Op(op)) {
			weights[Op(op)] = w
		}
	}
	return weights
}

// SEREWeights returns the weight of each kind of expression, and nil without PSL.
func (g *Generator) SEREWeights() map[SEREKind]int {
	if g.all.expressions == nil {
		return nil
	}
	weights := map[SEREKind]int{}
	for k, w := range g.all.expressions.weights {
		weights[SEREKind(k)] = w
	}
	return weights
}

// attempts is how many formulas are drawn for one that is neither trivial nor a duplicate.
const attempts = 10000

// ErrExhausted says that there are hardly any formulas left that are neither trivial nor
// came before.
var ErrExhausted = errors.New("no new formula")

// Next returns the next formula, in a Store of its own.
func (g *Generator) Next() (*Formula, error) { return g.NextContext(context.Background()) }

// NextContext is Next with a context. It may take minutes if the options leave few formulas,
// and these are large. If none are left, the error is [ErrExhausted].
func (g *Generator) NextContext(ctx context.Context) (*Formula, error) {
	k := g.index
	g.index++
	for try := range uint64(attempts) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := rand.New(rand.NewPCG(mix(g.o.Seed)^k, mix(k)^try)) // no matter what was drawn before
		f, err := g.draw(ctx, r, NewStore())
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		if !g.o.KeepDuplicates && !g.seen.Add(recent.KeyOf(f.String())) {
			continue
		}
		return f, nil
	}
	return nil, fmt.Errorf("random formulas: %w in %d attempts after %d formulas: ask for fewer or larger ones, use more propositions, or allow duplicates and trivial formulas", ErrExhausted, attempts, k)
}

// draw returns a random formula, or nil if it is trivial and no such is wanted. It
// fails only when ctx is done.
func (g *Generator) draw(ctx context.Context, r *rand.Rand, s *Store) (f *Formula, err error) {
	f = g.all.tree(r, s, g.sizes[r.IntN(len(g.sizes))])
	if !g.o.KeepTrivial && s.trivial(f) {
		return nil, nil
	}
	if g.o.WeakFairness {
		var conditions []*Formula
		for range 1 + r.IntN(3) {
			n := 1 + r.IntN(5)
			for !g.fair.possible(n) { // NewGenerator has seen that 1 is possible
				n--
			}
			b := g.fair.tree(r, s, n)
			if !g.o.KeepTrivial && s.trivial(b) {
				return nil, nil
			}
			if c := s.Globally(s.Finally(b)); !slices.Contains(conditions, c) { // twice is the same as once
				conditions = append(conditions, c)
				f = s.And(f, c)
			}
		}
	}
	if g.o.Simplify > LevelNNF {
		if f, err = s.Reduce(ctx, f, g.o.Simplify); err != nil {
			return nil, err
		}
		if !g.o.KeepTrivial && s.trivial(f) { // it may have become so
			return nil, nil
		}
	}
	return f, nil
}

// trivial reports whether Simplify makes f true or false.
func (s *Store) trivial(f *Formula) bool {
	op := s.Simplify(f).op
	return op == OpFalse || op == OpTrue
}

// mix spreads the bits of a number (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A grammar has the operators that formulas are made of.
type grammar struct {
	props   []string
	weights [numOps]int
	byArity [3]int // sums of weights, of other operators than PSLOps

	expressions *sereGrammar // nil without PSL
}

// newGrammar has those operators of used that the options give a weight.
func newGrammar(o *RandomOptions, used OpSet) grammar {
	g := grammar{props: o.Props}
	for op := range numOps {
		w := 1
		switch {
		case op == OpProp:
			w = len(o.Props)
		case PastOps.Has(op) && !o.Past:
			w = 0
		}
		if given, ok := o.Weights[op]; ok {
			w = given
		}
		if op == OpProp && len(o.Props) == 0 || !used.Has(op) || PSLOps.Has(op) && !o.PSL {
			w = 0
		}
		g.weights[op] = w
		if !PSLOps.Has(op) { // psl draws these
			g.byArity[op.Arity()] += w
		}
	}
	return g
}

// possible reports whether there is a formula of size n.
func (g *grammar) possible(n int) bool {
	switch {
	case n < 1 || g.byArity[0] == 0:
		return false
	case n == 1 || g.byArity[1] > 0:
		return true
	}
	return g.byArity[2] > 0 && n%2 == 1 // binary operators alone make odd sizes
}

// tree returns a random formula of exactly size n, which must be possible.
func (g *grammar) tree(r *rand.Rand, s *Store, n int) *Formula {
	if n == 1 {
		op := g.choose(r, 0, 0)
		if op == OpProp {
			return s.Prop(g.props[r.IntN(len(g.props))])
		}
		return s.make(node{op: op})
	}
	// Operand sizes of a binary operator. Both must be possible.
	var splits []int
	if g.byArity[2] > 0 {
		for left := 1; left <= n-2; left++ {
			if g.possible(left) && g.possible(n-1-left) {
				splits = append(splits, left)
			}
		}
	}
	low, high := 1, 2
	if !g.possible(n-1) || g.byArity[1] == 0 {
		low = 2 // no unary operator fits
	}
	if len(splits) == 0 {
		high = 1 // no binary one fits
	}
	if f := g.psl(r, s, n, g.sum(low, high)); f != nil {
		return f
	}
	op := g.choose(r, low, high)
	if op.Arity() == 1 {
		return s.Unary(op, g.tree(r, s, n-1))
	}
	left := splits[r.IntN(len(splits))]
	f := g.tree(r, s, left)
	return s.Binary(op, f, g.tree(r, s, n-1-left))
}

// sum returns the weights of the operators of arity low to high.
func (g *grammar) sum(low, high int) int {
	sum := 0
	for a := low; a <= high; a++ {
		sum += g.byArity[a]
	}
	return sum
}

// choose draws an operator of arity low to high by weight.
func (g *grammar) choose(r *rand.Rand, low, high int) Op {
	x := r.IntN(g.sum(low, high))
	for op := range numOps {
		if a := op.Arity(); a >= low && a <= high && !PSLOps.Has(op) {
			if x -= g.weights[op]; x < 0 {
				return op
			}
		}
	}
	panic("ltl: weights do not add up")
}

// A SEREKind is a kind of node of a random expression, named as in randltl.
type SEREKind uint8

// The kinds. Bounded iterations have bounds up to 3.
const (
	RandomEmptyWord         SEREKind = iota // [*0]
	RandomLetter                            // a Boolean formula
	RandomStar                              // r[*]
	RandomBoundedStar                       // r[*i..j]
	RandomFusionStar                        // r[:*]
	RandomBoundedFusionStar                 // r[:*i..j]
	RandomFirstMatch
	RandomIntersection // &&
	RandomAnd          // &
	RandomOr
	RandomConcat
	RandomFusion
	numSEREKinds
)

var sereKindNames = [numSEREKinds]string{"eword", "boolform", "star", "star_b", "fstar", "fstar_b", "first_match",
	"and", "andNLM", "or", "concat", "fusion"}

var sereKindOps = [numSEREKinds]SEREOp{SEREEmpty, SERELetter, SEREStar, SEREStar, SEREFusionStar, SEREFusionStar,
	SEREFirstMatch, SEREIntersection, SEREAnd, SEREOr, SEREConcat, SEREFusion}

// String returns the name that ParseSEREWeights takes.
func (k SEREKind) String() string { return sereKindNames[k] }

// SEREKinds returns all kinds.
func SEREKinds() []SEREKind {
	list := make([]SEREKind, numSEREKinds)
	for i := range list {
		list[i] = SEREKind(i)
	}
	return list
}

// ParseSEREWeights reads the weights of expressions, such as "fusion=0,star=3". The names are those
// of randltl --sere-priorities.
func ParseSEREWeights(text string) (map[SEREKind]int, error) {
	return parseWeights(text, "kind of expression", sereKindNames[:], func(name string) (SEREKind, bool) {
		k := slices.Index(sereKindNames[:], name)
		return SEREKind(k), k >= 0
	})
}

// A sereGrammar has the weights of random expressions.
type sereGrammar struct {
	weights [numSEREKinds]int
	letters grammar // Boolean formulas
}

func newSEREGrammar(o *RandomOptions) (*sereGrammar, error) {
	g := &sereGrammar{letters: newGrammar(o, booleanOps)}
	for k := range g.weights {
		g.weights[k] = 1
		if w, ok := o.SEREWeights[SEREKind(k)]; ok {
			g.weights[k] = w
		}
	}
	if g.total(1) == 0 {
		return nil, errors.New("random formulas: the weights allow no expression of size 1")
	}
	return g, nil
}

// weight returns the weight of a kind for an expression of size n, and 0 if it does not fit.
func (g *sereGrammar) weight(k SEREKind, n int) int {
	switch arity := sereKindOps[k].Arity(); {
	case k == RandomEmptyWord && n > 1, k == RandomLetter && !g.letters.possible(n), n <= arity:
		return 0
	}
	return g.weights[k]
}

// total returns the sum of the weights for an expression of size n.
func (g *sereGrammar) total(n int) int {
	sum := 0
	for k := range numSEREKinds {
		sum += g.weight(k, n)
	}
	return sum
}

// expression returns a random expression of size n. If the weights allow none, it is a smaller one.
func (g *sereGrammar) expression(r *rand.Rand, s *Store, n int) *SERE {
	for g.total(n) == 0 {
		n--
	}
	x := r.IntN(g.total(n))
	k := SEREKind(0)
	for ; x >= g.weight(k, n); k++ {
		x -= g.weight(k, n)
	}
	switch op := sereKindOps[k]; {
	case k == RandomEmptyWord:
		return s.EmptyWord()
	case k == RandomLetter:
		return s.Letter(g.letters.tree(r, s, n))
	case op == SEREFirstMatch:
		return s.FirstMatch(g.expression(r, s, n-1))
	case op.Arity() == 1:
		low, high := 0, Unbounded
		if k == RandomBoundedStar || k == RandomBoundedFusionStar {
			low = r.IntN(3)
			high = low + r.IntN(4-low)
		}
		return s.iteration(op, g.expression(r, s, n-1), low, high)
	default:
		left := 1 + r.IntN(n-2)
		q := g.expression(r, s, left)
		return s.SEREBinary(op, q, g.expression(r, s, n-1-left))
	}
}

// psl returns a random formula of size n with one of PSLOps at the top, or nil if another operator
// was drawn. others is the sum of the weights of other operators.
func (g *grammar) psl(r *rand.Rand, s *Store, n, others int) *Formula {
	if g.expressions == nil || n < 2 {
		return nil
	}
	closure, conjunction, implication := g.weights[OpClosure], g.weights[OpSuffixConjunction], g.weights[OpSuffixImplication]
	var sizes []int                      // of the operand
	for m := 1; n > 2 && m <= n-2; m++ { // an expression has at least size 1
		if g.possible(m) {
			sizes = append(sizes, m)
		}
	}
	if len(sizes) == 0 {
		conjunction, implication = 0, 0
	}
	x := r.IntN(max(1, closure+conjunction+implication+others)) // IntN takes no 0
	if x >= closure+conjunction+implication {
		return nil
	}
	if x < closure {
		return s.Closure(g.expressions.expression(r, s, n-1))
	}
	size := sizes[r.IntN(len(sizes))]
	e := g.expressions.expression(r, s, n-1-size)
	f := g.tree(r, s, size)
	if x < closure+conjunction {
		return s.SuffixConjunction(e, f)
	}
	return s.SuffixImplication(e, f)
}
