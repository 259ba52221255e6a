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
// since if b & e holds anywhere it does so where a first fails, or before. There is
// no choice on the right side, nor a promise but those of e.
type preparation struct {
	s       *ltl.Store
	implies *ltl.Implication
	made    map[*ltl.Formula]*ltl.Formula
	pairs   int // how many more pairs of disjuncts may be compared

	// known is nil, or has properties of formulas: recurrences are gathered then.
	known map[*ltl.Formula]property
}

func prepare(ctx context.Context, s *ltl.Store, f *ltl.Formula) *ltl.Formula {
	return newPreparation(ctx, s).formula(f)
}

func newPreparation(ctx context.Context, s *ltl.Store) *preparation {
	return &preparation{s: s, implies: ltl.NewImplication(ctx, s, couvreurImplications), made: make(map[*ltl.Formula]*ltl.Formula), pairs: couvreurPairs}
}

// couvreurPairs is how many pairs of G a and F b are compared in all disjunctions of a
// formula.
const couvreurPairs = 1 << 16

func (p *preparation) formula(f *ltl.Formula) *ltl.Formula {
	if g, ok := p.made[f]; ok {
		return g
	}
	g := f
	switch {
	case f.Op() == ltl.OpOr:
		var list []*ltl.Formula
		for _, h := range operands(nil, f) {
			list = append(list, p.formula(h))
		}
		g = p.joined(ltl.OpOr, p.suspended(p.resolved(list)))
	case p.known != nil && (f.Op() == ltl.OpAnd || f.Op() == ltl.OpGlobally):
		g = p.gathered(f)
	case f.Op() != ltl.OpNot && f.Op().Arity() == 1:
		g = p.s.WithOperands(f, p.formula(f.Left()), nil)
	case f.Op().Arity() == 2:
		g = p.s.Binary(f.Op(), p.formula(f.Left()), p.formula(f.Right()))
	}
	p.made[f] = g
	return g
}

// operands appends the operands of a conjunction or disjunction, or f if it is
// neither.
func operands(list []*ltl.Formula, f *ltl.Formula) []*ltl.Formula {
	op, first := f.Op(), len(list)
	if op != ltl.OpAnd && op != ltl.OpOr {
		return append(list, f)
	}
	for ; f.Op() == op; f = f.Left() {
		list = append(list, f.Right())
	}
	list = append(list, f)
	slices.Reverse(list[first:])
	return list
}

// joined is the opposite, for a list that is not empty.
func (p *preparation) joined(op ltl.Op, list []*ltl.Formula) *ltl.Formula {
	f := list[0]
	for _, g := range list[1:] {
		f = p.s.Binary(op, f, g)
	}
	return f
}

// suspended puts the suspendable ones of a list of disjuncts into the first F or,
// if there is none, U.
func (p *preparation) suspended(list []*ltl.Formula) []*ltl.Formula {
	waits := func(op ltl.Op) func(*ltl.Formula) bool {
		return func(f *ltl.Formula) bool { return f.Op() == op && (op == ltl.OpFinally || !f.Suspendable()) }
	}
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
		f = p.s.Finally(p.joined(ltl.OpOr, append([]*ltl.Formula{f.Left()}, late...)))
	} else {
		f = p.s.Until(f.Left(), p.joined(ltl.OpOr, append([]*ltl.Formula{f.Right()}, late...)))
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
			if !p.fit(f.Left(), g.Left()) {
				continue
			}
			list[i] = p.s.WeakUntil(f.Left(), g.Left())
			return p.resolved(slices.Delete(list, j, j+1))
		}
	}
	return list
}

// fit reports whether f is b & e such that !a implies b.
func (p *preparation) fit(a, f *ltl.Formula) bool {
	var now []*ltl.Formula
	for _, g := range operands(nil, f) {
		if !g.PureEventuality() {
			now = append(now, g)
		}
	}
	return f.Op() == ltl.OpAnd && p.implies.Holds(p.s.NNF(p.s.Not(a)), p.joined(ltl.OpAnd, append(now, p.s.True())))
}
