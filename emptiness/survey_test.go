package emptiness_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// started returns the automaton with other initial states.
func started(a *omega.Automaton, starts ...omega.State) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range starts {
		b.AddStart(s)
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, b.Marks().Of(a.Marks().AppendTo(nil, e.Marks)...), e.Dst)
		}
	}
	return b.Automaton()
}

// TestSurvey: each state is empty if and only if reduce.Reduce says so of the automaton that
// starts there, by an algorithm of its own; and the counts are those of the part that can
// be reached, made explicit.
func TestSurvey(t *testing.T) {
	ctx := context.Background()
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	verdicts := map[bool]int{}
	mixed := 0
	n := campaign.Inputs(t, 1500)
	for i := range n {
		acceptance := condition(r)
		a := random.Automaton(r, alphabet, acceptance, random.Options{
			States: 1 + r.IntN(9), Density: 0.1 + 0.3*r.Float64(), Marks: r.Float64(), Deterministic: r.IntN(4) == 0})
		var starts []omega.State
		for _, s := range r.Perm(a.NumStates())[:1+r.IntN(a.NumStates())] {
			starts = append(starts, omega.State(s))
		}
		a = started(a, starts...)
		survey, err := emptiness.TakeSurvey(ctx, a, emptiness.Limits{})
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		reached := map[omega.State]bool{}
		some := map[bool]bool{}
		for k, s := range starts {
			part, err := omega.Explore(ctx, started(a, starts[:k+1]...), 0)
			if err != nil {
				t.Fatal(err)
			}
			want := emptiness.Reached{States: part.NumStates(), Edges: part.NumEdges(), Components: part.Components().Count}
			if survey.Reached[k] != want {
				t.Errorf("seed %d, automaton %d: from %v, reached %+v, want %+v", seed, i, starts[:k+1], survey.Reached[k], want)
			}
			for queue := []omega.State{s}; len(queue) > 0; queue = queue[1:] {
				if reached[queue[0]] {
					continue
				}
				reached[queue[0]] = true
				for _, e := range a.Edges(queue[0]) {
					queue = append(queue, e.Dst)
				}
			}
		}
		for s := range reached {
			alone, err := reduce.Reduce(ctx, started(a, s))
			if err != nil {
				t.Fatal(err)
			}
			empty := alone.NumStates() == 0
			if survey.NonEmpty[s] == empty {
				t.Errorf("seed %d, automaton %d (%s): from state %d non-empty %v, but Reduce says otherwise",
					seed, i, acceptance, s, survey.NonEmpty[s])
			}
			verdicts[empty]++
			some[empty] = true
		}
		if len(some) == 2 {
			mixed++
		}
	}
	if verdicts[true] < n/3 || verdicts[false] < n/3 || mixed < n/20 {
		t.Errorf("only %v, %d mixed: the test shows nothing", verdicts, mixed)
	}
}

// TestSurveyEnds: limits, a context that is done, and automata that can't be searched.
func TestSurveyEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	alphabet := omega.NewAlphabet("a")
	ring := func(n int) *omega.Automaton {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(n)
		b.AddStart(0)
		for s := range omega.State(n) {
			b.AddEdge(s, alphabet.True(), b.Marks().Of(), (s+1)%omega.State(n))
		}
		return b.Automaton()
	}
	var limit *omega.LimitError
	if _, err := emptiness.TakeSurvey(ctx, ring(10), emptiness.Limits{States: 9}); !errors.As(err, &limit) || limit.What != "states" {
		t.Errorf("10 states with a limit of 9: %v", err)
	}
	if _, err := emptiness.TakeSurvey(ctx, ring(1000), emptiness.Limits{Memory: 1000}); !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("1000 states in 1000 bytes: %v", err)
	}
	survey, err := emptiness.TakeSurvey(ctx, ring(1000), emptiness.Limits{})
	if err != nil || slices.Contains(survey.NonEmpty, true) {
		t.Errorf("a ring without marks: %v, %v", survey, err)
	}
	if survey, err := emptiness.TakeSurvey(ctx, started(ring(3)), emptiness.Limits{}); err != nil || len(survey.Reached) != 0 {
		t.Errorf("no initial state: %+v, %v", survey, err)
	}
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	if _, err := emptiness.TakeSurvey(ctx, b.Automaton(), emptiness.Limits{}); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("an alternating automaton: %v", err)
	}
	cancel()
	if _, err := emptiness.TakeSurvey(ctx, ring(1000), emptiness.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}
