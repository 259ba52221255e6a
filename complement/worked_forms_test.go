package complement

import (
	"context"
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
}
