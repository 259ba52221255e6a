package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// prepareRecurrences is prepare, and arranges formulas for recurrences:
//
//	GF g & GF h       =  G(F g & F h)           one recurrence for both
//	G(a & F g)        =  G a & GF g
//	(a U b) & GF g    =  a U (b & GF g)         GF g is looked at when the waiting is over
//
// where g and h are guarantees.
func prepareRecurrences(ctx context.Context, s *ltl.Store, f *ltl.Formula) *ltl.Formula {
	p := newPreparation(ctx, s)
	p.known = make(map[*ltl.Formula]property)
	return p.formula(f)
}

// gathered prepares a conjunction, or G of a formula.
func (p *preparation) gathered(f *ltl.Formula) *ltl.Formula {
	var rest, goals []*ltl.Formula
	for _, g := range conjuncts(nil, f) {
		if g.Op() != ltl.OpGlobally {
			rest = append(rest, p.formula(g))
			continue
		}
		var always []*ltl.Formula
		for _, h := range conjuncts(nil, g.Left()) {
			if h = p.formula(h); isGoal(h, p.known) {
				goals = append(goals, h)
			} else {
				always = append(always, h)
			}
		}
		if len(always) > 0 {
			rest = append(rest, p.s.Globally(p.joined(ltl.OpAnd, always)))
		}
	}
	if len(goals) == 0 {
		return p.joined(ltl.OpAnd, rest)
	}
	return p.joined(ltl.OpAnd, p.waiting(rest, p.s.Globally(p.joined(ltl.OpAnd, goals))))
}

// waiting puts a recurrence into the first F or U of a list of conjuncts, or appends it.
func (p *preparation) waiting(list []*ltl.Formula, r *ltl.Formula) []*ltl.Formula {
	for i, f := range list {
		switch {
		case f.Suspendable():
		case f.Op() == ltl.OpFinally:
			list[i] = p.s.Finally(p.joined(ltl.OpAnd, p.waiting(conjuncts(nil, f.Left()), r)))
			return list
		case f.Op() == ltl.OpUntil:
			list[i] = p.s.Until(f.Left(), p.joined(ltl.OpAnd, p.waiting(conjuncts(nil, f.Right()), r)))
			return list
		}
	}
	return append(list, r)
}

// conjuncts appends the operands of a conjunction at any depth, or f.
func conjuncts(list []*ltl.Formula, f *ltl.Formula) []*ltl.Formula {
	if f.Op() != ltl.OpAnd {
		return append(list, f)
	}
	return conjuncts(conjuncts(list, f.Left()), f.Right())
}

// goals returns the formulas F g if f, in negation normal form, is G of their conjunction, and each
// g is a guarantee by its form and about more than one letter. Otherwise it returns nil. known has
// properties of subformulas.
func goals(f *ltl.Formula, known map[*ltl.Formula]property) []*ltl.Formula {
	if f.Op() != ltl.OpGlobally {
		return nil
	}
	list := conjuncts(nil, f.Left())
	if slices.ContainsFunc(list, func(f *ltl.Formula) bool { return !isGoal(f, known) }) {
		return nil
	}
	return list
}

// isGoal reports whether f is F g as goals returns it.
func isGoal(f *ltl.Formula, known map[*ltl.Formula]property) bool {
	return f.Op() == ltl.OpFinally && f.Left().Ops()&^booleanOps != 0 && propertyOf(f, known)&guarantee != 0
}
