package spelling

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

func (n *node) isTrue() bool  { return n.op == ltl.OpTrue }
func (n *node) isFalse() bool { return n.op == ltl.OpFalse }

// constant returns true or false.
func (s *Speller) constant(value bool) *node {
	if value {
		return s.node(ltl.OpTrue, nil)
	}
	return s.node(ltl.OpFalse, nil)
}

// unary returns op n, having applied identities:
//
//	!!a = a    !0 = 1    X1 = 1    FFa = Fa    F0 = 0    G1 = 1
func (s *Speller) unary(op ltl.Op, n *node) *node {
	switch op {
	case ltl.OpNot:
		switch {
		case n.isTrue() || n.isFalse():
			return s.instead(s.constant(n.isFalse()), n)
		case n.op == ltl.OpNot:
			inner := n.operands[0]
			inner.uses++
			return s.instead(inner, n)
		}
	case ltl.OpNext:
		if n.isTrue() {
			return n
		}
	case ltl.OpFinally, ltl.OpGlobally:
		if n.op == op || n.isTrue() || n.isFalse() {
			return n
		}
	}
	return s.node(op, []*node{n})
}

// binary returns a op b, having applied identities:
//
//	a xor a = 0    1 <-> a = a    a -> 0 = !a    a U 1 = 1    0 W a = a    1 R a = a    a M a = a
func (s *Speller) binary(op ltl.Op, a, b *node) *node {
	commutes := op == ltl.OpXor || op == ltl.OpEquiv
	if commutes && compare(b, a) < 0 {
		a, b = b, a
	}
	switch {
	case commutes && (a.isTrue() || a.isFalse()):
		if a.isTrue() == (op == ltl.OpEquiv) {
			return s.instead(b, a)
		}
		return s.instead(s.unary(ltl.OpNot, b), a)
	case commutes && a == b:
		return s.instead(s.constant(op == ltl.OpEquiv), a, b)
	case op == ltl.OpImplies:
		switch {
		case a.isTrue(), b.isTrue():
			return s.instead(b, a)
		case a.isFalse() || a == b:
			return s.instead(s.constant(true), a, b)
		case b.isFalse():
			return s.instead(s.unary(ltl.OpNot, a), b)
		}
	case ltl.Ops(ltl.OpUntil, ltl.OpRelease, ltl.OpWeakUntil, ltl.OpStrongRelease).Has(op):
		switch {
		case isRight(op, a, b):
			return s.instead(b, a)
		case op == ltl.OpWeakUntil && a.isTrue(), op == ltl.OpStrongRelease && a.isFalse():
			return s.instead(a, b)
		}
	}
	return s.node(op, []*node{a, b})
}

// isRight reports whether an identity turns a op b into b.
func isRight(op ltl.Op, a, b *node) bool {
	if a == b {
		return true
	}
	switch op {
	case ltl.OpUntil:
		return b.isTrue() || b.isFalse() || a.isFalse()
	case ltl.OpRelease:
		return b.isTrue() || b.isFalse() || a.isTrue()
	case ltl.OpWeakUntil:
		return b.isTrue() || a.isFalse()
	}
	return b.isFalse() || a.isTrue() // M
}

// several returns the conjunction or disjunction of operands, and takes their uses. It sorts them,
// and drops duplicates and neutral constants:
//
//	b & 1 & a & b = a & b    Fa | 0 = Fa    Fa | Gb | 1 = 1
func (s *Speller) several(op ltl.Op, operands []*node) *node {
	slices.SortFunc(operands, compare)
	neutral, absorbing := ltl.OpTrue, ltl.OpFalse
	if op == ltl.OpOr {
		neutral, absorbing = absorbing, neutral
	}
	if slices.ContainsFunc(operands, func(n *node) bool { return n.op == absorbing }) {
		return s.instead(s.node(absorbing, nil), operands...)
	}
	var list []*node
	for _, n := range operands {
		if n.op == neutral || len(list) > 0 && list[len(list)-1] == n {
			s.release(n)
		} else {
			list = append(list, n)
		}
	}
	switch len(list) {
	case 0:
		return s.node(neutral, nil)
	case 1:
		return list[0]
	}
	return s.node(op, list)
}
