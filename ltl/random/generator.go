package random

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Profile says how large the formulas are.
type Profile string

// The profiles. Small ones are for slow translators, large ones for fast ones.
const (
	Small   Profile = "small"
	Default Profile = "default"
	Large   Profile = "large"
)

// Profiles returns all profiles.
func Profiles() []Profile { return []Profile{Small, Default, Large} }

// sizes are ranges of sizes with their weights. The first formulas are smaller.
type sizes []struct{ weight, low, high int }

var profiles = map[Profile]sizes{
	Small:   {{2, 1, 4}, {8, 4, 8}, {3, 8, 10}},
	Default: {{2, 1, 6}, {6, 6, 12}, {24, 12, 24}, {3, 24, 30}, {1, 30, 40}},
	Large:   {{1, 5, 12}, {5, 12, 25}, {6, 25, 40}, {2, 40, 70}},
}

// sizes returns the sizes of a profile. Unknown profiles have the sizes of Default.
func (p Profile) sizes() sizes {
	if list := profiles[p]; list != nil {
		return list
	}
	return profiles[Default]
}

// ParseProfile returns the profile of that name.
func ParseProfile(name string) (Profile, error) {
	if _, ok := profiles[Profile(name)]; ok {
		return Profile(name), nil
	}
	return "", fmt.Errorf("unknown profile %q%s", name, spelling.Of(name, Profiles()))
}

// A Generator draws formulas. Formula k depends only on the profile, the seed and k, so a longer
// sequence starts with a shorter one.
type Generator struct {
	profile Profile
	seed    uint64
	index   int
	seen    recent.Set
}

// New returns a Generator.
func New(p Profile, seed uint64) *Generator {
	return &Generator{profile: p, seed: seed}
}

// batch is how many formulas share a style.
const batch = 4

// Next returns the next formula, in a Store of its own. It fails only when ctx is done.
func (g *Generator) Next(ctx context.Context) (*ltl.Formula, error) {
	k := g.index
	g.index++
	for try := uint64(0); ; try++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// A style in which there is no new formula is given up for another.
		style := newStyle(rand.New(rand.NewPCG(g.seed^0x5DEECE66D, uint64(k/batch)<<20|try/64)))
		r := rand.New(rand.NewPCG(g.seed, uint64(k)<<20|try))
		ranges := g.profile.sizes()
		weights := make([]int, len(ranges))
		for i, x := range ranges {
			weights[i] = x.weight
		}
		x := ranges[pick(r, weights)]
		n := x.low + r.IntN(x.high-x.low+1)
		// The limit grows, so that a translator that takes long for large formulas has answered many
		// by then, the first of them at once.
		if most := min(6+3*k, 24+k/16); n > most {
			n = (most+1)/2 + r.IntN(most/2+1)
		}
		d := &drawing{style: style, r: r, s: ltl.NewStore()}
		f := d.tree(d.class, n+int(try)/16) // larger when there are no new ones
		if !d.wanted(f) {
			continue
		}
		if g.seen.Add(key(f)) {
			return f, nil
		}
	}
}

// wanted reports whether f is not trivial. One with constants may become much smaller, but neither
// true nor false.
func (d *drawing) wanted(f *ltl.Formula) bool {
	if f.Ops()&ltl.Ops(ltl.OpTrue, ltl.OpFalse) == 0 {
		return !trivial(f)
	}
	op := d.s.Simplify(f).Op()
	return op != ltl.OpTrue && op != ltl.OpFalse
}

// trivial reports whether simple rewriting makes f true or false, or less than half as large.
func trivial(f *ltl.Formula) bool {
	s := ltl.NewStore()
	least := s.Simplify(s.Import(f))
	return least.Op() == ltl.OpTrue || least.Op() == ltl.OpFalse || 2*least.Size() < f.Size()
}

// key is the same for formulas that are alike up to the names of propositions, negation and simple
// rewriting.
func key(f *ltl.Formula) recent.Key {
	s := ltl.NewStore()
	f = s.Simplify(s.Import(f))
	a, _ := s.Relabel(s.NNF(f))
	b, _ := s.Relabel(s.NNF(s.Not(f)))
	x, y := a.String(), b.String()
	return recent.KeyOf(min(x, y))
}

// block returns a formula that specifications are made of, of some class and about n nodes, or
// nil if none fits: fairness, and patterns after Dwyer, Avrunin and Corbett (1999).
func (d *drawing) block(c class, n int) *ltl.Formula {
	var fits []block
	for _, b := range blocks {
		// For reactivity, blocks of persistence and recurrence fit, too.
		if (b.class == c || c == anything || c == reactivity && b.class >= persistence) && b.size <= n {
			fits = append(fits, b)
		}
	}
	if len(fits) == 0 {
		return nil
	}
	b := fits[d.r.IntN(len(fits))]
	parts := map[string]*ltl.Formula{}
	t := must.Get(d.s.Parse(b.text, ltl.Spot))
	for _, name := range t.Props() {
		parts[name] = d.state(max(1, (n-b.size)/len(t.Props())+1)) // each part has its share of what is left
	}
	var filled func(t *ltl.Formula) *ltl.Formula // not by Substitute, which would cancel negations
	filled = func(t *ltl.Formula) *ltl.Formula {
		switch {
		case t == nil:
			return nil
		case t.Op() == ltl.OpProp:
			return parts[t.Name()]
		}
		return d.s.WithOperands(t, filled(t.Left()), filled(t.Right()))
	}
	return filled(t)
}

