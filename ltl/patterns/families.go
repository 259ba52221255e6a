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
	{Name: "kv-psi", Also: []string{"kr-n2"}, Source: kv, Parameters: one, About: "the n letters behind d are those of a block before it; of size n²",
		make: func(b *builder, n, _ int) *ltl.Formula { return newBlocks(b, n).byPosition() }},
	{Name: "kr-nlogn", Source: kr, Parameters: one, About: "the same, with letters that are numbered in binary; of size n log n",
		make: func(b *builder, n, _ int) *ltl.Formula { return newBlocks(b, n).byNumber() }},
	{Name: "kr-n", Source: kr, Parameters: one, About: "the same, with letters that are numbered by 2n propositions; of size n",
		make: func(b *builder, n, _ int) *ltl.Formula { return newBlocks(b, n).byProposition() }},
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
	end := s.nest(1, s.n, s.Globally(s.c), "(a | b) & X f") // n letters, and then c forever
	same := s.all(1, s.n, func(i int) *ltl.Formula {
		letter := func(f *ltl.Formula) *ltl.Formula {
			f = s.x(i, f) // i letters after the start of a block
			return s.And(f, s.Globally(s.Implies(s.d, f)))
		}
		return s.Or(letter(s.a), letter(s.b))
	})
	return s.and(s.query(end),
		s.Finally(s.and(s.c, same, s.x(s.n+1, s.c))),
		s.Globally(s.exclusive(s.a, s.b, s.c, s.d)))
}

// byNumber is kr-nlogn of doc.go: numbers[i] reads i, the lowest bit first.
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
	used := append([]*ltl.Formula{s.a, s.b, s.c, s.d}, digit[:min(s.n, 2)]...) // a single number has only zeros
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

