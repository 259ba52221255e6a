package xcheck

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A Checker answers questions about automata with limits and algorithms of its own. The zero Checker
// has the default ones, as the functions of this package have.
type Checker struct {
	Limits omega.Limits // of an answer
	// Algorithm is the complement construction; "" means the one that fits best.
	Algorithm complement.Algorithm
	// Raw makes Complement return what the construction makes, without reducing it.
	Raw bool
}

var byDefault = new(Checker)

const (
	// slack is how much later than a check the whole answer ends, so that the check can report how
	// far it came.
	slack = 50 * time.Millisecond
	// grace is the time for certifying a word that was found in time.
	grace = 150 * time.Millisecond
)

// within returns a context with the limits of time and memory of an answer.
func (c *Checker) within(ctx context.Context) (context.Context, context.CancelFunc) {
	limits := c.Limits.WithDefaults()
	ctx = limits.WithMemory(given(ctx))
	if limits.Time < 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limits.Time+slack, &budget.TimeError{Limit: limits.Time})
}

// overtime returns the budget.TimeError if that is why err ended a computation, and nil otherwise.
// ctx is of within.
func overtime(ctx context.Context, err error) error {
	var over *budget.TimeError
	if errors.Is(err, context.DeadlineExceeded) && errors.As(context.Cause(ctx), &over) {
		return over
	}
	return nil
}

// languages returns two automata as languages over one alphabet. ctx is of within. They share no
// tables with a and b, which other goroutines may read.
func languages(ctx context.Context, a, b *omega.Automaton) (x, y *productcheck.Language, err error) {
	if err := cmp.Or(checkAutomaton(a), checkAutomaton(b)); err != nil {
		return nil, nil, err
	}
	// One language is known to be equal to itself.
	if a == b {
		l := productcheck.NewLanguage(a.Clone())
		return l, l, nil
	}
	if a, b, err = a.Clone().OneAlphabet(ctx, b.Clone()); err != nil {
		return nil, nil, cmp.Or(overtime(ctx, err), err)
	}
	return productcheck.NewLanguage(a), productcheck.NewLanguage(b), nil
}

// certify returns an error unless package certify confirms that a word is in some languages and not
// in others. It has some time beyond the limit, for a word that was found just in time.
func certify(ctx context.Context, w *omega.Word, in, out []*productcheck.Language) error {
	if overtime(ctx, ctx.Err()) != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		ctx = late
	}
	for i, l := range slices.Concat(in, out) {
		if err := l.Automaton().Certify(ctx, w, i < len(in)); err != nil {
			return err
		}
	}
	return nil
}

// Translate returns an automaton that accepts exactly the words on which the formula holds. It is
// reduced, has generalized Büchi acceptance, and its name is the formula. See [translate.With]
// for other constructions, and [complement.Form] for other forms. Translate takes time exponential
// in the size of the formula at worst.
func Translate(ctx context.Context, f *ltl.Formula) (*omega.Automaton, error) {
	if f == nil {
		return nil, errNoFormula
	}
	store := ltl.NewStore()
	return translate.Of(limited(ctx), store, store.Import(f))
}

// Complement returns a small automaton that accepts exactly the words that a rejects. See package
// complement for the constructions. It fails with [omega.ErrNotWeak] for an alternating automaton
// with a component that is not weak.
func Complement(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	co, _, err := byDefault.Complement(ctx, a)
	return co, err
}

// Complement is the function [Complement], and also returns the construction that made the result.
// When the reductions exceed a limit, it returns the smallest automaton so far.
func (c *Checker) Complement(ctx context.Context, a *omega.Automaton) (*omega.Automaton, complement.Algorithm, error) {
	if err := checkAutomaton(a); err != nil {
		return nil, "", err
	}
	// Half of the memory is for the automaton, and half for its reduction.
	a = a.Clone()
	limits := c.Limits.WithDefaults()
	inner, cancel := c.within(ctx)
	defer cancel()
	construct := complement.Smallest
	if c.Raw {
		construct = complement.Whole
	}
	if limits.Memory > 0 {
		limits.Memory = max(1, limits.Memory/2)
	}
	co, by, err := construct(inner, c.Algorithm, a, limits)
	if err != nil {
		return nil, "", cmp.Or(overtime(inner, err), err)
	}
	co = reduce.WithoutDeadEnds(co)
	if a.Name != "" {
		co.Name = "complement of " + a.Name
	}
	return co, by, nil
}
