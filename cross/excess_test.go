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
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
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

// TestWorkedExamples runs the examples in the comments of excess, without, settled and open.
func TestWorkedExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		a, _, err := hoa.ReadOne(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
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
	try := func(ctx context.Context, prop, text string) ([]string, error) {
		t.Helper()
		formula := must.Get(ltl.NewStore().Parse("Ga", ltl.Spot))
		a, _, err := hoa.ReadOne(context.Background(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.NewAlphabet(prop)
		a = must.Get(a.Over(context.Background(), alphabet))
		j := &certifier{words: map[string]*omega.Word{}, specification: &truths{formula: formula}, members: []*member{{subjects: []outcome.Subject{{Translator: "bad"}}, language: productcheck.NewLanguage(a)}}, decider: &productcheck.Decider{}}
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
}

// giving returns what a tool gives that translates so.
func giving(t *testing.T, translate Translation) asker {
	return func(_ *translators.Tool, f *ltl.Formula) *translators.Output {
		s := ltl.NewStore()
		a := must.Get(translate(t.Context(), s, s.Import(f)))
		return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
	}
}

// randomTexts returns random formulas over three propositions.
func randomTexts(t *testing.T, seed uint64, n, size int) (list []string) {
	t.Helper()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 3, MaxSize: size}))
	for range n {
		list = append(list, must.Get(g.Next()).String())
	}
	return list
}

// TestShortWordsAlone: a translator and the reference have the same bug, so that all checks pass
// if the bug treats a formula and its negation alike. There are no random words and no proofs. All
// short words show the bug, blame the translator and no other, and say that the reference is
// wrong.
func TestShortWordsAlone(t *testing.T) {
	n, seed := campaign.Seeded(t, 40, 1)
	formulas := append(randomTexts(t, seed, n, 10), "a & b & Gc", "b U FGa")
	alone := 0
	for _, bug := range seeded.Bugs() {
		if bug.Class != "" {
			continue // a crash, or a false property
		}
		found := 0
		for _, formula := range formulas {
			o := Options{Tools: tools("mine"), Reference: bug.Automaton, Exhaustive: Cheap}
			ask := giving(t, bug.Automaton)
			c := caseOf(t, fake(&o, ask, ask), formula)
			for _, d := range c.Disagreements {
				if slices.ContainsFunc(d.Blamed, func(s outcome.Subject) bool { return s.Translator != "mine" }) {
					t.Fatalf("seed %d, %s, %s: %+v", seed, bug.Name, formula, d)
				}
				if !slices.ContainsFunc(c.Errors, func(e string) bool { return strings.Contains(e, "the reference is wrong") }) {
					t.Fatalf("seed %d, %s, %s: the reference is not said to be wrong: %v", seed, bug.Name, formula, c.Errors)
				}
			}
			if len(c.Disagreements) > 0 {
				found++
				blind := Options{Tools: tools("mine"), Reference: bug.Automaton}
				without := caseOf(t, fake(&blind, ask, ask), formula)
				if len(without.Disagreements)+len(without.Errors) == 0 {
					alone++
				}
			}
		}
		if found == 0 && bug.Name != "empty alphabet" { // all formulas have propositions
			t.Errorf("seed %d, %s: not found on %d formulas", seed, bug.Name, n)
		}
	}
	if alone < n {
		t.Errorf("seed %d: the short words alone show %d cases: too few to say anything", seed, alone)
	}
}

