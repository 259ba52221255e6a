package patterns

import "github.com/xcheck-ltl/xcheck/ltl"

// nested are the families in which temporal operators are nested n deep.
var nested = []*Set{
	{
		Name: "ccj-alpha", Source: ccj, Parameters: one,
		About: "F(p1 & F(p2 & … F pn)) & F(q1 & F(q2 & … F qn))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.And(b.finallyInTurn("p", n), b.finallyInTurn("q", n))
		},
	},
	{
		Name: "ccj-beta", Source: ccj, Parameters: one,
		About: "F(p & X(p & … X p)) & F(q & X(q & … X q)), with n times p and q",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.And(b.Finally(b.nest(1, n-1, b.Prop("p"), "p & X f")), b.Finally(b.nest(1, n-1, b.Prop("q"), "q & X f")))
		},
	},
	{
		Name: "ccj-beta-prime", Source: ccj, Parameters: one,
		About: "F(p & X p & … & X^(n-1) p) & F(q & X q & … & X^(n-1) q)",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.And(b.Finally(b.steps(ltl.OpAnd, 0, n-1, b.Prop("p"))), b.Finally(b.steps(ltl.OpAnd, 0, n-1, b.Prop("q"))))
		},
	},
	{
		Name: "eil-gsi", Source: spot, Parameters: one,
		About: "((b & X a) | X b) -> X c for n = 1: after n letters, a S b implies c",
		make: func(b *builder, n, _ int) *ltl.Formula {
			since := b.Prop("b")
			for i := 1; i <= n; i++ {
				since = b.checked(b.Or(b.And(since, b.x(i, b.Prop("a"))), b.x(i, b.Prop("b"))))
			}
			return b.Implies(since, b.x(n, b.Prop("c")))
		},
	},
	{
		Name: "fxg-or", Source: spot, Parameters: one,
		About: "F(p0 | XG(p1 | XG(p2 | … XG pn)))",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.Finally(b.nest(0, n-1, b.p("p", n), "pi | XG f")) },
	},
	{
		Name: "gxf-and", Source: spot, Parameters: one,
		About: "G(p0 & XF(p1 & XF(p2 & … XF pn)))",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.Globally(b.nest(0, n-1, b.p("p", n), "pi & XF f")) },
	},
	{
		Name: "gf-equiv-xn", Source: spot, Parameters: one,
		About: "GF(a <-> X^n a)",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.around("GF(a <-> f)", b.x(n, b.Prop("a"))) },
	},
	{
		Name: "gf-implies-xn", Source: spot, Parameters: one,
		About: "GF(a -> X^n a)",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.around("GF(a -> f)", b.x(n, b.Prop("a"))) },
	},
	{
		Name: "modulo-counter", Source: sch, Parameters: one,
		About: "FO(c0 & O(c1 & … O c(n-1))), with ci for c = i in the counter of figure 4",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.Finally(b.nest(0, n-2, b.Unary(ltl.OpOnce, b.p("c", n-1)), "O(ci & f)"))
		},
	},
	{
		Name: "ms-example", Source: ms, Parameters: []Parameter{{"n", 1}, {"m", 1}},
		About: "GF(a1 & X(a2 & … X an)) & F(b1 & F(b2 & … F bm))",
		make: func(b *builder, n, m int) *ltl.Formula {
			return b.And(b.gf(b.nest(1, n-1, b.p("a", n), "ai & X f")), b.finallyInTurn("b", m))
		},
	},
	{
		Name: "ms-phi-h", Source: ms, Parameters: one,
		About: "FG(a | b) | FG(!a | X b) | FG(a | X^2 b) | … up to X^n b",
		make: func(b *builder, n, _ int) *ltl.Formula {
			a := b.Prop("a")
			return b.some(0, n, func(i int) *ltl.Formula {
				return b.fg(b.Or([]*ltl.Formula{a, b.Not(a)}[i%2], b.x(i, b.Prop("b"))))
			})
		},
	},
	{
		Name: "r-left", Source: spot, Parameters: one,
		About: "((p1 R p2) R p3) … R pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpRelease, 1, n, "pi") },
	},
	{
		Name: "r-right", Source: spot, Parameters: one,
		About: "p1 R (p2 R (… R pn))",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.nest(1, n-1, b.p("p", n), "pi R f") },
	},
	{
		Name: "sejk-f", Source: sej, Parameters: []Parameter{{"n", 1}, {"m", 1}},
		About: "GF an U G(GF a(n-1) U G(… G(GF a0 U X^m b)))",
		make: func(b *builder, n, m int) *ltl.Formula {
			f := b.Until(b.gf(b.p("a", 0)), b.x(m, b.Prop("b")))
			for i := 1; i <= n; i++ {
				f = b.checked(b.Until(b.gf(b.p("a", i)), b.Globally(f)))
			}
			return f
		},
	},
	{
		Name: "tv-f1", Source: tv, Parameters: one,
		About: "G(p -> (q | X q | … | X^(n-1) q))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.steps(ltl.OpOr, 0, n-1, b.Prop("q")))
		},
	},
	{
		Name: "tv-f2", Source: tv, Parameters: one,
		About: "G(p -> (q | X(q | … X q))), with n times q",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.nest(1, n-1, b.Prop("q"), "q | X f"))
		},
	},
	{
		Name: "tv-g1", Source: tv, Parameters: one,
		About: "G(p -> (q & X q & … & X^(n-1) q))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.steps(ltl.OpAnd, 0, n-1, b.Prop("q")))
		},
	},
	{
		Name: "tv-g2", Source: tv, Parameters: one,
		About: "G(p -> (q & X(q & … X q))), with n times q",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("G(p -> f)", b.nest(1, n-1, b.Prop("q"), "q & X f"))
		},
	},
	{
		Name: "tv-uu", Source: tv, Parameters: one,
		About: "G(p1 -> (p1 U (p2 & (p2 U (p3 & … (pn U p(n+1)))))))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			last := b.Until(b.p("p", n), b.p("p", n+1))
			return b.around("G(p1 -> f)", b.nest(1, n-1, last, "pi U (pj & f)"))
		},
	},
	{
		Name: "u-left", Also: []string{"gh-u"}, Source: gh, Parameters: one,
		About: "((p1 U p2) U p3) … U pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpUntil, 1, n, "pi") },
	},
	{
		Name: "u-right", Also: []string{"gh-u2", "go-phi"}, Source: gol, Parameters: one,
		About: "p1 U (p2 U (… U pn))",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.nest(1, n-1, b.p("p", n), "pi U f") },
	},
}

// finallyInTurn returns F(p1 & F(p2 & … F pn)).
func (b *builder) finallyInTurn(letter string, n int) *ltl.Formula {
	return b.nest(1, n-1, b.Finally(b.p(letter, n)), "F("+letter+"i & f)")
}
