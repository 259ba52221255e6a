package xcheck

import (
	"cmp"
	"context"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
	"github.com/xcheck-ltl/xcheck/translate"
)

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
	a = a.Clone()
	limits := c.Limits.Or(productcheck.DefaultLimits)
	inner, cancel := c.within(ctx)
	defer cancel()
	construct := complement.Smallest
	if c.Raw {
		construct = complement.Whole
	}
	co, by, err := construct(inner, c.Algorithm, a, limits.Macrostates, limits.Memory/2)
	if err != nil {
		return nil, "", cmp.Or(overtime(inner, err), err)
	}
	co = reduce.WithoutDeadEnds(co)
	if a.Name != "" {
		co.Name = "complement of " + a.Name
	}
	return co, by, nil
}
