package productcheck_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestDecideByEmptiness: whatever search is asked for, the verdicts are the same,
// words are certified by membership, and a search that does not fit is replaced.
func TestDecideByEmptiness(t *testing.T) {
	pairs, seed := campaign.Seeded(t, 1000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	products := 0
	fitted := map[emptiness.Algorithm]int{}
	for i := range pairs {
		x, y := randomPair(r)
		for _, in := range campaign.Alternate(i, [2]bool{true, true}, [2]bool{true, false}) {
			products++
			decide := func(by emptiness.Algorithm) *productcheck.Decision {
				d := productcheck.Decider{Emptiness: by}
				got, err := d.Decide(ctx, productcheck.NewLanguage(x), in[0], productcheck.NewLanguage(y), in[1])
				if err != nil || got.Undecided != nil {
					t.Fatalf("pair %d, %s: %v, %v", i, by, err, got.Undecided)
				}
				return got
			}
			want := decide("")
			for _, by := range emptiness.Algorithms() {
				got := decide(by)
				if got.Empty() != want.Empty() {
					t.Fatalf("seed %d, pair %d, %v: %s says %v", seed, i, in, by, got.Empty())
				}
				if got.Emptiness == by {
					fitted[by]++
				} else if got.Emptiness != "" || by == emptiness.ByGeneric {
					t.Fatalf("pair %d: decided by %q, not %q", i, got.Emptiness, by)
				}
				if got.Empty() {
					continue
				}
				w := got.Word.Concrete()
				for k, side := range []*omega.Automaton{x, y} {
					if ok, err := side.Accepts(context.Background(), w); err != nil || ok != in[k] {
						t.Fatalf("seed %d, pair %d, %s: word %s: %v, %v", seed, i, by, w, ok, err)
					}
				}
			}
		}
	}
	for _, by := range emptiness.Algorithms() {
		if n := fitted[by]; n < products/20 || n == products && by != emptiness.ByGeneric {
			t.Errorf("%s fitted %d of %d products", by, n, products)
		}
	}
}

// TestIntersectBy fails where the search does not fit.
func TestIntersectBy(t *testing.T) {
	b := omega.NewBuilder(letters, omega.Acceptance{Sets: 1, Condition: omega.Fin(0)})
	b.AddStart(b.AddState())
	b.AddEdge(0, letters.True(), 0, 0)
	a := b.Automaton()
	_, err := productcheck.IntersectBy(context.Background(), emptiness.BySE, a, a, emptiness.Limits{})
	if !errors.Is(err, emptiness.ErrUnfit) {
		t.Errorf("got %v, want that it does not fit", err)
	}
	r, err := productcheck.IntersectBy(context.Background(), emptiness.ByWeak, a, a, emptiness.Limits{})
	if err != nil || r.Empty() {
		t.Errorf("a weak product: %+v, %v", r, err)
	}
}
