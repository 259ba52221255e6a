package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestImplication decides random implications by automata: what is claimed must
// be so. As the rules are closed under duality, f => g is claimed exactly if the
// negations' implication is. It logs how much of what is so is claimed.
func TestImplication(t *testing.T) {
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	s := ltl.NewStore()
	pool := smallFormulas(t, s, seed, 1000)[2:]
	claimed, so := 0, 0
	for range campaign.Inputs(t, 1000) {
		f, g := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
		switch r.IntN(4) { // more that are so
		case 0:
			g = s.Or(g, pool[r.IntN(len(pool))])
		case 1:
			f = s.And(f, pool[r.IntN(len(pool))])
		}
		if f == g {
			continue
		}
		known := s.ImpliesForTest(f, g)
		switch is := included(t, s, f, g); {
		case known && !is:
			t.Fatalf("seed %d: %s => %s is claimed", seed, f, g)
		case known:
			claimed++
			so++
		case is:
			so++
		}
		if s.ImpliesForTest(s.NotForTest(g), s.NotForTest(f)) != known {
			t.Fatalf("seed %d: %s => %s is claimed, or the implication of the negations, but not both", seed, f, g)
		}
		if not := s.NotForTest(f); !included(t, s, not, s.Not(f)) || !included(t, s, s.Not(f), not) {
			t.Fatalf("seed %d: the negation of %s is %s", seed, f, not)
		}
	}
	t.Logf("%d of %d implications between different formulas are known", claimed, so)
	if claimed < so/2 {
		t.Errorf("that are few")
	}
}

// TestImplicationRules has one instance of each rule, which all others miss.
func TestImplicationRules(t *testing.T) {
	s := ltl.NewStore()
	for _, c := range []struct{ left, right string }{
		{"a", "1"}, {"0", "a"},
		{"a & c | b & c", "c"},
		{"a & b & c", "a & c"},
		{"a", "a | b"},
		{"X(a & b)", "Xa"},
		{"XFa", "Fa"}, {"Ga", "XGa"}, {"XGFa", "GFa"}, {"GFa", "XXGFa"},
		{"a U b", "a | b"}, {"a W b", "a | b"}, {"a R b", "b"}, {"a M b", "b"}, {"Ga", "a"},
		{"b", "a U b"}, {"b", "a W b"}, {"a & b", "a R b"}, {"a & b", "a M b"}, {"a", "Fa"},
		{"a U b", "Fb"}, {"a M b", "F(a & b)"}, {"a U Gb", "FGb"},
		{"Ga", "G(a | b)"}, {"Ga", "a W b"}, {"Ga", "b R a"}, {"Ga & Gb", "G(a & b)"},
		{"a U b", "a W b"}, {"a M b", "a R b"}, {"a U b", "(a | c) U (b | d)"}, {"a U (b & c)", "c M (a | c)"},
		{"a M b", "b U a"}, {"a R b", "b W a"}, {"a U (b U c)", "(a | b) U c"}, {"FGa", "GFa"},
		{"a & X(a U b)", "a U b"}, {"a & X(b R a)", "b R a"}, {"a & XGa", "Ga"},
		{"a R b", "b & (a | X(a R b))"}, {"Fa", "a | XFa"}, {"a W b", "b | X(a W b)"},
		{"X!a R !b", "X(!b W !a)"}, {"X(a M b)", "Xb U a"},
		{"a M b", "Xb U a"}, {"a W Gb", "(a | c) W b"}, {"Ga & Gb", "(a & b) R b"}, {"G(a | b)", "a W b"}, {"a M (b | c)", "b U (a | c)"},
	} {
		f, g := parse(t, s, c.left, ltl.Spot), parse(t, s, c.right, ltl.Spot)
		if !s.ImpliesForTest(f, g) {
			t.Errorf("%s => %s is not known", f, g)
		}
		if !included(t, s, f, g) {
			t.Errorf("%s => %s is not so", f, g)
		}
	}
}
