package emptiness_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// replay reports what is wrong with a run: it must be a path of edges of the
// automaton from an initial state, its cycle must close, and the cycle's marks
// must satisfy the condition.
func replay(src omega.Source, r *emptiness.Run) error {
	if len(r.Cycle) == 0 {
		return errors.New("empty cycle")
	}
	steps := append(append([]emptiness.Step(nil), r.Prefix...), r.Cycle...)
	initial := false
	for _, s := range src.Initial() {
		initial = initial || s == steps[0].From
	}
	if !initial {
		return fmt.Errorf("state %d is not initial", steps[0].From)
	}
	for i, step := range steps {
		edges, err := src.AppendEdges(nil, step.From)
		if err != nil {
			return err
		}
		found := false
		for _, e := range edges {
			found = found || e == step.Edge
		}
		if !found {
			return fmt.Errorf("step %d: state %d has no edge %v", i, step.From, step.Edge)
		}
		next := r.Cycle[0].From
		if i+1 < len(steps) {
			next = steps[i+1].From
		}
		if step.Edge.Dst != next {
			return fmt.Errorf("step %d leads to %d, not %d", i, step.Edge.Dst, next)
		}
	}
	var all omega.Marks
	for _, step := range r.Cycle {
		all = src.Marks().Union(all, step.Edge.Marks)
	}
	if !src.Acceptance().Condition.Eval(src.Marks(), all) {
		return fmt.Errorf("marks %v of the cycle do not satisfy %s", src.Marks().AppendTo(nil, all), src.Acceptance())
	}
	return nil
}

// conditions are the acceptance conditions of the random tests: the named ones,
// random ones, and more sets than a machine word has bits.
func condition(r *rand.Rand) omega.Acceptance {
	names := []string{"all", "none", "Buchi", "co-Buchi", "generalized-Buchi 3", "generalized-co-Buchi 2", "Rabin 2",
		"Streett 2", "generalized-Rabin 2 1 2", "parity min even 4", "parity max odd 3", "generalized-Buchi 70"}
	if i := r.IntN(2 * len(names)); i < len(names) {
		a, _ := omega.NamedAcceptance(names[i])
		return a
	}
	n := 1 + r.IntN(6)
	return omega.Acceptance{Sets: n, Condition: random.Condition(r, n)}
}

// TestCheck compares the verdict with that of reduce.Reduce, which decides from
// which states a word is accepted by an algorithm of its own, and replays the
// runs.
func TestCheck(t *testing.T) {
	n, seed := campaign.Seeded(t, 4000, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	empty := 0
	for i := range n {
		acceptance := condition(r)
		states := 1 + r.IntN(12)
		marks := []float64{0.05, 0.2, 0.5}[r.IntN(3)]
		if acceptance.Sets > 64 {
			marks = 0.9
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: states, Density: 1.5 / float64(states), Marks: marks, StateMarks: i%3 == 0})
		reduced, err := reduce.Reduce(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := emptiness.Check(context.Background(), a, emptiness.Limits{})
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		if got.Empty() != (reduced.NumStates() == 0) {
			t.Fatalf("seed %d, automaton %d (%s): empty = %v", seed, i, acceptance, got.Empty())
		}
		if got.Empty() {
			empty++
			continue
		}
		if err := replay(a, got.Run); err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		if ok, err := a.Accepts(context.Background(), got.Run.Word(alphabet)); !ok || err != nil {
			t.Fatalf("seed %d, automaton %d: the word %s of the run is not accepted (%v)", seed, i, got.Run.Word(alphabet), err)
		}
	}
	if empty < n/10 || empty > n*9/10 {
		t.Errorf("%d of %d automata are empty: the test is one-sided", empty, n)
	}
}

// chain is a path of n states with a loop without marks at its end, given on
// demand.
type chain struct {
	n        omega.State
	alphabet *omega.Alphabet
}

func (c chain) Alphabet() *omega.Alphabet    { return c.alphabet }
func (c chain) Acceptance() omega.Acceptance { return omega.Buchi() }
func (c chain) Marks() *omega.MarkTable      { return omega.NewMarkTable(1) }
func (c chain) Initial() []omega.State       { return []omega.State{0} }
func (c chain) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	return append(buf, omega.Edge{Label: c.alphabet.True(), Dst: min(s+1, c.n-1)}), nil
}

// TestLongChain: nothing recurses over states.
func TestLongChain(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const n = 100_000
	r, err := emptiness.Check(context.Background(), chain{n, omega.NewAlphabet()}, emptiness.Limits{})
	if err != nil || !r.Empty() || r.States != n || r.Depth != n {
		t.Errorf("got %+v, %v; want an empty automaton of %d states, all on one path", r, err, n)
	}
}

func TestLimits(t *testing.T) {
	c := chain{1000000, omega.NewAlphabet()}
	_, err := emptiness.Check(context.Background(), c, emptiness.Limits{States: 1000})
	var limit *omega.LimitError
	if !errors.As(err, &limit) || limit.Limit != 1000 {
		t.Errorf("got %v, want the limit of 1000 states", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := emptiness.Check(ctx, c, emptiness.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
