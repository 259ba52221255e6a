package omega_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestFrom: an automaton with chosen initial states accepts the words that it accepts from these.
func TestFrom(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	alphabet := omega.NewAlphabet("a")
	both := [2]int{}
	for i := range n {
		a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(1+r.IntN(2)), random.Options{States: 1 + r.IntN(6), Density: 2, Marks: 0.5})
		s, u := omega.State(r.IntN(a.NumStates())), omega.State(r.IntN(a.NumStates()))
		b, err := a.From(s, u)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			w := random.Word(r, alphabet, 3, 3)
			from, err := a.AcceptedFrom(ctx, w)
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Accepts(ctx, w)
			if err != nil {
				t.Fatal(err)
			}
			if want := from[int(s)*w.Size()] || from[int(u)*w.Size()]; got != want {
				t.Fatalf("seed %d, automaton %d: from %d and %d, %s is accepted: %v, want %v", seed, i, s, u, w, got, want)
			}
			both[map[bool]int{false: 0, true: 1}[got]]++
			if concrete := w.Concrete(); b.Certify(ctx, concrete, accepts(t, b, concrete)) != nil {
				t.Fatalf("seed %d, automaton %d: %s is not certified", seed, i, concrete)
			}
		}
	}
	if both[0] < 50 || both[1] < 50 {
		t.Errorf("%d words rejected, %d accepted: the test is one-sided", both[0], both[1])
	}
	a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(1), random.Options{States: 3})
	for _, s := range []omega.State{-1, 3} {
		if _, err := a.From(s); err == nil {
			t.Errorf("state %d of 3: no error", s)
		}
	}
}

func accepts(t *testing.T, a *omega.Automaton, w *omega.Word) bool {
	t.Helper()
	ok, err := a.Accepts(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
