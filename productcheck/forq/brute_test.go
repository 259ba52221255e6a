package forq_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

// TestBruteForce: an included automaton has no word up to a size that the other one rejects.
func TestBruteForce(t *testing.T) {
	n, seed := campaign.Seeded(t, 1000, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	words := lassos(alphabet, 6)
	included, last := 0, 0
	for i := range n {
		one := func(density float64) *omega.Automaton {
			return random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 1 + r.IntN(4), Density: density, Marks: 0.4})
		}
		x, y := one(0.3), one(0.7)
		got, err := forq.Check(t.Context(), x, y, forq.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Included() {
			last = max(last, got.Word.Size())
			continue
		}
		included++
		for _, w := range words {
			inX, err := x.Accepts(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			if !inX {
				continue
			}
			if inY, err := y.Accepts(t.Context(), w); err != nil || !inY {
				t.Fatalf("seed %d, pair %d: included, but for %s (%v)", seed, i, w, err)
			}
		}
	}
	t.Logf("seed %d: %d of %d included; words of up to %d letters", seed, included, n, last)
	if included < n/10 || included > n*9/10 {
		t.Error("the pairs are not worth much")
	}
}

// lassos returns all words of one proposition up to a size.
func lassos(alphabet *omega.Alphabet, most int) (list []*omega.Word) {
	a := alphabet.Prop(0)
	for size := 1; size <= most; size++ {
		for bits := range 1 << size {
			var letters []omega.Label
			for i := range size {
				letter := a
				if bits>>i&1 != 0 {
					letter = alphabet.Not(a)
				}
				letters = append(letters, letter)
			}
			for prefix := range size {
				list = append(list, omega.NewWord(alphabet, letters[:prefix], letters[prefix:]))
			}
		}
	}
	return list
}
