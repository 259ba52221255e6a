package patterns

import "github.com/xcheck-ltl/xcheck/ltl"

// counters are the families with one model each, a binary counter of n bits. For n = 2 it repeats
// the numbers 0, 1, 2 and 3:
//
//	m  1 0  1 0  1 0  1 0    mark of the lowest bit
//	b  0 0  1 0  0 1  1 1    bit
//	c  0 0  1 0  0 0  1 1    carry, in the families that have it
//
// The linear families nest X operators instead of repeating them.
var counters = []*Set{
	{
		Name: "rv-counter", Source: rv, Parameters: one,
		About: "a counter of n bits; of size n²",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			same := c.Next(c.Until(c.and(c.Not(c.mark), c.Equiv(c.bit, c.one)), c.mark))
			carried := c.and(c.bit, c.Not(c.mark), c.zero)
			stop := c.and(c.Not(c.bit), c.Not(c.mark), c.one, same)
			return c.and(c.start(),
				c.first(c.Not(c.bit), c.And(c.one, same)),
				c.first(c.bit, c.And(c.zero, c.Next(c.Until(carried, c.Or(c.mark, stop))))))
		},
	},
	{
		Name: "rv-counter-linear", Source: rv, Parameters: one,
		About: "a counter of n bits; of size n",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			same := c.Until(c.and(c.Not(c.mark), c.Equiv(c.bit, c.one)), c.mark)
			flip := c.Next(c.and(c.x(n-1, c.bit), same))
			carried := c.and(c.bit, c.Not(c.mark), c.zero)
			stop := c.and(c.Not(c.bit), c.Not(c.mark), flip)
			return c.and(c.linearStart(),
				c.first(c.Not(c.bit), flip),
				c.first(c.bit, c.Next(c.And(c.x(n-1, c.Not(c.bit)), c.Until(carried, c.Or(c.mark, stop))))))
		},
	},
	{
		Name: "rv-counter-carry", Source: rv, Parameters: one,
		About: "a counter of n bits, with carries; of size n²",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			none := c.Next(c.Not(c.carry))
			keep := c.Equiv(c.Next(c.bit), c.Next(c.one))
			stop := c.Implies(c.Next(c.Not(c.bit)), c.And(none, c.Next(c.one)))
			goOn := c.Implies(c.Next(c.bit), c.And(c.Next(c.carry), c.Next(c.zero)))
			return c.and(c.start(),
				c.first(c.Not(c.bit), c.And(c.Not(c.carry), c.one)),
				c.first(c.bit, c.And(c.carry, c.zero)),
				c.Globally(c.Implies(c.uncarried(), c.And(none, keep))),
				c.Globally(c.Implies(c.carry, c.And(stop, goOn))))
		},
	},
	{
		Name: "rv-counter-carry-linear", Source: rv, Parameters: one,
		About: "a counter of n bits, with carries; of size n",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			stop := c.Implies(c.Not(c.bit), c.And(c.Not(c.carry), c.one))
			goOn := c.Implies(c.bit, c.And(c.carry, c.zero))
			return c.and(c.linearStart(),
				c.first(c.Not(c.bit), c.And(c.Not(c.carry), c.one)),
				c.first(c.bit, c.And(c.carry, c.zero)),
				c.Globally(c.Implies(c.uncarried(), c.Next(c.And(c.Not(c.carry), c.Equiv(c.bit, c.one))))),
				c.Globally(c.Implies(c.carry, c.Next(c.And(stop, goOn)))))
		},
	},
}

// A counter writes the common parts of the four formulas.
type counter struct {
	*builder
	n                int
	bit, mark, carry *ltl.Formula // mark is at the lowest bit of a number
	one, zero        *ltl.Formula // what this bit is in the next number
}

func newCounter(b *builder, n int) *counter {
	bit := b.Prop("b")
	return &counter{b, n, bit, b.Prop("m"), b.Prop("c"), b.x(n, bit), b.x(n, b.Not(bit))}
}

// start says that the first number is 0, and marks are n positions apart. For n = 2:
//
//	m & !b & X!b & G(m -> X!m & XXm)
func (c *counter) start() *ltl.Formula {
	end := c.x(c.n, c.mark)
	if c.n > 1 {
		end = c.And(c.steps(ltl.OpAnd, 1, c.n-1, c.Not(c.mark)), end)
	}
	return c.and(c.mark, c.steps(ltl.OpAnd, 0, c.n-1, c.Not(c.bit)), c.around("G(m -> f)", end))
}

// linearStart says the same with nested X:
//
//	m & !b & X!b & G(m -> X(!m & Xm))
func (c *counter) linearStart() *ltl.Formula {
	end := c.nest(1, c.n-1, c.mark, "!m & X f")
	return c.and(c.mark, c.nest(1, c.n-1, c.Not(c.bit), "!b & X f"), c.around("G(m -> X f)", end))
}

// first says what follows from the lowest bit of a number: G(bit & m -> then).
func (c *counter) first(bit, then *ltl.Formula) *ltl.Formula {
	return c.Globally(c.Implies(c.And(bit, c.mark), then))
}

// uncarried says that the next bit belongs to the same number, and gets no carry: !c & X!m.
func (c *counter) uncarried() *ltl.Formula { return c.And(c.Not(c.carry), c.Next(c.Not(c.mark))) }
