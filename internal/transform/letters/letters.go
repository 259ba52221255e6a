// Package letters divides the letters of an alphabet by the labels of an automaton: those that no
// label tells apart are one class.
package letters

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Classes returns the sets of letters that no label of a tells apart. For the labels a and a&b,
// these are a&b, !a and a&!b. If there are too many, or the budget ends, it returns nil.
func Classes(a *omega.Automaton, w *budget.Budget, tooMany func(n int) bool) []omega.Label {
	a, w = a.OrEmpty(), w.OrFree()
	letters := []omega.Label{a.Alphabet().True()}
	known := make(map[omega.Label]bool)
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if known[e.Label] {
				continue
			}
			known[e.Label] = true
			for i, n := 0, len(letters); i < n; i++ { // the classes that are added lie outside of the label
				in := a.Alphabet().And(letters[i], e.Label)
				if in != omega.False && in != letters[i] { // the label splits the class
					letters = append(letters, a.Alphabet().And(letters[i], a.Alphabet().Not(e.Label)))
					letters[i] = in
				}
				if w.Stop() || tooMany != nil && tooMany(len(letters)) {
					return nil
				}
			}
		}
	}
	return letters
}
