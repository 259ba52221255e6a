package forq_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

// hard returns an automaton that has many relations.
func hard() *omega.Automaton {
	r := rand.New(rand.NewPCG(1, 0))
	return random.Automaton(r, letters, omega.Buchi(), random.Options{States: 40, Density: 0.22, Marks: 0.1})
}

// universal returns an automaton that accepts all words.
func universal() *omega.Automaton {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, letters.True(), b.Marks().Of(0), 0)
	return b.Automaton()
}

// TestLimits: a check obeys its limits and the context, and stops soon.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits forq.Limits
		within func(ctx context.Context) (context.Context, context.CancelFunc)
		want   string
	}{
		{"steps", forq.Limits{Steps: 5000}, context.WithCancel, "limit of 5000 steps"},
		{"memory", forq.Limits{Memory: 1 << 20}, context.WithCancel, "memory limit of 1 MiB"},
		{"memory of the context", forq.Limits{}, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return budget.WithMemory(ctx, 2<<20), func() {}
		}, "memory limit of 2 MiB"},
		{"time", forq.Limits{}, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 50*time.Millisecond)
		}, "context deadline exceeded"},
	} {
		ctx, cancel := c.within(t.Context())
		start := time.Now()
		got, err := forq.Check(ctx, universal(), hard(), c.limits)
		cancel()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v; want %q", c.name, got, err, c.want)
		}
		if took := time.Since(start); c.name == "time" && took > 150*time.Millisecond {
			t.Errorf("%s: stopped after %v", c.name, took)
		}
	}
}

// TestUnreachable: states that no word leads to take memory for themselves only, and not in pairs.
func TestUnreachable(t *testing.T) {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, letters.True(), b.Marks().Of(0), 0)
	for s := range omega.State(30_000) {
		b.AddEdge(b.AddState(), letters.True(), 0, s)
	}
	a := b.Automaton()
	if got, err := forq.Check(t.Context(), a, a, forq.Limits{Memory: 64 << 20}); err != nil || got.Word != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestAlphabets: automata over different alphabets are refused.
func TestAlphabets(t *testing.T) {
	b := omega.NewBuilder(omega.NewAlphabet("b"), omega.Buchi())
	if _, err := forq.Check(t.Context(), universal(), b.Automaton(), forq.Limits{}); err == nil {
		t.Error("no error")
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := forq.Check(canceled, universal(), hard(), forq.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
