package bench

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// formulas gives the formulas of the texts.
func formulas(t *testing.T, texts ...string) func(context.Context) iter.Seq2[*ltl.Formula, error] {
	t.Helper()
	return func(context.Context) iter.Seq2[*ltl.Formula, error] {
		return func(yield func(*ltl.Formula, error) bool) {
			for _, text := range texts {
				f, err := ltl.NewStore().Parse(text, ltl.Spot)
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// TestTranslations has a table of formulas whose automata are known: couvreur's
// automaton of GFa has one state with two edges and one mark. Its automaton of the
// negation has two states and three edges, since it guesses when the last a has
// been.
func TestTranslations(t *testing.T) {
	o := TranslationOptions{
		Sets:       []FormulaSet{{"one", formulas(t, "GFa")}, {"two", formulas(t, "GFa", "a")}},
		Algorithms: translate.Algorithms(),
		Time:       time.Minute,
	}
	var rows []TranslationRow
	emit := func(r TranslationRow) error { rows = append(rows, r); return nil }
	must.Do(Translations(t.Context(), o, emit))
	if want := 2 * len(o.Algorithms); len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	for i, r := range rows {
		n := i/len(o.Algorithms) + 1
		if r.Set != o.Sets[n-1].Name || r.Algorithm != o.Algorithms[i%len(o.Algorithms)].Name || r.Formulas != 2*n || r.Done != 2*n {
			t.Errorf("row %d is %+v", i, r)
		}
		if r.Seconds <= 0 || r.Slowest <= 0 || r.Slowest > r.Seconds {
			t.Errorf("row %d: %g s, the slowest %g s", i, r.Seconds, r.Slowest)
		}
		if r.Algorithm == "couvreur" && n == 1 && (r.States != 3 || r.Edges != 5 || r.Marks != 2 || r.Deterministic != 1) {
			t.Errorf("GFa and its negation: %+v", r)
		}
	}
}

// TestTranslationsFail ends a table early: what takes too long is counted, and not
// done; all else ends the table.
func TestTranslationsFail(t *testing.T) {
	emit := func(r TranslationRow) error {
		if r.Formulas != 2 || r.Done != 0 || r.States != 0 || r.Seconds != 0 {
			t.Errorf("no time: %+v", r)
		}
		return nil
	}
	o := TranslationOptions{Sets: []FormulaSet{{"one", formulas(t, "GFa")}}, Algorithms: translate.Algorithms(), Time: 1}
	if err := Translations(t.Context(), o, emit); err != nil {
		t.Error(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Translations(canceled, o, emit); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	full := errors.New("full")
	if err := Translations(t.Context(), o, func(TranslationRow) error { return full }); err != full {
		t.Errorf("full: %v", err)
	}
	o.Sets[0].Formulas = formulas(t, "G(")
	var syntax *ltl.SyntaxError
	if err := Translations(t.Context(), o, emit); !errors.As(err, &syntax) {
		t.Errorf("no formula: %v", err)
	}
}
