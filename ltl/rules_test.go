package ltl_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

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

// instance chooses formulas for the variables of a rule that fulfil its condition.
func instance(t *testing.T, s *ltl.Store, rule ltl.RuleForTest, r *rand.Rand, pool []*ltl.Formula) map[string]*ltl.Formula {
	t.Helper()
	names := parse(t, s, strings.Replace(rule.Equation, "=", "<->", 1), ltl.Spot).Props()
	for range 100000 {
		values := map[string]*ltl.Formula{}
		for _, name := range names {
			values[name] = pool[r.IntN(len(pool))]
		}
		if fulfils(t, s, rule, values) {
			return values
		}
	}
	t.Fatalf("%s: no operands found for %s", rule.Name, rule.Condition)
	return nil
}

// fulfils reports whether the variables may stand for these formulas.
func fulfils(t *testing.T, s *ltl.Store, rule ltl.RuleForTest, values map[string]*ltl.Formula) bool {
	t.Helper()
	for name, f := range values {
		switch {
		case name[0] == 'e' && !f.PureEventuality(), name[0] == 'u' && !f.PureUniversality(), name[0] == 'q' && !f.Suspendable():
			return false
		}
	}
	if rule.Condition == "" {
		return true
	}
	condition := parse(t, s, rule.Condition, ltl.Spot)
	return s.ImpliesForTest(substitute(s, condition.Left(), values), substitute(s, condition.Right(), values))
}

// comb returns the number of operands of a conjunction or disjunction.
func comb(f *ltl.Formula) int {
	n := 1
	for g := f; (g.Op() == ltl.OpAnd || g.Op() == ltl.OpOr) && g.Op() == f.Op(); g = g.Left() {
		n++
	}
	return n
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
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		if f = s.Reduce(s.Import(f), ltl.LevelIdentities); !slices.Contains(pool, f) {
			pool = append(pool, f)
		}
	}
	return pool
}

// TestRules proves each rule by itself: it applies to instances of its left side,
// and both sides, as well as the formula before and after, are equal on words and
// as automata. That it applies only where it may is seen by formulas that are
// merely of the same shape. Each step must descend.
func TestRules(t *testing.T) {
	const seed = 6
	instances := campaign(t, 25)
	r := rand.New(rand.NewPCG(seed, 0))
	s := ltl.NewStore()
	pool := smallFormulas(t, s, seed, 400)
	any := pool[2:] // no constants
	seen := map[string]bool{}
	for _, rule := range ltl.RulesForTest() {
		what := rule.Name + ": " + rule.Equation
		if rule.Condition != "" {
			what += " if " + rule.Condition
		}
		if seen[what] || seen[rule.Name] {
			t.Errorf("%s: there twice", what)
		}
		seen[what], seen[rule.Name] = true, true
		sides := strings.Split(rule.Equation, " = ")
		left, right := parse(t, s, sides[0], ltl.Spot), parse(t, s, sides[1], ltl.Spot)
		applied := 0
		for range instances {
			values := instance(t, s, rule, r, any)
			f, g := substitute(s, left, values), substitute(s, right, values)
			checkEquivalent(t, r, s, f, g, what)
			h := rule.Apply(s, f)
			if h == nil && comb(f) <= 2 {
				t.Fatalf("%s: does not apply to %s", what, f)
			}
			if h == nil { // what implies what is spread over several operands
				continue
			}
			applied++
			if h != g {
				checkEquivalent(t, r, s, f, h, what)
			}
			if before, after := weight(f), weight(h); slices.Compare(before[:], after[:]) <= 0 {
				t.Fatalf("%s: %s of weight %v becomes %s of weight %v", what, f, before, h, after)
			}
			// Formulas that may violate the condition.
			for name := range values {
				values[name] = pool[r.IntN(len(pool))]
			}
			f = substitute(s, left, values)
			if h := rule.Apply(s, f); h != nil {
				checkEquivalent(t, r, s, f, h, what)
			}
		}
		if applied < instances*3/4 {
			t.Errorf("%s: applies to %d of %d instances", what, applied, instances)
		}
	}
	t.Logf("%d rules", len(seen)/2)
	if n := len(seen) / 2; n < 100 {
		t.Errorf("only %d rules", n)
	}
}

// TestPurity compares what is known of random formulas with the definition.
func TestPurity(t *testing.T) {
	const seed = 7
	g := generator(t, seed, []string{"a", "b"}, 1, 10)
	counts := map[[2]bool]int{}
	for range campaign(t, 2000) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		if f.PureEventuality() && !included(t, s, s.Finally(f), f) {
			t.Fatalf("seed %d: %s is no pure eventuality", seed, f)
		}
		if f.PureUniversality() && !included(t, s, f, s.Globally(f)) {
			t.Fatalf("seed %d: %s is not purely universal", seed, f)
		}
		if f.Suspendable() != (f.PureEventuality() && f.PureUniversality()) {
			t.Fatalf("%s: suspendable is %v", f, f.Suspendable())
		}
		counts[[2]bool{f.PureEventuality(), f.PureUniversality()}]++
	}
	for _, kind := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		if counts[kind] == 0 {
			t.Errorf("no formula with (eventual, universal) = %v", kind)
		}
	}
}
