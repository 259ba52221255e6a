package ltl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// included decides by automata whether f implies g.
func included(t testing.TB, s *ltl.Store, f, g *ltl.Formula) bool {
	t.Helper()
	left, err := translate.With(t.Context(), "gastin-oddoux", s, f)
	if err != nil {
		t.Fatal(err)
	}
	right, err := translate.With(t.Context(), "gastin-oddoux", s, s.Not(g))
	if err != nil {
		t.Fatal(err)
	}
	alphabet := omega.Union(left.Alphabet(), right.Alphabet())
	r, err := productcheck.Intersect(t.Context(), must.Get(left.Over(context.Background(), alphabet)), must.Get(right.Over(context.Background(), alphabet)), emptiness.Limits{})
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
	g, err := s.Reduce(t.Context(), f, level)
	if err != nil {
		t.Fatal(err)
	}
	return g
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

// TestReduceDeep reduces formulas that are deep, with little stack.
func TestReduceDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(2 << 20))
	const depth = 2500
	for _, op := range []ltl.Op{ltl.OpNext, ltl.OpUntil} {
		s := ltl.NewStore()
		deep := func(prop string) *ltl.Formula {
			f := s.Prop(prop)
			for i := range depth {
				if op == ltl.OpNext {
					f = s.Next(f)
				} else {
					f = s.Binary(op, s.Prop(fmt.Sprint("p", i)), f)
				}
			}
			return f
		}
		a, b := deep("a"), deep("b")
		for _, f := range []*ltl.Formula{s.And(a, b), s.Implies(a, a)} {
			g := reduce(t, s, f, ltl.LevelImplications)
			if g.Size() > s.NNF(f).Size() {
				t.Errorf("%s: size %d becomes %d", op, f.Size(), g.Size())
			}
		}
	}
}

// TestReducePast compares formulas with operators of the past with what they are
// reduced to, at the first position of words and later.
func TestReducePast(t *testing.T) {
	const seed = 9
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 4, MaxSize: 14, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	smaller := 0
	for i := range campaign.Inputs(t, 1500) {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
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

// BenchmarkReduce shows the growth with the size of the formula.
func BenchmarkReduce(b *testing.B) {
	s := ltl.NewStore()
	props := make([]string, 8)
	for i := range props {
		props[i] = fmt.Sprintf("p%d", i)
	}
	// Each shape has formulas of about n nodes.
	shapes := []struct {
		name string
		make func(n int) *ltl.Formula
	}{
		{"random", func(n int) *ltl.Formula {
			f, err := generator(b, 1, props, n, n).Next()
			if err != nil {
				b.Fatal(err)
			}
			return f
		}},
		{"GF and GF", func(n int) *ltl.Formula {
			f := s.True()
			for i := range n / 4 {
				f = s.And(f, s.Globally(s.Finally(s.Prop(fmt.Sprintf("p%d", i)))))
			}
			return f
		}},
		{"U or U", func(n int) *ltl.Formula {
			f := s.False()
			for i := range n / 4 {
				f = s.Or(f, s.Until(s.Prop(fmt.Sprintf("p%d", i)), s.Prop(fmt.Sprintf("q%d", i))))
			}
			return f
		}},
		{"U in U, left", func(n int) *ltl.Formula {
			f := s.Prop("p")
			for i := range n / 2 {
				f = s.Until(f, s.Prop(fmt.Sprintf("p%d", i)))
			}
			return f
		}},
		{"U in U, right", func(n int) *ltl.Formula {
			f := s.Prop("p")
			for i := range n / 2 {
				f = s.Until(s.Prop(fmt.Sprintf("p%d", i)), f)
			}
			return f
		}},
		{"equivalences", func(n int) *ltl.Formula {
			f := s.Prop("p")
			for i := range n / 3 {
				f = s.Equiv(f, s.Finally(s.Prop(fmt.Sprintf("p%d", i))))
			}
			return f
		}},
	}
	for _, shape := range shapes {
		for _, n := range []int{100, 1000, 10000} {
			f := shape.make(n)
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				for b.Loop() {
					s := ltl.NewStore()
					reduce(b, s, s.Import(f), ltl.LevelImplications)
				}
			})
		}
	}
}
