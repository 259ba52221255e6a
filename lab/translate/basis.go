package translate

import "github.com/xcheck-ltl/xcheck/ltl"

// A basis holds formulas that are made of propositions by !, &, xor, X, U, Y and
// S alone, each only once. The first is true, and operands come before what
// they are operands of. Other operators are expressed by these:
//
//	F a   = 1 U a           O a = 1 S a
//	G a   = !(1 U !a)       H a = !(1 S !a)
//	a R b = !(!a U !b)      a T b = !(!a S !b)
//	a W b = !(!b U (!a & !b))
//	a M b = b U (a & b)     Z a = !Y !a
type basis struct {
	nodes  []basic
	number map[basic]signed
}

// A basic is a formula of a basis: the operator at its top is OpTrue, OpProp,
// OpAnd, OpXor, OpNext, OpUntil, OpYesterday or OpSince.
type basic struct {
	op          ltl.Op
	left, right signed
	name        string // of a proposition
}

// A signed is a formula of a basis, or its negation: twice its number, plus one if it is negated.
type signed int32

const (
	yes signed = 0
	no  signed = 1
)

func (s signed) node() int     { return int(s >> 1) }
func (s signed) negated() bool { return s&1 != 0 }
func (s signed) not() signed   { return s ^ 1 }

func newBasis() *basis {
	b := &basis{number: make(map[basic]signed)}
	b.add(basic{op: ltl.OpTrue})
	return b
}

func (b *basis) add(f basic) signed {
	s, ok := b.number[f]
	if !ok {
		s = signed(2 * len(b.nodes))
		b.number[f] = s
		b.nodes = append(b.nodes, f)
	}
	return s
}

func (b *basis) and(f, g signed) signed {
	// Equal conjunctions get one number, whatever the order of the operands.
	f, g = min(f, g), max(f, g)
	switch {
	case f == no || f == g.not():
		return no
	case f == yes || f == g:
		return g
	}
	return b.add(basic{op: ltl.OpAnd, left: f, right: g})
}

func (b *basis) or(f, g signed) signed { return b.and(f.not(), g.not()).not() }

func (b *basis) xor(f, g signed) signed {
	// Negations are moved in front of the xor, so that it is made for the bare operands only.
	sign := (f ^ g) & 1
	f, g = min(f, g)&^1, max(f, g)&^1
	switch {
	case f == g:
		return no ^ sign
	case f == yes:
		return g.not() ^ sign
	}
	return b.add(basic{op: ltl.OpXor, left: f, right: g}) ^ sign
}

func (b *basis) next(f signed) signed {
	if f <= no {
		return f
	}
	return b.add(basic{op: ltl.OpNext, left: f &^ 1}) ^ f&1
}

func (b *basis) yesterday(f signed) signed {
	if f == no {
		return no
	}
	return b.add(basic{op: ltl.OpYesterday, left: f})
}

// fixpoint returns f U g or f S g.
func (b *basis) fixpoint(op ltl.Op, f, g signed) signed {
	if g <= no || f == no || f == g {
		return g
	}
	return b.add(basic{op: op, left: f, right: g})
}

// formula returns f as a formula of the basis.
func (b *basis) formula(f *ltl.Formula) signed {
	made := make(map[*ltl.Formula]signed)
	for _, g := range f.Subformulas() {
		made[g] = b.apply(g, made[g.Left()], made[g.Right()])
	}
	return made[f]
}

// apply returns the formula f with the operands l and r.
func (b *basis) apply(f *ltl.Formula, l, r signed) signed {
	switch f.Op() {
	case ltl.OpFalse:
		return no
	case ltl.OpTrue:
		return yes
	case ltl.OpProp:
		return b.add(basic{op: ltl.OpProp, name: f.Name()})
	case ltl.OpNot:
		return l.not()
	case ltl.OpAnd:
		return b.and(l, r)
	case ltl.OpOr:
		return b.or(l, r)
	case ltl.OpImplies:
		return b.or(l.not(), r)
	case ltl.OpEquiv:
		return b.xor(l, r).not()
	case ltl.OpXor:
		return b.xor(l, r)
	case ltl.OpNext:
		return b.next(l)
	case ltl.OpFinally:
		return b.fixpoint(ltl.OpUntil, yes, l)
	case ltl.OpGlobally:
		return b.fixpoint(ltl.OpUntil, yes, l.not()).not()
	case ltl.OpUntil:
		return b.fixpoint(ltl.OpUntil, l, r)
	case ltl.OpRelease:
		return b.fixpoint(ltl.OpUntil, l.not(), r.not()).not() // the dual of U
	case ltl.OpWeakUntil: // not: no r until there is neither
		return b.fixpoint(ltl.OpUntil, r.not(), b.and(l.not(), r.not())).not()
	case ltl.OpStrongRelease:
		return b.fixpoint(ltl.OpUntil, r, b.and(l, r)) // r until both
	case ltl.OpYesterday:
		return b.yesterday(l)
	case ltl.OpWeakYesterday:
		return b.yesterday(l.not()).not()
	case ltl.OpOnce:
		return b.fixpoint(ltl.OpSince, yes, l)
	case ltl.OpHistorically:
		return b.fixpoint(ltl.OpSince, yes, l.not()).not()
	case ltl.OpSince:
		return b.fixpoint(ltl.OpSince, l, r)
	case ltl.OpTriggered:
		return b.fixpoint(ltl.OpSince, l.not(), r.not()).not()
	}
	panic("translate: unsupported operator in " + f.String())
}

// atStart returns a formula that is equivalent to f at the first position of
// every word: there Y f is false and f S g is g, where they are not under an
// operator of the future. So a & O b is a & b, and Y a | F Y b is F Y b.
func (b *basis) atStart(f signed) signed {
	start := make([]signed, len(b.nodes))
	of := func(g signed) signed { return start[g.node()] ^ g&1 }
	for i := range start {
		switch g := b.nodes[i]; g.op {
		case ltl.OpAnd:
			start[i] = b.and(of(g.left), of(g.right))
		case ltl.OpXor:
			start[i] = b.xor(of(g.left), of(g.right))
		case ltl.OpYesterday:
			start[i] = no
		case ltl.OpSince:
			start[i] = of(g.right)
		default:
			// Below an operator of the future, positions are not the first one.
			start[i] = signed(2 * i)
		}
	}
	return of(f)
}

// of returns which formulas of the basis occur in f.
func (b *basis) of(f signed) []bool {
	occurs := make([]bool, len(b.nodes))
	occurs[f.node()] = true
	// Operands have lower numbers.
	for i := f.node(); i > 0; i-- {
		if g := b.nodes[i]; occurs[i] && g.op != ltl.OpProp {
			occurs[g.left.node()] = true
			if g.op != ltl.OpNext && g.op != ltl.OpYesterday {
				occurs[g.right.node()] = true
			}
		}
	}
	return occurs
}
