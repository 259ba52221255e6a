package patterns

import "github.com/xcheck-ltl/xcheck/ltl"

// lilyList are specifications of controllers: the inputs are i0, i1, …, the outputs o0, o1, ….
var lilyList = []string{
	// A traffic light for pedestrians.
	"G(i2 -> (X(o0 & X(o0 & Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i2 -> (X(o0 | X(o0 | Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> Xi1) -> G(i2 -> (X(o0 | X(o0 | Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | Xi1)) -> G(i2 -> (X(o0 | X(o0 | Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | Xi1)) -> G(i2 -> (X(i0 | o0 | X(i0 | o0 | X(i0 | o0))) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | X(i1 | Xi1))) -> G(i2 -> (X(i0 | o0 | X(i0 | o0 | X(i0 | o0))) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | Xi1)) -> G(i0 -> (X(!o0 U i1) & (o0 -> X!o0) & (i2 -> (i0 | o0 | X(i0 | o0 | X(i0 | o0 | X(i0 | o0)))))))",
	// Combinations of GF, F and G.
	"GFi0 -> GFo0",
	"GFi0 -> (!o0 & G(!o0 -> ((!o0 U i0) & (i0 -> Fo0))) & GFo0)",
	"(GFi1 | Fi0) -> (GFo1 | Go0)",
	"!(G(i1 -> Fo0) & G(i0 -> Fo1))",
	"G!o1 | G(i1 -> Fo0) | G(i0 -> Fo1)",
	"Gi0 -> (Fo0 & (G!i0 -> F!o0))",
	// Arbiters.
	"G!(o0 & o1) & (GFi0 -> GFo0) & (GFi1 -> GFo1)",
	"G(i0 -> (!(o0 & o1) & Fo0 & (i1 -> Fo1))) & ((!o0 U i0) | G!o0) & ((!o1 U i1) | G!o1)",
	"G(i0 -> (!(o0 & o1) & !(o0 & o2) & !(o1 & o2) & Fo0 & (i1 -> Fo1) & (i2 -> Fo2))) & ((!o0 U i0) | G!o0) & ((!o1 U i1) | G!o1) & ((!o2 U i2) | G!o2)",
	"G(!(o0 & o1) & !(o1 & o2) & !(o0 & o2)) & (GFi0 -> GFo0) & (GFi1 -> GFo1) & GFo2",
	"G(!(o0 & o1) & !(o0 & o2) & !(o0 & o3) & !(o1 & o2) & !(o1 & o3) & !(o2 & o3)) & (GFi0 -> GFo0) & (GFi1 -> GFo1) & (GFi2 -> GFo2) & GFo3",
	// Others.
	"GFi1 -> G(o1 -> (!(o0 & o1) & (o1 U i1) & (o0 -> (o0 U i1)) & (i0 -> Fo0) & Fo1))",
	"(!i1 & G((!i1 & !o2) -> X!i1) & G(i1 -> F!i1) & G(o2 -> Xi1)) -> G((o1 & X!o1) -> (o2 & (o0 | o1) & ((o0 & X!o0) -> o2) & ((!o0 & (!i0 | !i1)) -> Xo0) & ((!o1 & (i0 | !i1)) -> Xo1) & (i0 -> F!o0) & F!o1))",
	"(G(!i0 | !i1) & G(!i0 | !i2) & G(!i0 | !i3) & G(!i1 | !i2) & G(!i1 | !i3) & G(!i2 | !i3)) -> G((!o0 | !o1) & (!o0 | !o2) & (!o0 | !o3) & (!o1 | !o2) & (!o1 | !o3) & (!o2 | !o3) & G(i0 -> (Xo0 | XXo0 | XXXo0)) & G(i1 -> (Xo1 | XXo1 | XXXo1)) & G(i2 -> (Xo2 | XXo2 | XXXo2)) & G(i3 -> (Xo3 | XXo3 | XXXo3)))",
	"(!i0 & !i1 & !i2 & G!(i0 & i1) & GF!i2 & G((!i2 & o0) -> X!i2) & G(i2 -> X(!i2 | X(!i2 | X(!i2 | X!i2))))) -> G(!(i2 & Xo0) & (i1 -> F!o0) & (i0 -> Fo0))",
	"(G((i0 & Xo0) -> Xi0) & GF!i0) -> GX(!i0 & X!o0)",
}

// arbiters are the families of a device that grants a resource to n clients. Input ik is the
// request of client k, and output ok its grant. Without a request at first, nothing is granted at
// first. A client keeps a request until it is granted, and the grant until it withdraws the
// request. For one client, the standard formula is
//
//	!i1 -> !o1 & (GF!(i1 & o1) & G(i1 xor o1 -> i1 <-> Xi1) ->
//	              GF(i1 <-> o1) & G((i1 <-> o1) -> o1 <-> Xo1))
var arbiters = []*Set{
	{
		Name: "pps-arbiter-standard", Source: pps, Parameters: one,
		About: "a fair arbiter of n clients, which keeps its rules if all clients always keep theirs",
		make: func(b *builder, n, _ int) *ltl.Formula {
			x := newArbiter(b, n)
			assumed := b.and(x.released, b.Globally(x.requests))
			return x.initially(b.Implies(assumed, b.and(x.served, b.Globally(x.grants))))
		},
	},
	{
		Name: "pps-arbiter-strict", Source: pps, Parameters: one,
		About: "a fair arbiter of n clients, which keeps its rules until a client breaks one",
		make: func(b *builder, n, _ int) *ltl.Formula {
			x := newArbiter(b, n)
			assumed := b.and(x.released, b.Globally(x.requests))
			return x.initially(b.and(b.WeakUntil(x.grants, b.Not(x.requests)), b.Implies(assumed, x.served)))
		},
	},
}

// An arbiter has the parts of its formula.
type arbiter struct {
	*builder
	n int
	// No client keeps what it was granted forever, and its next request follows the rules.
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
