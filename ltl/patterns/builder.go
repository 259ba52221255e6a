package patterns

import (
	"strconv"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// maxSize is the maximum size of a formula of a family.
const maxSize = 100_000

// tooLarge is what a builder panics with.
type tooLarge struct{}

// A builder makes the formula of a family. It panics with tooLarge when one becomes
// larger than the limit, or after making that many, so that a parameter never takes
// more time and memory than that.
type builder struct {
	*ltl.Store
	made, limit int
}

// build returns the formula for the given parameters, and false if it would be
// larger than the limit.
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

// nest returns f(low, f(low+1, … f(high, inner))).
func (b *builder) nest(low, high int, inner *ltl.Formula, f func(i int, inner *ltl.Formula) *ltl.Formula) *ltl.Formula {
	for i := high; i >= low; i-- {
		inner = b.checked(f(i, inner))
	}
	return inner
}

// exclusive returns that no two of the formulas, which are two at least, hold now.
func (b *builder) exclusive(list ...*ltl.Formula) *ltl.Formula {
	var pairs []*ltl.Formula
	for i, f := range list {
		for _, g := range list[i+1:] {
			pairs = append(pairs, b.Not(b.And(f, g)))
		}
	}
	return b.and(pairs...)
}
