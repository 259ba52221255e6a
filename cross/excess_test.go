package cross

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/translate"
)

// TestExcess: the automata of Schuppan and Biere's Figure 3, and others that are small enough to see
// it.
func TestExcess(t *testing.T) {
	for _, x := range []struct {
		algorithm, formula string
		want               int // -1: nothing is accepted
	}{
		{"gpvw", "p & XGq", 1},
		{"cgh", "p & XGq", 0},
		{"tight", "p & XGq", 0},
		{"couvreur", "GFa", 0},
		{"couvreur", "Fa", 1},
		{"cgh", "Fa", 0},
		{"couvreur", "a & !a", -1},
	} {
		store := ltl.NewStore()
		f := must.Get(store.Parse(x.formula, ltl.Spot))
		got, err := excess(t.Context(), must.Get(translate.With(t.Context(), x.algorithm, store, f)))
		if err != nil || (got == nil) != (x.want < 0) || got != nil && *got != x.want {
			t.Errorf("%s of %s: excess %v, %v; expected %d", x.algorithm, x.formula, got, err, x.want)
		}
	}
}

// TestExcessBrute compares with all words and all runs of up to four letters.
func TestExcessBrute(t *testing.T) {
	n, seed := campaign.Seeded(t, 500, 7)
	r := rand.New(rand.NewPCG(seed, 0))
	seen := map[int]int{}
	for i := range n {
		alphabet := omega.NewAlphabet("a")
		sets, states := 1+r.IntN(2), 1+r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)},
			random.Options{States: states, Density: 1.5 / float64(states), Marks: 0.4})
		got, err := excess(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		word, run := shortestBrute(t, a, 4)
		switch {
		case run == 0: // longer than four edges, or none
		case got == nil || *got != run-word:
			t.Fatalf("seed %d, automaton %d: excess %v, but a run of %d and a word of %d letters", seed, i, got, run, word)
		default:
			seen[*got]++
		}
	}
	if seen[0] < n/10 || seen[1] < n/50 {
		t.Errorf("%v: too few to say anything", seen)
	}
}

// shortestBrute returns the sizes of a shortest word and of a shortest run of up to most letters, or 0.
func shortestBrute(t *testing.T, a *omega.Automaton, most int) (word, run int) {
	t.Helper()
	for size := most; size > 0; size-- {
		for v := range 1 << size {
			for before := range size {
				letters := make([]omega.Label, size)
				for i := range letters {
					if letters[i] = a.Alphabet().Prop(0); v>>i&1 == 0 {
						letters[i] = a.Alphabet().Not(letters[i])
					}
				}
				w := omega.NewWord(a.Alphabet(), letters[:before], letters[before:])
				if must.Get(a.Accepts(t.Context(), w)) {
					word = size
				}
			}
		}
		var extend func(path []omega.State, marks []omega.Marks) bool
		extend = func(path []omega.State, marks []omega.Marks) bool {
			if len(marks) == size {
				for i, s := range path[:size] {
					seen := omega.Marks(0)
					for _, m := range marks[i:] {
						seen = a.Marks().Union(seen, m)
					}
					if s == path[size] && a.Acceptance().Condition.Eval(a.Marks(), seen) {
						return true
					}
				}
				return false
			}
			for _, e := range a.Edges(path[len(path)-1]) {
				if extend(append(path[:len(path):len(path)], e.Dst), append(marks[:len(marks):len(marks)], e.Marks)) {
					return true
				}
			}
			return false
		}
		for _, s := range a.Initial() {
			if extend([]omega.State{s}, nil) {
				run = size
			}
		}
	}
	return word, run
}
