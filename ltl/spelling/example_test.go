package spelling_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/ltl/spelling"
)

// A row of ltlcross's CSV, found for a formula of ours.
func Example() {
	rows := map[string]int{"(a) U (X(b))": 3, "!((a) U (X(b)))": 4} // numbers of states
	var s spelling.Speller
	formula, negation := s.SpellText("a U X(b & b)")
	fmt.Println(formula, rows[formula])
	fmt.Println(negation, rows[negation])
	// Output:
	// (a) U (X(b)) 3
	// !((a) U (X(b))) 4
}