// counters are the families with one model each, a binary counter of n bits. For n = 2 it repeats
// the numbers 0, 1, 2 and 3:
//
//	m  1 0  1 0  1 0  1 0    mark of the lowest bit
//	b  0 0  1 0  0 1  1 1    bit
//	c  0 0  1 0  0 0  1 1    carry, in the families that have it
//
// The linear families nest X operators instead of repeating them.
var counters = []*Set{
	{Name: "rv-counter", Source: rv, Parameters: one, About: "a counter of n bits; of size n²",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			same := c.Next(c.Until(c.and(c.Not(c.mark), c.Equiv(c.bit, c.one)), c.mark))
			carried := c.and(c.bit, c.Not(c.mark), c.zero)
			stop := c.and(c.Not(c.bit), c.Not(c.mark), c.one, same)
			return c.and(c.start(),
				c.first(c.Not(c.bit), c.And(c.one, same)),
				c.first(c.bit, c.And(c.zero, c.Next(c.Until(carried, c.Or(c.mark, stop))))))
		}},
	{Name: "rv-counter-linear", Source: rv, Parameters: one, About: "a counter of n bits; of size n",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			same := c.Until(c.and(c.Not(c.mark), c.Equiv(c.bit, c.one)), c.mark)
			flip := c.Next(c.and(c.x(n-1, c.bit), same))
			carried := c.and(c.bit, c.Not(c.mark), c.zero)
			stop := c.and(c.Not(c.bit), c.Not(c.mark), flip)
			return c.and(c.linearStart(),
				c.first(c.Not(c.bit), flip),
				c.first(c.bit, c.Next(c.And(c.x(n-1, c.Not(c.bit)), c.Until(carried, c.Or(c.mark, stop))))))
		}},
	{Name: "rv-counter-carry", Source: rv, Parameters: one, About: "a counter of n bits, with carries; of size n²",
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
		}},
	{Name: "rv-counter-carry-linear", Source: rv, Parameters: one, About: "a counter of n bits, with carries; of size n",
		make: func(b *builder, n, _ int) *ltl.Formula {
			c := newCounter(b, n)
			stop := c.Implies(c.Not(c.bit), c.And(c.Not(c.carry), c.one))
			goOn := c.Implies(c.bit, c.And(c.carry, c.zero))
			return c.and(c.linearStart(),
				c.first(c.Not(c.bit), c.And(c.Not(c.carry), c.one)),
				c.first(c.bit, c.And(c.carry, c.zero)),
				c.Globally(c.Implies(c.uncarried(), c.Next(c.And(c.Not(c.carry), c.Equiv(c.bit, c.one))))),
				c.Globally(c.Implies(c.carry, c.Next(c.And(stop, goOn)))))
		}},
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
	if c.n > 1 { // positions between two marks
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

// nested are the families in which temporal operators are nested n deep.
var nested = []*Set{
	{Name: "ccj-alpha", Source: ccj, Parameters: one, About: "F(p1 & F(p2 & … F pn)) & F(q1 & F(q2 & … F qn))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.And(b.finallyInTurn("p", n), b.finallyInTurn("q", n))
		}},
	{Name: "ccj-beta", Source: ccj, Parameters: one, About: "F(p & X(p & … X p)) & F(q & X(q & … X q)), with n times p and q",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.And(b.Finally(b.nest(1, n-1, b.Prop("p"), "p & X f")), b.Finally(b.nest(1, n-1, b.Prop("q"), "q & X f")))
		}},
	{Name: "ccj-beta-prime", Source: ccj, Parameters: one, About: "F(p & X p & … & X^(n-1) p) & F(q & X q & … & X^(n-1) q)",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.And(b.Finally(b.steps(ltl.OpAnd, 0, n-1, b.Prop("p"))), b.Finally(b.steps(ltl.OpAnd, 0, n-1, b.Prop("q"))))
		}},
	{Name: "eil-gsi", Source: spot, Parameters: one, About: "((b & X a) | X b) -> X c for n = 1: after n letters, a S b implies c",
		make: func(b *builder, n, _ int) *ltl.Formula {
			since := b.Prop("b")
			for i := 1; i <= n; i++ {
				since = b.checked(b.Or(b.And(since, b.x(i, b.Prop("a"))), b.x(i, b.Prop("b"))))
			}
			return b.Implies(since, b.x(n, b.Prop("c")))
		}},
	{Name: "fxg-or", Source: spot, Parameters: one, About: "F(p0 | XG(p1 | XG(p2 | … XG pn)))",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.Finally(b.nest(0, n-1, b.p("p", n), "pi | XG f")) }},
	{Name: "gxf-and", Source: spot, Parameters: one, About: "G(p0 & XF(p1 & XF(p2 & … XF pn)))",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.Globally(b.nest(0, n-1, b.p("p", n), "pi & XF f")) }},
	{Name: "gf-equiv-xn", Source: spot, Parameters: one, About: "GF(a <-> X^n a)",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.around("GF(a <-> f)", b.x(n, b.Prop("a"))) }},
	{Name: "gf-implies-xn", Source: spot, Parameters: one, About: "GF(a -> X^n a)",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.around("GF(a -> f)", b.x(n, b.Prop("a"))) }},
	{Name: "modulo-counter", Source: sch, Parameters: one, About: "FO(c0 & O(c1 & … O c(n-1))), with ci for c = i in the counter of figure 4",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.Finally(b.nest(0, n-2, b.Unary(ltl.OpOnce, b.p("c", n-1)), "O(ci & f)"))
		}},
	{Name: "ms-example", Source: ms, Parameters: []Parameter{{"n", 1}, {"m", 1}}, About: "GF(a1 & X(a2 & … X an)) & F(b1 & F(b2 & … F bm))",
		make: func(b *builder, n, m int) *ltl.Formula {
			return b.And(b.gf(b.nest(1, n-1, b.p("a", n), "ai & X f")), b.finallyInTurn("b", m))
		}},
	{Name: "ms-phi-h", Source: ms, Parameters: one, About: "FG(a | b) | FG(!a | X b) | FG(a | X^2 b) | … up to X^n b",
		make: func(b *builder, n, _ int) *ltl.Formula {
			a := b.Prop("a")
			return b.some(0, n, func(i int) *ltl.Formula {
				return b.fg(b.Or([]*ltl.Formula{a, b.Not(a)}[i%2], b.x(i, b.Prop("b"))))
			})
		}},
	{Name: "r-left", Source: spot, Parameters: one, About: "((p1 R p2) R p3) … R pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpRelease, n, "pi") }},
	{Name: "r-right", Source: spot, Parameters: one, About: "p1 R (p2 R (… R pn))",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.nest(1, n-1, b.p("p", n), "pi R f") }},
	{Name: "sejk-f", Source: sej, Parameters: []Parameter{{"n", 1}, {"m", 1}}, About: "GF an U G(GF a(n-1) U G(… G(GF a0 U X^m b)))",
		make: func(b *builder, n, m int) *ltl.Formula {
			f := b.Until(b.gf(b.p("a", 0)), b.x(m, b.Prop("b")))
			for i := 1; i <= n; i++ {
				f = b.checked(b.Until(b.gf(b.p("a", i)), b.Globally(f)))
			}
			return f
		}},
	{Name: "tv-f1", Source: tv, Parameters: one, About: "G(p -> (q | X q | … | X^(n-1) q))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.steps(ltl.OpOr, 0, n-1, b.Prop("q")))
		}},
	{Name: "tv-f2", Source: tv, Parameters: one, About: "G(p -> (q | X(q | … X q))), with n times q",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.nest(1, n-1, b.Prop("q"), "q | X f"))
		}},
	{Name: "tv-g1", Source: tv, Parameters: one, About: "G(p -> (q & X q & … & X^(n-1) q))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.steps(ltl.OpAnd, 0, n-1, b.Prop("q")))
		}},
	{Name: "tv-g2", Source: tv, Parameters: one, About: "G(p -> (q & X(q & … X q))), with n times q",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.nest(1, n-1, b.Prop("q"), "q & X f"))
		}},
	{Name: "tv-uu", Source: tv, Parameters: one, About: "G(p1 -> (p1 U (p2 & (p2 U (p3 & … (pn U p(n+1)))))))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			last := b.Until(b.p("p", n), b.p("p", n+1))
			return b.around("G(p1 -> f)", b.nest(1, n-1, last, "pi U (pj & f)"))
		}},
	{Name: "u-left", Also: []string{"gh-u"}, Source: gh, Parameters: one, About: "((p1 U p2) U p3) … U pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpUntil, n, "pi") }},
	{Name: "u-right", Also: []string{"gh-u2", "go-phi"}, Source: gol, Parameters: one, About: "p1 U (p2 U (… U pn))",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.nest(1, n-1, b.p("p", n), "pi U f") }},
}

