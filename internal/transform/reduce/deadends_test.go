package reduce_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
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
		in := must.Get(a.Accepts(context.Background(), w))
		if got, err := b.Accepts(context.Background(), w); err != nil || got != in {
			t.Fatalf("seed %d, automaton %d: %s is accepted: %v, without dead ends %v (%v)", seed, i, w, in, got, err)
		}
	}
	if removed == 0 {
		t.Error("no automaton had a dead end")
	}
}

// TestEqualLanguage compares the automata before and after a reduction on random words.
func TestEqualLanguage(t *testing.T) {
	const seed = 10
	ctx := context.Background()
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	for i := range campaign.Inputs(t, 400) {
		a := reduce.Overlapping(r, alphabet, omega.Buchi(), 1+r.IntN(6))
		reduced := must.Get(reduce.Reduce(ctx, a))
		reduced = must.Get(complement.Buchi(ctx, reduced, omega.Limits{}))
		for _, b := range []*omega.Automaton{reduce.Delayed(a), reduced} {
			for range 20 {
				w := random.Word(r, alphabet, 4, 4)
				if before, after := must.Get(a.Accepts(ctx, w)), must.Get(b.Accepts(ctx, w)); before != after {
					t.Fatalf("seed %d, automaton %d: %s is accepted: %v, after a reduction %v", seed, i, w, before, after)
				}
			}
		}
	}
}

// TestReducedTwice: what Reduce returns is reduced, and Reduce returns it without what its text said.
func TestReducedTwice(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	ctx, alphabet := context.Background(), omega.NewAlphabet("a", "b")
	edges := func(a *omega.Automaton) (text string) {
		text = fmt.Sprint(a.Initial(), a.Acceptance())
		for s := range omega.State(a.NumStates()) {
			text += fmt.Sprint(s, a.Edges(s))
		}
		return text
	}
	for range 300 {
		a := sample.Named(r, alphabet, r.IntN(3) == 0, "Buchi", "generalized-Buchi 2", "co-Buchi", "Rabin 1", "parity min even 3")
		b := must.Get(reduce.Reduce(ctx, a))
		b.Name, b.Declared.AccName = "name", "Buchi"
		c := must.Get(reduce.Reduce(ctx, b))
		if edges(b) != edges(c) || c.Name != "" || c.Declared.AccName != "" || b.Name != "name" {
			t.Errorf("seed %d: reduced again it is another automaton", seed)
		}
	}
}

func ExampleReduce() {
	alphabet := omega.NewAlphabet("a")
	a := alphabet.Prop(0)
	b := omega.NewBuilder(alphabet, omega.Buchi())
	mark := b.Marks().Of(0)
	b.AddStates(3)
	b.AddStart(0)
	b.AddEdge(0, a, mark, 1)
	b.AddEdge(0, a, mark, 2)
	b.AddEdge(1, a, mark, 1)
	b.AddEdge(2, alphabet.True(), mark, 2)
	small := must.Get(reduce.Reduce(context.Background(), b.Automaton()))
	for s := range omega.State(small.NumStates()) {
		for _, e := range small.Edges(s) {
			fmt.Println(s, alphabet.Text(e.Label), small.Marks().AppendTo(nil, e.Marks), e.Dst)
		}
	}
	// Output:
	// 0 a [] 1
	// 1 1 [0] 1
}
