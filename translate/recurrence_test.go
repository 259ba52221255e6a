package translate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// around returns formulas that have r, and other formulas, as subformulas.
func around(s *ltl.Store, r, other, f *ltl.Formula) []*ltl.Formula {
	both := s.And(r, other)
	return []*ltl.Formula{r, s.And(r, f), s.Or(r, f), s.Until(f, r), s.Until(r, f), s.Globally(s.Or(f, r)), s.WeakUntil(s.Next(r), f), s.Next(s.And(s.Finally(f), r)),
		s.And(s.Until(f, s.Next(f)), r), both, s.Or(f, both), s.Globally(s.Or(f, both)), s.And(s.Finally(f), both)}
}

// forced has a recurrence for each subformula that can have one, also if it is not smaller.
func forced(t *testing.T, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula) map[*ltl.Formula]*recurrence {
	t.Helper()
	found := make(map[*ltl.Formula]*recurrence)
	for _, g := range f.Subformulas() {
		if list := goals(g, make(map[*ltl.Formula]property)); list != nil {
			a, err := oneByOne(t.Context(), s, alphabet, list)
			if err := unlessLimit(err); err != nil {
				t.Fatal(err)
			}
			if a != nil {
				found[g] = &recurrence{automaton: a}
			}
		}
	}
	return found
}

// TestRecurrences translates random formulas that have a subformula GF g, where g is a guarantee,
// with recurrences, also where they are not smaller, and without. The automata agree with each
// other (product checks) and with the truth of the formulas on short words. What With returns
// is no larger than what is made without recurrences, unless that has many more states before it is
// reduced.
func TestRecurrences(t *testing.T) {
	n, seed := campaign.Seeded(t, 150, 3)
	t.Logf("seed %d", seed)
	s := ltl.NewStore()
	alphabet := omega.NewAlphabet("a", "b")
	words := slices.Collect(campaign.Sample(slices.Values(allWords(alphabet, 3)), 3))
	r := rand.New(rand.NewPCG(seed, 0))
	decider := productcheck.Decider{Limits: productcheck.DefaultLimits}
	weights := must.Get(ltl.ParseWeights("X=5,G=0,R=0,W=0,->=0"))
	draw := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 4, MaxSize: 12, Weights: weights}))
	formulas := randomFormulas(t, s, seed, n, 2, 1, 6)
	used, large, tested, before, after := 0, 0, 0, 0, 0
	last := parse(t, s, "GF(b & Xa)") // another GF g
	for i := 0; tested < n; i++ {
		g := s.Globally(s.Finally(s.NNF(s.Import(must.Get(draw.Next())))))
		if goals(g, make(map[*ltl.Formula]property)) == nil {
			continue
		}
		if g = must.Get(s.Reduce(t.Context(), g, ltl.LevelImplications)); goals(g, make(map[*ltl.Formula]property)) == nil {
			continue
		}
		tested++
		list := around(s, g, last, formulas[r.IntN(len(formulas))])
		for _, f := range []*ltl.Formula{g, list[r.IntN(len(list))]} {
			f = prepareRecurrences(t.Context(), s, s.NNF(f))
			src := must.Get(couvreurOf(t.Context(), s, alphabet, f, forced(t, s, alphabet, f), maxMemory))
			if len(src.due.recurrences) == 0 {
				continue
			}
			used++
			one := must.Get(omega.Explore(t.Context(), src, 0))
			for _, w := range words {
				if got, want := accepts(t, one, w), must.Get(w.Holds(f)); got != want {
					t.Fatalf("formula %d, %s on %s: accepted %t, want %t\n%s", i, f, w, got, want, dump(one))
				}
			}
			all := must.Get(expanded(t.Context(), s, alphabet, f, 0))
			x, y := productcheck.NewLanguage(one), productcheck.NewLanguage(all)
			for _, xy := range [][2]*productcheck.Language{{x, y}, {y, x}} {
				d, err := decider.Decide(t.Context(), xy[0], true, xy[1], false)
				if err != nil || d.Undecided == nil && !d.Empty() {
					t.Fatalf("formula %d, %s: %v, %v", i, f, d, err)
				}
			}
			last = g
			got := translate(t, Default, s, f).NumStates()
			plain := must.Get(s.Reduce(t.Context(), f, ltl.LevelImplications))
			a, err := expanded(t.Context(), s, alphabet, prepare(t.Context(), s, plain), weakSets(got))
			var many *omega.LimitError
			if errors.As(err, &many) {
				large++
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			want := a.NumStates()
			if before, after = before+want, after+got; got > max(1, want) {
				t.Errorf("formula %d, %s: %d states with recurrences, %d without", i, f, got, want)
			}
		}
	}
	t.Logf("%d formulas with recurrences; %d states, %d without; %d of many states without", used, after, before, large)
	if used < tested || after >= before {
		t.Errorf("too few recurrences, or none that help")
	}
}

