package ltl

// Simplify applies identities that look only at an operator and its operands, bottom up:
//
//	!0 = 1, !1 = 0, !!a = a
//	a & 0 = 0, a & 1 = a, a & a = a, a & !a = 0, and the duals for |
//	0 -> a = 1, 1 -> a = a, a -> 0 = !a, a -> 1 = 1, a -> a = 1
//	a <-> a = 1, a <-> !a = 0, a <-> 1 = a, a <-> 0 = !a, and the opposites for xor
//	X0 = F0 = G0 = 0, X1 = F1 = G1 = 1, FF a = F a, GG a = G a
//	a U 0 = 0, a U 1 = 1, 0 U a = a, 1 U a = F a, a U a = a
//	a R 0 = 0, a R 1 = 1, 1 R a = a, 0 R a = G a, a R a = a
//	a W 0 = G a, a W 1 = 1, 0 W a = a, 1 W a = 1, a W a = a
//	a M 0 = 0, a M 1 = F a, 1 M a = a, 0 M a = 0, a M a = a
//	Y0 = O0 = H0 = 0, Z1 = O1 = H1 = 1, OO a = O a, HH a = H a
//	a S 0 = 0, a S 1 = 1, 0 S a = a, 1 S a = O a, a S a = a
//	a T 0 = 0, a T 1 = 1, 1 T a = a, 0 T a = H a, a T a = a
//
// It takes time linear in the number of subformulas.
func (s *Store) Simplify(f *Formula) *Formula {
	return s.transform(f, func(g, a, b *Formula) *Formula {
		switch g.op.Arity() {
		case 0:
			return s.same(g, nil, nil)
		case 1:
			return s.simplifyUnary(g.op, a)
		}
		if h := s.simplifyBinary(g.op, a, b); h != nil {
			return h
		}
		return s.Binary(g.op, a, b)
	})
}

func (s *Store) simplifyUnary(op Op, a *Formula) *Formula {
	switch {
	case op == OpNot:
		return s.negate(a)
	case op == OpYesterday || op == OpWeakYesterday:
		// Y1 and Z0 say whether this is the first position.
		if a.op == OpFalse && op == OpYesterday || a.op == OpTrue && op == OpWeakYesterday {
			return a
		}
	case a.op == OpFalse || a.op == OpTrue:
		return a
	case a.op == op && op != OpNext:
		return a
	}
	return s.Unary(op, a)
}

func (s *Store) negate(a *Formula) *Formula {
	switch a.op {
	case OpFalse, OpTrue:
		return s.constant(a.op == OpFalse)
	case OpNot:
		return a.left
	}
	return s.Not(a)
}

// simplifyBinary returns nil if no identity applies.
func (s *Store) simplifyBinary(op Op, a, b *Formula) *Formula {
	falseA, trueA := a.op == OpFalse, a.op == OpTrue
	falseB, trueB := b.op == OpFalse, b.op == OpTrue
	same, opposite := a == b, s.negate(a) == b
	switch op {
	case OpAnd:
		switch {
		case falseA || trueB || same:
			return a
		case falseB || trueA:
			return b
		case opposite:
			return s.False()
		}
	case OpOr:
		switch {
		case trueA || falseB || same:
			return a
		case trueB || falseA:
			return b
		case opposite:
			return s.True()
		}
	case OpImplies:
		switch {
		case falseA || trueB || same:
			return s.True()
		case trueA:
			return b
		case falseB || opposite:
			return s.negate(a)
		}
	case OpEquiv, OpXor:
		return s.simplifyEquiv(op == OpXor, a, b)
	case OpUntil, OpSince:
		switch {
		case falseB || trueB || falseA || same:
			return b
		case trueA && op == OpSince:
			return s.simplifyUnary(OpOnce, b)
		case trueA:
			return s.simplifyUnary(OpFinally, b)
		}
	case OpRelease, OpTriggered:
		switch {
		case falseB || trueB || trueA || same:
			return b
		case falseA && op == OpTriggered:
			return s.simplifyUnary(OpHistorically, b)
		case falseA:
			return s.simplifyUnary(OpGlobally, b)
		}
	case OpWeakUntil:
		switch {
		case trueB || falseA || same:
			return b
		case trueA:
			return a
		case falseB:
			return s.simplifyUnary(OpGlobally, a)
		}
	case OpStrongRelease:
		switch {
		case falseB || trueA || same:
			return b
		case falseA:
			return a
		case trueB:
			return s.simplifyUnary(OpFinally, a)
		}
	}
	return nil
}

func (s *Store) simplifyEquiv(xor bool, a, b *Formula) *Formula {
	if a.op == OpFalse || a.op == OpTrue {
		a, b = b, a
	}
	var h *Formula
	switch {
	case a == b || b.op == OpTrue:
		h = a
		if a == b {
			h = s.True()
		}
	case b.op == OpFalse:
		h = s.negate(a)
	case s.negate(a) == b:
		h = s.False()
	default:
		return nil
	}
	if xor {
		return s.negate(h)
	}
	return h
}
