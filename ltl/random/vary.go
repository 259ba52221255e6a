package random

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Vary returns a formula of store s that is made of f by one to three random changes. Some of them
// take a part of g, which may be nil. Both are of any store. The result may be f again. It has at
// most so many nodes as the largest formula of the profile, unless f has more. Without r, nothing
// changes.
func Vary(p Profile, r *rand.Rand, s *ltl.Store, f, g *ltl.Formula) *ltl.Formula {
	f, g = s.Import(f), s.Import(g)
	if f == nil || r == nil || *r == (rand.Rand{}) {
		return f
	}
	d := &drawing{style: newStyle(r), r: r, s: s}
	d.props = min(len(f.Props())+d.r.IntN(2), maxProps) // perhaps a new one
	d.props = max(d.props, 1)
	for range 1 + r.IntN(3) {
		v := variations[pick(r, variationWeights)]
		if h := v.change(d, f, g); h != nil && (h.Size() <= p.Largest() || h.Size() <= f.Size()) && len(h.Props()) <= maxProps {
			f = h
		}
	}
	return f
}

// maxProps is how many propositions a formula of Vary has at most.
const maxProps = 12

// A variation changes f. It returns nil if it does not fit. With f = p0 U G p1 and g = F p2,
// results are
//
//	replaced           p0 U X p0
//	operatorChanged    p0 U F p1
//	swapped            G p1 U p0
//	wrapped            p0 U X G p1
//	cut                p0 U p1
//	renamed            p0 U G p0
//	generalized        p0 U p2
//	crossed            F p2 U G p1
//	combined           p0 U G p1 | F p2
//	scaled             p2 U (p0 U G p1)
type variation struct {
	weight int
	change func(d *drawing, f, g *ltl.Formula) *ltl.Formula
}

var variations = []variation{
	{4, (*drawing).replaced},
	{4, (*drawing).operatorChanged},
	{2, (*drawing).swapped},
	{3, (*drawing).wrapped},
	{3, (*drawing).cut},
	{3, (*drawing).renamed},
	{2, (*drawing).generalized},
	{4, (*drawing).crossed},
	{3, (*drawing).combined},
	{3, (*drawing).scaled},
}

var variationWeights = func() (list []int) {
	for _, v := range variations {
		list = append(list, v.weight)
	}
	return list
}()

// at rebuilds f with the node at position n, counted from the root, changed by a function.
func (d *drawing) at(f *ltl.Formula, n int, change func(*ltl.Formula) *ltl.Formula) *ltl.Formula {
	if r := f.SERE(); r != nil && n > 0 {
		n = max(0, n-r.Size()) // the expression counts as its formula
	}
	if n == 0 {
		return change(f)
	}
	switch f.Op().Arity() {
	case 1:
		return d.s.WithOperands(f, d.at(f.Left(), n-1, change), nil)
	case 2:
		if left := f.Left().Size(); n > left { // positions 1 to left are in the left operand
			return d.s.Binary(f.Op(), f.Left(), d.at(f.Right(), n-1-left, change))
		}
		return d.s.Binary(f.Op(), d.at(f.Left(), n-1, change), f.Right())
	}
	return f
}

// somewhere changes a random node of f.
func (d *drawing) somewhere(f *ltl.Formula, change func(*ltl.Formula) *ltl.Formula) *ltl.Formula {
	return d.at(f, d.r.IntN(f.Size()), change)
}

// part returns a random subformula.
func (d *drawing) part(f *ltl.Formula) (part *ltl.Formula) {
	d.somewhere(f, func(g *ltl.Formula) *ltl.Formula { part = g; return g })
	return part
}

// replaced has a new subformula, of about the size of the one that it replaces.
func (d *drawing) replaced(f, _ *ltl.Formula) *ltl.Formula {
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula { return d.tree(anything, min(g.Size()+d.r.IntN(4), 12)) })
}

// operatorChanged has another operator of the same arity somewhere.
func (d *drawing) operatorChanged(f, _ *ltl.Formula) *ltl.Formula {
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula {
		var same []ltl.Op
		for _, op := range operators {
			if op.Arity() == g.Op().Arity() && op != g.Op() {
				same = append(same, op)
			}
		}
		switch g.Op().Arity() {
		case 1:
			return d.s.Unary(same[d.r.IntN(len(same))], g.Left())
		case 2:
			return d.s.Binary(same[d.r.IntN(len(same))], g.Left(), g.Right())
		}
		return d.literal()
	})
}

