package ltl_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// substitute replaces propositions by formulas, and a negation of one by the
// negation normal form of that.
func substitute(s *ltl.Store, f *ltl.Formula, values map[string]*ltl.Formula) *ltl.Formula {
	switch {
	case f.Op() == ltl.OpProp:
		return values[f.Name()]
	case f.Op() == ltl.OpNot:
		return s.NotForTest(values[f.Left().Name()])
	case f.Op().Arity() == 0:
		return f
	case f.Op().Arity() == 1:
		return s.Unary(f.Op(), substitute(s, f.Left(), values))
	}
	return s.Binary(f.Op(), substitute(s, f.Left(), values), substitute(s, f.Right(), values))
}

// weight is the order that every rule descends in.
func weight(f *ltl.Formula) [3]int {
	w := [3]int{1, 0, 0}
	for _, g := range []*ltl.Formula{f.Left(), f.Right()} {
		if g != nil {
			for i, n := range weight(g) {
				w[i] += n
			}
		}
	}
	switch f.Op() {
	case ltl.OpNot:
		w[0]--
	case ltl.OpNext:
		w[2] += w[0]
	case ltl.OpUntil, ltl.OpRelease, ltl.OpWeakUntil, ltl.OpStrongRelease:
		w[0] += 2
		w[1] += w[0]
	case ltl.OpFinally, ltl.OpGlobally:
		w[1] += w[0]
	}
	return w
}

// A ruleCase is a rule with its sides as formulas of a store.
type ruleCase struct {
	ltl.RuleForTest
	s           *ltl.Store
	left, right *ltl.Formula
	condition   *ltl.Formula // or nil
	names       []string
	what        string // for messages
}

func newRuleCase(t *testing.T, s *ltl.Store, rule ltl.RuleForTest) ruleCase {
	t.Helper()
	left, right, _ := strings.Cut(rule.Equation, " = ")
	c := ruleCase{RuleForTest: rule, s: s, left: parse(t, s, left, ltl.Spot), right: parse(t, s, right, ltl.Spot)}
	c.what = rule.Name + ": " + rule.Equation
	if rule.Condition != "" {
		c.condition = parse(t, s, rule.Condition, ltl.Spot)
		c.what += " if " + rule.Condition
	}
	c.names = c.left.Props()
	return c
}

// instance chooses formulas for the variables that fulfil the condition.
func (c ruleCase) instance(t *testing.T, r *rand.Rand, pool []*ltl.Formula) map[string]*ltl.Formula {
	t.Helper()
	values := map[string]*ltl.Formula{}
	for range 100000 {
		for _, name := range c.names {
			f := pool[r.IntN(len(pool))]
			for !may(name, f) {
				f = pool[r.IntN(len(pool))]
			}
			values[name] = f
		}
		if c.condition == nil || c.s.ImpliesForTest(substitute(c.s, c.condition.Left(), values), substitute(c.s, c.condition.Right(), values)) {
			return values
		}
	}
	t.Fatalf("%s: no operands found for %s", c.Name, c.Condition)
	return nil
}

// may reports whether a variable of this name may stand for f.
func may(name string, f *ltl.Formula) bool {
	switch name[0] {
	case 'e':
		return f.PureEventuality()
	case 'u':
		return f.PureUniversality()
	case 'q':
		return f.PureEventuality() && f.PureUniversality()
	}
	return true
}

// several reports whether a variable stands for a conjunction or disjunction.
// Inside another one, its operands join the outer operands. Then an implication may
// need several of them.
func several(values map[string]*ltl.Formula) bool {
	for _, f := range values {
		if f.Op() == ltl.OpAnd || f.Op() == ltl.OpOr {
			return true
		}
	}
	return false
}

// smallFormulas returns the constants and formulas in negation normal form in
// which there are none.
func smallFormulas(t *testing.T, s *ltl.Store, seed uint64, n int) []*ltl.Formula {
	t.Helper()
	pool := []*ltl.Formula{s.True(), s.False()}
	for _, text := range []string{"a", "!a", "GFa", "FGb", "GFa & GF!b", "G(a -> Fb)", "FG!a | GFb"} {
		pool = append(pool, s.NNF(parse(t, s, text, ltl.Spot)))
	}
	g := generator(t, seed, []string{"a", "b"}, 1, 5)
	for range n {
		f := must.Get(g.Next())
		if f = reduce(t, s, s.Import(f), ltl.LevelIdentities); !slices.Contains(pool, f) {
			pool = append(pool, f)
		}
	}
	return pool
}

