package patterns

import "github.com/xcheck-ltl/xcheck/ltl"

// fairness are the families of Boolean combinations of F, G, GF and FG over propositions.
var fairness = []*Set{
	{
		Name: "and-f", Also: []string{"gh-e"}, Source: gh, Parameters: one,
		About: "F p1 & F p2 & … & F pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, 1, n, "F pi") },
	},
	{
		Name: "and-fg", Source: spot, Parameters: one,
		About: "FG p1 & FG p2 & … & FG pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, 1, n, "FG pi") },
	},
	{
		Name: "and-gf", Also: []string{"ccj-phi", "gh-c2"}, Source: ccj, Parameters: one,
		About: "GF p1 & GF p2 & … & GF pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, 1, n, "GF pi") },
	},
	{
		Name: "or-fg", Also: []string{"ccj-xi"}, Source: ccj, Parameters: one,
		About: "FG p1 | FG p2 | … | FG pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpOr, 1, n, "FG pi") },
	},
	{
		Name: "or-g", Also: []string{"gh-s"}, Source: gh, Parameters: one,
		About: "G p1 | G p2 | … | G pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpOr, 1, n, "G pi") },
	},
	{
		Name: "or-gf", Also: []string{"gh-c1"}, Source: gh, Parameters: one,
		About: "GF p1 | GF p2 | … | GF pn",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpOr, 1, n, "GF pi") },
	},
	{
		Name: "gh-q", Source: gh, Parameters: one,
		About: "(F p1 | G p2) & (F p2 | G p3) & … & (F pn | G p(n+1))",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, 1, n, "F pi | G pj") },
	},
	{
		Name: "gh-r", Source: gh, Parameters: one,
		About: "(GF p1 | FG p2) & (GF p2 | FG p3) & … & (GF pn | FG p(n+1))",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, 1, n, "GF pi | FG pj") },
	},
	{
		Name: "gf-equiv", Source: spot, Parameters: one,
		About: "(GF a1 & GF a2 & … & GF an) <-> GF z",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("f <-> GF z", b.row(ltl.OpAnd, 1, n, "GF ai"))
		},
	},
	{
		Name: "gf-implies", Source: spot, Parameters: one,
		About: "(GF a1 & GF a2 & … & GF an) -> GF z",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.around("f -> GF z", b.row(ltl.OpAnd, 1, n, "GF ai")) },
	},
	{
		Name: "go-theta", Source: gol, Parameters: one,
		About: "!((GF p1 & GF p2 & … & GF pn) -> G(q -> F r))",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.around("!(f -> G(q -> F r))", b.row(ltl.OpAnd, 1, n, "GF pi"))
		},
	},
	{
		Name: "ms-phi-r", Source: ms, Parameters: one,
		About: "R(n) = (FG an & GF bn) | S(n-1), with S as in ms-phi-s and R(0) = FG a0 & GF b0",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.rabinStreett(n, ltl.OpAnd, ltl.OpOr) },
	},
	{
		Name: "ms-phi-s", Source: ms, Parameters: one,
		About: "S(n) = (FG an | GF bn) & R(n-1), with R as in ms-phi-r and S(0) = FG a0 | GF b0",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.rabinStreett(n, ltl.OpOr, ltl.OpAnd) },
	},
	{
		Name: "sejk-j", Source: sej, Parameters: one,
		About: "(GF a1 & GF a2 & … & GF an) -> (GF b1 & GF b2 & … & GF bn)",
		make: func(b *builder, n, _ int) *ltl.Formula {
			return b.Implies(b.row(ltl.OpAnd, 1, n, "GF ai"), b.row(ltl.OpAnd, 1, n, "GF bi"))
		},
	},
	{
		Name: "sejk-k", Source: sej, Parameters: one,
		About: "(GF a1 | FG b1) & (GF a2 | FG b2) & … & (GF an | FG bn)",
		make:  func(b *builder, n, _ int) *ltl.Formula { return b.row(ltl.OpAnd, 1, n, "GF ai | FG bi") },
	},
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
