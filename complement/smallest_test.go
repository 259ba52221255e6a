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
// languages are compared by product checks, with a complement for each direction: the complement of
// Smallest's result shares no word with Whole's result, nor does the automaton with Smallest's
// result.
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
		whole, chosen, err := complement.Whole(ctx, algorithm, a, omega.Limits{Macrostates: 5000})
		var limit *omega.LimitError
		if errors.As(err, &limit) || errors.Is(err, complement.ErrUnfit) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		small, by, err := complement.Smallest(ctx, algorithm, a, omega.Limits{Macrostates: 5000})
		if err != nil {
			t.Fatal(err)
		}
		disjoint(t, i, "smallest complement", a, small)
		disjoint(t, i, "what the smallest complement misses", whole, must.Get(with(ctx, "", small, 0)))
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
		whole, _, _ = complement.Whole(ctx, "modular", a, omega.Limits{Macrostates: 5000})
	}
	unreduced := func(what string, ctx context.Context, memory int64) {
		t.Helper()
		co, by, err := complement.Smallest(ctx, "modular", a, omega.Limits{Memory: memory})
		if err != nil || by != "modular" || co.NumStates() != whole.NumStates() || co.NumEdges() != whole.NumEdges() {
			t.Errorf("%s: not the whole complement, by %s: %v", what, by, err)
		}
	}
	unreduced("no time", overdue{ctx}, 0)
	unreduced("no memory", ctx, 192*int64(whole.NumEdges()))
	if co, _, err := complement.Smallest(ctx, "modular", a, omega.Limits{}); err != nil || co.NumEdges() >= whole.NumEdges() {
		t.Errorf("unlimited: not smaller: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := complement.Smallest(canceled, "", a, omega.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	var limit *omega.LimitError
	if _, _, err := complement.Smallest(ctx, "modular", a, omega.Limits{Macrostates: 1}); !errors.As(err, &limit) {
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
		{[]int{5000, 600}, 0, 1, nil, []int{0, 256, 1, 256, 0, 1024, 1, 1024}}, // the example of its comment
		{[]int{9000, 3000}, 10000, 1, nil, []int{0, 256, 1, 256, 0, 1024, 1, 1024, 0, 4096, 1, 4096}},
		{[]int{9000, 0}, 10000, 0, nil, []int{0, 256, 1, 256, 0, 10000}},
		{[]int{9000}, 0, 0, nil, []int{0, 256, 0, 1000000}},
		{[]int{9000}, -1, 0, nil, []int{0, 256, 0, -1}},
		{[]int{9000}, 200, 0, &omega.LimitError{What: "macrostates", Limit: 200}, []int{0, 200}},
		{[]int{0, 0}, 10000, 0, other, []int{0, 256, 1, 256}},
		{[]int{900, -1}, 10000, 1, broken, []int{0, 256, 1, 256}},
		{[]int{900, 900}, 500, 0, &omega.LimitError{What: "macrostates", Limit: 500}, []int{0, 256, 1, 256, 0, 500, 1, 500}},
	} {
		var calls []int
		done, err := complement.Try(len(c.needs), omega.Limits{Macrostates: c.limit}, func(i int, slice omega.Limits) error {
			limit := slice.Macrostates
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
			want, err := with(ctx, name, a, 300)
			if errors.Is(err, complement.ErrUnfit) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			whole, err := omega.Explore(ctx, want, omega.NoLimits())
			if err != nil {
				continue // too large for this test
			}
			got := must.Get(with(ctx, name, a, 0))
			for k := 0; k < 40; k++ {
				got.Resume(canceled.At(ctx, k+1), omega.Limits{Macrostates: 1 + 7*k})
				if _, err := omega.Explore(ctx, got, omega.NoLimits()); err == nil {
					break
				}
				interrupted++
			}
			got.Resume(ctx, omega.Limits{})
			again := must.Get(omega.Explore(ctx, got, omega.NoLimits()))
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
		src := must.Get(with(ctx, name, a, 50))
		var limit *omega.LimitError
		if _, err := omega.Explore(ctx, src, omega.NoLimits()); !errors.As(err, &limit) {
			t.Errorf("%s: got %v, want a limit", src.Algorithm(), err)
		} else if limit.What != "macrostates" && name != "ranks" {
			t.Errorf("%s: got %v, want the limit of macrostates", src.Algorithm(), err)
		}
		if src.Memory() <= 0 || src.Macrostates() <= 0 {
			t.Errorf("%s: %d macrostates take %d bytes", src.Algorithm(), src.Macrostates(), src.Memory())
		}
		src.Resume(done, omega.Limits{})
		if _, err := omega.Explore(ctx, src, omega.NoLimits()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", src.Algorithm(), err)
		}
		if _, err := with(done, name, a, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", name, err)
		}
	}
}

// TestMemory: a whole complement that takes too much is given up.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 30, Density: 0.15, Marks: 0.2})
	var limit *omega.LimitError
	if _, _, err := complement.Whole(ctx, "", a, omega.Limits{Memory: 1 << 18}); !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("got %v, want the limit of memory", err)
	}
}

// TestLetters: if the first state of an automaton has 2^20 different letters, the
// construction gives up with an error that says so.
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
	src := must.Get(with(ctx, "", b.Automaton(), 0))
	var limit *omega.LimitError
	if _, err := omega.Explore(ctx, src, omega.NoLimits()); !errors.As(err, &limit) || limit.What != "sets of letters told apart by one macrostate" {
		t.Errorf("got %v, want the limit of letters", err)
	}
}

