package bench

import (
	"context"
	"iter"
	"time"

	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A TranslationRow has the results of an algorithm on a set of formulas and their negations.
type TranslationRow struct {
	Set           string  `json:"set" table:"formulas"`                // set of formulas
	Algorithm     string  `json:"algorithm" table:"algorithm"`         // name of the algorithm
	Formulas      int     `json:"formulas" table:"number"`             // number of formulas, counting negations
	Done          int     `json:"done" table:"done"`                   // number that ended within the limits
	States        int     `json:"states" table:"states"`               // number of states of all automata
	Edges         int     `json:"edges" table:"edges"`                 // number of edges of all automata
	Marks         int     `json:"acc" table:"sets"`                    // number of acceptance sets of all automata
	Deterministic int     `json:"deterministic" table:"deterministic"` // number of automata that are deterministic
	Seconds       float64 `json:"seconds" table:"seconds,2"`           // time of all translations, in seconds
	// time of the slowest translation, in seconds
	Slowest float64 `json:"slowest_seconds" table:"slowest,3"`
}

// A FormulaSet is a named set of formulas. They are made on request, once for each algorithm,
// because there may be very many.
type FormulaSet struct {
	Name     string
	Formulas func(context.Context) iter.Seq2[*ltl.Formula, error]
}

// TranslationOptions are the options of Translations.
type TranslationOptions struct {
	Sets       []FormulaSet
	Algorithms []translate.Algorithm
	Time       time.Duration // for one translation
}

// Translations translates each formula and its negation by each algorithm, one at a time. It
// passes a row for each set and algorithm to emit.
func Translations(ctx context.Context, o TranslationOptions, emit func(TranslationRow) error) error {
	for _, set := range o.Sets {
		err := emitEach(o.Algorithms, emit, func(a translate.Algorithm) (TranslationRow, error) {
			row := TranslationRow{Set: set.Name, Algorithm: a.Name}
			for f, err := range set.Formulas(ctx) {
				if err != nil {
					return row, err
				}
				store := ltl.NewStore()
				f = store.Import(f)
				for _, g := range []*ltl.Formula{f, store.Not(f)} {
					if err := row.add(ctx, o.Time, store, g); err != nil {
						return row, err
					}
				}
			}
			return row, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add translates one formula. The error is that all was canceled, or that the
// algorithm does not take the formula.
func (r *TranslationRow) add(ctx context.Context, limit time.Duration, s *ltl.Store, f *ltl.Formula) error {
	r.Formulas++
	var a *omega.Automaton
	took, done, err := measured(ctx, limit, func(limited context.Context) (err error) {
		a, err = translate.With(limited, r.Algorithm, s, f)
		return err
	})
	if !done {
		return err // nil after a limit: then Done stays behind Formulas
	}
	r.Done++
	r.States += a.NumStates()
	r.Edges += a.NumEdges()
	r.Marks += a.Acceptance().Sets
	if a.IsDeterministic() {
		r.Deterministic++
	}
	r.Seconds += took.Seconds()
	r.Slowest = max(r.Slowest, took.Seconds())
	return nil
}
