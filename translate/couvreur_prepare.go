package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A preparation rewrites disjunctions of a formula in negation normal form such that
// a choice is made later, or never. The results are not smaller as formulas.
//
// A suspendable formula q, like GF a, may be checked from any position on. So where
// there is a choice between it and another formula that waits for something, the
// choice may be made when the waiting is over:
//
//	F a | q = F(a | q)
//	(a U b) | q = a U (b | q)
//
// The left sides are a choice at the first position, from which two automata go on;
// the right sides are one that goes on to either. (Babiak, Křetínský, Řehák and
// Strejček, TACAS 2012, suspend formulas in conjunctions, and call them alternating.)
//
// A pure eventuality e holds at all positions before one where it does. So
//
//	G a | F(b & e) = a W (b & e) if !a implies b,
//
// since if b & e holds anywhere it does so where a first fails, or before. The right side has no
// choice, and no promises beyond the promises of e.
type preparation struct {
	s       *ltl.Store
	implies *ltl.Implication
	made    map[*ltl.Formula]*ltl.Formula
	pairs   int // how many more pairs of disjuncts may be compared

	// known is nil, or has properties of formulas: recurrences are gathered then.
	known ltl.Classifier
}

// prepare rewrites f. With a classifier, it also arranges f for recurrences: see gathered.
func prepare(ctx context.Context, s *ltl.Store, f *ltl.Formula, known ltl.Classifier) *ltl.Formula {
	p := &preparation{s, ltl.NewImplication(ctx, s, couvreurImplications), make(map[*ltl.Formula]*ltl.Formula), couvreurPairs, known}
	return p.formula(f)
}

// couvreurPairs is how many pairs of G a and F b are compared in all disjunctions of a formula.
const couvreurPairs = 1 << 16

func (p *preparation) formula(f *ltl.Formula) *ltl.Formula {
	if g, ok := p.made[f]; ok {
		return g
	}
	g := f
	switch {
	case f.Op() == ltl.OpOr:
		var list []*ltl.Formula
		for _, h := range f.OperandsOf(ltl.OpOr) {
			list = append(list, p.formula(h))
		}
		g = p.s.Join(ltl.OpOr, p.suspended(p.resolved(list)))
	case p.known != nil && (f.Op() == ltl.OpAnd || f.Op() == ltl.OpGlobally):
		g = p.gathered(f)
	default:
		g = rebuilt(p.s, f, p.formula)
	}
	p.made[f] = g
	return g
}

// rebuilt returns f, in negation normal form, with other operands.
func rebuilt(s *ltl.Store, f *ltl.Formula, of func(*ltl.Formula) *ltl.Formula) *ltl.Formula {
	switch {
	case f.Op() == ltl.OpNot || f.Left() == nil:
		return f
	case f.Right() == nil:
		return s.WithOperands(f, of(f.Left()), nil)
	}
	return s.Binary(f.Op(), of(f.Left()), of(f.Right()))
}

// suspended puts the suspendable ones of a list of disjuncts into the first F or,
// if there is none, U.
func (p *preparation) suspended(list []*ltl.Formula) []*ltl.Formula {
	waits := func(op ltl.Op) func(*ltl.Formula) bool {
		return func(f *ltl.Formula) bool { return f.Op() == op && (op == ltl.OpFinally || !f.Suspendable()) }
	}
	// Under an F, the choice can wait as long as it likes; under a U, only while its left side
	// holds.
	at := slices.IndexFunc(list, waits(ltl.OpFinally))
	if at < 0 {
		at = slices.IndexFunc(list, waits(ltl.OpUntil))
	}
	if at < 0 {
		return list
	}
	var rest, late []*ltl.Formula
	for i, f := range list {
		switch {
		case i == at:
		case f.Suspendable():
			late = append(late, f)
		default:
			rest = append(rest, f)
		}
	}
	if len(late) == 0 {
		return list
	}
	f := list[at]
	if f.Op() == ltl.OpFinally {
		f = p.s.Finally(p.s.Join(ltl.OpOr, append([]*ltl.Formula{f.Left()}, late...)))
	} else {
		f = p.s.Until(f.Left(), p.s.Join(ltl.OpOr, append([]*ltl.Formula{f.Right()}, late...)))
	}
	return append(rest, f)
}

// resolved makes one of each G a and F(b & e) among disjuncts that fit.
func (p *preparation) resolved(list []*ltl.Formula) []*ltl.Formula {
	for i, f := range list {
		if f.Op() != ltl.OpGlobally {
			continue
		}
		for j, g := range list {
			if g.Op() != ltl.OpFinally {
				continue
			}
			if p.pairs--; p.pairs < 0 {
				return list
			}
			// Is g F of b & e, such that !a implies b?
			var now []*ltl.Formula
			for _, b := range g.Left().OperandsOf(ltl.OpAnd) {
				if !b.PureEventuality() {
					now = append(now, b)
				}
			}
			// If all conjuncts are pure eventualities, b is true.
			if g.Left().Op() != ltl.OpAnd || !p.implies.Holds(p.s.NNF(p.s.Not(f.Left())), p.s.Join(ltl.OpAnd, append(now, p.s.True()))) {
				continue
			}
			list[i] = p.s.WeakUntil(f.Left(), g.Left())
			return p.resolved(slices.Delete(list, j, j+1))
		}
	}
	return list
}

