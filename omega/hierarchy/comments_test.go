package hierarchy_test

import (
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega/hierarchy"
)

// TestCommentClasses: the examples in the comment on Of.
func TestCommentClasses(t *testing.T) {
	const (
		one = "States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 %s(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--"
		two = "States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 %s(0) --BODY-- State: 0 [0] 0 {0} [!0] 1 State: 1 [t] 1 --END--"
	)
	for _, x := range []struct{ text, leaf, want string }{
		{one, "Inf", "recurrence"}, {one, "Fin", "persistence"}, {two, "Inf", "safety"}, {two, "Fin", "guarantee"},
	} {
		a, _, err := hoa.ReadOne(t.Context(), fmt.Appendf(nil, "HOA: v1 "+x.text, x.leaf))
		if err != nil {
			t.Fatal(err)
		}
		if class, err := hierarchy.Of(t.Context(), a); err != nil || class.String() != x.want {
			t.Errorf("%s with %s: %v, %v, want %s", x.text, x.leaf, class, err, x.want)
		}
	}
}
