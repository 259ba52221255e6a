package witness_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// notTightOn reports whether the automaton accepts the word, by no run of its type.
func notTightOn(t *testing.T, a *omega.Automaton, w *omega.Word) bool {
	t.Helper()
	in := must.Get(a.Accepts(context.Background(), w))
	tight := must.Get(runs.Tight(t.Context(), a, w))
	return in && !tight
}

// bruteNotTight returns the size of a shortest word that shows that the automaton
// is not tight, by trying all up to a size, or 0.
func bruteNotTight(t *testing.T, a *omega.Automaton, size int) int {
	var letters []omega.Label
	for v := range uint64(1) << a.Alphabet().Len() {
		letters = append(letters, a.Alphabet().Cube(v, (1<<a.Alphabet().Len()-1)&^v))
	}
	for n := 1; n <= size; n++ {
		word := make([]omega.Label, n)
		var try func(i int) bool
		try = func(i int) bool {
			if i < n {
				for _, word[i] = range letters {
					if try(i + 1) {
						return true
					}
				}
				return false
			}
			for u := range n {
				if notTightOn(t, a, omega.NewWord(a.Alphabet(), word[:u], word[u:])) {
					return true
				}
			}
			return false
		}
		if try(0) {
			return n
		}
	}
	return 0
}

// TestNotTight compares with all words up to a size, in both directions: a word
// that is found is right, and there is none that is shorter; if none is found and
// the search was complete, there is none.
func TestNotTight(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	sizes, tight, given := map[int]int{}, 0, 0
	for i := range campaign.Inputs(t, 600) {
		props, size := 1, 6
		if i%3 == 0 {
			props, size = 2, 3
		}
		sets := r.IntN(4)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
		if r.IntN(2) == 0 {
			acceptance = omega.GeneralizedBuchi(sets)
		}
		a := random.Automaton(r, omega.NewAlphabet([]string{"a", "b"}[:props]...), acceptance, random.Options{
			States: 1 + r.IntN(5), Density: 0.2 + 0.6*r.Float64(), Marks: 0.5, Deterministic: r.IntN(3) == 0,
		})
		got := must.Get(witness.NotTight(t.Context(), a, omega.Limits{WordSteps: 20_000_000}))
		want := bruteNotTight(t, a, size)
		switch {
		case got.Word != nil && (!notTightOn(t, a, got.Word) || !got.Shortest()):
			t.Errorf("case %d: %v is not such a word, or not proved to be shortest", i, got)
		case got.Word != nil && (want != 0 || got.Word.Size() <= size) && got.Word.Size() != want:
			t.Errorf("case %d: %v, want one of size %d", i, got, want)
		case got.Word == nil && want != 0 && (got.Why == nil || want < got.Least):
			t.Errorf("case %d: %v (%v), but there is one of size %d", i, got, got.Why, want)
		case got.Word != nil:
			sizes[got.Word.Size()]++
		case got.Why != nil:
			given++
		default:
			tight++
		}
	}
	t.Logf("words by size: %v; tight: %d; given up: %d", sizes, tight, given)
	if tight < 30 || given > 30 || sizes[1] == 0 || sizes[2] == 0 || sizes[3] == 0 {
		t.Errorf("words by size: %v; tight: %d; given up: %d: not worth much", sizes, tight, given)
	}
}

// TestNotTightFigure: the automaton of Figure 3 of Schuppan and Biere 2005, with its
// labels on the edges that leave the states, needs two letters for p & q forever.
func TestNotTightFigure(t *testing.T) {
	alphabet := omega.NewAlphabet("p", "q")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(0)
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0), 1)
	b.AddEdge(1, alphabet.Prop(1), b.Marks().Of(0), 1)
	r, err := witness.NotTight(t.Context(), b.Automaton(), omega.Limits{})
	if err != nil || r.Word == nil || r.Word.String() != "cycle{p&q}" {
		t.Errorf("got %v, %v; want cycle{p&q}", r, err)
	}
}

// TestNotTightLimits: past a limit random words are tried, which need not be shortest.
func TestNotTightLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.GeneralizedBuchi(3), random.Options{States: 12, Density: 1, Marks: 0.2, Deterministic: true})
	got, err := witness.NotTight(t.Context(), a, omega.Limits{WordSteps: 2000})
	var limit *omega.LimitError
	if err != nil || !errors.As(got.Why, &limit) || got.Word == nil || got.Shortest() || !notTightOn(t, a, got.Word) {
		t.Errorf("%v, %v, %v", got, got.Why, err)
	}
	// counter is deterministic and needs no longer runs, so nothing is found.
	got, err = witness.NotTight(t.Context(), counter(12), omega.Limits{WordSteps: 100})
	if err != nil || !errors.As(got.Why, &limit) || got.Word != nil {
		t.Errorf("%v, %v, %v", got, got.Why, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := witness.NotTight(ctx, a, omega.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

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
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
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
	worked.Shows(t, "tight.go", worked.Text(b.Automaton()))
	b = omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	b.AddEdge(0, alphabet.True(), 0, 0)
	b.AddEdge(0, alphabet.True(), 0, 1)
	if _, err := witness.Ambiguous(t.Context(), b.Automaton()); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("alternating: %v", err)
	}
}
