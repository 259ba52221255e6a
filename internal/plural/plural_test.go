package plural_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/plural"
)

func ExampleOf() {
	fmt.Println(plural.Of(0, "state"), plural.Of(1, "state"), plural.Of(2, "state"), plural.Of(2, "automaton"))
	// Output: 0 states 1 state 2 states 2 automata
}
