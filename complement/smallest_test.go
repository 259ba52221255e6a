package complement_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
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

// TestTry: three constructions that need certain numbers of macrostates take turns.
func TestTry(t *testing.T) {
	other := &omega.LimitError{What: "memory", Limit: 7}
	broken := errors.New("broken")
	for _, c := range []struct {
		needs []int // 0: it hits another limit; -1: it is broken
		limit int
		done  int
		err   error
		calls []int
	}{
		{[]int{100, 100}, 0, 0, nil, []int{0, 256}},
		{[]int{300, 200}, 0, 1, nil, []int{0, 256, 1, 256}},
		{[]int{9000, 3000}, 10000, 1, nil, []int{0, 256, 1, 256, 0, 1024, 1, 1024, 0, 4096, 1, 4096}},
		{[]int{9000, 0}, 10000, 0, nil, []int{0, 256, 1, 256, 0, 10000}},
		{[]int{9000}, 0, 0, nil, []int{0, 256, 0, 0}},
		{[]int{9000}, 200, 0, &omega.LimitError{What: "macrostates", Limit: 200}, []int{0, 200}},
		{[]int{0, 0}, 10000, 0, other, []int{0, 256, 1, 256}},
		{[]int{900, -1}, 10000, 1, broken, []int{0, 256, 1, 256}},
		{[]int{900, 900}, 500, 0, &omega.LimitError{What: "macrostates", Limit: 500}, []int{0, 256, 1, 256, 0, 500, 1, 500}},
	} {
		var calls []int
		done, err := complement.Try(len(c.needs), c.limit, func(i, limit int) error {
			calls = append(calls, i, limit)
			switch n := c.needs[i]; {
			case n == 0:
				return other
			case n < 0:
				return broken
			case limit > 0 && n > limit:
				return &omega.LimitError{What: "macrostates", Limit: limit}
			}
			return nil
		})
		same := err == c.err
		if err != nil && c.err != nil {
			same = err.Error() == c.err.Error()
		}
		if done != c.done || !same || !slices.Equal(calls, c.calls) {
			t.Errorf("%v, limit %d: %d, %v after %v, want %d, %v after %v", c.needs, c.limit, done, err, calls, c.done, c.err, c.calls)
		}
	}
}

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
