package omega

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// countdown is a context that is canceled when it is asked for the last time
// that is left to it, and counts how often it is asked after that.
type countdown struct {
	context.Context
	left, asked, late int
}

func (c *countdown) Err() error {
	c.asked++
	if c.left--; c.left > 0 {
		return nil
	}
	if c.left < 0 {
		c.late++
	}
	return context.Canceled
}

// path is a Büchi automaton that is a path of n states with a marked loop at its
// end: no two states are bisimilar.
func path(n int) *Automaton {
	alphabet := NewAlphabet("a")
	b := NewBuilder(alphabet, Buchi())
	b.AddStates(n)
	b.AddStart(0)
	for s := range State(n - 1) {
		b.AddEdge(s, alphabet.Prop(0), 0, s+1)
	}
	b.AddEdge(State(n-1), alphabet.True(), b.Marks().Of(0), State(n-1))
	return b.Automaton()
}

// TestReduceCanceled cancels at several points of each pass. The computation
// must ask often enough, and not once it knows.
func TestReduceCanceled(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	small, large := NewAlphabet(props(2)...), NewAlphabet(props(30)...)
	for _, c := range []struct {
		name string
		a    *Automaton
		pass func(*Automaton, *reducer) *Automaton
	}{
		{"useful", path(20000), (*Automaton).useful},
		{"quotient", path(20000), (*Automaton).quotient},
		{"simulation", Random(r, small, Buchi(), RandomOptions{States: 150, Density: 0.02, Marks: 0.2}), (*Automaton).simulated},
		{"simulation backwards", Random(r, small, Buchi(), RandomOptions{States: 150, Density: 0.02, Marks: 0.2}), (*Automaton).backward},
		{"delayed simulation", Random(r, small, Buchi(), RandomOptions{States: 150, Density: 0.02, Marks: 0.2}), (*Automaton).delayed},
		{"simulation, diagrams", Random(r, large, Buchi(), RandomOptions{States: 50, Density: 0.1, Marks: 0.2}), (*Automaton).simulated},
	} {
		whole := &countdown{Context: context.Background(), left: 1 << 40}
		w := newReducer(whole)
		c.pass(c.a, w)
		if w.Err() != nil {
			t.Fatalf("%s: %v", c.name, w.Err())
		}
		if steps := c.a.NumEdges() + c.a.NumStates(); whole.asked*budget.Interval < steps || whole.asked < 20 {
			t.Errorf("%s: asks %d times, every %d steps, with %d states and edges", c.name, whole.asked, budget.Interval, steps)
		}
		for i := 1; i <= 10; i++ {
			ctx := &countdown{Context: context.Background(), left: max(1, whole.asked*i/10)}
			w := newReducer(ctx)
			c.pass(c.a, w)
			if !errors.Is(w.Err(), context.Canceled) || ctx.late > 0 {
				t.Errorf("%s canceled at %d of %d: %v, asked %d times after", c.name, i, 10, w.Err(), ctx.late)
			}
		}
	}
}

// TestReduceReturnsContextError is the same from outside.
func TestReduceReturnsContextError(t *testing.T) {
	a := path(400)
	whole := &countdown{Context: context.Background(), left: 1 << 40}
	if _, err := Reduce(whole, a); err != nil {
		t.Fatal(err)
	}
	for at := 1; at < whole.asked; at += max(1, whole.asked/50) {
		ctx := &countdown{Context: context.Background(), left: at}
		if _, err := Reduce(ctx, a); err != context.Canceled || ctx.late > 0 {
			t.Fatalf("canceled at %d of %d: %v, asked %d times after", at, whole.asked, err, ctx.late)
		}
	}
}

// bisimilar is the definition: rounds over all states until no class is split.
func bisimilar(a *Automaton) []State {
	class := make([]State, a.NumStates())
	for count := 1; ; {
		index := make(map[string]State)
		next := make([]State, len(class))
		for s := range next {
			key := fmt.Sprint(a.merged(nil, class, budget.Free(), State(s)))
			if _, ok := index[key]; !ok {
				index[key] = State(len(index))
			}
			next[s] = index[key]
		}
		class = next
		if len(index) == count || len(class) == 0 {
			return class
		}
		count = len(index)
	}
}

// TestBisimilarity compares the partition with its definition.
func TestBisimilarity(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	merged := 0
	for i := range 3000 {
		alphabet := NewAlphabet(props([]int{0, 1, 7}[i%3])...)
		n := 1 + r.IntN(40)
		a := Random(r, alphabet, Buchi(), RandomOptions{States: n, Density: 1.5 * r.Float64() / float64(n), Marks: 0.1})
		if i%4 == 0 {
			a = sparse(r, NewAlphabet("a"), n)
		}
		p := a.bisimilarity(true, budget.Free())
		byFirst(p.class)
		want := bisimilar(a)
		if !slices.Equal(p.class, want) {
			t.Fatalf("seed %d, automaton %d: classes %d, want %d", seed, i, p.class, want)
		}
		if n > 0 && int(slices.Max(want))+1 < n {
			merged++
		}
	}
	if merged < 300 {
		t.Errorf("only %d automata have bisimilar states", merged)
	}
}

// TestLongQuotient: two paths of 100000 states become one, and the time is not
// quadratic.
func TestLongQuotient(t *testing.T) {
	const n = 100000
	alphabet := NewAlphabet("a")
	b := NewBuilder(alphabet, Buchi())
	b.AddStates(2 * n)
	b.AddStart(0)
	b.AddStart(n)
	for s := range State(2 * n) {
		if s%n == n-1 {
			b.AddEdge(s, alphabet.True(), 1, s)
		} else {
			b.AddEdge(s, alphabet.Prop(0), 0, s+1)
		}
	}
	got, err := Reduce(context.Background(), b.Automaton())
	if err != nil || got.NumStates() != n || len(got.start) != 1 {
		t.Errorf("%v; %d states, of which %d are initial; want %d and 1", err, got.NumStates(), len(got.start), n)
	}
}
