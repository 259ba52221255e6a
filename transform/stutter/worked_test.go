package stutter

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorked checks the examples in the comments.
func TestWorked(t *testing.T) {
	type construction = func(ctx context.Context, a *omega.Automaton, limit int) (*omega.Automaton, error)
	unlimited := func(of construction) worked.Construction {
		return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) { return of(ctx, a, 0) }
	}
	worked.Check(t, "stutter.go", "1 Inf(0)", "State: 0 [a] 1 State: 1 [a] 2 State: 2 [t] 2 {0}",
		"State: 0 [a] 1 [a] 2 State: 1 [a] 2 State: 2 [t] 2 {0}", unlimited(Closure))
	worked.Check(t, "stutter.go", "1 Inf(0)", "State: 0 [a] 1 {0} State: 1 [!a] 0",
		"State: 0 [a] 1 {0} [a] 2 {0} State: 1 [!a] 0 [!a] 3 State: 2 [a] 2 [a] 1 State: 3 [!a] 3 [!a] 0", unlimited(SelfLoops))
}
