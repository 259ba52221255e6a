package xcheck

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A Truth is what [Eval] returns.
type Truth uint8

const (
	False Truth = iota // the formula holds on no word that matches
	True               // it holds on all
	Open               // it holds on some, and not on others
)

// String returns "false", "true" or "open".
func (t Truth) String() string { return [...]string{"false", "true", "open"}[min(t, Open)] }

// Eval evaluates the formula on the word, directly from the semantics. The result is confirmed by
// package certify. It takes time and memory linear in the sizes of both, times the nesting of past
// operators.
//
// If the letters leave propositions of the formula open, the word stands for many. Eval then
// decides with automata on which of them the formula holds: F a is Open on cycle{1}, and True on a;
// cycle{1}.
func Eval(ctx context.Context, f *ltl.Formula, w *omega.Word) (Truth, error) {
	if f == nil {
		return False, errNoFormula
	}
	if err := w.Check(); err != nil {
		return False, err
	}
	ctx, w = limited(ctx), w.Clone()
	store := ltl.NewStore()
	f = store.Import(f)
	// A value for each formula of the store at each position, here and in package certify.
	positions := len(w.Prefix) + (1+f.PastDepth())*len(w.Cycle)
	if limit := budget.Memory(ctx); int64(positions) > limit/2/int64(f.ID()+1) {
		return False, &omega.LimitError{What: "memory", Limit: int(limit)}
	}
	holds, err := w.Holds(f)
	if err == nil {
		if err = w.CertifyTruth(ctx, f, holds); holds && err == nil {
			return True, nil
		}
		return False, err
	}
	var open *omega.OpenError
	if !errors.As(err, &open) {
		return False, err
	}
	// The word stands for many: on some the formula is true if their automaton meets its automaton.
	some, err := satisfied(ctx, store, f, w)
	if err != nil || !some {
		return False, err
	}
	switch other, err := satisfied(ctx, store, store.Not(f), w); {
	case err != nil:
		return False, err
	case other:
		return Open, nil
	}
	return True, nil
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
	r, err := productcheck.Intersect(ctx, words, a, omega.Limits{Memory: budget.Memory(ctx)}.Or(omega.NoLimits()))
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
