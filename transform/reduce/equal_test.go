package reduce_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// TestEqualLanguage decides whether reducing keeps the language: by determinizing
// automata that are not reduced, and product checks.
func TestEqualLanguage(t *testing.T) {
	const seed = 10
	ctx := context.Background()
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	n, undecided := campaign.Inputs(t, 400), 0
	for i := range n {
		a := reduce.Overlapping(r, alphabet, omega.Buchi(), 1+r.IntN(6))
		reduced, err := reduce.Reduce(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		if reduced, err = complement.Buchi(ctx, reduced, 0); err != nil {
			t.Fatal(err)
		}
		shrunk, err := reduce.Backward(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		if shrunk, err = complement.Buchi(ctx, shrunk, 0); err != nil {
			t.Fatal(err)
		}
		for _, b := range []*omega.Automaton{reduce.Delayed(a), reduce.BackwardOnly(a), reduced, shrunk} {
			for _, pair := range [][2]*omega.Automaton{{a, b}, {b, a}} {
				rest, err := complement.Other(ctx, "determinization", pair[1], 3000)
				if err != nil {
					t.Fatal(err)
				}
				got, err := productcheck.Intersect(ctx, pair[0], rest, emptiness.Limits{})
				if _, ok := err.(*omega.LimitError); ok {
					undecided++
				} else if err != nil || !got.Empty() {
					t.Fatalf("seed %d, automaton %d: the languages before and after differ: %v (%v)", seed, i, got, err)
				}
			}
		}
	}
	if undecided > n/7 {
		t.Errorf("%d of %d inclusions were not decided", undecided, 8*n)
	}
}
