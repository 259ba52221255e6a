package plural_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/plural"
)

func ExampleOf() {
	fmt.Println(plural.Of(0, "state"), plural.Of(1, "state"), plural.Of(2, "state"), plural.Of(2, "automaton"))
	// Output: 0 states 1 state 2 states 2 automata
}

func ExamplePercent() {
	fmt.Println(plural.Percent(1.12, "slower", "faster"), plural.Percent(0.995, "slower", "faster"))
	// Output: 12 % slower 0.5 % faster
}
