package translate

import "github.com/xcheck-ltl/xcheck/ltl"

// A suspension rewrites formulas in negation normal form such that no U or R waits for a
// suspendable formula q, like GF a, which holds everywhere or nowhere:
//
//	q U b     =  b | (q & F b)
//	q R b     =  b & (q | G b)
//	G(q U b)  =  G b | (q & GF b)
//	F(q R b)  =  F b & (q | FG b)
//
// On the left side of the third line, a state has what is left of each b that some position waits
// for: for G(GFa U XXXb), there are eight such sets. On the right sides, b occurs twice. That
// seldom pays where b is about one letter only, so it stays as it is then.
type suspension struct {
	s    *ltl.Store
	made map[*ltl.Formula]*ltl.Formula
}

// maxSuspended bounds the sizes of formulas that are rewritten, and of the results.
const maxSuspended = 300

// withoutWaiting returns f, in negation normal form, rewritten, or f if it would be too large.
func withoutWaiting(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
	if f.Size() > maxSuspended {
		return f
	}
	p := suspension{s, make(map[*ltl.Formula]*ltl.Formula)}
	if g := p.formula(f); g.Size() <= maxSuspended {
		return g
	}
	return f
}

func (p *suspension) formula(f *ltl.Formula) *ltl.Formula {
	if g, ok := p.made[f]; ok {
		return g
	}
	g := f
	s := p.s
	switch q, b := p.waiting(f); {
	case q != nil && f.Op() == ltl.OpUntil:
		g = s.Or(b, s.And(q, s.Finally(b)))
	case q != nil && f.Op() == ltl.OpRelease:
		g = s.And(b, s.Or(q, s.Globally(b)))
	case q != nil && f.Op() == ltl.OpGlobally:
		g = s.Or(s.Globally(b), s.And(q, s.Globally(s.Finally(b))))
	case q != nil && f.Op() == ltl.OpFinally:
		g = s.And(s.Finally(b), s.Or(q, s.Finally(s.Globally(b))))
	case f.Op() != ltl.OpNot && f.Op().Arity() == 1:
		g = s.WithOperands(f, p.formula(f.Left()), nil)
	case f.Op().Arity() == 2:
		g = s.Binary(f.Op(), p.formula(f.Left()), p.formula(f.Right()))
	}
	p.made[f] = g
	return g
}

// waiting returns q and b, rewritten, if f is a left side, and nil otherwise.
func (p *suspension) waiting(f *ltl.Formula) (q, b *ltl.Formula) {
	inner := f
	switch l := f.Left(); {
	case f.Op() == ltl.OpGlobally && l.Op() == ltl.OpUntil, f.Op() == ltl.OpFinally && l.Op() == ltl.OpRelease:
		inner = l
	case f.Op() != ltl.OpUntil && f.Op() != ltl.OpRelease:
		return nil, nil
	}
	if !inner.Left().Suspendable() || inner.Right().Ops()&^booleanOps == 0 {
		return nil, nil
	}
	return p.formula(inner.Left()), p.formula(inner.Right())
}
