package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross/explain"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestManyStates: of the states of an alternating automaton that accept the rest of a word, 20 are
// listed and the others counted.
func TestManyStates(t *testing.T) {
	text := `HOA: v1 States: 24 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 1&2`
	for s := 1; s < 24; s++ {
		text += fmt.Sprintf(" State: %d [t] %[1]d", s)
	}
	a, err := hoa.NewReader(t.Context(), strings.NewReader(text+" --END--")).Next()
	if err != nil {
		t.Fatal(err)
	}
	w, err := omega.ParseWord(t.Context(), "cycle{1}")
	if err != nil {
		t.Fatal(err)
	}
	e, err := explain.Acceptance(t.Context(), a, w)
	if err != nil || len(e.From) != 1 || len(e.From[0].States) != 20 || e.From[0].StatesLeftOut != 4 {
		t.Errorf("%+v, %v", e, err)
	}
}