// TestShortWordsAgree: what the searches find on words up to a size is just what all of these
// show, and they find the same sizes.
func TestShortWordsAgree(t *testing.T) {
	n, seed := campaign.Seeded(t, 60, 2)
	some := 0
	for _, bug := range seeded.Bugs() {
		if bug.Class != "" {
			continue
		}
		ask := giving(t, bug.Automaton)
		for _, formula := range randomTexts(t, seed, n/10+1, 8) {
			search := caseOf(t, fake(&Options{Tools: tools("mine"), Reference: translate.Of}, ask, ask), formula)
			short := caseOf(t, fake(&Options{Tools: tools("mine"), NoComplement: true, Exhaustive: 3}, ask, ask), formula)
			both := caseOf(t, fake(&Options{Tools: tools("mine"), Reference: translate.Of, Exhaustive: 3}, ask, ask), formula)
			if len(search.Errors)+len(short.Errors)+len(both.Errors) > 0 {
				t.Fatalf("seed %d, %s, %s: %v %v %v", seed, bug.Name, formula, search.Errors, short.Errors, both.Errors)
			}
			for _, d := range short.Disagreements {
				if !d.Shortest {
					t.Errorf("seed %d, %s, %s: %s is not said to be shortest", seed, bug.Name, formula, d.Word)
				}
			}
			want, got := shown(search, 3), shown(short, 3)
			if !slices.Equal(want, got) || !slices.Equal(want, shown(both, 3)) {
				t.Errorf("seed %d, %s, %s: searches find %v, short words %v, both %v", seed, bug.Name, formula, want, got, shown(both, 3))
			}
			some += len(want)
		}
	}
	if some < n {
		t.Errorf("only %d disagreements: too few to say anything", some)
	}
}

// shown returns how automata are wrong on words up to a size, with the size of the smallest.
func shown(c *outcome.Case, size int) (list []string) {
	least := map[string]int{}
	for _, d := range c.Disagreements {
		for _, s := range d.Blamed {
			key := string(d.Kind) + " " + s.Symbol()
			if n, ok := least[key]; d.Size <= size && (!ok || d.Size < n) {
				least[key] = d.Size
			}
		}
	}
	for key, n := range least {
		list = append(list, key+strings.Repeat(" *", n))
	}
	slices.Sort(list)
	return list
}

// TestShortWordsContradict: a word that is on both sides of a passed check is an internal error,
// as is a word that the evaluation of all short words lacks.
func TestShortWordsContradict(t *testing.T) {
	ctx := t.Context()
	s := ltl.NewStore()
	alphabet := omega.NewAlphabet("a")
	var list members
	for k, formula := range []string{"Fa", "Ga"} {
		a := must.Get(must.Get(translate.Of(ctx, s, must.Get(s.Parse(formula, ltl.Spot)))).Over(ctx, alphabet))
		list.add(outcome.Subject{Translator: []string{"x", "y"}[k]}, a)
	}
	x, y := list[0][0], list[0][1]
	w := lasso(alphabet, []omega.Letter{{true}, {false}}, 1)
	ch := &checker{members: list, passed: []intersection{{x, y, true, true}, {x, y, true, false}}}
	c := outcome.NewCase(0, "Fa", nil)
	r := &caseRun{run: &run{Options: &Options{}}}
	for range 2 { // once is enough
		if err := r.contradict(ctx, c, ch, w); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.Contradictions) != 1 || len(c.Errors) != 1 || c.Contradictions[0].Check != "P x & !(P y)" {
		t.Errorf("%+v, %q", c.Contradictions, c.Errors)
	}

	decider := &productcheck.Decider{Limits: productcheck.DefaultLimits}
	j := &certifier{specification: &truths{alphabet: alphabet, store: s, formula: must.Get(s.Parse("Fa", ltl.Spot))}, members: list.all(), decider: decider, words: map[string]*omega.Word{}}
	j.add(must.Get(j.entries(ctx, w))...)
	for _, x := range []struct {
		words  shortWords
		errors int
	}{{shortWords{size: 1}, 0}, {shortWords{size: 2}, 1}, {shortWords{size: 2, wrong: []shortWord{{w, y, outcome.Missing}}}, 0}, {shortWords{size: 2, wrong: []shortWord{{w, y, outcome.Extra}}}, 1}} {
		j.errors = nil
		if x.words.agree(j); len(j.errors) != x.errors {
			t.Errorf("%+v: %q", x.words, j.errors)
		}
	}
}
