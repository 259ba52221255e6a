package complement

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorkedForms checks the examples in the comments of conversions.
func TestWorkedForms(t *testing.T) {
	worked.Check(t, "buchi.go", "2 Fin(0)&Inf(1)", "State: 0 [a] 0 {1} [!a] 0 {0}",
		"State: 0 [a] 0 [a] 1 [!a] 0 [!a] 1 State: 1 [a] 1 {0}",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) { return Buchi(ctx, a, 0) })
	worked.Check(t, "parity.go", "1 Inf(0)", "State: 0 [t] 0 [a] 1 State: 1 [a] 1 {0}",
		"State: 0 [!a] 0 {0} [a] 1 {0} State: 1 [!a] 0 {0} [a] 1",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return deterministicParity(ctx, a, 0, 0)
		})
	worked.Check(t, "parity.go", "2 Inf(0)&Inf(1)", "State: 0 [a] 0 {0} [!a] 0 {1}",
		"State: 0 [!a] 0 [a] 1 State: 1 [!a] 0 {0} [a] 1",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return ToBuchi(ctx, a, false, 0)
		})
}

// TestWorkedConditions checks the examples in the comments of disjuncts and clauses.
func TestWorkedConditions(t *testing.T) {
	a := worked.Automaton(t, "3 Inf(0) & (Fin(1) | Inf(2))", "State: 0 [t] 0")
	c := &copies{a: a, allowance: newAllowance(t.Context(), 0)}
	list, err := c.disjuncts(a.Acceptance().Condition)
	if err != nil || len(list) != 2 || !slices.Equal(list[0].fin, []int{1}) || list[0].rest.String() != "Inf(0)" ||
		len(list[1].fin) != 0 || list[1].rest.String() != "Inf(0) & Inf(2)" {
		t.Errorf("disjuncts %v (%v)", list, err)
	}
	a = worked.Automaton(t, "3 Inf(0) | (Inf(1) & Inf(2))", "State: 0 [t] 0")
	clauses, err := c.clauses(a.Acceptance().Condition)
	if err != nil || fmt.Sprint(clauses) != "[[0 1] [0 2]]" {
		t.Errorf("clauses %v (%v)", clauses, err)
	}
}

// TestWorkedTry checks the example in the comment of Try.
func TestWorkedTry(t *testing.T) {
	var given []string
	done, err := Try(2, 0, func(i, limit int) error {
		given = append(given, fmt.Sprintf("%d for %d", limit, i))
		if needed := []int{5000, 600}[i]; needed > limit {
			return &omega.LimitError{Limit: limit}
		}
		return nil
	})
	if err != nil || done != 1 || strings.Join(given, ", ") != "256 for 0, 256 for 1, 1024 for 0, 1024 for 1" {
		t.Errorf("%d, %v: %s", done, err, given)
	}
}
