package certify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// Completions is how much work the tests allow for one word.
const completions = 1 << 20

// openWord returns the text of a random word whose letters leave propositions open.
func openWord(r *rand.Rand, props []string) string {
	letters := make([]string, 1+r.IntN(4))
	for i := range letters {
		var literals []string
		for _, p := range props {
			if k := r.IntN(5); k < 4 {
				literals = append(literals, strings.Repeat("!", k%2)+p)
			}
		}
		letters[i] = strings.Join(literals, "&")
		if literals == nil {
			letters[i] = "1"
		}
	}
	before := r.IntN(len(letters))
	return strings.Join(append(letters[:before:before], "cycle{"+strings.Join(letters[before:], "; ")+"}"), "; ")
}

// rounds calls each for the lassos that write the cycle of the word out twice and complete each
// letter in every way.
func rounds(w *certify.Word, props []string, each func(*certify.Word)) {
	v := &certify.Word{Prefix: append([]certify.Letter(nil), w.Prefix...), Cycle: append(append([]certify.Letter(nil), w.Cycle...), w.Cycle...)}
	var complete func(i int)
	complete = func(i int) {
		at := &v.Prefix
		k := i / len(props)
		if k >= len(v.Prefix) {
			at, k = &v.Cycle, k-len(v.Prefix)
		}
		if k == len(v.Cycle) && at == &v.Cycle {
			each(v)
			return
		}
		old := (*at)[k]
		for _, truth := range []bool{false, true} {
			if fixed, ok := old[props[i%len(props)]]; ok && fixed != truth {
				continue
			}
			letter := certify.Letter{props[i%len(props)]: truth}
			for name, value := range old {
				letter[name] = value
			}
			(*at)[k] = letter
			complete(i + 1)
		}
		(*at)[k] = old
	}
	complete(0)
}

func newLanguage(t *testing.T, text string, alphabet *omega.Alphabet) *productcheck.Language {
	t.Helper()
	w, err := omega.ParseWord(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return productcheck.NewLanguage(must.Get(w.Automaton().Over(t.Context(), alphabet)))
}

// disjoint is what the search says about two languages.
func disjoint(t *testing.T, x *productcheck.Language, inX bool, y *productcheck.Language, inY bool) bool {
	t.Helper()
	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
	r, err := d.Decide(t.Context(), x, inX, y, inY)
	if err != nil || r.Undecided != nil {
		t.Fatal(err, r.Undecided)
	}
	return r.Empty()
}

// TestCompletionsOfAutomata compares what automata accept of words with open propositions with the
// search for a word in a product or a complement, and with all short completions.
func TestCompletionsOfAutomata(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b"}
	seen := map[string]int{}
	for i := range n {
		alphabet := omega.NewAlphabet(props...)
		a := sample.Automaton(r, alphabet)
		if i%3 == 0 {
			sets := 1 + r.IntN(3)
			states := 1 + r.IntN(4)
			a = random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)},
				random.Options{States: states, Density: 2.5 / float64(states), Marks: 0.4})
		}
		text := openWord(r, props)
		w, plain := word(t, text), a.Plain()
		what := fmt.Sprintf("seed %d, automaton %d on %s", seed, i, text)
		all, err := certify.AcceptsAll(t.Context(), plain, w, completions)
		none, failed := certify.AcceptsNone(t.Context(), plain, w, completions)
		if err == certify.ErrLarge {
			seen["large"]++ // more than 64 sets, or too many relations
			continue
		}
		if err != nil || failed != nil {
			t.Fatalf("%s: %v, %v", what, err, failed)
		}
		x, y := newLanguage(t, text, alphabet), productcheck.NewLanguage(a)
		if want := disjoint(t, x, true, y, false); all != want {
			t.Fatalf("%s: accepts all: %v, expected %v", what, all, want)
		}
		if want := disjoint(t, x, true, y, true); none != want {
			t.Fatalf("%s: accepts none: %v, expected %v", what, none, want)
		}
		if all || none {
			rounds(w, props, func(v *certify.Word) {
				if got, err := certify.Accepts(t.Context(), plain, v); err != nil || got != all {
					t.Fatalf("%s: %v, but %v, %v on the completion %v", what, all, got, err, v)
				}
			})
		}
		seen[fmt.Sprint(all, none)]++
	}
	if seen["true false"] < n/50 || seen["false true"] < n/50 || seen["false false"] < n/50 || seen["large"] > n/10 {
		t.Errorf("all, none: %v: too few to say anything", seen)
	}
}

// TestCompletionsOfFormulas is the same for formulas.
func TestCompletionsOfFormulas(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b"}
	store := ltl.NewStore()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 1, MaxSize: 9, Past: true}))
	seen := map[bool]int{}
	for range n {
		f := store.Import(must.Get(g.Next()))
		text := openWord(r, props)
		w, alphabet := word(t, text), omega.NewAlphabet(props...)
		x := newLanguage(t, text, alphabet)
		for _, truth := range []bool{true, false} {
			what := fmt.Sprintf("seed %d, %s on %s", seed, f, text)
			got, err := certify.HoldsOnAll(t.Context(), f, truth, w, completions)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			opposite := f
			if truth {
				opposite = store.Not(f)
			}
			wrong := productcheck.NewLanguage(must.Get(must.Get(translate.Of(t.Context(), store, opposite)).Over(t.Context(), alphabet)))
			if want := disjoint(t, x, true, wrong, true); got != want {
				t.Fatalf("%s: always %v: %v, expected %v", what, truth, got, want)
			}
			if seen[got]++; !got {
				continue
			}
			rounds(w, props, func(v *certify.Word) {
				if value, err := certify.Holds(t.Context(), f, v); err != nil || value != truth {
					t.Fatalf("%s: always %v, but %v, %v on %v", what, truth, value, err, v)
				}
			})
		}
	}
	if seen[true] < n/4 || seen[false] < n/4 {
		t.Errorf("%v: too few to say anything", seen)
	}
}
