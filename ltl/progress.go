package ltl

import (
	"context"
	"slices"
)

// Progress returns what remains of f after one letter (Bacchus and Kabanza 2000). The result
// holds at the next position if and only if f holds at a position whose letter is value. If f
// has past operators, ok is false. After a letter with a, and without b and c:
//
//	a U b              a U b
//	a M b              0
//	G(a -> F b)        F b & G(a -> F b)
//	{a;b[*];c}[]->d    {b[*];c}[]->d
//
// Constants and duplicate operands of & and | disappear. Reduce is applied if it makes the formula
// smaller. Still, repeated progression along a word can make the formula longer and longer.
func (s *Store) Progress(f *Formula, value func(prop string) bool) (next *Formula, ok bool) {
	f = s.Import(f)
	if f == nil || f.ops.HasPast() || value == nil {
		return nil, false
	}
	subs, places := f.numbered()
	done := make([]*Formula, 1+len(subs)) // the first is for operands that there are not
	of := func(g *Formula) *Formula { return done[places.get(g)] }
	needed := neededParts(f, subs)
	expressions := newDerivation(s, oneLetter{nil, value})
	for i, g := range subs {
		switch {
		case needed[g] && g.sere != nil:
			done[1+i] = s.progressSERE(expressions.of(g.sere), g, of(g.left))
		case needed[g]:
			done[1+i] = s.progress(g, of, value)
		}
	}
	next = of(f)
	if g, err := s.Reduce(context.Background(), next, LevelImplications); err == nil && g.size < next.size {
		next = g
	}
	return next, true
}

// progress is the step for the operator at the top of f: of returns what its operands have become.
func (s *Store) progress(f *Formula, of func(*Formula) *Formula, value func(prop string) bool) *Formula {
	a, b := of(f.left), of(f.right) // perhaps nil; of no use for &, | and X
	switch f.op {
	case OpProp:
		return s.constant(value(f.name))
	case OpNot:
		return s.negate(a)
	case OpAnd, OpOr:
		list := f.operands()
		for i, g := range list {
			list[i] = of(g)
		}
		return s.foldAll(f.op, list)
	case OpImplies, OpEquiv, OpXor:
		return s.fold(f.op, a, b)
	case OpNext:
		return f.left // as it is: it speaks of the next position
	case OpFinally:
		return s.fold(OpOr, a, f)
	case OpGlobally:
		return s.fold(OpAnd, a, f)
	case OpUntil, OpWeakUntil:
		return s.fold(OpOr, b, s.fold(OpAnd, a, f))
	case OpRelease, OpStrongRelease:
		return s.fold(OpAnd, b, s.fold(OpOr, a, f))
	}
	return f // a constant
}

// progressSERE is the step for {r}, {r}<>->f and {r}[]->f, where f has become operand.
func (s *Store) progressSERE(terms []derivative[bool], f, operand *Formula) *Formula {
	var list []*SERE
	ends := false
	for _, x := range terms {
		ends = ends || x.Rest.null
		if x.Rest.op != SEREEmpty {
			list = append(list, x.Rest)
		}
	}
	// In a fixed order, so that there are finitely many results.
	list = slices.SortedFunc(slices.Values(flatten(list)), byID)
	list = slices.DeleteFunc(list, func(r *SERE) bool { return r.op == SEREEmpty }) // that a word ends is known from above
	g := s.constant(f.op == OpSuffixImplication)
	if len(list) > 0 {
		g = s.make(node{op: f.op, left: f.left, sere: s.union(list)})
	}
	switch {
	case !ends: // no word ends with the letter
		return g
	case f.op == OpClosure:
		return s.True()
	case f.op == OpSuffixConjunction:
		return s.fold(OpOr, operand, g)
	}
	return s.fold(OpAnd, operand, g)
}

func (s *Store) constant(truth bool) *Formula {
	if truth {
		return s.True()
	}
	return s.False()
}

// fold makes a Boolean formula with two operands, without constants in it.
func (s *Store) fold(op Op, a, b *Formula) *Formula {
	if op == OpAnd || op == OpOr {
		return s.foldAll(op, []*Formula{a, b})
	}
	if f := s.simplifyBinary(op, a, b); f != nil {
		return f
	}
	return s.Binary(op, a, b)
}

// foldAll makes a conjunction or disjunction, without constants in it, and with each operand once.
func (s *Store) foldAll(op Op, list []*Formula) *Formula {
	unit, zero := s.constant(op == OpAnd), s.constant(op == OpOr)
	if slices.Contains(list, zero) {
		return zero
	}
	f := unit
	have := map[*Formula]bool{unit: true}
	for _, part := range list {
		for _, g := range part.OperandsOf(op) {
			switch {
			case have[g]:
				continue
			case f == unit:
				f = g
			default:
				f = s.Binary(op, f, g)
			}
			have[g] = true
		}
	}
	return f
}
