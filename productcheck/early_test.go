package productcheck_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestEarly: package forq decides checks of large automata before anything else is made, whichever
// side is complemented. Its answers are those of complements, and its words are certified.
func TestEarly(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 11)
	pairs := newPairSource(t, seed)
	r := pairs.r
	alphabet := omega.NewAlphabet("a", "b", "c", "d")
	one := func(density float64) *omega.Automaton {
		return random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 16, Density: density, Marks: 0.3})
	}
	early, compared, empty := 0, 0, 0
	for i := range n {
		x, y := one(0.6), one(0.6+0.4*r.Float64())
		if i%3 > 0 {
			y = pairs.more(x)
		}
		d := productcheck.Decider{Limits: productcheck.Limits{Macrostates: 20_000}}
		var got *productcheck.Decision
		if i%2 == 0 {
			got = must.Get(d.Decide(t.Context(), productcheck.NewLanguage(x), true, productcheck.NewLanguage(y), false))
		} else {
			got = must.Get(d.Decide(t.Context(), productcheck.NewLanguage(y), false, productcheck.NewLanguage(x), true))
		}
		if got.By == productcheck.ByForq && got.Macrostates == 0 {
			early++
		}
		forced := productcheck.Decider{Limits: d.Limits, Algorithm: "modular"}
		want := must.Get(forced.Decide(t.Context(), productcheck.NewLanguage(x), true, productcheck.NewLanguage(y), false))
		if got.Undecided != nil || want.Undecided != nil {
			continue
		}
		compared++
		if got.Empty() != want.Empty() {
			t.Fatalf("seed %d, pair %d: empty %v by %s, %v by the complement", seed, i, got.Empty(), got.By, want.Empty())
		}
		if got.Empty() {
			empty++
			continue
		}
		w := got.Word.Concrete()
		if err := x.Certify(t.Context(), w, true); err != nil {
			t.Error(err)
		}
		if err := y.Certify(t.Context(), w, false); err != nil {
			t.Error(err)
		}
	}
	t.Logf("seed %d: %d pairs, %d early, %d compared, %d of these included", seed, n, early, compared, empty)
	if early < n/5 || compared < n/2 || empty < n/5 {
		t.Error("the pairs are not worth much")
	}
}

// TestEarlyLimit: the turn ends after a number of steps for each edge, and the others have theirs. It
// is left out where a complement is known.
func TestEarlyLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	hard := random.Automaton(r, letters, omega.Buchi(), random.Options{States: 40, Density: 0.22, Marks: 0.1})
	x, y := universal(), productcheck.NewLanguage(hard)
	d := productcheck.Decider{Limits: productcheck.Limits{Macrostates: 300}}
	if got := must.Get(d.DecideEarly(t.Context(), x, true, y, false)); got != nil {
		t.Errorf("decided by %s", got.By)
	}
	got := must.Get(d.Decide(t.Context(), x, true, y, false))
	if got.Undecided == nil {
		t.Errorf("decided by %s", got.By)
	}
	y.SetDual(x)
	if got := must.Get(d.DecideEarly(t.Context(), x, true, y, false)); got != nil {
		t.Errorf("decided by %s although a complement is known", got.By)
	}
}
