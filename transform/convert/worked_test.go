package convert

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorked checks the examples in the comments.
func TestWorked(t *testing.T) {
	worked.Check(t, "statebased.go", "1 Fin(0)", "State: 0 [a] 0 [!a] 0 {0}",
		"State: 0 [a] 1 {0} [!a] 0 {0} State: 1 [a] 1 [!a] 0",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) { return StateBased(ctx, a, 0) })
	worked.Check(t, "degeneralize.go", "2 Inf(0)&Inf(1)", "State: 0 [a] 1 {0} [!a] 0 State: 1 [t] 0 {1}",
		"State: 0 [a] 1 {0} [!a] 0 State: 1 [t] 0 {0}",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return Degeneralize(ctx, a, false, 0)
		})
	worked.Check(t, "complete.go", "1 Fin(0)", "State: 0 [a] 0", "State: 0 [a] 0 [!a] 1 State: 1 [t] 1 {0}", Complete)
}
