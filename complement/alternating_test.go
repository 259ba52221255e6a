package complement_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// alternating returns a random alternating automaton of a few components in a
// row, each accepting or rejecting; of one state each if it is to be very weak.
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
		src, err := complement.Nondeterministic(ctx, a, 0)
		if err != nil {
			t.Fatalf("automaton %d: %v", i, err)
		}
		x, err := omega.Explore(ctx, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		co, err := complement.With(ctx, "", a, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a.Alternating() && co.Algorithm() != "dualization" {
			t.Fatalf("automaton %d: complemented by %s", i, co.Algorithm())
		}
		disjoint(t, i, "the complement", x, co)
		y, err := omega.Explore(ctx, co, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			w := random.Word(r, alphabet, 3, 4).Concrete()
			want, err := a.Accepts(context.Background(), w)
			if err != nil {
				t.Fatal(err)
			}
			if want {
				accepted++
			}
			for j, b := range []*omega.Automaton{x, y} {
				got, err := b.Accepts(context.Background(), w)
				if err != nil {
					t.Fatal(err)
				}
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
	if _, err := complement.With(ctx, "", a, 0); !errors.Is(err, omega.ErrNotWeak) {
		t.Errorf("complement: got %v, want ErrNotWeak", err)
	}
	if _, err := complement.Nondeterministic(ctx, a, 0); !errors.Is(err, omega.ErrNotWeak) {
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
	if _, err := complement.With(short, "", a, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want context.DeadlineExceeded", err)
	}
	if took := time.Since(start); took > 10*time.Second { // it would take years
		t.Errorf("canceled after %v", took)
	}
}
