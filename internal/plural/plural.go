// Package plural writes numbers of things.
package plural

import "strconv"

// Of returns "1 state" or "2 states".
func Of(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
