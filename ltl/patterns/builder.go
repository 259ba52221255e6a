package patterns

import (
	"strconv"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// maxSize is the maximum size of a formula of a family.
const maxSize = 100_000

// tooLarge is the value that a builder panics with.
type tooLarge struct{}

// A builder makes the formula of a family. It panics with tooLarge when a formula becomes larger
// than the limit, or after making more formulas than the limit. So time and memory are bounded for
// any parameter.
type builder struct {
	*ltl.Store
	made, limit int
}

// build returns the formula for the given parameters, and false if it would be larger than the
// limit.
func (s *Set) build(parameters [2]int, limit int) (f *ltl.Formula, ok bool) {
	b := &builder{Store: ltl.NewStore(), limit: limit}
	defer func() {
		switch problem := recover(); problem {
		case nil:
		case tooLarge{}:
			f, ok = nil, false
		default:
			panic(problem)
		}
	}()
	return b.checked(s.make(b, parameters[0], parameters[1])), true
}

// checked counts f.
func (b *builder) checked(f *ltl.Formula) *ltl.Formula {
	if b.made++; b.made > b.limit || f.Size() > b.limit {
		panic(tooLarge{})
	}
	return f
}

// p returns the proposition of the given letter and number: p1.
func (b *builder) p(letter string, i int) *ltl.Formula {
	return b.Prop(letter + strconv.Itoa(i))
}

// x returns f under k operators X.
func (b *builder) x(k int, f *ltl.Formula) *ltl.Formula {
	for range k {
		f = b.checked(b.Next(f))
	}
	return f
}

func (b *builder) gf(f *ltl.Formula) *ltl.Formula { return b.Globally(b.Finally(f)) }
func (b *builder) fg(f *ltl.Formula) *ltl.Formula { return b.Finally(b.Globally(f)) }

// and returns the conjunction of at least one formula.
func (b *builder) and(list ...*ltl.Formula) *ltl.Formula {
	f := list[0]
	for _, g := range list[1:] {
		f = b.checked(b.And(f, g))
	}
	return f
}

// each returns f(low) op … op f(high), nested to the left; low ≤ high.
func (b *builder) each(op ltl.Op, low, high int, f func(i int) *ltl.Formula) *ltl.Formula {
	all := f(low)
	for i := low + 1; i <= high; i++ {
		all = b.checked(b.Binary(op, all, f(i)))
	}
	return all
}

// all returns f(low) & … & f(high).
func (b *builder) all(low, high int, f func(i int) *ltl.Formula) *ltl.Formula {
	return b.each(ltl.OpAnd, low, high, f)
}

// some returns f(low) | … | f(high).
func (b *builder) some(low, high int, f func(i int) *ltl.Formula) *ltl.Formula {
	return b.each(ltl.OpOr, low, high, f)
}

// template reads a formula. [builder.fill] replaces i and j at the ends of its propositions by a
// number and the next one, and f by a formula. From pi U (pj & f), with 3 and g, it makes
//
//	p3 U (p4 & g)
func (b *builder) template(text string) *ltl.Formula {
	t, err := b.Parse(text, ltl.Spot)
	if err != nil {
		panic(err) // the templates are our own
	}
	return t
}

func (b *builder) fill(t *ltl.Formula, i int, f *ltl.Formula) *ltl.Formula {
	letter, last := t.Name(), ""
	if n := len(letter) - 1; n > 0 {
		letter, last = letter[:n], letter[n:]
	}
	switch {
	case letter == "f":
		return f
	case last == "i":
		return b.p(letter, i)
	case last == "j":
		return b.p(letter, i+1)
	case t.Op().Arity() == 1:
		return b.Unary(t.Op(), b.fill(t.Left(), i, f))
	case t.Op().Arity() == 2:
		return b.Binary(t.Op(), b.fill(t.Left(), i, f), b.fill(t.Right(), i, f))
	}
	return t
}

// around returns a template without numbers, with f in it. From G(p -> f) and q it makes G(p -> q).
func (b *builder) around(text string, f *ltl.Formula) *ltl.Formula {
	return b.fill(b.template(text), 0, f)
}

// row returns a template for i = low, …, high, joined by op to the left; low ≤ high. From F pi, for
// 1 to 3, it makes Fp1 & Fp2 & Fp3.
func (b *builder) row(op ltl.Op, low, high int, text string) *ltl.Formula {
	t := b.template(text)
	return b.each(op, low, high, func(i int) *ltl.Formula { return b.fill(t, i, nil) })
}

// nest returns the template for i = low, with the template for low+1 as its f, and so on. The one
// for high has the given f. From pi & X f, for 1 to 2 and q, it makes p1 & X(p2 & Xq).
func (b *builder) nest(low, high int, f *ltl.Formula, text string) *ltl.Formula {
	t := b.template(text)
	for i := high; i >= low; i-- {
		f = b.checked(b.fill(t, i, f))
	}
	return f
}

// steps returns X^low f op … op X^high f.
func (b *builder) steps(op ltl.Op, low, high int, f *ltl.Formula) *ltl.Formula {
	return b.each(op, low, high, func(i int) *ltl.Formula { return b.x(i, f) })
}

// exclusive says that no two of at least two formulas hold now: !(a & b) & !(a & c) & !(b & c).
func (b *builder) exclusive(list ...*ltl.Formula) *ltl.Formula {
	var pairs []*ltl.Formula
	for i, f := range list {
		for _, g := range list[i+1:] {
			pairs = append(pairs, b.Not(b.And(f, g)))
		}
	}
	return b.and(pairs...)
}
