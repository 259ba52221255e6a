package witness_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/witness"
)

// TestAmbiguous: there is a word whenever the automaton is not unambiguous. Ambiguous
// finds it by a search of its own, and fails if there is none or the runs on it are not
// what they should be.
func TestAmbiguous(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	count, found, none := campaign.Inputs(t, 1500), 0, 0
	for i := range count {
		n, sets := 1+r.IntN(5), r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)},
			random.Options{States: n, Density: (0.5 + 2*r.Float64()) / float64(n), Marks: 0.4})
		x, err := witness.Ambiguous(t.Context(), a)
		if err != nil {
			t.Fatalf("seed %d, case %d: %v", seed, i, err)
		}
		if x == nil {
			none++
			continue
		}
		found++
		if in, err := a.Accepts(context.Background(), x.Word); err != nil || !in {
			t.Fatalf("seed %d, case %d: %s is accepted: %v (%v)", seed, i, x.Word, in, err)
		}
		if x.Word.Size() != x.Runs[0].Size() || x.Word.Size() != x.Runs[1].Size() {
			t.Fatalf("seed %d, case %d: %s has runs of other lengths", seed, i, x.Word)
		}
	}
	if found < count/8 || none < count/8 {
		t.Errorf("seed %d: %d ambiguous, %d not", seed, found, none)
	}
}

// TestAmbiguousKnown: the word is short, and the runs are told apart.
func TestAmbiguousKnown(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(0)
	on := b.Marks().Of(0)
	b.AddEdge(0, alphabet.True(), 0, 0) // guesses that only a comes from now on
	b.AddEdge(0, alphabet.Prop(0), on, 1)
	b.AddEdge(1, alphabet.Prop(0), on, 1)
	x, err := witness.Ambiguous(t.Context(), b.Automaton())
	if err != nil || x == nil || x.Word.Concrete().String() != "cycle{a}" {
		t.Fatalf("%v (%v)", x, err)
	}
	states := func(r *emptiness.Run) (list []omega.State) {
		for _, s := range append(r.Prefix, r.Cycle...) {
			list = append(list, s.Edge.Dst)
		}
		return list
	}
	if v, w := states(x.Runs[0]), states(x.Runs[1]); v[0] == w[0] || len(v) != 3 {
		t.Errorf("runs through %v and %v", v, w)
	}
	worked.Shows(t, "ambiguous.go", worked.Text(b.Automaton()))
	b = omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	b.AddEdge(0, alphabet.True(), 0, 0)
	b.AddEdge(0, alphabet.True(), 0, 1)
	if _, err := witness.Ambiguous(t.Context(), b.Automaton()); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("alternating: %v", err)
	}
}
