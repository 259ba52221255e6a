package productcheck_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// The pair check of the package comment, step by step.
func Example() {
	ctx := context.Background()
	r := hoa.NewReader(strings.NewReader(`
		HOA: v1 name: "GFa" Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [!0] 0 [0] 1 State: 1 [!0] 0 {0} [0] 1 {0} --END--
		HOA: v1 name: "a, !a, a, ..." Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [0] 1 {0} State: 1 [!0] 0 {0} --END--`))
	left := must.Get(r.Next(context.Background()))
	right := must.Get(r.Next(context.Background()))
	right = must.Get(right.Over(ctx, left.Alphabet()))
	p := productcheck.NewProduct(left, right)
	name := func(s omega.State) string {
		l, r := p.Pair(s)
		return fmt.Sprintf("(%d,%d)", l, r)
	}
	for s := omega.State(0); int(s) < p.NumStates(); s++ { // more pairs are met as edges are asked for
		edges := must.Get(p.AppendEdges(nil, s))
		for _, e := range edges {
			fmt.Println(name(s), "on", p.Alphabet().Text(e.Label), "to", name(e.Dst)+", marks", p.Marks().AppendTo(nil, e.Marks))
		}
	}
	common := must.Get(productcheck.Intersect(ctx, left, right, omega.Limits{}))
	fmt.Println(common.Word.Concrete(), "after", common.Pairs, "pairs")
	// Output:
	// (0,0) on a to (1,1), marks [1]
	// (1,1) on !a to (0,0), marks [0 1]
	// cycle{a; !a} after 2 pairs
}

// Is every word in which a is true from some time on one in which it is true
// infinitely often? And the other way round?
func ExampleDecider_Decide() {
	r := hoa.NewReader(strings.NewReader(`
		HOA: v1 name: "FGa" States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--
		HOA: v1 name: "GFa" States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`))
	x := must.Get(r.Next(context.Background()))
	y := must.Get(r.Next(context.Background()))
	fga, gfa := productcheck.NewLanguage(x), productcheck.NewLanguage(must.Get(y.Over(context.Background(), x.Alphabet())))
	d := productcheck.Decider{}
	for _, pair := range [][2]*productcheck.Language{{fga, gfa}, {gfa, fga}} {
		got := must.Get(d.Decide(context.Background(), pair[0].In(), pair[1].Out()))
		if got.Undecided != nil {
			log.Fatal(got.Undecided)
		}
		fmt.Println(got.Constructions, got.Empty())
		if !got.Empty() {
			fmt.Println("only in the first:", got.Word.Concrete())
		}
	}
	// Output:
	// [deterministic] true
	// [breakpoint] false
	// only in the first: cycle{!a; a; !a}
}
