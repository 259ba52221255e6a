// Package spelling suggests the name that a misspelled one probably meant.
package spelling

import (
	"fmt"
	"strings"
)

// Nearest returns the one of names that name was most likely meant to be, or "".
func Nearest[S ~string](name string, names []S) string {
	plain := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
	}
	want := plain(name)
	best, least := "", max(1, len(want)/3)+1
	for _, candidate := range names {
		p := plain(string(candidate))
		// A name of a thousand letters is no candidate's, and need not be compared.
		d := max(len(p)-len(want), len(want)-len(p))
		if d < least {
			d = distance(want, p)
		}
		if min(len(p), len(want)) >= 3 && (strings.HasPrefix(p, want) || strings.HasPrefix(want, p)) {
			d = min(d, 1)
		}
		if d < least && d < len(want) {
			best, least = string(candidate), d
		}
	}
	return best
}

// Find returns the one of list that has the name, or an error that says what it should be.
func Find[T any](what, name string, list []T, nameOf func(T) string) (none T, err error) {
	var names []string
	for _, x := range list {
		if names = append(names, nameOf(x)); nameOf(x) == name {
			return x, nil
		}
	}
	return none, fmt.Errorf("unknown %s %q%s", what, name, Of(name, names))
}

// Of returns the end of an error about a name that is none of names: what was most likely meant, or
// all names.
//
//	unknown key "timeuot"; did you mean timeout?
//	unknown key "colour": expected one of timeout, size
func Of[S ~string](name string, names []S) string {
	if near := Nearest(name, names); near != "" {
		return DidYouMean(near)
	}
	all := make([]string, len(names))
	for i, x := range names {
		all[i] = string(x)
	}
	return ": expected one of " + strings.Join(all, ", ")
}

// DidYouMean returns the end of an error that says what was most likely meant, "" if that is "".
func DidYouMean(meant string) string {
	if meant == "" {
		return ""
	}
	return "; did you mean " + meant + "?"
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to get from a to b (the restricted edit distance of Damerau,
// 1964). It is 1 for "timeuot" and "timeout", and 2 for "tmeot".
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			replace := last[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
