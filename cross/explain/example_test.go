package explain_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/cross/explain"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An automaton that should accept the words of G(a -> X a) has no way on after a; !a. That is right.
func ExampleAcceptance() {
	ctx := context.Background()
	a := must.Get(hoa.NewReader(ctx, strings.NewReader(`HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 0 t
		--BODY-- State: 0 [!0] 0 [0] 1 State: 1 [0] 1 --END--`)).Next())
	for _, text := range []string{"a; cycle{!a}", "!a; cycle{a}"} {
		fmt.Println(must.Get(explain.Acceptance(ctx, a, must.Get(omega.ParseWord(ctx, text)))))
	}
	// Output:
	// stuck at letter 2: state 1 has no edge for !a, only for a
	//          letter  state
	//       1  a       0 -> 1
	//       2          1 stuck
	// accepting run: every infinite run is accepting
	//           letter  state
	//       1   !a      0 -> 0
	//       2   a       0 -> 1
	//       3*  a       1 -> 1
}

// What must hold from each letter on, if G(a -> X b) holds on the word?
func ExampleProgression() {
	s := ltl.NewStore()
	f := must.Get(s.Parse("G(a -> X b)", ltl.Spot))
	w := must.Get(omega.ParseWord(context.Background(), "a&!b; cycle{!a&b; !a&!b}"))
	fmt.Println(strings.Join(explain.Progression(s, f, w).Formulas, "\n"))
	// Output:
	// G(a -> Xb)
	// b & G(a -> Xb)
	// G(a -> Xb)
	// G(a -> Xb)
}
