package forq_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

var letters = omega.NewAlphabet("a", "b")

// pair returns two random automata of up to six states, half of them with Büchi acceptance.
func pair(r *rand.Rand) (x, y *omega.Automaton) {
	one := func(edges float64) *omega.Automaton {
		n := 1 + r.IntN(6)
		sets := 1 + r.IntN(3)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)}
		if r.IntN(2) == 0 {
			acceptance = omega.Buchi()
		}
		return random.Automaton(r, letters, acceptance, random.Options{States: n, Density: edges * r.Float64() / float64(n), Marks: 0.1 + 0.5*r.Float64()})
	}
	return one(1 + 2*r.Float64()), one(2 + 4*r.Float64())
}

// TestCheck compares the check with the product with a complement, and certifies the words.
func TestCheck(t *testing.T) {
	n, seed := campaign.Seeded(t, 5000, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	included, words := 0, 0
	for i := range n {
		x, y := pair(r)
		got, err := forq.Check(t.Context(), x, y, forq.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		d := productcheck.Decider{Algorithm: "modular"}
		want, err := d.Decide(t.Context(), productcheck.NewLanguage(x), true, productcheck.NewLanguage(y), false)
		if err != nil || want.Undecided != nil {
			t.Fatal(err, want.Undecided)
		}
		if got.Included() != want.Empty() {
			t.Fatalf("seed %d, pair %d: included %v, want %v", seed, i, got.Included(), want.Empty())
		}
		if got.Included() {
			if x.NumStates() > 1 {
				included++
			}
			continue
		}
		words++
		w := got.Word.Concrete()
		if err := x.Certify(t.Context(), w, true); err != nil {
			t.Fatalf("seed %d, pair %d: %v", seed, i, err)
		}
		if err := y.Certify(t.Context(), w, false); err != nil {
			t.Fatalf("seed %d, pair %d: %v", seed, i, err)
		}
	}
	t.Logf("seed %d: %d pairs, %d included, %d words", seed, n, included, words)
	if included < n/10 || words < n/5 {
		t.Error("the pairs are not worth much")
	}
}