// finallyInTurn returns F(p1 & F(p2 & … F pn)).
func (b *builder) finallyInTurn(letter string, n int) *ltl.Formula {
	return b.nest(1, n-1, b.Finally(b.p(letter, n)), "F("+letter+"i & f)")
}

// fairness are the families of Boolean combinations of F, G, GF and FG over propositions.
var fairness = []*Set{
	{Name: "and-f", Also: []string{"gh-e"}, Source: gh, Parameters: one, About: "F p1 & F p2 & … & F pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, n, "F pi") }},
	{Name: "and-fg", Source: spot, Parameters: one, About: "FG p1 & FG p2 & … & FG pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, n, "FG pi") }},
	{Name: "and-gf", Also: []string{"ccj-phi", "gh-c2"}, Source: ccj, Parameters: one, About: "GF p1 & GF p2 & … & GF pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, n, "GF pi") }},
	{Name: "or-fg", Also: []string{"ccj-xi"}, Source: ccj, Parameters: one, About: "FG p1 | FG p2 | … | FG pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpOr, n, "FG pi") }},
	{Name: "or-g", Also: []string{"gh-s"}, Source: gh, Parameters: one, About: "G p1 | G p2 | … | G pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpOr, n, "G pi") }},
	{Name: "or-gf", Also: []string{"gh-c1"}, Source: gh, Parameters: one, About: "GF p1 | GF p2 | … | GF pn",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpOr, n, "GF pi") }},
	{Name: "gh-q", Source: gh, Parameters: one, About: "(F p1 | G p2) & (F p2 | G p3) & … & (F pn | G p(n+1))",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, n, "F pi | G pj") }},
	{Name: "gh-r", Source: gh, Parameters: one, About: "(GF p1 | FG p2) & (GF p2 | FG p3) & … & (GF pn | FG p(n+1))",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, n, "GF pi | FG pj") }},
	{Name: "gf-equiv", Source: spot, Parameters: one, About: "(GF a1 & GF a2 & … & GF an) <-> GF z",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("f <-> GF z", b.row(ltl.OpAnd, n, "GF ai"))
		}},
	{Name: "gf-implies", Source: spot, Parameters: one, About: "(GF a1 & GF a2 & … & GF an) -> GF z",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.around("f -> GF z", b.row(ltl.OpAnd, n, "GF ai")) }},
	{Name: "go-theta", Source: gol, Parameters: one, About: "!((GF p1 & GF p2 & … & GF pn) -> G(q -> F r))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("!(f -> G(q -> F r))", b.row(ltl.OpAnd, n, "GF pi"))
		}},
	{Name: "ms-phi-r", Source: ms, Parameters: one, About: "R(n) = (FG an & GF bn) | S(n-1), with S as in ms-phi-s and R(0) = FG a0 & GF b0",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.rabinStreett(n, ltl.OpAnd, ltl.OpOr) }},
	{Name: "ms-phi-s", Source: ms, Parameters: one, About: "S(n) = (FG an | GF bn) & R(n-1), with R as in ms-phi-r and S(0) = FG a0 | GF b0",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.rabinStreett(n, ltl.OpOr, ltl.OpAnd) }},
	{Name: "sejk-j", Source: sej, Parameters: one, About: "(GF a1 & GF a2 & … & GF an) -> (GF b1 & GF b2 & … & GF bn)",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.Implies(b.row(ltl.OpAnd, n, "GF ai"), b.row(ltl.OpAnd, n, "GF bi"))
		}},
	{Name: "sejk-k", Source: sej, Parameters: one, About: "(GF a1 | FG b1) & (GF a2 | FG b2) & … & (GF an | FG bn)",
		make: func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, n, "GF ai | FG bi") }},
}

