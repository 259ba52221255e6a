package productcheck_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A pairSource makes pairs of automata of which the first is often included in the second.
type pairSource struct {
	t        *testing.T
	r        *rand.Rand
	store    *ltl.Store
	formulas *ltl.Generator
}

func newPairSource(t *testing.T, seed uint64) *pairSource {
	o := ltl.RandomOptions{Seed: seed, Props: letters.Props(), MinSize: 3, MaxSize: 12, KeepDuplicates: true}
	return &pairSource{t, rand.New(rand.NewPCG(seed, 1)), ltl.NewStore(), must.Get(ltl.NewGenerator(o))}
}

// next returns two automata: by turns of any kind; one and the same with more edges and marks; or
// of formulas of which the first implies the second, by two translators.
func (s *pairSource) next(i int) (x, y *omega.Automaton) {
	switch i % 4 {
	case 0:
		return randomPair(s.r)
	case 1:
		x, _ = randomPair(s.r)
		return x, s.more(x)
	}
	f := s.store.Import(must.Get(s.formulas.Next()))
	g := f
	if i%8 == 3 {
		g = s.store.Or(f, s.store.Import(must.Get(s.formulas.Next())))
	}
	names := []string{"gpvw", "gastin-oddoux", "couvreur"}
	return s.translated(names[s.r.IntN(3)], f), s.translated(names[s.r.IntN(3)], g)
}

func (s *pairSource) translated(by string, f *ltl.Formula) *omega.Automaton {
	a := must.Get(translate.With(s.t.Context(), by, s.store, f))
	return must.Get(a.Over(s.t.Context(), letters))
}

// more returns an automaton with another edge, and with a mark more on some edges.
func (s *pairSource) more(a *omega.Automaton) *omega.Automaton {
	b := omega.NewBuilderLike(a)
	b.AddStates(a.NumStates())
	for _, q := range a.Initial() {
		b.AddStart(q)
	}
	for p := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(p) {
			if s.r.IntN(4) == 0 {
				e.Marks = b.Marks().Union(e.Marks, b.Marks().Of(s.r.IntN(b.Marks().Sets())))
			}
			b.AddEdge(p, e.Label, e.Marks, e.Dst)
		}
	}
	n := a.NumStates()
	b.AddEdge(omega.State(s.r.IntN(n)), a.Alphabet().True(), 0, omega.State(s.r.IntN(n)))
	return b.Automaton()
}

// TestProofs: what one of the proofs finds to be included is, by a complement. The early turn of
// package forq has the same answers. Each proof is worth something, and so are all together.
func TestProofs(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 17)
	t.Logf("seed %d", seed)
	pairs := newPairSource(t, seed)
	found := map[productcheck.Step]int{}
	inclusions, proved, early := 0, 0, 0
	for i := range n {
		x, y := pairs.next(i)
		by := must.Get(productcheck.Proofs(t.Context(), productcheck.NewLanguage(x), productcheck.NewLanguage(y)))
		for _, step := range by {
			found[step]++
		}
		forced := productcheck.Decider{Algorithm: "determinization"}
		want, err := forced.Decide(t.Context(), productcheck.NewLanguage(x), true, productcheck.NewLanguage(y), false)
		if err != nil || want.Undecided != nil {
			t.Fatalf("pair %d: %v, %v", i, err, want.Undecided)
		}
		free := productcheck.Decider{}
		got, err := free.Decide(t.Context(), productcheck.NewLanguage(x), true, productcheck.NewLanguage(y), false)
		if err != nil || got.Undecided != nil {
			t.Fatalf("pair %d: %v, %v", i, err, got.Undecided)
		}
		if got.Empty() != want.Empty() || got.By == "" || len(by) > 0 && !want.Empty() {
			t.Fatalf("pair %d: empty %v by %s, found by %v; by the complement %v", i, got.Empty(), got.By, by, want.Empty())
		}
		first := must.Get(free.DecideEarly(t.Context(), productcheck.NewLanguage(x), true, productcheck.NewLanguage(y), false))
		if first != nil {
			early++
			if first.Empty() != want.Empty() {
				t.Fatalf("pair %d: empty %v early, by the complement %v", i, first.Empty(), want.Empty())
			}
		}
		if want.Empty() {
			inclusions++
			if len(by) > 0 {
				proved++
			}
		}
	}
	t.Logf("%d pairs, %d early, %d included, %d proved: %v", n, early, inclusions, proved, found)
	for _, step := range []productcheck.Step{productcheck.ByIdentity, productcheck.ByDirect, productcheck.ByFair, productcheck.ByLookahead} {
		if found[step] < n/200 {
			t.Errorf("%s: %d pairs", step, found[step])
		}
	}
	if proved < inclusions*3/4 {
		t.Errorf("%d of %d inclusions are proved", proved, inclusions)
	}
	if early < n*9/10 {
		t.Errorf("%d of %d pairs are decided early", early, n)
	}
}

// TestKept: a complement that an earlier check has explored decides the same check again.
func TestKept(t *testing.T) {
	a := random.Automaton(rand.New(rand.NewPCG(3, 1)), letters, omega.Buchi(), random.Options{States: 6, Density: 0.4, Marks: 0.2})
	x, y := universal(), productcheck.NewLanguage(a)
	d := productcheck.Decider{}
	for _, kept := range []bool{false, true} {
		got := must.Get(d.Decide(t.Context(), x, true, y, false))
		if (got.By == productcheck.ByKept) != kept || !kept && got.Macrostates == 0 {
			t.Errorf("decided by %s with %d macrostates", got.By, got.Macrostates)
		}
	}
}
