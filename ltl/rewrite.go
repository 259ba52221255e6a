package ltl

import "fmt"

// transform rebuilds f from its operands up: build is given a subformula with
// the operands already rebuilt.
func (s *Store) transform(f *Formula, build func(g, left, right *Formula) *Formula) *Formula {
	return s.rebuild(func() *Formula {
		subs, number := f.numbered()
		made := make([]*Formula, 1, 1+len(subs)) // the first is not used
		of := func(g *Formula) *Formula {
			if g == nil {
				return nil
			}
			return made[number.get(g)]
		}
		for _, g := range subs {
			made = append(made, build(g, of(g.left), of(g.right)))
		}
		return of(f)
	})
}

// same makes the formula with the operator (or name) of g and other operands.
func (s *Store) same(g, left, right *Formula) *Formula {
	if g.op.Arity() == 2 {
		return s.Binary(g.op, left, right)
	}
	return s.make(node{op: g.op, left: left, name: g.name})
}

// Import returns f as a formula of s. It may come from another store.
func (s *Store) Import(f *Formula) *Formula { return s.transform(f, s.same) }

// Rename returns f with each proposition renamed.
func (s *Store) Rename(f *Formula, name func(string) string) *Formula {
	return s.transform(f, func(g, left, right *Formula) *Formula {
		if g.op == OpProp {
			return s.Prop(name(g.name))
		}
		return s.same(g, left, right)
	})
}

// Relabel returns f with its propositions renamed to p0, p1, … by their first occurrence, and
// a map from the new names to the original ones.
func (s *Store) Relabel(f *Formula) (*Formula, map[string]string) {
	original, renamed := map[string]string{}, map[string]string{}
	for i, name := range f.Props() {
		fresh := fmt.Sprintf("p%d", i)
		original[fresh], renamed[name] = name, fresh
	}
	return s.Rename(f, func(name string) string { return renamed[name] }), original
}

// NNF returns an equivalent formula in negation normal form: negations occur only before
// propositions, and there is no ->, <-> or xor. Nested equivalences can make the syntax tree
// exponentially larger, but not the number of distinct subformulas.
func (s *Store) NNF(f *Formula) *Formula {
	return s.rebuild(func() *Formula { return s.nnf(f) })
}

// nnf is NNF, but the result may be irregular: see rebuild.
func (s *Store) nnf(f *Formula) *Formula {
	type both struct{ pos, neg *Formula }
	made := map[*Formula]both{}
	for _, g := range f.Subformulas() {
		l, r := made[g.left], made[g.right]
		switch g.op {
		case OpFalse:
			made[g] = both{s.False(), s.True()}
		case OpTrue:
			made[g] = both{s.True(), s.False()}
		case OpProp:
			p := s.Prop(g.name)
			made[g] = both{p, s.Not(p)}
		case OpNot:
			made[g] = both{l.neg, l.pos}
		case OpImplies:
			made[g] = both{s.Or(l.neg, r.pos), s.And(l.pos, r.neg)}
		case OpEquiv, OpXor:
			equal := s.Or(s.And(l.pos, r.pos), s.And(l.neg, r.neg))
			differ := s.Or(s.And(l.pos, r.neg), s.And(l.neg, r.pos))
			if g.op == OpXor {
				equal, differ = differ, equal
			}
			made[g] = both{equal, differ}
		default:
			if g.op.Arity() == 1 {
				made[g] = both{s.Unary(g.op, l.pos), s.Unary(dualOp(g.op), l.neg)}
				break
			}
			made[g] = both{s.Binary(g.op, l.pos, r.pos), s.Binary(dualOp(g.op), l.neg, r.neg)}
		}
	}
	return made[f].pos
}

func dualOp(op Op) Op {
	switch op {
	case OpAnd:
		return OpOr
	case OpOr:
		return OpAnd
	case OpFinally:
		return OpGlobally
	case OpGlobally:
		return OpFinally
	case OpUntil:
		return OpRelease
	case OpRelease:
		return OpUntil
	case OpWeakUntil:
		return OpStrongRelease
	case OpStrongRelease:
		return OpWeakUntil
	case OpYesterday:
		return OpWeakYesterday
	case OpWeakYesterday:
		return OpYesterday
	case OpOnce:
		return OpHistorically
	case OpHistorically:
		return OpOnce
	case OpSince:
		return OpTriggered
	case OpTriggered:
		return OpSince
	}
	return op // X
}

