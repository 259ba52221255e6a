package complement_test

import (
	"context"
	"fmt"
	"log"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The words in which a is true only finitely often are complemented by the
// construction that fits, on demand: only what is asked for is made.
func ExampleWith() {
	a, _, err := hoa.ReadOne(context.Background(), []byte(`
		HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [t] 0 [!0] 1 State: 1 [!0] 1 {0} --END--`))
	if err != nil {
		log.Fatal(err)
	}
	c, err := complement.With(context.Background(), "", a, 1000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Algorithm(), c.Acceptance())
	fmt.Println(c.Macrostates(), "macrostate so far")
	whole, err := omega.Explore(context.Background(), c, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Macrostates(), "in all")
	for _, text := range []string{"cycle{!a}", "cycle{a; !a}"} {
		w, err := omega.ParseWord(context.Background(), text)
		if err != nil {
			log.Fatal(err)
		}
		in, err := whole.Accepts(context.Background(), w)
		fmt.Println(w, in, err)
	}
	// Output:
	// breakpoint 1 Inf(0)
	// 1 macrostate so far
	// 2 in all
	// cycle{!a} false <nil>
	// cycle{a; !a} true <nil>
}

// The automaton of the package comment. Its complement has two macrostates.
func Example() {
	ctx := context.Background()
	a, _, err := hoa.ReadOne(ctx, []byte(`
		HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [t] 0 [!0] 1 State: 1 [!0] 1 {0} --END--`))
	if err != nil {
		log.Fatal(err)
	}
	c, err := complement.With(ctx, "breakpoint", a, 1000)
	if err != nil {
		log.Fatal(err)
	}
	whole, err := omega.Explore(ctx, c, 0)
	if err != nil {
		log.Fatal(err)
	}
	for s := range whole.NumStates() {
		for _, e := range whole.Edges(omega.State(s)) {
			fmt.Println(s, "->", e.Dst, "on", whole.Alphabet().Text(e.Label), whole.Marks().AppendTo(nil, e.Marks))
		}
	}
	// Output:
	// 0 -> 0 on a [0]
	// 0 -> 1 on !a [0]
	// 1 -> 0 on a [0]
	// 1 -> 1 on !a []
}
