// Package plural writes numbers of things.
package plural

import "strconv"

// Of returns "1 state", "2 states" or "2 automata".
func Of(n int, what string) string {
	switch {
	case n == 1:
	case what == "automaton":
		what = "automata"
	default:
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
