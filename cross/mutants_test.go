package cross_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestMutants runs a wrong translator beside two good ones. Whenever its
// mutation has changed the language, it is found, and only it is blamed; and it
// is not blamed when the language is the same.
func TestMutants(t *testing.T) {
	const seed = 1
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		checkMutants(t, seed, mutation, run(t,
			cross.Options{Tools: []*translators.Tool{streamed(t, "gpvw"), streamed(t, mutation), streamed(t, "gastin-oddoux")}, Exhaustive: cross.Cheap},
			randomFormulas(t, seed, campaign.Inputs(t, 60), 10)))
	}
}

// checkMutants checks that the mutated translator, and no other, is blamed in
// just those cases in which it is wrong.
func checkMutants(t *testing.T, seed uint64, mutation string, cases []*outcome.Case) {
	t.Helper()
	caught, harmless := 0, 0
	for _, c := range cases {
		wrong := map[outcome.Subject]bool{}
		for _, d := range c.Disagreements {
			checkDisagreement(t, c, &d)
			checkGeneral(t, c, &d, func(s outcome.Subject) *omega.Automaton { return mutant(t, s, c.Formula) })
			checkExplanations(t, c, &d, func(s outcome.Subject) *omega.Automaton { return mutant(t, s, c.Formula) })
			for _, b := range d.Blamed {
				if b.Translator != mutation {
					t.Errorf("seed %d, %s: %s is blamed: %+v", seed, c.Formula, b, d)
				}
				wrong[b] = true
			}
		}
		for _, negated := range []bool{false, true} {
			want := changed(t, mutation, c.Formula, negated)
			if got := wrong[outcome.Subject{Translator: mutation, Polarity: outcome.Polarity(negated)}]; got != want {
				t.Errorf("seed %d, %s, negated %v: blamed %v, but the language has changed: %v", seed, c.Formula, negated, got, want)
			}
			if want {
				caught++
			} else {
				harmless++
			}
		}
	}
	if caught < len(cases)/3 || harmless < len(cases)/12 {
		t.Errorf("%s: %d mutants, %d without effect: too few to say anything", mutation, caught, harmless)
	}
}

// changed reports whether the mutant differs from the automaton that it is made
// from, by random words and, where they don't show it, by both inclusions.
func changed(t *testing.T, mutation, formula string, negated bool) bool {
	t.Helper()
	s := ltl.NewStore()
	f, err := s.Parse(formula, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	if negated {
		f = s.Not(f)
	}
	good, err := mutated("gastin-oddoux", f.String())
	if err != nil {
		t.Fatal(err)
	}
	bad, err := mutated(mutation, f.String())
	if err != nil {
		t.Fatal(err)
	}
	good = must.Get(good.Over(context.Background(), bad.Alphabet()))
	r := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		w := random.Word(r, bad.Alphabet(), 3, 3)
		x, _ := good.Accepts(context.Background(), w)
		y, _ := bad.Accepts(context.Background(), w)
		if x != y {
			return true
		}
	}
	for _, pair := range [][2]*omega.Automaton{{good, bad}, {bad, good}} {
		co, err := complement.With(context.Background(), "", pair[1], 0)
		if err != nil {
			t.Fatal(err)
		}
		both, err := productcheck.Intersect(context.Background(), pair[0], co, emptiness.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !both.Empty() {
			return true
		}
	}
	return false
}

// checkDisagreement recomputes everything that a disagreement says of its word.
func checkDisagreement(t *testing.T, c *outcome.Case, d *outcome.Disagreement) {
	t.Helper()
	f, err := ltl.NewStore().Parse(c.Formula, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	w, err := omega.ParseWord(context.Background(), d.Word)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := w.Holds(f)
	if err != nil || truth != d.Truth || w.Size() != d.Size {
		t.Errorf("%s on %s: truth %v (%v), size %d; the report says %v, %d", c.Formula, d.Word, truth, err, w.Size(), d.Truth, d.Size)
	}
	for _, a := range d.Accepts {
		if a.Right != (a.Accepts == (truth != bool(a.Polarity))) {
			t.Errorf("%s on %s: %+v is inconsistent", c.Formula, d.Word, a)
		}
		blamed := false
		for _, b := range d.Blamed {
			blamed = blamed || b == a.Subject
		}
		if kind := map[bool]string{true: "extra", false: "missing"}[a.Accepts]; blamed != (!a.Right && kind == string(d.Kind)) {
			t.Errorf("%s on %s, kind %s: %+v, blamed %v", c.Formula, d.Word, d.Kind, a, blamed)
		}
	}
}