// builder makes a formula of an operator and its operands.
type builder func(op Op, a, b *Formula) *Formula

// definition expresses an operator by those in uses. Each is an equivalence of
// LTL.
type definition struct {
	op   Op
	uses OpSet
	make func(mk builder, a, b *Formula) *Formula
}

// definitions are tried in this order.
var definitions = []definition{
	{OpFalse, Ops(OpNot, OpTrue), func(mk builder, _, _ *Formula) *Formula { return mk(OpNot, mk(OpTrue, nil, nil), nil) }},
	{OpTrue, Ops(OpNot, OpFalse), func(mk builder, _, _ *Formula) *Formula { return mk(OpNot, mk(OpFalse, nil, nil), nil) }},
	{OpNot, Ops(OpImplies, OpFalse), func(mk builder, a, _ *Formula) *Formula { return mk(OpImplies, a, mk(OpFalse, nil, nil)) }},
	{OpNot, Ops(OpXor, OpTrue), func(mk builder, a, _ *Formula) *Formula { return mk(OpXor, a, mk(OpTrue, nil, nil)) }},
	{OpNot, Ops(OpEquiv, OpFalse), func(mk builder, a, _ *Formula) *Formula { return mk(OpEquiv, a, mk(OpFalse, nil, nil)) }},
	{OpImplies, Ops(OpNot, OpOr), func(mk builder, a, b *Formula) *Formula { return mk(OpOr, mk(OpNot, a, nil), b) }},
	{OpImplies, Ops(OpNot, OpAnd), func(mk builder, a, b *Formula) *Formula { return mk(OpNot, mk(OpAnd, a, mk(OpNot, b, nil)), nil) }},
	{OpAnd, Ops(OpNot, OpOr), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpOr, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpAnd, Ops(OpNot, OpImplies), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpImplies, a, mk(OpNot, b, nil)), nil)
	}},
	{OpOr, Ops(OpNot, OpAnd), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpAnd, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpOr, Ops(OpNot, OpImplies), func(mk builder, a, b *Formula) *Formula { return mk(OpImplies, mk(OpNot, a, nil), b) }},
	{OpEquiv, Ops(OpNot, OpXor), func(mk builder, a, b *Formula) *Formula { return mk(OpNot, mk(OpXor, a, b), nil) }},
	{OpEquiv, Ops(OpAnd, OpImplies), func(mk builder, a, b *Formula) *Formula {
		return mk(OpAnd, mk(OpImplies, a, b), mk(OpImplies, b, a))
	}},
	{OpXor, Ops(OpNot, OpEquiv), func(mk builder, a, b *Formula) *Formula { return mk(OpNot, mk(OpEquiv, a, b), nil) }},
	{OpFinally, Ops(OpTrue, OpUntil), func(mk builder, a, _ *Formula) *Formula { return mk(OpUntil, mk(OpTrue, nil, nil), a) }},
	{OpFinally, Ops(OpNot, OpGlobally), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpNot, mk(OpGlobally, mk(OpNot, a, nil), nil), nil)
	}},
	{OpFinally, Ops(OpTrue, OpStrongRelease), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpStrongRelease, a, mk(OpTrue, nil, nil))
	}},
	{OpGlobally, Ops(OpFalse, OpRelease), func(mk builder, a, _ *Formula) *Formula { return mk(OpRelease, mk(OpFalse, nil, nil), a) }},
	{OpGlobally, Ops(OpNot, OpFinally), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpNot, mk(OpFinally, mk(OpNot, a, nil), nil), nil)
	}},
	{OpGlobally, Ops(OpFalse, OpWeakUntil), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpWeakUntil, a, mk(OpFalse, nil, nil))
	}},
	{OpUntil, Ops(OpNot, OpRelease), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpRelease, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpUntil, Ops(OpOr, OpStrongRelease), func(mk builder, a, b *Formula) *Formula {
		return mk(OpStrongRelease, b, mk(OpOr, a, b))
	}},
	{OpUntil, Ops(OpAnd, OpWeakUntil, OpFinally), func(mk builder, a, b *Formula) *Formula {
		return mk(OpAnd, mk(OpWeakUntil, a, b), mk(OpFinally, b, nil))
	}},
	{OpRelease, Ops(OpNot, OpUntil), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpUntil, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpRelease, Ops(OpAnd, OpWeakUntil), func(mk builder, a, b *Formula) *Formula { return mk(OpWeakUntil, b, mk(OpAnd, a, b)) }},
	{OpWeakUntil, Ops(OpOr, OpRelease), func(mk builder, a, b *Formula) *Formula { return mk(OpRelease, b, mk(OpOr, a, b)) }},
	{OpWeakUntil, Ops(OpOr, OpUntil, OpGlobally), func(mk builder, a, b *Formula) *Formula {
		return mk(OpOr, mk(OpUntil, a, b), mk(OpGlobally, a, nil))
	}},
	{OpWeakUntil, Ops(OpNot, OpStrongRelease), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpStrongRelease, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpStrongRelease, Ops(OpAnd, OpUntil), func(mk builder, a, b *Formula) *Formula { return mk(OpUntil, b, mk(OpAnd, a, b)) }},
	{OpStrongRelease, Ops(OpNot, OpWeakUntil), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpWeakUntil, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpYesterday, Ops(OpNot, OpWeakYesterday), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpNot, mk(OpWeakYesterday, mk(OpNot, a, nil), nil), nil)
	}},
	{OpWeakYesterday, Ops(OpNot, OpYesterday), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpNot, mk(OpYesterday, mk(OpNot, a, nil), nil), nil)
	}},
	{OpOnce, Ops(OpTrue, OpSince), func(mk builder, a, _ *Formula) *Formula { return mk(OpSince, mk(OpTrue, nil, nil), a) }},
	{OpOnce, Ops(OpNot, OpHistorically), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpNot, mk(OpHistorically, mk(OpNot, a, nil), nil), nil)
	}},
	{OpHistorically, Ops(OpFalse, OpTriggered), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpTriggered, mk(OpFalse, nil, nil), a)
	}},
	{OpHistorically, Ops(OpNot, OpOnce), func(mk builder, a, _ *Formula) *Formula {
		return mk(OpNot, mk(OpOnce, mk(OpNot, a, nil), nil), nil)
	}},
	{OpSince, Ops(OpNot, OpTriggered), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpTriggered, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
	{OpTriggered, Ops(OpNot, OpSince), func(mk builder, a, b *Formula) *Formula {
		return mk(OpNot, mk(OpSince, mk(OpNot, a, nil), mk(OpNot, b, nil)), nil)
	}},
}