// A block has the parts a, b and c, and at least size nodes.
type block struct {
	class class
	size  int
	text  string
}

var blocks = []block{
	{recurrence, 3, "GFa"},
	{persistence, 3, "FGa"},
	{reactivity, 7, "GFa -> GFb"},
	{reactivity, 7, "FGa | GFb"},
	{recurrence, 5, "G(a -> Fb)"},
	{recurrence, 6, "GF(a & Xb)"},
	{persistence, 6, "FG(a | Xb)"},
	{recurrence, 7, "G(a -> (b U c))"},
	{safety, 5, "G(a -> Xb)"},
	{safety, 4, "!a W b"},
	{safety, 7, "G(a -> (b W c))"},
	{guarantee, 5, "F(a & XFb)"},
	{guarantee, 5, "a U (b U c)"},
	{obligation, 5, "Ga -> Gb"},
	{obligation, 5, "Fa -> Fb"},
}

// A class is one of the syntactic classes of formulas (Černá and Pelánek 2003) for the hierarchy of
// Manna and Pnueli.
type class uint8

const (
	anything class = iota
	guarantee
	safety
	obligation
	persistence
	recurrence
	reactivity
	numClasses
)

// classes are the weights of the classes. Those above obligation are where marks matter.
var classes = [numClasses]int{anything: 30, guarantee: 5, safety: 8, obligation: 10, persistence: 14, recurrence: 14, reactivity: 19}

const boolean = ltl.OpSet(1<<ltl.OpNot | 1<<ltl.OpAnd | 1<<ltl.OpOr | 1<<ltl.OpImplies)

// operators of each class whose operands are of the same class; operands that are negated are of
// the dual class.
var inside = [numClasses]ltl.OpSet{
	anything:    boolean | temporal | ltl.Ops(ltl.OpEquiv, ltl.OpXor, ltl.OpNext),
	guarantee:   boolean | ltl.Ops(ltl.OpNext, ltl.OpFinally, ltl.OpUntil, ltl.OpStrongRelease),
	safety:      boolean | ltl.Ops(ltl.OpNext, ltl.OpGlobally, ltl.OpRelease, ltl.OpWeakUntil),
	obligation:  boolean | ltl.Ops(ltl.OpEquiv, ltl.OpXor, ltl.OpNext),
	persistence: boolean | ltl.Ops(ltl.OpNext, ltl.OpFinally, ltl.OpUntil, ltl.OpStrongRelease),
	recurrence:  boolean | ltl.Ops(ltl.OpNext, ltl.OpGlobally, ltl.OpRelease, ltl.OpWeakUntil),
	reactivity:  boolean | ltl.Ops(ltl.OpEquiv, ltl.OpXor, ltl.OpNext),
}

// below are the classes that a subformula of a class may be of instead.
var below = [numClasses][]class{
	obligation:  {guarantee, safety},
	persistence: {safety, guarantee, safety},
	recurrence:  {guarantee, safety, guarantee},
	reactivity:  {persistence, recurrence},
}

// dual is the class of the negations.
var dual = [numClasses]class{anything: anything, guarantee: safety, safety: guarantee, obligation: obligation, persistence: recurrence,
	recurrence: persistence, reactivity: reactivity}

// Operators whose operands a class may have of a lower class only, so that it needs them: G over
// guarantee is recurrence.
var core = [numClasses]struct {
	op ltl.Op
	of class
}{
	persistence: {ltl.OpFinally, safety},
	recurrence:  {ltl.OpGlobally, guarantee},
}

// A drawing is the making of one formula.
type drawing struct {
	style
	r     *rand.Rand
	s     *ltl.Store
	drawn []*ltl.Formula // subformulas that may be shared
}

// tree returns a formula of some class, of about n nodes.
func (d *drawing) tree(c class, n int) *ltl.Formula {
	if n <= 2 {
		return d.literal()
	}
	if len(d.drawn) > 0 && d.chance(d.shared) {
		if f := d.drawn[d.r.IntN(len(d.drawn))]; f.Size() <= n {
			return f
		}
	}
	f := d.compound(c, n)
	if c == anything || c == d.class {
		d.drawn = append(d.drawn, f)
	}
	return f
}

