package xcheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// Eval reports whether the formula holds on the word, directly from the semantics. The result is
// confirmed by package certify. It takes time and memory linear in the sizes of both, times the
// nesting of past operators.
//
// If the letters leave propositions of the formula open, the word stands for many. Eval then
// decides with automata whether the formula holds on one of them. If it holds on some, but not on
// all, Eval returns true and an [omega.OpenError]: for F a on cycle{1}, but not on a; cycle{1}.
func Eval(ctx context.Context, f *ltl.Formula, w *omega.Word) (bool, error) {
	if f == nil {
		return false, errNoFormula
	}
	if err := w.Check(); err != nil {
		return false, err
	}
	ctx, w = limited(ctx), w.Clone()
	store := ltl.NewStore()
	f = store.Import(f)
	// A value for each formula of the store at each position, here and in package certify.
	positions := len(w.Prefix) + (1+f.PastDepth())*len(w.Cycle)
	if limit := budget.Memory(ctx); int64(positions) > limit/2/int64(f.ID()+1) {
		return false, &omega.LimitError{What: "memory", Limit: int(limit)}
	}
	holds, err := w.Holds(f)
	if err == nil {
		err = w.CertifyTruth(ctx, f, holds)
		return holds && err == nil, err
	}
	var open *omega.OpenError
	if !errors.As(err, &open) {
		return false, err
	}
	// The word stands for many: on some the formula is true if their automaton meets its automaton.
	some, err := satisfied(ctx, store, f, w)
	if err != nil || !some {
		return false, err
	}
	other, err := satisfied(ctx, store, store.Not(f), w)
	if err == nil && other {
		err = fmt.Errorf("%w: the formula is true on some matching words and false on others", open)
	}
	return err == nil || other, err
}

// satisfied reports whether the formula holds on one of the words.
func satisfied(ctx context.Context, store *ltl.Store, f *ltl.Formula, w *omega.Word) (bool, error) {
	a, err := translate.Of(ctx, store, f)
	if err != nil {
		return false, err
	}
	words, a, err := w.Automaton().OneAlphabet(ctx, a)
	if err != nil {
		return false, err
	}
	r, err := productcheck.Intersect(ctx, words, a, productcheck.Limits{Memory: budget.Memory(ctx)}.Or(productcheck.NoLimits))
	return err == nil && !r.Empty(), err
}

// Accepts reports whether the automaton accepts the word. If letters leave propositions of the
// automaton open, the word stands for many, and Accepts reports whether one of them is accepted.
// Otherwise the result is confirmed by package certify.
//
// Accepts takes time linear in the product of both sizes for a fixed acceptance condition. It fails
// with [omega.ErrNotWeak] for an alternating automaton with a component that is not weak.
func Accepts(ctx context.Context, a *omega.Automaton, w *omega.Word) (bool, error) {
	if err := errors.Join(checkAutomaton(a), w.Check()); err != nil {
		return false, err
	}
	ctx, a = limited(ctx), a.Clone()
	w = w.Clone()
	accepts, err := a.Accepts(ctx, w)
	if err == nil && w.Determines(a.Alphabet().Props()) == nil {
		err = a.Certify(ctx, w, accepts)
	}
	return accepts && err == nil, err
}

// Explain says why the automaton accepts or rejects the word: an accepting run, a run that gets
// stuck, or one that is not accepting, which [report.Text.Explanation] prints. It is verified that
// the run is one, and that no other run makes the answer wrong. For an alternating automaton, the
// explanation lists the states from which the rest of the word is accepted. Its errors are the
// errors of [Accepts].
func Explain(ctx context.Context, a *omega.Automaton, w *omega.Word) (*outcome.Explanation, error) {
	if err := errors.Join(checkAutomaton(a), w.Check()); err != nil {
		return nil, err
	}
	a = a.Clone()
	return explain.Acceptance(limited(ctx), a, w.Clone())
}