// maxSuspended bounds the sizes of formulas that withoutWaiting rewrites, and of the results.
const maxSuspended = 300

// withoutWaiting rewrites f, in negation normal form, such that no U or R waits for a suspendable
// formula q, like GF a, which holds everywhere or nowhere. It returns f if the result is too large.
//
//	q U b     =  b | (q & F b)
//	q R b     =  b & (q | G b)
//	G(q U b)  =  G b | (q & GF b)
//	F(q R b)  =  F b & (q | FG b)
//
// On the left side of the third line, a state has what is left of each b that some position waits
// for: for G(GFa U XXXb), there are eight such sets. On the right sides, b occurs twice. That
// seldom pays where b is about one letter only, so it stays as it is then.
func withoutWaiting(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
	if f.Size() > maxSuspended {
		return f
	}
	made := make(map[*ltl.Formula]*ltl.Formula)
	var rewritten func(f *ltl.Formula) *ltl.Formula
	rewritten = func(f *ltl.Formula) *ltl.Formula {
		if g, ok := made[f]; ok {
			return g
		}
		op, waiting := f.Op(), f // the U or R
		if l := f.Left(); op == ltl.OpGlobally && l.Op() == ltl.OpUntil || op == ltl.OpFinally && l.Op() == ltl.OpRelease {
			waiting = l
		}
		g := f
		if w := waiting.Op(); w != ltl.OpUntil && w != ltl.OpRelease || !waiting.Left().Suspendable() ||
			waiting.Right().Ops()&^booleanOps == 0 {
			g = rebuilt(s, f, rewritten)
		} else {
			switch q, b := rewritten(waiting.Left()), rewritten(waiting.Right()); op {
			case ltl.OpUntil:
				g = s.Or(b, s.And(q, s.Finally(b)))
			case ltl.OpRelease:
				g = s.And(b, s.Or(q, s.Globally(b)))
			case ltl.OpGlobally:
				g = s.Or(s.Globally(b), s.And(q, s.Globally(s.Finally(b))))
			case ltl.OpFinally:
				g = s.And(s.Finally(b), s.Or(q, s.Finally(s.Globally(b))))
			}
		}
		made[f] = g
		return g
	}
	if g := rewritten(f); g.Size() <= maxSuspended {
		return g
	}
	return f
}

// gathered prepares a conjunction, or G of a formula, for recurrences of guarantees g and h:
//
//	GF g & GF h       =  G(F g & F h)           one recurrence for both
//	G(a & F g)        =  G a & GF g
//	(a U b) & GF g    =  a U (b & GF g)         GF g is looked at when the waiting is over
func (p *preparation) gathered(f *ltl.Formula) *ltl.Formula {
	var rest, goals []*ltl.Formula
	for _, g := range f.OperandsOf(ltl.OpAnd) {
		if g.Op() != ltl.OpGlobally {
			rest = append(rest, p.formula(g))
			continue
		}
		var always []*ltl.Formula
		for _, h := range g.Left().OperandsOf(ltl.OpAnd) {
			if h = p.formula(h); isGoal(h, p.known) {
				goals = append(goals, h)
			} else {
				always = append(always, h)
			}
		}
		if len(always) > 0 {
			rest = append(rest, p.s.Globally(p.s.Join(ltl.OpAnd, always)))
		}
	}
	if len(goals) == 0 {
		return p.s.Join(ltl.OpAnd, rest)
	}
	return p.s.Join(ltl.OpAnd, p.waiting(rest, p.s.Globally(p.s.Join(ltl.OpAnd, goals))))
}

// waiting puts a recurrence into the first F or U of a list of conjuncts, or appends it.
func (p *preparation) waiting(list []*ltl.Formula, r *ltl.Formula) []*ltl.Formula {
	for i, f := range list {
		switch {
		case f.Suspendable(): // it holds everywhere or nowhere, so nothing waits for it
		case f.Op() == ltl.OpFinally:
			list[i] = p.s.Finally(p.s.Join(ltl.OpAnd, p.waiting(f.Left().OperandsOf(ltl.OpAnd), r)))
			return list
		case f.Op() == ltl.OpUntil:
			list[i] = p.s.Until(f.Left(), p.s.Join(ltl.OpAnd, p.waiting(f.Right().OperandsOf(ltl.OpAnd), r)))
			return list
		}
	}
	return append(list, r)
}

// goals returns the formulas F g if f, in negation normal form, is G of their conjunction, and each
// g is a guarantee by its form and about more than one letter. Otherwise it returns nil. known has
// properties of subformulas.
func goals(f *ltl.Formula, known ltl.Classifier) []*ltl.Formula {
	if f.Op() != ltl.OpGlobally {
		return nil
	}
	list := f.Left().OperandsOf(ltl.OpAnd)
	if slices.ContainsFunc(list, func(f *ltl.Formula) bool { return !isGoal(f, known) }) {
		return nil
	}
	return list
}

// isGoal reports whether f is F g as goals returns it.
func isGoal(f *ltl.Formula, known ltl.Classifier) bool {
	return f.Op() == ltl.OpFinally && f.Left().Ops()&^booleanOps != 0 && known.Of(f).In(ltl.Guarantee)
}
