// Package plural writes numbers: of things, shares and seeds.
package plural

import (
	"fmt"
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

// Marks returns marks as a set: "{0 2}", or "no marks".
func Marks(list []int) string {
	if len(list) == 0 {
		return "no marks"
	}
	return "{" + strings.Trim(fmt.Sprint(list), "[]") + "}"
}

// Percent writes a ratio as a difference: 1.12 as "12 % slower". A small difference has one
// decimal: 0.995 as "0.5 % faster".
func Percent(ratio float64, more, less string) string {
	by, what := 100*(ratio-1), more
	if ratio < 1 {
		by, what = -by, less
	}
	digits := 0
	if by < 2 || by > 99 && ratio < 1 { // 99.6 % is not 100 %
		digits = 1
	}
	return strconv.FormatFloat(by, 'f', digits, 64) + " % " + what
}

// Seed returns a seed in decimal. For nil it returns "".
func Seed(seed *uint64) string {
	if seed == nil {
		return ""
	}
	return strconv.FormatUint(*seed, 10)
}
