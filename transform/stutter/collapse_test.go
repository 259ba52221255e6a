package stutter

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
)

// TestCollapseExample checks the example in the comment of Collapse.
func TestCollapseExample(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	a, b := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	w := omega.NewWord(alphabet, []omega.Label{a, a, b}, []omega.Label{b, a, a})
	if got := Collapse(w).String(); got != "cycle{a; !a}" {
		t.Errorf("%s becomes %s", w, got)
	}
}