// rabinStreett returns (FG an inner GF bn) outer the formula for n-1 with both operators exchanged.
// For n = 2, inner & and outer |:
//
//	FGa2 & GFb2 | (FGa1 | GFb1) & FGa0 & GFb0
func (b *builder) rabinStreett(n int, inner, outer ltl.Op) *ltl.Formula {
	pair := func(i int, op ltl.Op) *ltl.Formula { return b.Binary(op, b.fg(b.p("a", i)), b.gf(b.p("b", i))) }
	if n%2 != 0 {
		inner, outer = outer, inner
	}
	f := pair(0, inner)
	for i := 1; i <= n; i++ {
		inner, outer = outer, inner
		f = b.checked(b.Binary(outer, pair(i, inner), f))
	}
	return f
}

// arbiters are the families of a device that grants a resource to n clients. Input ik is the
// request of client k, and output ok its grant. Without a request at first, nothing is granted at
// first. A client keeps a request until it is granted, and the grant until it withdraws the
// request. For one client, the standard formula is
//
//	!i1 -> !o1 & (GF!(i1 & o1) & G(i1 xor o1 -> i1 <-> Xi1) ->
//	              GF(i1 <-> o1) & G((i1 <-> o1) -> o1 <-> Xo1))
var arbiters = []*Set{
	{Name: "pps-arbiter-standard", Source: pps, Parameters: one, About: "a fair arbiter of n clients, which keeps its rules if all clients always keep theirs",
		make: func(b *builder, n, _ int) *ltl.Formula {
			x := newArbiter(b, n)
			assumed := b.and(x.released, b.Globally(x.requests))
			return x.initially(b.Implies(assumed, b.and(x.served, b.Globally(x.grants))))
		}},
	{Name: "pps-arbiter-strict", Source: pps, Parameters: one, About: "a fair arbiter of n clients, which keeps its rules until a client breaks one",
		make: func(b *builder, n, _ int) *ltl.Formula {
			x := newArbiter(b, n)
			assumed := b.and(x.released, b.Globally(x.requests))
			return x.initially(b.and(b.WeakUntil(x.grants, b.Not(x.requests)), b.Implies(assumed, x.served)))
		}},
}

// An arbiter has the parts of its formula.
type arbiter struct {
	*builder
	n int
	// No client keeps a grant forever, and its next request follows the rules.
	released, requests *ltl.Formula
	// Each request is served, and the next grants follow the rules: at most one client has a grant.
	served, grants *ltl.Formula
}

func newArbiter(b *builder, n int) *arbiter {
	i := func(k int) *ltl.Formula { return b.p("i", k) }
	o := func(k int) *ltl.Formula { return b.p("o", k) }
	// keeps says that a signal stays the same.
	keeps := func(f *ltl.Formula) *ltl.Formula { return b.Equiv(f, b.Next(f)) }
	x := &arbiter{
		builder:  b,
		n:        n,
		released: b.all(1, n, func(k int) *ltl.Formula { return b.gf(b.Not(b.And(i(k), o(k)))) }),
		requests: b.all(1, n, func(k int) *ltl.Formula { return b.Implies(b.Xor(i(k), o(k)), keeps(i(k))) }),
		served:   b.all(1, n, func(k int) *ltl.Formula { return b.gf(b.Equiv(i(k), o(k))) }),
		grants:   b.all(1, n, func(k int) *ltl.Formula { return b.Implies(b.Equiv(i(k), o(k)), keeps(o(k))) }),
	}
	if n > 1 {
		clients := make([]*ltl.Formula, n)
		for k := range clients {
			clients[k] = o(k + 1)
		}
		x.grants = b.And(b.exclusive(clients...), x.grants)
	}
	return x
}

// initially says that without a request at first, no grant is given, and f holds.
func (x *arbiter) initially(f *ltl.Formula) *ltl.Formula {
	none := func(letter string) *ltl.Formula {
		return x.all(1, x.n, func(k int) *ltl.Formula { return x.Not(x.p(letter, k)) })
	}
	return x.Implies(none("i"), x.and(none("o"), f))
}