// TestWithoutWaiting: the formula without waiting has the same automaton, and no more states.
func TestWithoutWaiting(t *testing.T) {
	n, seed := campaign.Seeded(t, 150, 4)
	t.Logf("seed %d", seed)
	s := ltl.NewStore()
	q := parse(t, s, "FG(a | Xb)")
	decider := productcheck.Decider{Limits: productcheck.DefaultLimits}
	alphabet := omega.NewAlphabet("a", "b")
	changed := 0
	for i, f := range randomFormulas(t, s, seed, n, 2, 2, 6) {
		f = s.NNF(s.Next(f))
		for _, g := range []*ltl.Formula{s.Until(q, f), s.Release(q, f), s.Globally(s.Until(q, f)), s.Finally(s.Release(q, f)),
			s.Until(q, s.Globally(s.Until(s.NNF(s.Not(q)), f)))} {
			h := withoutWaiting(s, g)
			if h != g {
				changed++
			}
			x := productcheck.NewLanguage(must.Get(expanded(t.Context(), s, alphabet, g, 0)))
			y := productcheck.NewLanguage(must.Get(expanded(t.Context(), s, alphabet, h, 0)))
			for _, xy := range [][2]*productcheck.Language{{x, y}, {y, x}} {
				d, err := decider.Decide(t.Context(), xy[0], true, xy[1], false)
				if err != nil || d.Undecided == nil && !d.Empty() {
					t.Fatalf("formula %d, %s and %s: %v, %v", i, g, h, d, err)
				}
			}
		}
	}
	if changed < n {
		t.Errorf("%d formulas of %d have changed", changed, 5*n)
	}
}

// TestRecurrenceSizes has formulas whose automata are smaller with recurrences: the states of
// ltl2tgba, but for the second formula, for which it has four.
func TestRecurrenceSizes(t *testing.T) {
	s := ltl.NewStore()
	for text, want := range map[string]int{
		"GF(a <-> XXXa) & GF(b <-> XXXb)":              14,
		"(c U d) & GF(a <-> XXXXa)":                    10,
		"G(c -> F d) & GF(a <-> XXXXa)":                18,
		"GFa1 U G(GFa0 U XXXb)":                        7,
		"!(GFa3 U G(GFa2 U G(GFa1 U G(GFa0 U XXXb))))": 8,
	} {
		if got := translate(t, Default, s, parse(t, s, text)).NumStates(); got != want {
			t.Errorf("%s: %d states, want %d", text, got, want)
		}
	}
	for n, want := range []int{1, 2, 5, 7, 9, 11, 13, 15} {
		later := strings.Repeat("X", n) + "a"
		if got := translate(t, Default, s, parse(t, s, "GF(a <-> "+later+")")).NumStates(); got != want {
			t.Errorf("GF(a <-> %s): %d states, want %d", later, got, want)
		}
	}
}
