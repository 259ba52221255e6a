package ltl

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
			if list, ok = r.left.sequence(list); !ok {
				return nil, false
			}
		}
		return list, true
	}
	return nil, false
}