// alternating returns a random alternating automaton of a few components in a
// row, each accepting or rejecting. In a very weak automaton, each has one state.
// Its condition is Büchi or co-Büchi.
func alternating(r *rand.Rand, alphabet *omega.Alphabet, veryWeak bool) *omega.Automaton {
	acceptance, marked := omega.Buchi(), true
	if r.IntN(2) == 0 {
		acceptance, _ = omega.NamedAcceptance("co-Buchi")
		marked = false
	}
	b := omega.NewBuilder(alphabet, acceptance)
	n := 1 + r.IntN(5)
	b.AddStates(n)
	size := 1 // of components
	if !veryWeak {
		size = 1 + r.IntN(3)
	}
	accepting := map[int]bool{}
	for c := range n {
		accepting[c] = r.IntN(2) == 0
	}
	for q := range n {
		least := q / size * size // states of smaller components are not reached
		for range 1 + r.IntN(3) {
			var set []omega.State
			for range 1 + r.IntN(3) {
				set = append(set, omega.State(least+r.IntN(n-least)))
			}
			label := alphabet.True()
			for i := range alphabet.Len() {
				switch r.IntN(3) {
				case 0:
					label = alphabet.And(label, alphabet.Prop(i))
				case 1:
					label = alphabet.And(label, alphabet.Not(alphabet.Prop(i)))
				}
			}
			var marks omega.Marks
			if accepting[q/size] == marked {
				marks = b.Marks().Of(0)
			}
			b.AddEdge(omega.State(q), label, marks, b.Universal(set))
		}
	}
	for range 1 + r.IntN(2) {
		b.AddStart(b.Universal([]omega.State{omega.State(r.IntN(n)), omega.State(r.IntN(n))}))
	}
	return b.Automaton()
}

// TestAlternating removes alternation from random very weak and weak automata,
// and complements them. Of random words the nondeterministic automaton accepts
// those that the alternating one does, and the complement the others. Membership
// in the alternating automaton is decided as a game.
func TestAlternating(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	alphabet := omega.NewAlphabet("a", "b")
	count, accepted := 0, 0
	n := campaign.Inputs(t, 3000)
	for i := range n {
		a := alternating(r, alphabet, i%2 == 0)
		if a.Alternating() {
			count++
		}
		src, err := complement.Nondeterministic(ctx, a, omega.Limits{})
		if err != nil {
			t.Fatalf("automaton %d: %v", i, err)
		}
		x := must.Get(omega.Explore(ctx, src, omega.NoLimits()))
		co := must.Get(with(ctx, "", a, 0))
		if a.Alternating() && co.Algorithm() != "dualization" {
			t.Fatalf("automaton %d: complemented by %s", i, co.Algorithm())
		}
		disjoint(t, i, "the complement", x, co)
		y := must.Get(omega.Explore(ctx, co, omega.NoLimits()))
		for range 20 {
			w := random.Word(r, alphabet, 3, 4).Concrete()
			want := must.Get(a.Accepts(context.Background(), w))
			if want {
				accepted++
			}
			for j, b := range []*omega.Automaton{x, y} {
				got := must.Get(b.Accepts(context.Background(), w))
				if got != (want == (j == 0)) {
					t.Fatalf("automaton %d: %s is accepted: %v, by the nondeterministic one (0) or the complement (1) %d: %v", i, w, want, j, got)
				}
			}
		}
	}
	t.Logf("%d alternating automata, %d of %d words accepted", count, accepted, 20*n)
	if words := 20 * n; count < n/2 || accepted < words/10 || accepted > words*9/10 {
		t.Error("the random automata are not worth much")
	}
}

// TestGeneral: an alternating automaton with a component that has accepting and
// rejecting cycles is refused by name.
func TestGeneral(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(0)
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0), b.Universal([]omega.State{0, 1}))
	b.AddEdge(0, alphabet.True(), 0, 0)
	b.AddEdge(1, alphabet.True(), 0, 1)
	a := b.Automaton()
	if _, err := with(ctx, "", a, 0); !errors.Is(err, omega.ErrNotWeak) {
		t.Errorf("complement: got %v, want ErrNotWeak", err)
	}
	if _, err := complement.Nondeterministic(ctx, a, omega.Limits{}); !errors.Is(err, omega.ErrNotWeak) {
		t.Errorf("nondeterministic: got %v, want ErrNotWeak", err)
	}
}

// TestCanceledKinds: whether an alternating automaton is weak may take exponential
// time to find out, which is canceled.
func TestCanceledKinds(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	alphabet := omega.NewAlphabet("a", "b")
	const marks = 60
	condition := omega.AllOf()
	for range 250 { // as hard as three literals in a clause are
		clause := omega.AnyOf()
		for range 3 {
			literal := omega.Inf
			if r.IntN(2) == 0 {
				literal = omega.Fin
			}
			clause = omega.AnyOf(clause, literal(r.IntN(marks)))
		}
		condition = omega.AllOf(condition, clause)
	}
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: marks, Condition: condition})
	b.AddStates(4)
	b.AddStart(b.Universal([]omega.State{0, 3}))
	for i := range marks {
		b.AddEdge(omega.State(i%3), alphabet.True(), b.Marks().Of(i), omega.State((i+1)%3))
	}
	b.AddEdge(3, alphabet.True(), 0, 3)
	a := b.Automaton()
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := with(short, "", a, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want context.DeadlineExceeded", err)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("canceled after %v", took)
	}
}