// Unabbreviate returns an equivalent formula without the operators of remove. It fails if the
// remaining operators can't express one of them; X always fails, and so does Y without Z.
func (s *Store) Unabbreviate(f *Formula, remove OpSet) (*Formula, error) {
	// A definition may be used if it needs only operators that stay, or that
	// have got a definition before.
	plan := map[Op]*definition{}
	have := ^remove
	for again := true; again; {
		again = false
		for i := range definitions {
			d := &definitions[i]
			if !have.Has(d.op) && d.uses&^have == 0 {
				plan[d.op], again = d, true
				have |= Ops(d.op)
			}
		}
	}
	for op := range numOps {
		switch {
		case !f.ops.Has(op) || have.Has(op):
		case PastOps.Has(op):
			return nil, fmt.Errorf("the past operator %s is not supported", op)
		default:
			return nil, fmt.Errorf("the operator %s is not supported", op)
		}
	}
	var mk builder
	mk = func(op Op, a, b *Formula) *Formula {
		if d := plan[op]; d != nil {
			return d.make(mk, a, b)
		}
		switch op.Arity() {
		case 2:
			return s.Binary(op, a, b)
		}
		return s.make(node{op: op, left: a})
	}
	return s.transform(f, func(g, left, right *Formula) *Formula {
		if g.op == OpProp {
			return s.Prop(g.name)
		}
		return mk(g.op, left, right)
	}), nil
}

// Rewritten returns formulas that are equivalent to f and do not contain op. Each one
// expresses op by other operators in its own way. There are none for X and for propositions.
func (s *Store) Rewritten(f *Formula, op Op) []*Formula {
	var list []*Formula
	for i := range definitions {
		d := &definitions[i]
		if d.op != op {
			continue
		}
		mk := func(op Op, a, b *Formula) *Formula {
			if op.Arity() == 2 {
				return s.Binary(op, a, b)
			}
			return s.make(node{op: op, left: a})
		}
		list = append(list, s.transform(f, func(g, left, right *Formula) *Formula {
			if g.op == op {
				return d.make(mk, left, right)
			}
			return s.same(g, left, right)
		}))
	}
	return list
}
