package cross

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// TestExcess: the automata of Schuppan and Biere's Figure 3, and others that are small enough to see it.
func TestExcess(t *testing.T) {
	for _, x := range []struct {
		algorithm, formula string
		want               int // -1: nothing is accepted
	}{
		{"gpvw", "p & XGq", 1},
		{"couvreur", "GFa", 0},
		{"couvreur", "Fa", 1},
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
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
			random.Options{States: states, Density: 1.5 / float64(states), Marks: 0.4})
		got := must.Get(excess(t.Context(), a))
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

// TestWorkedExamples runs the examples in the comments of excess, without, settled and open.
func TestWorkedExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		a := must.First(hoa.ReadOne(t.Context(), []byte(text)))
		return a
	}
	late := read("HOA: v1 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 1 State: 1 [t] 1 {0} --END--")
	if n, err := excess(t.Context(), late); err != nil || n == nil || *n != 1 {
		t.Errorf("excess: %v, %v", n, err)
	}
	ab := omega.NewAlphabet("a", "b")
	a, b := ab.Prop(0), ab.Prop(1)
	if got := without(ab, ab.And(a, ab.Not(b)), 0); got != ab.Not(b) {
		t.Errorf("a&!b without a is %s", ab.Text(got))
	}
	always := read(`HOA: v1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--`)
	alphabet := always.Alphabet()
	a, notA := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	for _, x := range []struct{ prefix, cycle, want []omega.Label }{
		{[]omega.Label{a}, []omega.Label{notA}, []omega.Label{a, notA}},
		{nil, []omega.Label{a}, nil},
	} {
		w := omega.NewWord(alphabet, x.prefix, x.cycle)
		if got, err := settled(t.Context(), always, w); err != nil || !slices.Equal(got, x.want) {
			t.Errorf("settled on %s: %v, %v", w, got, err)
		}
	}
	both := read(`HOA: v1 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&1] 2 [0&!1] 1 State: 1 [!1] 1 [1] 2 State: 2 [t] 2 {0} --END--`)
	ab = both.Alphabet()
	each := []omega.Label{ab.And(ab.Prop(0), ab.Prop(1))}
	o := &opener{word: omega.NewWord(ab, each, each), required: []requirement{{productcheck.NewLanguage(both), true}}}
	if changed, err := o.open(t.Context(), nil); !changed || err != nil || o.word.String() != "a; cycle{b}" {
		t.Errorf("opened: %s, %v", o.word, err)
	}
}

// TestTryWordsErrors: a word that can't be judged is an internal error of its case,
// and does not end the run; only the end of the whole run does.
func TestTryWordsErrors(t *testing.T) {
	proved := false
	try := func(ctx context.Context, prop, text string) ([]string, error) {
		t.Helper()
		formula := must.Get(ltl.NewStore().Parse("Ga", ltl.Spot))
		a, _, err := hoa.ReadOne(context.Background(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.NewAlphabet(prop)
		a = must.Get(a.Over(context.Background(), alphabet))
		j := &certifier{words: map[string]*omega.Word{}, specification: &truths{formula: formula}, members: []*member{{subjects: []outcome.Subject{{Translator: "bad"}}, language: productcheck.NewLanguage(a), proved: proved}}, decider: &productcheck.Decider{}}
		err = j.tryWords(ctx, alphabet, 10, rand.New(rand.NewPCG(1, 2)))
		return j.errors, err
	}
	const all = `HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--`
	const alternating = `HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0&1 {0} [t] 0 State: 1 [t] 1 --END--`
	for _, c := range []struct{ prop, text, want string }{
		{"b", all, "does not determine the truth of a"},
		{"a", alternating, ": bad: unsupported: alternating automaton with components that are not weak"},
	} {
		got, err := try(context.Background(), c.prop, c.text)
		if err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "internal error: word ") || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, %v; want one that contains %q", c.text, got, err, c.want)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := try(canceled, "a", all); !errors.Is(err, context.Canceled) || len(got) > 0 {
		t.Errorf("canceled: %q, %v", got, err)
	}
	proved = true
	if got, err := try(t.Context(), "a", all); err != nil || len(got) != 1 || !strings.Contains(got[0], "bad is proved, and wrong on this word") {
		t.Errorf("proved and wrong: %q, %v", got, err)
	}
}
