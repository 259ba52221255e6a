package complement_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestSmallest: on random automata, Smallest has the language of Whole, and no more states. The
// languages are compared by product checks, with a complement for each direction: that of the smallest
// one shares no word with the whole one, nor does the automaton with the smallest one.
func TestSmallest(t *testing.T) {
	n, seed := campaign.Seeded(t, 250, 5)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	var before, after, other int
	for i := range n {
		a := structured(r, alphabet)
		if i%2 == 0 {
			a = randomAutomaton(r, alphabet, i%6 == 0)
		}
		algorithm := complement.Algorithm("")
		if i%3 == 0 {
			algorithm = "modular"
		}
		whole, chosen, err := complement.Whole(ctx, algorithm, a, 5000, 0)
		var limit *omega.LimitError
		if errors.As(err, &limit) || errors.Is(err, complement.ErrUnfit) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		small, by, err := complement.Smallest(ctx, algorithm, a, 5000, 0)
		if err != nil {
			t.Fatal(err)
		}
		disjoint(t, i, "smallest complement", a, small)
		disjoint(t, i, "what the smallest complement misses", whole, must.Get(complement.With(ctx, "", small, 0)))
		before, after = before+whole.NumStates(), after+small.NumStates()
		if small.NumStates() > whole.NumStates() {
			t.Errorf("automaton %d: %d states, reduced to %d", i, whole.NumStates(), small.NumStates())
		}
		if by != chosen {
			if other++; algorithm != "" {
				t.Errorf("automaton %d: %s instead of %s", i, by, algorithm)
			}
		}
	}
	t.Logf("%d states, reduced to %d; %d complements by another construction", before, after, other)
	if other == 0 || after >= before*9/10 {
		t.Error("hardly any complement is smaller")
	}
}

// overdue is a context whose deadline is always now, and which is not done.
type overdue struct{ context.Context }

func (overdue) Deadline() (time.Time, bool) { return time.Now(), true }

// TestSmallestLimits: past a limit of the reductions, Smallest returns what Whole does.
func TestSmallestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var a, whole *omega.Automaton
	for whole == nil || whole.NumEdges() < 100 {
		a = randomAutomaton(r, omega.NewAlphabet("a", "b"), false)
		whole, _, _ = complement.Whole(ctx, "modular", a, 5000, 0)
	}
	unreduced := func(what string, ctx context.Context, memory int64) {
		t.Helper()
		co, by, err := complement.Smallest(ctx, "modular", a, 0, memory)
		if err != nil || by != "modular" || co.NumStates() != whole.NumStates() || co.NumEdges() != whole.NumEdges() {
			t.Errorf("%s: not the whole complement, by %s: %v", what, by, err)
		}
	}
	unreduced("no time", overdue{ctx}, 0)
	unreduced("no memory", ctx, 192*int64(whole.NumEdges()))
	if co, _, err := complement.Smallest(ctx, "modular", a, 0, 0); err != nil || co.NumEdges() >= whole.NumEdges() {
		t.Errorf("unlimited: not smaller: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := complement.Smallest(canceled, "", a, 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	var limit *omega.LimitError
	if _, _, err := complement.Smallest(ctx, "modular", a, 1, 0); !errors.As(err, &limit) {
		t.Errorf("one macrostate: %v", err)
	}
}
