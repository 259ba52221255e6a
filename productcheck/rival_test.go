package productcheck_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestForq: package forq decides checks for which complements take long, whichever side is
// complemented. Its words are certified.
func TestForq(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	one := func(states int, edges float64) *omega.Automaton {
		return random.Automaton(r, letters, omega.Buchi(), random.Options{States: states, Density: 4 * edges / float64(states), Marks: 0.2})
	}
	decided := 0
	for i := range 12 {
		x, y := one(5, 0.8), one(20, 1.3)
		d := productcheck.Decider{Limits: productcheck.Limits{Macrostates: 100_000}}
		left, right := productcheck.NewLanguage(x), productcheck.NewLanguage(y)
		got := must.Get(d.Decide(t.Context(), left, true, right, false))
		if i%2 == 0 {
			got = must.Get(d.Decide(t.Context(), productcheck.NewLanguage(y), false, left, true))
		}
		if got.By != productcheck.ByForq {
			continue
		}
		decided++
		if got.Empty() {
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
	t.Logf("seed %d: %d decided", seed, decided)
	if decided < 3 {
		t.Error("forq decides too few checks")
	}
}