// compound is tree for at least three nodes that are not shared.
func (d *drawing) compound(c class, n int) *ltl.Formula {
	if d.chance(d.blocks) {
		if f := d.block(c, n); f != nil {
			return f
		}
	}
	if x := core[c]; x.op != 0 && d.chance(35) {
		return d.unary(x.op, d.tree(x.of, n-1))
	}
	down := 25 // percent
	if c == obligation || c == reactivity {
		down = 50 // they consist of combinations of lower classes
	}
	if list := below[c]; len(list) > 0 && d.chance(down) {
		return d.tree(list[d.r.IntN(len(list))], n)
	}
	op, ok := d.operator(inside[c])
	if !ok {
		return d.literal()
	}
	if op.Arity() == 1 {
		of := c
		if op == ltl.OpNot {
			of = dual[c]
		}
		return d.unary(op, d.tree(of, n-1))
	}
	left := c
	if op == ltl.OpImplies {
		left = dual[c]
	}
	k := 1 + d.r.IntN(n-2)
	f, g := d.tree(left, k), d.tree(c, n-1-k)
	for range 3 { // f op f says little
		if f != g {
			break
		}
		g = d.tree(c, n-1-k)
	}
	return d.s.Binary(op, f, g)
}

// unary is d.s.Unary, but for !!f, FFf and GGf.
func (d *drawing) unary(op ltl.Op, f *ltl.Formula) *ltl.Formula {
	switch {
	case op != f.Op() || op == ltl.OpNext:
		return d.s.Unary(op, f)
	case op == ltl.OpNot:
		return f.Left()
	}
	return f
}

// operator draws one of a set by the weights of the style. It is false if the style has none.
func (d *drawing) operator(of ltl.OpSet) (ltl.Op, bool) {
	sum := 0
	weights := d.weights // a copy of the array
	for op := range weights {
		if !of.Has(ltl.Op(op)) {
			weights[op] = 0
		}
		sum += weights[op]
	}
	if sum == 0 {
		return 0, false
	}
	return ltl.Op(pick(d.r, weights[:])), true
}

// literal returns a proposition, its negation, or rarely a constant.
func (d *drawing) literal() *ltl.Formula {
	if d.chance(d.constants) {
		if d.chance(50) {
			return d.s.True()
		}
		return d.s.False()
	}
	f := d.s.Prop("p" + strconv.Itoa(d.r.IntN(d.props)))
	if d.chance(d.negated) {
		return d.s.Not(f)
	}
	return f
}

// state returns a Boolean formula of about n nodes, mostly small.
func (d *drawing) state(n int) *ltl.Formula {
	if n < 3 || d.chance(50) {
		return d.literal()
	}
	k := 1 + d.r.IntN(n-2)
	f, g := d.state(k), d.state(n-1-k)
	switch {
	case f == g:
		return f
	case d.chance(50):
		return d.s.And(f, g)
	}
	return d.s.Or(f, g)
}

func (d *drawing) chance(percent int) bool { return d.r.IntN(100) < percent }

// A style is what the formulas of a batch have in common.
type style struct {
	props   int
	weights [ltl.OpTriggered + 1]int
	class   class
	// Chances in percent: of a block where one fits, of a subformula that was there before, of a
	// negation before a proposition, and of a constant instead of one.
	blocks, shared, negated, constants int
}

// favored is the weight of operators that a style favors.
const favored = 4

// operators are those that a style has or leaves out.
var operators = []ltl.Op{ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor, ltl.OpNext, ltl.OpFinally, ltl.OpGlobally,
	ltl.OpUntil, ltl.OpRelease, ltl.OpWeakUntil, ltl.OpStrongRelease}

// common are the weights of operators that are neither left out nor favored.
var common = map[ltl.Op]int{ltl.OpNot: 1, ltl.OpAnd: 4, ltl.OpOr: 4, ltl.OpImplies: 1, ltl.OpEquiv: 1, ltl.OpXor: 1, ltl.OpNext: 2,
	ltl.OpFinally: 2, ltl.OpGlobally: 2, ltl.OpUntil: 3, ltl.OpRelease: 3, ltl.OpWeakUntil: 2, ltl.OpStrongRelease: 2}

// temporal are operators. Each style has at least two of them.
const temporal = ltl.OpSet(1<<ltl.OpFinally | 1<<ltl.OpGlobally | 1<<ltl.OpUntil | 1<<ltl.OpRelease | 1<<ltl.OpWeakUntil | 1<<ltl.OpStrongRelease)

func newStyle(r *rand.Rand) style {
	s := style{props: pick(r, propositions[:]) + 1, class: class(pick(r, classes[:]))}
	for have := 0; have < 2; { // until two temporal operators are left
		have = 0
		for _, op := range operators {
			w := common[op]
			switch r.IntN(8) {
			case 0:
				w = 0
			case 1, 2:
				w *= favored
			}
			s.weights[op] = w
			if w > 0 && temporal.Has(op) {
				have++
			}
		}
	}
	s.negated = 10 + r.IntN(40)
	s.blocks = []int{0, 10, 30}[r.IntN(3)]
	s.shared = []int{0, 0, 10, 25}[r.IntN(4)]
	if r.IntN(12) == 0 {
		s.constants = 40
	}
	return s
}

// propositions are the weights of 1 to 10 of them.
var propositions = [10]int{3, 10, 18, 22, 14, 6, 3, 2, 1, 1}

// pick draws an index by weight.
func pick(r *rand.Rand, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	x := r.IntN(sum)
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	panic("random: weights do not add up")
}
