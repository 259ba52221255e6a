package reduce_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// longRuns returns the states from which there are runs of n edges, by the definition.
func longRuns(a *omega.Automaton, n int) []omega.State {
	var states []omega.State
	for s := range omega.State(a.NumStates()) {
		states = append(states, s)
	}
	for range n {
		before := states
		states = slices.DeleteFunc(slices.Clone(before), func(s omega.State) bool {
			return !slices.ContainsFunc(a.Edges(s), func(e omega.Edge) bool { return slices.Contains(before, e.Dst) })
		})
	}
	return states
}

// TestWithoutDeadEnds compares the states that stay with those that have a run longer than
// any without a cycle, their edges with those between them, and the language on random
// words.
func TestWithoutDeadEnds(t *testing.T) {
	const seed = 41
	r := rand.New(rand.NewPCG(seed, 0))
	removed := 0
	for i := range campaign.Inputs(t, 3000) {
		a, w := sample.OnWord(r)
		a.Name = "x"
		for s := range a.NumStates() {
			a.StateNames = append(a.StateNames, fmt.Sprint(s))
		}
		b := reduce.WithoutDeadEnds(a)
		stay := longRuns(a, a.NumStates())
		if (b == a) != (len(stay) == a.NumStates()) || b.NumStates() != len(stay) || b.Name != a.Name {
			t.Fatalf("seed %d, automaton %d: %d of %d states stay, want %v", seed, i, b.NumStates(), a.NumStates(), stay)
		}
		removed += a.NumStates() - len(stay)
		var start []omega.State
		for _, s := range a.Initial() {
			if k := slices.Index(stay, s); k >= 0 {
				start = append(start, omega.State(k))
			}
		}
		if !slices.Equal(b.Initial(), start) {
			t.Fatalf("seed %d, automaton %d: initial %v, want %v", seed, i, b.Initial(), start)
		}
		for k, s := range stay {
			var edges []omega.Edge
			for _, e := range a.Edges(s) {
				if d := slices.Index(stay, e.Dst); d >= 0 {
					e.Dst = omega.State(d)
					edges = append(edges, e)
				}
			}
			if !slices.Equal(b.Edges(omega.State(k)), edges) || b.StateNames[k] != fmt.Sprint(s) {
				t.Fatalf("seed %d, automaton %d, state %d: %v, want %v", seed, i, s, b.Edges(omega.State(k)), edges)
			}
		}
		in, err := a.Accepts(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Accepts(context.Background(), w); err != nil || got != in {
			t.Fatalf("seed %d, automaton %d: %s is accepted: %v, without dead ends %v (%v)", seed, i, w, in, got, err)
		}
	}
	if removed == 0 {
		t.Error("no automaton had a dead end")
	}
}