// swapped has the operands of an operator the other way round.
func (d *drawing) swapped(f, _ *ltl.Formula) *ltl.Formula {
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula {
		if g.Op().Arity() != 2 {
			return g
		}
		return d.s.Binary(g.Op(), g.Right(), g.Left())
	})
}

// wrapped has one more unary operator.
func (d *drawing) wrapped(f, _ *ltl.Formula) *ltl.Formula {
	unary := []ltl.Op{ltl.OpNot, ltl.OpNext, ltl.OpFinally, ltl.OpGlobally}
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula { return d.s.Unary(unary[d.r.IntN(len(unary))], g) })
}

// cut has an operand instead of the operator.
func (d *drawing) cut(f, _ *ltl.Formula) *ltl.Formula {
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula {
		switch {
		case g.Op().Arity() == 0:
			return g
		case g.Op().Arity() == 2 && d.chance(50):
			return g.Right()
		}
		return g.Left()
	})
}

// renamed has another proposition in one place.
func (d *drawing) renamed(f, _ *ltl.Formula) *ltl.Formula {
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula {
		if g.Op() != ltl.OpProp {
			return g
		}
		return d.s.Prop("p" + strconv.Itoa(d.r.IntN(min(d.props+1, maxProps))))
	})
}

// generalized has a proposition instead of a subformula, everywhere.
func (d *drawing) generalized(f, _ *ltl.Formula) *ltl.Formula {
	part := d.part(f)
	if part == f { // nothing would be left
		return nil
	}
	fresh := d.fresh(f)
	var rebuild func(*ltl.Formula) *ltl.Formula
	rebuild = func(g *ltl.Formula) *ltl.Formula {
		switch {
		case g == part:
			return fresh
		case g.Op().Arity() == 1:
			return d.s.WithOperands(g, rebuild(g.Left()), nil)
		case g.Op().Arity() == 2:
			left := rebuild(g.Left())
			return d.s.Binary(g.Op(), left, rebuild(g.Right()))
		}
		return g
	}
	return rebuild(f)
}

// fresh returns a proposition that f does not have.
func (d *drawing) fresh(f *ltl.Formula) *ltl.Formula {
	for i := 0; ; i++ {
		if name := "p" + strconv.Itoa(i); !slices.Contains(f.Props(), name) {
			return d.s.Prop(name)
		}
	}
}

// crossed has a part of g.
func (d *drawing) crossed(f, g *ltl.Formula) *ltl.Formula {
	if g == nil {
		return nil
	}
	part := d.part(g)
	return d.somewhere(f, func(*ltl.Formula) *ltl.Formula { return part })
}

// combined is f and g under an operator.
func (d *drawing) combined(f, g *ltl.Formula) *ltl.Formula {
	if g == nil {
		return nil
	}
	op, ok := d.operator(boolean&^ltl.Ops(ltl.OpNot) | ltl.Ops(ltl.OpUntil, ltl.OpRelease, ltl.OpWeakUntil, ltl.OpStrongRelease))
	if !ok {
		return nil
	}
	return d.s.Binary(op, f, g)
}

// scaled continues a family: it joins one more copy of a subformula that is the operand of a
// binary operator, with one proposition renamed, as in GFa & GFb & GFc.
func (d *drawing) scaled(f, _ *ltl.Formula) *ltl.Formula {
	fresh := d.fresh(f)
	return d.somewhere(f, func(g *ltl.Formula) *ltl.Formula {
		if g.Op().Arity() != 2 {
			return d.s.And(g, d.copied(g, fresh))
		}
		return d.s.Binary(g.Op(), d.copied(g.Left(), fresh), g)
	})
}

// copied is f with a random proposition renamed.
func (d *drawing) copied(f, fresh *ltl.Formula) *ltl.Formula {
	props := f.Props()
	if len(props) == 0 {
		return f
	}
	old := props[d.r.IntN(len(props))]
	return d.s.Rename(f, func(name string) string {
		if name == old {
			return fresh.Name()
		}
		return name
	})
}
