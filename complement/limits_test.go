package complement_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestGoOn interrupts a complement at every point where it looks at its context
// or its limit, and then lets it go on: it must be the same as without.
func TestGoOn(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	alphabet := omega.NewAlphabet("a", "b", "c", "d", "e", "f", "g")
	interrupted, n := 0, campaign.Inputs(t, 400)
	for i := range n {
		var a *omega.Automaton
		if i%2 == 0 {
			a = structured(r, alphabet)
		} else {
			a = random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 5, Density: 0.5, Marks: 0.3})
		}
		for _, name := range complement.Algorithms() {
			want, err := complement.With(ctx, name, a, 300)
			if errors.Is(err, complement.ErrUnfit) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			whole, err := omega.Explore(ctx, want, 0)
			if err != nil {
				continue // too large for this test
			}
			got, err := complement.With(ctx, name, a, 0)
			if err != nil {
				t.Fatal(err)
			}
			for k := 0; k < 40; k++ {
				got.Watch(canceled.At(ctx, k+1))
				got.Limit(1 + 7*k)
				if _, err := omega.Explore(ctx, got, 0); err == nil {
					break
				}
				interrupted++
			}
			got.Watch(ctx)
			got.Limit(0)
			again, err := omega.Explore(ctx, got, 0)
			if err != nil {
				t.Fatal(err)
			}
			if again.NumStates() != whole.NumStates() || again.NumEdges() != whole.NumEdges() {
				t.Fatalf("automaton %d: %s: %d states and %d edges after interruptions, %d and %d without", i, name,
					again.NumStates(), again.NumEdges(), whole.NumStates(), whole.NumEdges())
			}
			for s := range omega.State(whole.NumStates()) {
				for j, e := range whole.Edges(s) {
					if again.Edges(s)[j] != e {
						t.Fatalf("automaton %d: %s: edge %d of state %d is another one after interruptions", i, name, j, s)
					}
				}
			}
		}
	}
	if interrupted < 6*n {
		t.Errorf("%d interruptions", interrupted)
	}
}

// TestLimits: what a construction fails with past a limit, and when it is
// canceled.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 30, Density: 0.15, Marks: 0.2})
	done, cancel := context.WithCancel(ctx)
	cancel()
	for _, name := range []complement.Algorithm{"", "modular", "determinization", "ranks"} {
		src, err := complement.With(ctx, name, a, 50)
		if err != nil {
			t.Fatal(err)
		}
		var limit *omega.LimitError
		if _, err = omega.Explore(ctx, src, 0); !errors.As(err, &limit) {
			t.Errorf("%s: got %v, want a limit", src.Algorithm(), err)
		} else if limit.What != "macrostates" && name != "ranks" {
			t.Errorf("%s: got %v, want the limit of macrostates", src.Algorithm(), err)
		}
		if src.Memory() <= 0 || src.Macrostates() <= 0 {
			t.Errorf("%s: %d macrostates take %d bytes", src.Algorithm(), src.Macrostates(), src.Memory())
		}
		src.Watch(done)
		if _, err = omega.Explore(ctx, src, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", src.Algorithm(), err)
		}
		if _, err = complement.With(done, name, a, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", name, err)
		}
	}
}

// TestMemory: a whole complement that takes too much is given up.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 30, Density: 0.15, Marks: 0.2})
	var limit *omega.LimitError
	if _, _, err := complement.Whole(ctx, "", a, 0, 1<<18); !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("got %v, want the limit of memory", err)
	}
}

// TestLetters: an automaton the first state of which tells 2^20 letters apart is
// given up, by name.
func TestLetters(t *testing.T) {
	var props []string
	for i := range 20 {
		props = append(props, string(rune('a'+i)))
	}
	alphabet := omega.NewAlphabet(props...)
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStart(b.AddState())
	for i := range 20 {
		q := b.AddState()
		b.AddEdge(0, alphabet.Prop(i), 0, q)
		b.AddEdge(q, alphabet.Prop(i), b.Marks().Of(0), q)
	}
	src, err := complement.With(ctx, "", b.Automaton(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var limit *omega.LimitError
	if _, err = omega.Explore(ctx, src, 0); !errors.As(err, &limit) || limit.What != "sets of letters told apart by one macrostate" {
		t.Errorf("got %v, want the limit of letters", err)
	}
}
