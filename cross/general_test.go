package cross_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// completed returns a random completion of a word in which the cycle comes some times, with other
// choices each time.
func completed(r *rand.Rand, w *omega.Word) *omega.Word {
	a := w.Alphabet
	letter := func(l omega.Label) omega.Label {
		for i := range a.Len() {
			p := a.Prop(i)
			if r.IntN(2) == 0 {
				p = a.Not(p)
			}
			if a.Meet(l, p) {
				l = a.And(l, p)
			}
		}
		return l
	}
	v := omega.NewWord(a, nil, nil)
	for _, l := range w.Prefix {
		v.Prefix = append(v.Prefix, letter(l))
	}
	for range 1 + r.IntN(3) {
		for _, l := range w.Cycle {
			v.Cycle = append(v.Cycle, letter(l))
		}
	}
	return v
}

// literals counts the literals of a word.
func literals(text string) int {
	n := 1 + strings.Count(text, "&") + strings.Count(text, ";")
	for _, letter := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";{} ", r) }) {
		if letter == "1" {
			n--
		}
	}
	return n
}

// checkGeneral tries completions of the word that leaves open what plays no part.
func checkGeneral(t *testing.T, c *outcome.Case, d *outcome.Disagreement, automaton func(outcome.Subject) *omega.Automaton) {
	t.Helper()
	if d.General == "" {
		return
	}
	if literals(d.General) >= literals(d.Word) {
		t.Errorf("%s: %s in general is %s", c.Formula, d.Word, d.General)
	}
	f := parsed(t, ltl.NewStore(), c.Formula)
	w := must.Get(omega.ParseWord(t.Context(), d.General))
	r := rand.New(rand.NewPCG(1, 1))
	w = w.Over(omega.Union(omega.NewAlphabet(f.Props()...), w.Alphabet))
	for range 20 {
		v := completed(r, w)
		if truth, err := v.Holds(f); err != nil || truth != d.Truth {
			t.Errorf("%s: truth on %s, a completion of %s: %v, %v", c.Formula, v, d.General, truth, err)
		}
		for _, s := range d.Blamed {
			a := must.Get(automaton(s).Over(t.Context(), omega.Union(w.Alphabet, automaton(s).Alphabet())))
			if accepts, err := a.Accepts(t.Context(), v.Over(a.Alphabet())); err != nil || accepts != (d.Kind == outcome.Extra) {
				t.Errorf("%s: %s on %s, a completion of %s: %v, %v", c.Formula, s, v, d.General, accepts, err)
			}
		}
	}
}

// completions calls visit for each completion of a word in which the cycle comes once or twice, and
// returns how many there are. It leaves out those with twice the cycle if they are too many, and
// returns 0 if all are.
func completions(w *omega.Word, visit func(*omega.Word)) (count int) {
	const most = 10 // values to choose
	a := w.Alphabet
	for rounds := 1; rounds <= 2; rounds++ {
		letters := slices.Concat(w.Prefix, slices.Repeat(w.Cycle, rounds))
		var open [][2]int // letter and proposition
		for i, l := range letters {
			for p := range a.Len() {
				if a.Meet(l, a.Prop(p)) && a.Meet(l, a.Not(a.Prop(p))) {
					open = append(open, [2]int{i, p})
				}
			}
		}
		if len(open) > most {
			break
		}
		for choice := range 1 << len(open) {
			v := omega.NewWord(a, slices.Clone(letters[:len(w.Prefix)]), slices.Clone(letters[len(w.Prefix):]))
			for k, x := range open {
				literal := a.Prop(x[1])
				if choice>>k&1 == 0 {
					literal = a.Not(literal)
				}
				list, i := v.Prefix, x[0]
				if i >= len(list) {
					list, i = v.Cycle, i-len(list)
				}
				list[i] = a.And(list[i], literal)
			}
			count++
			visit(v)
		}
	}
	return count
}

// A generalized has a word without what plays no part. On each of its completions, the formula has
// that truth, and the automaton is wrong.
type generalized struct {
	f     *ltl.Formula
	a     *omega.Automaton
	word  *omega.Word
	truth bool
}

