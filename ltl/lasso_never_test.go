package ltl_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestNoLetter: expressions with letters that nothing satisfies.
func TestNoLetter(t *testing.T) {
	for text, want := range map[string]bool{"{0}": false, "{a;0}": false, "{0[*];a}": true, "{0}[]-> b": true, "{0}<>-> a": false, "{a;0 | a}!": true} {
		f := parse(t, ltl.NewStore(), text, ltl.Spot)
		got, err := f.Holds(0, 1, func(prop string, _ int) bool { return prop == "a" })
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
}
