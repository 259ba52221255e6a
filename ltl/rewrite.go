package ltl

import (
	"fmt"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// transform rebuilds f from its operands up: build is given a subformula with
// the operands already rebuilt.
func (s *Store) transform(f *Formula, build func(g, left, right *Formula) *Formula) *Formula {
	if f == nil {
		return nil
	}
	return s.rebuild(func() *Formula {
		subs, number := f.numbered()
		made := make([]*Formula, 1, 1+len(subs)) // the first is for operands that there are not
		for _, g := range subs {
			made = append(made, build(g, made[number.get(g.left)], made[number.get(g.right)]))
		}
		return made[len(subs)]
	})
}

// Import returns f as a formula of s. It may come from another store. A store that is nil has no
// formulas.
func (s *Store) Import(f *Formula) *Formula {
	switch {
	case s == nil:
		return nil
	case f == nil || f.store == s:
		return f
	}
	return s.transform(f, s.WithOperands)
}

// Rename returns f with each proposition renamed.
func (s *Store) Rename(f *Formula, name func(string) string) *Formula {
	if name == nil {
		return s.Import(f)
	}
	return s.Substitute(f, func(prop string) *Formula { return s.Prop(name(prop)) })
}

// Substitute returns f with each proposition replaced by a formula of s: with Fc for a, it makes Fc
// U b of a U b. Negations cancel: with !c for a, !a becomes c. Propositions of expressions may only
// become Boolean formulas.
func (s *Store) Substitute(f *Formula, by func(name string) *Formula) *Formula {
	if by == nil {
		return s.Import(f)
	}
	var substitute func(f *Formula) *Formula
	substitute = func(f *Formula) *Formula {
		return s.transform(f, func(g, left, right *Formula) *Formula {
			switch {
			case g.op == OpProp:
				return by(g.name)
			case g.op == OpNot && g.left.op == OpProp && left != nil && left.op == OpNot:
				return left.left
			case g.sere != nil:
				return s.make(node{op: g.op, left: left, sere: s.mapSERE(g.sere, substitute)})
			}
			return s.WithOperands(g, left, right)
		})
	}
	return substitute(f)
}

// Relabel returns f with its propositions renamed to p0, p1, … by their first occurrence, and
// a map from the new names to the original ones.
func (s *Store) Relabel(f *Formula) (*Formula, map[string]string) {
	if f == nil {
		return nil, nil
	}
	original, renamed := map[string]string{}, map[string]string{}
	for i, name := range f.Props() {
		fresh := fmt.Sprintf("p%d", i)
		original[fresh], renamed[name] = name, fresh
	}
	return s.Rename(f, func(name string) string { return renamed[name] }), original
}

// NNF returns an equivalent formula in negation normal form: negations occur only before
// propositions and {r}, and there is no ->, <-> or xor. Letters of expressions stay as they are.
// Nested equivalences can make the syntax tree exponentially larger, but not the number of
// distinct subformulas. That of !(a U b) is !a R !b, and of a <-> b it is a & b | !a & !b.
func (s *Store) NNF(f *Formula) *Formula {
	if f == nil {
		return nil
	}
	return s.rebuild(func() *Formula { return s.nnf(f) })
}

// nnf is NNF, but the result may be irregular: see rebuild.
func (s *Store) nnf(f *Formula) *Formula {
	type both struct{ pos, neg *Formula }
	made := map[*Formula]both{}
	for _, g := range f.Subformulas() {
		l, r := made[g.left], made[g.right]
		switch g.op {
		case OpFalse, OpTrue:
			made[g] = both{s.apply(g.op, nil, nil), s.apply(duals[g.op], nil, nil)}
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
			made[g] = both{s.WithOperands(g, l.pos, r.pos), s.dualWith(g, l.neg, r.neg)}
		}
	}
	return made[f].pos
}

// dualWith returns the dual of the operator of f applied to other operands. It is the negation of
// f if these are the negations of its operands.
func (s *Store) dualWith(f, left, right *Formula) *Formula {
	switch {
	case f.op == OpClosure: // it has no dual operator
		return s.Not(s.Closure(s.importSERE(f.sere)))
	case f.sere != nil:
		return s.make(node{op: duals[f.op], left: left, sere: s.importSERE(f.sere)})
	}
	return s.apply(duals[f.op], left, right)
}

// duals has the dual of each operator. Some are their own, and Implies, Equiv, Xor and {r} have
// none.
var duals = [numOps]Op{
	OpFalse: OpTrue, OpTrue: OpFalse, OpProp: OpProp, OpNot: OpNot, OpAnd: OpOr, OpOr: OpAnd,
	OpImplies: OpImplies, OpEquiv: OpEquiv, OpXor: OpXor,
	OpNext: OpNext, OpFinally: OpGlobally, OpGlobally: OpFinally, OpUntil: OpRelease, OpRelease: OpUntil,
	OpWeakUntil: OpStrongRelease, OpStrongRelease: OpWeakUntil,
	OpYesterday: OpWeakYesterday, OpWeakYesterday: OpYesterday, OpOnce: OpHistorically, OpHistorically: OpOnce,
	OpSince: OpTriggered, OpTriggered: OpSince, OpClosure: OpClosure,
	OpSuffixConjunction: OpSuffixImplication, OpSuffixImplication: OpSuffixConjunction,
}

// A definition expresses an operator with the operands a and b by others.
type definition struct {
	op   Op
	by   *Formula
	uses OpSet // the operators in by
}

// definitions are tried in this order. Each is an equivalence of LTL.
var definitions = sync.OnceValue(func() []definition {
	var list []definition
	s := NewStore()
	for _, text := range definitionTexts {
		name, by, _ := strings.Cut(text, " = ")
		f := must.Get(s.Parse(by, Spot))
		list = append(list, definition{must.Get(s.Parse(name, Spot)).op, f, f.ops &^ Ops(OpProp)})
	}
	return list
})

var definitionTexts = []string{
	"0 = !1", "1 = !0",
	"!a = a -> 0", "!a = a xor 1", "!a = a <-> 0",
	"a -> b = !a | b", "a -> b = !(a & !b)",
	"a & b = !(!a | !b)", "a & b = !(a -> !b)",
	"a | b = !(!a & !b)", "a | b = !a -> b",
	"a <-> b = !(a xor b)", "a <-> b = (a -> b) & (b -> a)",
	"a xor b = !(a <-> b)",
	"F a = 1 U a", "F a = !G !a", "F a = a M 1",
	"G a = 0 R a", "G a = !F !a", "G a = a W 0",
	"a U b = !(!a R !b)", "a U b = b M (a | b)", "a U b = (a W b) & F b",
	"a R b = !(!a U !b)", "a R b = b W (a & b)",
	"a W b = b R (a | b)", "a W b = (a U b) | G a", "a W b = !(!a M !b)",
	"a M b = b U (a & b)", "a M b = !(!a W !b)",
	"Y a = !Z !a", "Z a = !Y !a",
	"O a = 1 S a", "O a = !H !a", "H a = 0 T a", "H a = !O !a",
	"a S b = !(!a T !b)", "a T b = !(!a S !b)",
}

// instance returns f, the right side of a definition, with formulas for a and b. It makes each
// operator by mk.
func instance(f, a, b *Formula, mk func(op Op, a, b *Formula) *Formula) *Formula {
	switch {
	case f == nil:
		return nil
	case f.name == "a":
		return a
	case f.name == "b":
		return b
	}
	return mk(f.op, instance(f.left, a, b, mk), instance(f.right, a, b, mk))
}

// apply returns op, which is not OpProp and has no expression, applied to as many of a and b as it
// has operands.
func (s *Store) apply(op Op, a, b *Formula) *Formula {
	switch op.Arity() {
	case 0:
		return s.make(node{op: op})
	case 1:
		return s.make(node{op: op, left: a})
	}
	return s.Binary(op, a, b)
}

// Unabbreviate returns an equivalent formula without the operators of remove. It fails if the
// remaining operators can't express one of them; X always fails, and so do Y without Z, {r},
// {r}<>->f and {r}[]->f. Without W, a W b is b R (a | b); without U, a U b is !(!a R !b).
func (s *Store) Unabbreviate(f *Formula, remove OpSet) (*Formula, error) {
	if f == nil {
		return nil, errNil
	}
	// A definition may be used if it needs only operators that stay, or that
	// have got a definition before.
	var plan [numOps]*Formula
	have := ^remove
	for again := true; again; {
		again = false
		for _, d := range definitions() {
			if !have.Has(d.op) && d.uses&^have == 0 {
				plan[d.op], again = d.by, true
				have = have.With(d.op)
			}
		}
	}
	for op := range numOps {
		switch {
		case !f.ops.Has(op) || have.Has(op):
		case PastOps.Has(op):
			return nil, fmt.Errorf("the past operator %s is not supported", op)
		case PSLOps.Has(op):
			return nil, fmt.Errorf("the PSL operator %s is not supported", op)
		default:
			return nil, fmt.Errorf("the operator %s is not supported", op)
		}
	}
	var mk func(op Op, a, b *Formula) *Formula
	mk = func(op Op, a, b *Formula) *Formula {
		if by := plan[op]; by != nil {
			return instance(by, a, b, mk) // its operators may have definitions, too
		}
		return s.apply(op, a, b)
	}
	var rewrite func(f *Formula) *Formula
	rewrite = func(f *Formula) *Formula {
		return s.transform(f, func(g, left, right *Formula) *Formula {
			switch {
			case g.op == OpProp:
				return s.Prop(g.name)
			case g.sere != nil:
				return s.make(node{op: g.op, left: left, sere: s.mapSERE(g.sere, rewrite)})
			}
			return mk(g.op, left, right)
		})
	}
	return rewrite(f), nil
}

// Rewritten returns formulas that are equivalent to f and do not contain op. Each one
// expresses op by other operators in its own way. There are none for X and for propositions. For
// a U b, they are !(!a R !b), b M (a | b) and a W b & F b.
func (s *Store) Rewritten(f *Formula, op Op) []*Formula {
	var list []*Formula
	for _, d := range definitions() {
		if d.op != op {
			continue
		}
		list = append(list, s.transform(f, func(g, left, right *Formula) *Formula {
			if g.op == op {
				return instance(d.by, left, right, s.apply)
			}
			return s.WithOperands(g, left, right)
		}))
	}
	return list
}

// maxRotated is up to how many operands Binary moves while formulas are rebuilt.
const maxRotated = 64

// rebuild returns what build returns, with all conjunctions and disjunctions as left combs.
//
// To make a & (b & (c & d)) from the operands up, Binary would move all operands
// again for each conjunction: c & d, (b & c) & d, ((a & b) & c) & d. That takes
// quadratic time and memory. So while formulas are rebuilt, Binary does not move
// more than maxRotated operands, and what is irregular is put in order at the end,
// in time linear in the syntax tree of each conjunction.
func (s *Store) rebuild(build func() *Formula) *Formula {
	if s.rebuilding { // the outer call puts all in order
		return build()
	}
	s.rebuilding, s.irregular = true, false
	defer func() { s.rebuilding = false }()
	f := build()
	if s.irregular {
		f = s.regular(f)
	}
	return f
}

// regular returns f with all conjunctions and disjunctions as left combs.
//
// A conjunction on the right of another one is not made regular by itself: its operands move to the
// outer one. In (a & b) & (c & (d & e)), this holds for c & (d & e) and d & e.
func (s *Store) regular(f *Formula) *Formula {
	subs := f.Subformulas()
	needed := map[*Formula]bool{f: true}
	for i := len(subs) - 1; i >= 0; i-- { // from f down
		if g := subs[i]; needed[g] && g.left != nil {
			needed[g.left] = true
			g.eachRight(func(h *Formula) { needed[h] = true })
		}
	}
	made := make(map[*Formula]*Formula, len(needed))
	for _, g := range subs {
		switch {
		case !needed[g]:
		case g.right == nil:
			made[g] = s.make(node{op: g.op, left: made[g.left], name: g.name, sere: g.sere})
		default:
			h := made[g.left]
			g.eachRight(func(x *Formula) { h = s.make(node{op: g.op, left: h, right: made[x]}) })
			made[g] = h
		}
	}
	return made[f]
}

// eachRight visits the right operand. If that has the same operator, & or |, it visits the operands
// inside instead, from left to right.
func (f *Formula) eachRight(visit func(*Formula)) {
	if f.right == nil {
		return
	}
	for stack := []*Formula{f.right}; len(stack) > 0; {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.op == f.op && (g.op == OpAnd || g.op == OpOr) {
			stack = append(stack, g.right, g.left) // the left one comes first
		} else {
			visit(g)
		}
	}
}
