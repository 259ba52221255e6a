// Package plural writes numbers of things.
package plural

import (
	"strconv"
	"strings"
)

// Of returns "1 state", "2 states" or "2 automata".
func Of(n int, what string) string {
	if n != 1 {
		what = Word(what)
	}
	return strconv.Itoa(n) + " " + what
}

// Word returns "states", "automata" or "properties".
func Word(what string) string {
	return strings.NewReplacer("automatons", "automata", "propertys", "properties").Replace(what + "s")
}
