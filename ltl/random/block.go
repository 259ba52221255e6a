package random

import "github.com/xcheck-ltl/xcheck/ltl"

// block returns a formula that specifications are made of, of some class and about n nodes, or
// nil if none fits: fairness, and patterns after Dwyer, Avrunin and Corbett (1999).
func (d *drawing) block(c class, n int) *ltl.Formula {
	var fits []block
	for _, b := range blocks {
		if (b.class == c || c == anything || c == reactivity && b.class >= persistence) && b.size <= n {
			fits = append(fits, b)
		}
	}
	if len(fits) == 0 {
		return nil
	}
	b := fits[d.r.IntN(len(fits))]
	part := max(1, (n-b.size)/b.parts+1)
	parts := make([]*ltl.Formula, 3)
	for i := range b.parts {
		parts[i] = d.state(part)
	}
	return b.build(d.s, parts[0], parts[1], parts[2])
}

// A block has some parts, and at least size nodes.
type block struct {
	class       class
	parts, size int
	build       func(s *ltl.Store, a, b, c *ltl.Formula) *ltl.Formula
}

var blocks = []block{
	{recurrence, 1, 3, func(s *ltl.Store, a, _, _ *ltl.Formula) *ltl.Formula { return s.Globally(s.Finally(a)) }},
	{persistence, 1, 3, func(s *ltl.Store, a, _, _ *ltl.Formula) *ltl.Formula { return s.Finally(s.Globally(a)) }},
	{reactivity, 2, 7, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula {
		return s.Implies(s.Globally(s.Finally(a)), s.Globally(s.Finally(b)))
	}},
	{reactivity, 2, 7, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula {
		return s.Or(s.Finally(s.Globally(a)), s.Globally(s.Finally(b)))
	}},
	{recurrence, 2, 5, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula { return s.Globally(s.Implies(a, s.Finally(b))) }},
	{recurrence, 2, 6, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula {
		return s.Globally(s.Finally(s.And(a, s.Next(b))))
	}},
	{persistence, 2, 6, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula {
		return s.Finally(s.Globally(s.Or(a, s.Next(b))))
	}},
	{recurrence, 3, 7, func(s *ltl.Store, a, b, c *ltl.Formula) *ltl.Formula { return s.Globally(s.Implies(a, s.Until(b, c))) }},
	{safety, 2, 5, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula { return s.Globally(s.Implies(a, s.Next(b))) }},
	{safety, 2, 4, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula { return s.WeakUntil(s.Not(a), b) }},
	{safety, 3, 7, func(s *ltl.Store, a, b, c *ltl.Formula) *ltl.Formula {
		return s.Globally(s.Implies(a, s.WeakUntil(b, c)))
	}},
	{guarantee, 2, 5, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula {
		return s.Finally(s.And(a, s.Next(s.Finally(b))))
	}},
	{guarantee, 3, 5, func(s *ltl.Store, a, b, c *ltl.Formula) *ltl.Formula { return s.Until(a, s.Until(b, c)) }},
	{obligation, 2, 5, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula { return s.Implies(s.Globally(a), s.Globally(b)) }},
	{obligation, 2, 5, func(s *ltl.Store, a, b, _ *ltl.Formula) *ltl.Formula { return s.Implies(s.Finally(a), s.Finally(b)) }},
}
