package ltl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// included decides by automata whether f implies g.
func included(t testing.TB, s *ltl.Store, f, g *ltl.Formula) bool {
	t.Helper()
	left := must.Get(translate.With(t.Context(), "gastin-oddoux", s, f))
	right := must.Get(translate.With(t.Context(), "gastin-oddoux", s, s.Not(g)))
	alphabet := omega.Union(left.Alphabet(), right.Alphabet())
	r, err := productcheck.Intersect(t.Context(), must.Get(left.Over(context.Background(), alphabet)), must.Get(right.Over(context.Background(), alphabet)), omega.Limits{})
	if err != nil {
		t.Fatalf("%s and not %s: %v", f, g, err)
	}
	return r.Empty()
}

// checkEquivalent compares two formulas on random words, and by automata in both
// directions.
func checkEquivalent(t testing.TB, r *rand.Rand, s *ltl.Store, f, g *ltl.Formula, what string) {
	t.Helper()
	for range 20 {
		if w := randomWord(r); w.holds(f) != w.holds(g) {
			t.Fatalf("%s: %s and %s differ on %v", what, f, g, w)
		}
	}
	if !included(t, s, f, g) {
		t.Fatalf("%s: %s does not imply %s", what, f, g)
	}
	if !included(t, s, g, f) {
		t.Fatalf("%s: %s is not implied by %s", what, f, g)
	}
}

// graph counts the subformulas, and those that are temporal.
func graph(f *ltl.Formula) (all, temporal int) {
	seen := map[*ltl.Formula]bool{}
	var visit func(f *ltl.Formula)
	visit = func(f *ltl.Formula) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		all++
		if f.Op() >= ltl.OpNext {
			temporal++
		}
		visit(f.Left())
		visit(f.Right())
	}
	visit(f)
	return all, temporal
}

// reduce is Store.Reduce without an end.
func reduce(t testing.TB, s *ltl.Store, f *ltl.Formula, level ltl.Level) *ltl.Formula {
	t.Helper()
	return must.Get(s.Reduce(t.Context(), f, level))
}

// TestReduce compares random formulas with what they are reduced to.
func TestReduce(t *testing.T) {
	const seed = 5
	g := generator(t, seed, []string{"a", "b"}, 1, 14)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 1500) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		level := ltl.Level(1 + i%3)
		h := reduce(t, s, f, level)
		if other := reduce(t, ltl.NewStore(), f, level); other.String() != h.String() {
			t.Fatalf("seed %d: %s becomes %s, in another store %s", seed, f, h, other)
		}
		what := fmt.Sprintf("seed %d: formula %d reduced at level %d", seed, i, level)
		checkNNF(t, h)
		checkEquivalent(t, r, s, f, h, what)
		all, temporal := graph(h)
		nnfAll, nnfTemporal := graph(s.NNF(f))
		if all > nnfAll || temporal > nnfTemporal {
			t.Fatalf("%s: %s becomes %s, which is larger", what, f, h)
		}
		if again := reduce(t, s, h, level); again.Size() > h.Size() {
			t.Fatalf("%s: %s becomes %s, and then %s", what, f, h, again)
		}
	}
}

// TestReducePast compares formulas with operators of the past with what they are
// reduced to, at the first position of words and later.
func TestReducePast(t *testing.T) {
	const seed = 9
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 4, MaxSize: 14, Past: true}))
	r := rand.New(rand.NewPCG(seed, 0))
	smaller := 0
	for i := range campaign.Inputs(t, 1500) {
		f := must.Get(g.Next())
		s := ltl.NewStore()
		f = s.Import(f)
		h := reduce(t, s, f, ltl.LevelImplications)
		checkNNF(t, h)
		if h.Size() < s.NNF(s.Simplify(f)).Size() {
			smaller++
		}
		for range 8 {
			w := randomWord(r)
			for _, context := range []func(f *ltl.Formula) *ltl.Formula{
				func(f *ltl.Formula) *ltl.Formula { return f },
				s.Next, s.Finally, s.Globally,
			} {
				if w.holds(context(f)) != w.holds(context(h)) {
					t.Fatalf("seed %d: formula %d: %s becomes %s: they differ on %v, or later", seed, i, f, h, w)
				}
			}
		}
	}
	if smaller == 0 {
		t.Error("none became smaller")
	}
}

// totals are sums over some formulas.
type totals struct {
	size     int // of the trees
	graph    int // distinct subformulas
	temporal int // subformulas with a temporal operator at the top
	states   int // of the automata
	larger   int // formulas with a larger automaton than the original
}

// sumUp reduces formulas at all levels, and logs what that saves.
func sumUp(t *testing.T, name string, list []*ltl.Formula) {
	t.Helper()
	const given = ltl.LevelImplications + 1
	var sums [given + 1]totals
	for _, f := range list {
		var states [given + 1]int
		for level := range given + 1 {
			s := ltl.NewStore()
			g := s.Import(f)
			if level < given {
				g = reduce(t, s, g, level)
			}
			a := must.Get(translate.With(t.Context(), "gastin-oddoux", s, g))
			x := &sums[level]
			all, temporal := graph(g)
			states[level] = a.NumStates()
			x.size += g.Size()
			x.graph += all
			x.temporal += temporal
			x.states += states[level]
		}
		for level, n := range states {
			if n > states[given] {
				sums[level].larger++
			}
		}
	}
	t.Logf("%d formulas %s: %+v", len(list), name, sums[given])
	for level, x := range sums[:given] {
		t.Logf("  level %d: %+v", level, x)
	}
	for level := ltl.LevelIdentities; level < given; level++ {
		if x, y := sums[level], sums[level-1]; x.graph > y.graph || x.temporal > y.temporal || x.states > y.states {
			t.Errorf("%s: level %d gives more than level %d", name, level, level-1)
		}
	}
}

// TestReduceCorpus sums up over one in three formulas of the published pattern sets, or in a campaign
// over all. Each must be equivalent to its reduced formula.
func TestReduceCorpus(t *testing.T) {
	s := ltl.NewStore()
	seen := map[*ltl.Formula]bool{}
	var list []*ltl.Formula
	for rec := range corpus.Records[struct{ Formula string }](t, "recorded.jsonl.gz") {
		if f := parse(t, s, rec.Formula, ltl.Spot); !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	list = slices.Collect(campaign.Sample(slices.Values(list), 3))
	for _, f := range list {
		if g := reduce(t, s, f, ltl.LevelImplications); !included(t, s, f, g) || !included(t, s, g, f) {
			t.Errorf("%s becomes %s", f, g)
		}
	}
	sumUp(t, "of the pattern sets", list)
}

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
