package cross

import (
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

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
