package patterns

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// blowUps are the families whose deterministic automata have doubly exponentially many states: the
// block after d occurs before d too. For n = 2 they hold on these words, which say the same:
//
//	c a b c b b c d a b c c c …                            kv-psi
//	c y a z b c y b z b c d y a z b c c c …                kr-nlogn
//	c a1 b2 c b1 b2 c d a1 b2 c c c …                      kr-n
var blowUps = []*Set{
	{
		Name: "kv-psi", Also: []string{"kr-n2"}, Source: kv, Parameters: one,
		About: "the n letters behind d are those of a block before it; of size n²",
		make:  func(b *builder, n, _ int) *ltl.Formula { return newBlocks(b, n).byPosition() },
	},
	{
		Name: "kr-nlogn", Source: kr, Parameters: one,
		About: "the same, with letters that are numbered in binary; of size n log n",
		make:  func(b *builder, n, _ int) *ltl.Formula { return newBlocks(b, n).byNumber() },
	},
	{
		Name: "kr-n", Source: kr, Parameters: one,
		About: "the same, with letters that are numbered by 2n propositions; of size n",
		make:  func(b *builder, n, _ int) *ltl.Formula { return newBlocks(b, n).byProposition() },
	},
}

// blocks writes the common parts of the three formulas.
type blocks struct {
	*builder
	n          int
	a, b, c, d *ltl.Formula
}

func newBlocks(b *builder, n int) *blocks {
	return &blocks{b, n, b.Prop("a"), b.Prop("b"), b.Prop("c"), b.Prop("d")}
}

// query says that f follows the first d: !d U (d & X f).
func (s *blocks) query(f *ltl.Formula) *ltl.Formula {
	return s.Until(s.Not(s.d), s.And(s.d, s.Next(f)))
}

// found says that all letters between some c and the next one have a property:
//
//	F(c & X(!c & property U c))
func (s *blocks) found(property *ltl.Formula) *ltl.Formula {
	return s.Finally(s.And(s.c, s.Next(s.And(s.Not(s.c), s.Until(property, s.c)))))
}

// after says what comes after a c: a block that begins with first, d, or one of more:
//
//	c & X(first | d | more)
func (s *blocks) after(first *ltl.Formula, more ...*ltl.Formula) *ltl.Formula {
	next := s.Or(first, s.d)
	for _, f := range more {
		next = s.Or(next, f)
	}
	return s.And(s.c, s.Next(next))
}

func (s *blocks) byPosition() *ltl.Formula {
	end := s.nest(1, s.n, s.Globally(s.c), "(a | b) & X f")
	same := s.all(1, s.n, func(i int) *ltl.Formula {
		letter := func(f *ltl.Formula) *ltl.Formula {
			f = s.x(i, f)
			return s.And(f, s.Globally(s.Implies(s.d, f)))
		}
		return s.Or(letter(s.a), letter(s.b))
	})
	return s.and(s.query(end),
		s.Finally(s.and(s.c, same, s.x(s.n+1, s.c))),
		s.Globally(s.exclusive(s.a, s.b, s.c, s.d)))
}

func (s *blocks) byNumber() *ltl.Formula {
	width := max(1, bits.Len(uint(s.n-1)))
	digit := []*ltl.Formula{s.Prop("y"), s.Prop("z")}
	var numbers []*ltl.Formula
	for i := range s.n {
		number := digit[i>>(width-1)&1]
		for k := width - 2; k >= 0; k-- {
			number = s.checked(s.And(digit[i>>k&1], s.Next(number)))
		}
		numbers = append(numbers, number)
	}
	// then says that the letter of number i is followed by f.
	then := func(i int, f *ltl.Formula) *ltl.Formula {
		return s.Implies(numbers[i], s.x(width, s.And(s.Or(s.a, s.b), s.Next(f))))
	}
	parts := []*ltl.Formula{s.after(numbers[0])}
	if s.n > 1 {
		parts = append(parts, s.Globally(s.all(0, s.n-2, func(i int) *ltl.Formula { return then(i, numbers[i+1]) })))
	}
	end := s.x(s.n*(width+1), s.Globally(s.c))
	same := s.all(0, s.n-1, func(i int) *ltl.Formula {
		letter := func(f *ltl.Formula) *ltl.Formula {
			return s.And(f, s.Finally(s.And(s.d, s.Finally(s.And(numbers[i], s.x(width, f))))))
		}
		return s.Implies(numbers[i], s.x(width, s.Or(letter(s.a), letter(s.b))))
	})
	used := append([]*ltl.Formula{s.a, s.b, s.c, s.d}, digit[:min(s.n, 2)]...)
	parts = append(parts, s.Globally(then(s.n-1, s.after(numbers[0], s.Globally(s.c)))),
		s.query(s.And(numbers[0], end)), s.found(same), s.Globally(s.exclusive(used...)))
	return s.and(parts...)
}

func (s *blocks) byProposition() *ltl.Formula {
	letter := func(i int) *ltl.Formula { return s.Or(s.p("a", i), s.p("b", i)) }
	same := s.some(1, s.n, func(i int) *ltl.Formula {
		again := func(f *ltl.Formula) *ltl.Formula {
			return s.And(f, s.Finally(s.And(s.d, s.Finally(f))))
		}
		return s.Or(again(s.p("a", i)), again(s.p("b", i)))
	})
	parts := []*ltl.Formula{s.after(letter(1))}
	if s.n > 1 {
		parts = append(parts, s.Globally(s.all(1, s.n-1, func(i int) *ltl.Formula {
			return s.Implies(letter(i), s.Next(letter(i+1)))
		})))
	}
	return s.and(append(parts,
		s.Globally(s.Implies(letter(s.n), s.Next(s.after(letter(1), s.Globally(s.c))))),
		s.query(s.And(letter(1), s.x(s.n, s.Globally(s.c)))),
		s.found(same),
		s.Globally(s.Implies(s.Or(s.c, s.d), s.Not(s.some(1, s.n, letter)))),
		s.Globally(s.Implies(s.c, s.Not(s.d))),
		s.Globally(s.all(1, s.n, func(i int) *ltl.Formula { return s.Implies(s.p("a", i), s.Not(s.p("b", i))) })),
	)...)
}
