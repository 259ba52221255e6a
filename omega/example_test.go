package omega_test

import (
	"context"
	"fmt"
	"os"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The automaton of the package comment: after each a there is a b, at once or later.
func Example() {
	alphabet := omega.NewAlphabet("a", "b")
	a, b := alphabet.Prop(0), alphabet.Prop(1)
	open := alphabet.And(a, alphabet.Not(b)) // an a without a b

	x := omega.NewBuilder(alphabet, omega.Buchi())
	mark := x.Marks().Of(0)
	x.AddStates(2)
	x.AddStart(0)
	x.AddEdge(0, alphabet.Not(open), mark, 0)
	x.AddEdge(0, open, 0, 1)
	x.AddEdge(1, b, mark, 0)
	x.AddEdge(1, alphabet.Not(b), 0, 1)
	automaton := x.Automaton()

	ctx := context.Background()
	if err := hoa.Write(ctx, os.Stdout, automaton); err != nil {
		panic(err)
	}
	for _, text := range []string{"cycle{a; b}", "a&!b; cycle{!b}"} {
		word := must.Get(omega.ParseWord(ctx, text))
		fmt.Println(word, must.Get(automaton.Accepts(ctx, word)))
	}
	// Output:
	// HOA: v1
	// States: 2
	// Start: 0
	// AP: 2 "a" "b"
	// acc-name: Buchi
	// Acceptance: 1 Inf(0)
	// properties: trans-labels explicit-labels trans-acc complete deterministic
	// --BODY--
	// State: 0
	// [!0 | 1] 0 {0}
	// [0&!1] 1
	// State: 1
	// [1] 0 {0}
	// [!1] 1
	// --END--
	// cycle{a; b} true
	// a&!b; cycle{!b} false
}