// TestRules proves each rule by itself, and that none is there twice.
func TestRules(t *testing.T) {
	const seed = 6
	instances := campaign.Inputs(t, 6)
	r := rand.New(rand.NewPCG(seed, 0))
	s := ltl.NewStore()
	pool := smallFormulas(t, s, seed, 400)
	seen := map[string]bool{}
	for _, rule := range ltl.RulesForTest() {
		c := newRuleCase(t, s, rule)
		if seen[c.what] || seen[c.Name] {
			t.Errorf("%s: there twice", c.what)
		}
		seen[c.what], seen[c.Name] = true, true
		c.prove(t, r, pool, instances)
		c.needed(t, r, pool)
	}
	t.Logf("%d rules", len(seen)/2)
	if n := len(seen) / 2; n < 130 {
		t.Errorf("only %d rules", n)
	}
}

// prove tries instances of the left side. The rule applies, it descends, and both
// sides, as well as the formula before and after, are equal on words and as
// automata. That it applies only where it may is seen by formulas that are merely
// of the same shape.
func (c ruleCase) prove(t *testing.T, r *rand.Rand, pool []*ltl.Formula, instances int) {
	t.Helper()
	s, applied := c.s, 0
	for range instances {
		values := c.instance(t, r, pool[2:]) // no constants
		f, g := substitute(s, c.left, values), substitute(s, c.right, values)
		checkEquivalent(t, r, s, f, g, c.what)
		h := c.Apply(s, f)
		switch {
		case h == nil && !several(values):
			t.Fatalf("%s: does not apply to %s", c.what, f)
		case h == nil:
			continue
		case h != g:
			checkEquivalent(t, r, s, f, h, c.what)
		}
		applied++
		if before, after := weight(f), weight(h); slices.Compare(before[:], after[:]) <= 0 {
			t.Fatalf("%s: %s of weight %v becomes %s of weight %v", c.what, f, before, h, after)
		}
		f = substitute(s, c.left, c.any(r, pool))
		if h := c.Apply(s, f); h != nil {
			checkEquivalent(t, r, s, f, h, c.what)
		}
	}
	if applied < instances*3/4 {
		t.Errorf("%s: applies to %d of %d instances", c.what, applied, instances)
	}
}

// any chooses formulas for the variables whatever the condition.
func (c ruleCase) any(r *rand.Rand, pool []*ltl.Formula) map[string]*ltl.Formula {
	values := map[string]*ltl.Formula{}
	for _, name := range c.names {
		values[name] = pool[r.IntN(len(pool))]
	}
	return values
}

// needed checks that the sides of a rule differ for some formulas if it has a
// condition, or variables that do not stand for any formula. So the condition is
// no weaker than it could be, and a wrong rule would have been found.
func (c ruleCase) needed(t *testing.T, r *rand.Rand, pool []*ltl.Formula) {
	t.Helper()
	if c.condition == nil && !slices.ContainsFunc(c.names, func(name string) bool { return name[0] > 'd' }) {
		return
	}
	for range 5000 {
		values := c.any(r, pool)
		f, g := substitute(c.s, c.left, values), substitute(c.s, c.right, values)
		for range 4 {
			if w := randomWord(r); w.holds(f) != w.holds(g) {
				return
			}
		}
	}
	t.Errorf("%s: needs no condition", c.what)
}

// TestPurity compares what is known of random formulas with the definition: it
// must be so, and where it is so of an operator with operands of known purity
// whatever they are, it must be known. That is tried with a few operands for each
// combination.
func TestPurity(t *testing.T) {
	const seed = 7
	g := generator(t, seed, []string{"a", "b"}, 1, 10)
	s := ltl.NewStore()
	for range campaign.Inputs(t, 2000) {
		f, _ := g.Next()
		f = s.Import(f)
		if f.PureEventuality() && !included(t, s, s.Finally(f), f) {
			t.Fatalf("seed %d: %s is no pure eventuality", seed, f)
		}
		if f.PureUniversality() && !included(t, s, f, s.Globally(f)) {
			t.Fatalf("seed %d: %s is not purely universal", seed, f)
		}
	}
	// Operands that are neither, eventual, universal and both, on disjoint
	// propositions, so that nothing holds by chance.
	left := []string{"a", "Fa", "Ga", "GFa"}
	right := []string{"b", "Fb", "Gb", "GFb"}
	for op := ltl.OpNot; op <= ltl.OpStrongRelease; op++ {
		for _, x := range left {
			for _, y := range right {
				var f *ltl.Formula
				if a, b := parse(t, s, x, ltl.Spot), parse(t, s, y, ltl.Spot); op.Arity() == 2 {
					f = s.Binary(op, a, b)
				} else {
					f = s.Unary(op, a)
				}
				if got, want := f.PureEventuality(), included(t, s, s.Finally(f), f); got != want {
					t.Errorf("%s: eventual %v, want %v", f, got, want)
				}
				if got, want := f.PureUniversality(), included(t, s, f, s.Globally(f)); got != want {
					t.Errorf("%s: universal %v, want %v", f, got, want)
				}
			}
		}
	}
}
