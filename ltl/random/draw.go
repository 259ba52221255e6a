package random

import (
	"math/rand/v2"
	"strconv"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A drawing is the making of one formula.
type drawing struct {
	style
	r     *rand.Rand
	s     *ltl.Store
	drawn []*ltl.Formula // subformulas that may be shared
}

// tree returns a formula of some class, of about n nodes.
func (d *drawing) tree(c class, n int) *ltl.Formula {
	if n <= 2 {
		return d.literal()
	}
	if len(d.drawn) > 0 && d.chance(d.shared) {
		if f := d.drawn[d.r.IntN(len(d.drawn))]; f.Size() <= n {
			return f
		}
	}
	f := d.compound(c, n)
	if c == anything || c == d.class {
		d.drawn = append(d.drawn, f)
	}
	return f
}

// compound is tree for at least three nodes that are not shared.
func (d *drawing) compound(c class, n int) *ltl.Formula {
	if d.chance(d.blocks) {
		if f := d.block(c, n); f != nil {
			return f
		}
	}
	if x := core[c]; x.op != 0 && d.chance(35) {
		return d.unary(x.op, d.tree(x.of, n-1))
	}
	if list := below[c]; len(list) > 0 && d.chance(25+d.soon(c)) {
		return d.tree(list[d.r.IntN(len(list))], n)
	}
	op, ok := d.operator(inside[c])
	if !ok {
		return d.literal()
	}
	if op.Arity() == 1 {
		of := c
		if op == ltl.OpNot {
			of = dual[c]
		}
		return d.unary(op, d.tree(of, n-1))
	}
	left := c
	if op == ltl.OpImplies {
		left = dual[c]
	}
	k := 1 + d.r.IntN(n-2)
	f, g := d.tree(left, k), d.tree(c, n-1-k)
	for range 3 {
		if f != g {
			break
		}
		g = d.tree(c, n-1-k)
	}
	return d.s.Binary(op, f, g)
}

// unary is d.s.Unary, but for !!f, FFf and GGf.
func (d *drawing) unary(op ltl.Op, f *ltl.Formula) *ltl.Formula {
	switch {
	case op != f.Op() || op == ltl.OpNext:
		return d.s.Unary(op, f)
	case op == ltl.OpNot:
		return f.Left()
	}
	return f
}

// soon is how much more often a class that consists of combinations of lower ones goes down to
// these.
func (d *drawing) soon(c class) int {
	if c == obligation || c == reactivity {
		return 25
	}
	return 0
}

// operator draws one of a set by the weights of the style. It is false if the style has none.
func (d *drawing) operator(of ltl.OpSet) (ltl.Op, bool) {
	sum := 0
	weights := d.weights
	for op := range weights {
		if !of.Has(ltl.Op(op)) {
			weights[op] = 0
		}
		sum += weights[op]
	}
	if sum == 0 {
		return 0, false
	}
	return ltl.Op(pick(d.r, weights[:])), true
}

// literal returns a proposition, its negation, or rarely a constant.
func (d *drawing) literal() *ltl.Formula {
	if d.chance(d.constants) {
		if d.chance(50) {
			return d.s.True()
		}
		return d.s.False()
	}
	f := d.s.Prop("p" + strconv.Itoa(d.r.IntN(d.props)))
	if d.chance(d.negated) {
		return d.s.Not(f)
	}
	return f
}

// state returns a Boolean formula of about n nodes, mostly small.
func (d *drawing) state(n int) *ltl.Formula {
	if n < 3 || d.chance(50) {
		return d.literal()
	}
	k := 1 + d.r.IntN(n-2)
	f, g := d.state(k), d.state(n-1-k)
	switch {
	case f == g:
		return f
	case d.chance(50):
		return d.s.And(f, g)
	}
	return d.s.Or(f, g)
}

func (d *drawing) chance(percent int) bool { return d.r.IntN(100) < percent }
