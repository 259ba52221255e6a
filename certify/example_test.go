package certify_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A translator claims that this automaton accepts the words of G F a. It is wrong: on the second
// word, the formula holds and the automaton rejects.
func Example() {
	ctx := context.Background()
	a, _, err := hoa.ReadOne(ctx, []byte(`
		HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--`))
	if err != nil {
		fmt.Println(err)
		return
	}
	f := must.Get(ltl.NewStore().Parse("G F a", ltl.Spot))
	for _, text := range []string{"!a; cycle{a}", "cycle{a; !a}"} {
		w := must.Get(certify.ParseWord(text))
		truth := must.Get(certify.Holds(ctx, f, w))
		accepted := must.Get(certify.Accepts(ctx, a.AsRead, w))
		fmt.Printf("%s: formula %t, automaton %t\n", text, truth, accepted)
	}
	// Output:
	// !a; cycle{a}: formula true, automaton true
	// cycle{a; !a}: formula true, automaton false
}
