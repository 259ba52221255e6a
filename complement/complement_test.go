package complement_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

var ctx = context.Background()

// random returns a random automaton with one of the named or a random
// acceptance condition.
func random(r *rand.Rand, alphabet *omega.Alphabet, deterministic bool) *omega.Automaton {
	names := []string{"all", "none", "Buchi", "Buchi", "Buchi", "generalized-Buchi 2", "generalized-Buchi 3",
		"co-Buchi", "Rabin 2", "Streett 2", "parity max even 3", "generalized-Rabin 2 1 2"}
	acceptance, _ := omega.NamedAcceptance(names[r.IntN(len(names))])
	if r.IntN(3) == 0 {
		n := 1 + r.IntN(4)
		acceptance = omega.Acceptance{Sets: n, Condition: omega.RandomCondition(r, n)}
	}
	n := 1 + r.IntN(5)
	o := omega.RandomOptions{States: n, Density: (0.5 + 2*r.Float64()) / float64(n), Marks: 0.1 + 0.5*r.Float64()}
	if o.Deterministic = deterministic; deterministic {
		o.Density = []float64{1, 0.9}[r.IntN(2)]
	}
	return omega.Random(r, alphabet, acceptance, o)
}

// TestComplement checks for random automata of every acceptance condition that
// the complement shares no word with the automaton (a product check), and that
// of random words each is accepted by exactly one of the two (membership).
func TestComplement(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	used := map[string]int{}
	for i := range 3000 {
		a := random(r, alphabet, i%3 == 0)
		src, name, err := complement.Of(ctx, a, 20000)
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		used[name]++
		both, err := productcheck.Intersect(ctx, a, src, 0)
		if err != nil {
			t.Fatalf("seed %d, automaton %d (%d states, %s): %v", seed, i, a.NumStates(), a.Acceptance(), err)
		}
		if !both.Empty() {
			t.Fatalf("seed %d, automaton %d: %s is accepted by the automaton and by its complement", seed, i, both.Word)
		}
		c, err := omega.Explore(ctx, src, 0)
		if err != nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		if !c.IsDeterministic() || !c.IsComplete() {
			t.Fatalf("seed %d, automaton %d: the complement is not deterministic and complete", seed, i)
		}
		for range 20 {
			w := omega.RandomWord(r, alphabet, 4, 4)
			in, err := a.Accepts(w)
			if err != nil {
				t.Fatal(err)
			}
			out, err := c.Accepts(w)
			if err != nil {
				t.Fatal(err)
			}
			if in == out {
				t.Fatalf("seed %d, automaton %d (%s): both accept %s: %v", seed, i, a.Acceptance(), w, in)
			}
		}
	}
	for _, name := range complement.Algorithms() {
		if used[name] < 500 {
			t.Errorf("%s was used for %d automata only", name, used[name])
		}
	}
}

// TestDouble: the complement of the complement is the automaton again.
func TestDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	alphabet := omega.NewAlphabet("a")
	for i := range 300 {
		a := random(r, alphabet, false)
		src, _, err := complement.Of(ctx, a, 0)
		if err != nil {
			t.Fatal(err)
		}
		once, err := omega.Explore(ctx, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		twice, _, err := complement.Of(ctx, once, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := productcheck.Intersect(ctx, once, twice, 0); err != nil || !got.Empty() {
			t.Fatalf("automaton %d: a word is in the complement and in its complement (%v)", i, err)
		}
		again, err := omega.Explore(ctx, twice, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			w := omega.RandomWord(r, alphabet, 4, 4)
			x, _ := a.Accepts(w)
			y, _ := again.Accepts(w)
			if x != y {
				t.Fatalf("automaton %d: %s is accepted: %v; after complementing twice: %v", i, w, x, y)
			}
		}
	}
}

// TestBuchi: the translation to Büchi acceptance keeps the language.
func TestBuchi(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	alphabet := omega.NewAlphabet("a")
	for i := range 2000 {
		a := random(r, alphabet, false)
		b, err := complement.Buchi(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		if b.Acceptance().Name() != "Buchi" {
			t.Fatalf("automaton %d: acceptance %s", i, b.Acceptance())
		}
		for range 10 {
			w := omega.RandomWord(r, alphabet, 3, 4)
			x, _ := a.Accepts(w)
			y, _ := b.Accepts(w)
			if x != y {
				t.Fatalf("automaton %d (%s): %s is accepted: %v; with Büchi acceptance: %v", i, a.Acceptance(), w, x, y)
			}
		}
	}
}

// TestManyMarks completes an automaton in which a sink's mark is the 65th.
func TestManyMarks(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: 64, Condition: omega.AnyOf(omega.Fin(0), omega.Inf(63))})
	b.AddStart(b.AddState())
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0, 63), 0)
	a := b.Automaton()
	for _, c := range []struct {
		word       string
		in, inside bool
	}{{"cycle{a}", true, true}, {"cycle{!a}", false, false}} {
		w, err := omega.ParseWord(c.word)
		if err != nil {
			t.Fatal(err)
		}
		src, _, err := complement.Of(ctx, a, 0)
		if err != nil {
			t.Fatal(err)
		}
		out, err := omega.Explore(ctx, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := a.Accepts(w)
		y, _ := out.Accepts(w)
		if x != c.in || y == c.in {
			t.Errorf("%s: accepted %v, by the complement %v", c.word, x, y)
		}
	}
}

func TestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	a := omega.Random(r, omega.NewAlphabet("a", "b"), omega.Buchi(), omega.RandomOptions{States: 30, Density: 0.15, Marks: 0.2})
	src, _, err := complement.Of(ctx, a, 500)
	if err != nil {
		t.Fatal(err)
	}
	var limit *omega.LimitError
	if _, err = omega.Explore(ctx, src, 0); !errors.As(err, &limit) || limit.What != "macrostates" {
		t.Errorf("got %v, want the limit of macrostates", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err = complement.Of(canceled, a, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestAlternating(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	if _, _, err := complement.Of(ctx, b.Automaton(), 0); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("got %v, want ErrAlternating", err)
	}
}