// TestGeneralEvery compares random formulas with automata of other ones. Every completion of 1,000 words
// shows the same disagreement, by evaluating all of them in which the cycle comes at most twice.
func TestGeneralEvery(t *testing.T) {
	n, seed := campaign.Seeded(t, 1000, 8)
	formulas := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 3, MaxSize: 10}))
	alphabet := omega.NewAlphabet("a", "b", "c")
	words, left, tried := 0, 0, 0
	for i := 0; words < n; i++ {
		store := ltl.NewStore()
		f := store.Import(must.Get(formulas.Next()))
		other := store.Import(must.Get(formulas.Next()))
		a := must.Get(must.Get(translate.Of(t.Context(), store, other)).Over(t.Context(), alphabet))
		truth := i%2 == 0
		word := shortestWrong(t, store, f, a, truth)
		if word == nil {
			continue
		}
		g := generalize(t, store, f, a, word, truth)
		if g == nil {
			continue
		}
		count := completions(g.word, func(v *omega.Word) { g.check(t, v) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if count == 0 {
			left++
			continue
		}
		words++
		tried += count
	}
	t.Logf("%d words with %d completions; %d have too many", words, tried, left)
	if left > n/20 {
		t.Errorf("%d words have too many completions", left)
	}
}

// TestGeneralCorpus leaves out what plays no part in the words that show how recorded automata in
// which something was changed differ from their formulas. Random completions show the same.
func TestGeneralCorpus(t *testing.T) {
	n, seed := campaign.Seeded(t, 1000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	type record struct{ Formula, HOA string }
	var all []*generalized
	words, letters, before, after := 0, 0, 0, 0
	for x := range campaign.Sample(corpus.Records[record](t, "mutants.jsonl.gz"), 12) {
		store := ltl.NewStore()
		f := parsed(t, store, x.Formula)
		a := must.First(hoa.ReadOne(t.Context(), []byte(x.HOA)))
		a = must.Get(a.Over(t.Context(), omega.Union(omega.NewAlphabet(f.Props()...), a.Alphabet())))
		for _, truth := range []bool{true, false} {
			word := shortestWrong(t, store, f, a, truth)
			if word == nil {
				continue
			}
			words++
			letters += word.Size()
			before += literals(word.String())
			g := generalize(t, store, f, a, word, truth)
			if g == nil {
				after += literals(word.String())
				continue
			}
			after += literals(g.word.String())
			all = append(all, g)
		}
	}
	t.Logf("%d words, %d more general; literals a letter: %.2f before, %.2f after", words, len(all),
		float64(before)/float64(letters), float64(after)/float64(letters))
	for range n {
		g := all[r.IntN(len(all))]
		g.check(t, completed(r, g.word))
	}
	if t.Failed() || 2*len(all) < words {
		t.Errorf("seed %d: %d of %d words are more general", seed, len(all), words)
	}
}

// shortestWrong returns a shortest word on which the formula has that truth and the automaton is
// wrong, or nil.
func shortestWrong(t *testing.T, store *ltl.Store, f *ltl.Formula, a *omega.Automaton, truth bool) *omega.Word {
	t.Helper()
	if !truth {
		f = store.Not(f)
	}
	right := must.Get(must.Get(translate.With(t.Context(), "gastin-oddoux", store, f)).Over(t.Context(), a.Alphabet()))
	x, y := productcheck.NewLanguage(right), productcheck.NewLanguage(a)
	d := productcheck.Decider{}
	r, err := d.Decide(t.Context(), x.In(), productcheck.Side{Language: y, In: !truth})
	if err != nil || r.Undecided != nil {
		t.Fatal(err, r.Undecided)
	}
	if r.Empty() {
		return nil
	}
	in, out := []*productcheck.Language{x}, []*productcheck.Language{y}
	if !truth {
		in, out = slices.Concat(in, out), nil
	}
	return must.Get(d.Shortest(t.Context(), r.Word.Concrete(), in, out)).Word
}

// TestGeneral: the literals that remain in words of small formulas and automata.
func TestGeneral(t *testing.T) {
	const one = "HOA: v1 States: 1 Start: 0 AP: 3 \"a\" \"b\" \"c\" Acceptance: 1 Inf(0) --BODY-- State: 0 %s --END--"
	for _, x := range []struct {
		formula, body, word string
		truth               bool
		want                string
	}{
		{"Ga", "[t] 0 {0}", "cycle{!a&!b&!c}", false, "cycle{!a}"},
		{"Ga", "[0&!1] 0 {0}", "cycle{a&b&!c}", true, "cycle{a&b}"},
		{"GFa", "[!2] 0 {0}", "cycle{a&!b&c}", true, "cycle{a&c}"},
		{"a | !a", "[f] 0", "cycle{!a&!b&!c}", true, "cycle{1}"},
		{"a U b", "[0] 0 {0} [!0] 0 {0}", "cycle{!a&!b&!c}", false, "cycle{!b}"},
		{"GFa & GFb", "[0] 0 {0} [!0] 0", "cycle{a&!b&!c; !a&b&!c}", true, ""},
		{"{a;b}!", "[f] 0", "a&!b&!c; !a&b&!c; cycle{!a&!b&!c}", true, "a&!b; !a&b; cycle{!a&!b}"},
	} {
		store := ltl.NewStore()
		a := must.First(hoa.ReadOne(t.Context(), []byte(fmt.Sprintf(one, x.body))))
		w := must.Get(omega.ParseWord(t.Context(), x.word)).Over(a.Alphabet())
		got, err := cross.General(t.Context(), store, parsed(t, store, x.formula), a, w, x.truth)
		if err != nil || got != x.want {
			t.Errorf("%s: %s in general: %q, %v; expected %q", x.formula, x.word, got, err, x.want)
		}
	}
}

func (g *generalized) check(t *testing.T, v *omega.Word) {
	t.Helper()
	truth, err := v.Holds(g.f)
	accepts, failed := g.a.Accepts(t.Context(), v)
	if err != nil || failed != nil || truth != g.truth || accepts == truth {
		t.Errorf("%s on %s, a completion of %s: truth %v, accepts %v; %v, %v", g.f, v, g.word, truth, accepts, err, failed)
	}
}
