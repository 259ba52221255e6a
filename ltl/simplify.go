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
//	{r}<>->0 = 0, {r}[]->1 = 1, {[*0]} = {[*0]}<>->a = 0, {[*0]}[]->a = 1
//	{b;c} = b & Xc, {b;c}<>->a = b & X(c & a), {b;c}[]->a = b -> X(c -> a), for any number of letters
//
// It takes time linear in the number of subformulas.
func (s *Store) Simplify(f *Formula) *Formula {
	return s.transform(f, func(g, a, b *Formula) *Formula {
		switch {
		case g.sere != nil:
			return s.simplifySERE(g, a)
		case g.op.Arity() == 0:
			return s.WithOperands(g, nil, nil)
		case g.op.Arity() == 1:
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
	case a.op == op && op != OpNext: // FF a = F a; G, O and H likewise
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

// An identity says what a formula with the operands a and b is equal to: a constant, or an operator
// applied to one of them; OpProp is for the operand itself.
type identity struct {
	op     Op
	second bool // applied to b
}

var (
	no, yes    = identity{op: OpFalse}, identity{op: OpTrue}
	isA, isB   = identity{op: OpProp}, identity{OpProp, true}
	notA, notB = identity{op: OpNot}, identity{OpNot, true}
)

// identities lists the identities of each binary operator: if a is 0 or 1, if b is 0 or 1, if they
// are the same, and, for Boolean operators, if one is the negation of the other.
var identities = [numOps]struct{ falseA, trueA, falseB, trueB, same, opposite identity }{
	OpAnd:           {no, isB, no, isA, isA, no},
	OpOr:            {isB, yes, isA, yes, isA, yes},
	OpImplies:       {yes, isB, notA, yes, yes, notA},
	OpEquiv:         {notB, isB, notA, isA, yes, no},
	OpXor:           {isB, notB, isA, notA, no, yes},
	OpUntil:         {isB, identity{OpFinally, true}, no, yes, isA, no},
	OpRelease:       {identity{OpGlobally, true}, isB, no, yes, isA, no},
	OpWeakUntil:     {isB, yes, identity{op: OpGlobally}, yes, isA, no},
	OpStrongRelease: {no, isB, no, identity{op: OpFinally}, isA, no},
	OpSince:         {isB, identity{OpOnce, true}, no, yes, isA, no},
	OpTriggered:     {identity{OpHistorically, true}, isB, no, yes, isA, no},
}

// simplifyBinary returns nil if no identity applies.
func (s *Store) simplifyBinary(op Op, a, b *Formula) *Formula {
	x := &identities[op]
	var is identity
	switch {
	case a.op == OpFalse:
		is = x.falseA
	case a.op == OpTrue:
		is = x.trueA
	case b.op == OpFalse:
		is = x.falseB
	case b.op == OpTrue:
		is = x.trueB
	case a == b:
		is = x.same
	case op < OpNext && s.negate(a) == b: // this rule is for Boolean operators
		is = x.opposite
	default:
		return nil
	}
	f := a
	if is.second {
		f = b
	}
	switch is.op {
	case OpFalse, OpTrue:
		return s.constant(is.op == OpTrue)
	case OpProp:
		return f
	}
	return s.simplifyUnary(is.op, f)
}

// maxSequence is the length of the longest sequence of letters that is written with X.
const maxSequence = 64

// simplifySERE returns the simplified form of g, {r}, {r}<>->f or {r}[]->f, with another operand,
// which is simple. A sequence of letters is written with X.
func (s *Store) simplifySERE(g, operand *Formula) *Formula {
	if g.op == OpSuffixConjunction && operand.op == OpFalse || g.op == OpSuffixImplication && operand.op == OpTrue {
		return operand
	}
	r := s.mapSERE(g.sere, s.Simplify)
	letters, ok := r.sequence(nil)
	if !ok {
		return s.make(node{op: g.op, left: operand, sere: r})
	}
	if len(letters) == 0 {
		return s.constant(g.op == OpSuffixImplication)
	}
	op, f := OpAnd, operand
	switch g.op {
	case OpClosure:
		f = s.True()
	case OpSuffixImplication:
		op = OpImplies
	}
	for i := len(letters) - 1; i >= 0; i-- {
		if i < len(letters)-1 {
			f = s.simplifyUnary(OpNext, f)
		}
		b := letters[i]
		if h := s.simplifyBinary(op, b, f); h != nil {
			f = h
		} else {
			f = s.Binary(op, b, f)
		}
	}
	return f
}

// sequence appends the letters of an expression that is a sequence of letters, as a;b[*2];[*0] is.
func (r *SERE) sequence(list []*Formula) (letters []*Formula, ok bool) {
	switch {
	case len(list) > maxSequence:
		return nil, false
	case r.op == SERELetter:
		return append(list, r.letter), true
	case r.op == SEREEmpty:
		return list, true
	case r.op == SEREConcat:
		if list, ok = r.left.sequence(list); ok {
			return r.right.sequence(list)
		}
	case r.op == SEREStar && r.low == r.high:
		for range r.low {
			before := len(list)
			if list, ok = r.left.sequence(list); !ok || len(list) == before { // the other times add nothing either
				return list, ok
			}
		}
		return list, true
	}
	return nil, false
}
