package reduce

import (
	"context"
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// once applies a pass once.
func once(pass func(*omega.Automaton, *reducer) *omega.Automaton) worked.Construction {
	return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
		w := newReducer(ctx)
		return pass(a, w), w.Err()
	}
}

// TestWorked checks the examples in the comments.
func TestWorked(t *testing.T) {
	const parityMaxEven5 = "5 Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))"
	worked.Check(t, "reduce.go", "1 Inf(0)", "State: 0 [a] 1 [!a] 2 State: 1 [t] 0 {0} State: 2 [a] 0 {0} [!a] 0 {0}",
		"State: 0 [t] 1 State: 1 [t] 0 {0}", Bisimilar)
	worked.Check(t, "simplify.go", "2 Inf(0)&Inf(1)", "State: 0 [a] 0 {0 1} [!a] 0 {1}",
		"State: 0 [a] 0 {0} [!a] 0", once(simplified))
	worked.Check(t, "delayed.go", "1 Inf(0)", "State: 0 [t] 1 {0} State: 1 [t] 0",
		"State: 0 [t] 0 {0}", once(delayed))
	worked.Check(t, "backward.go", "1 Inf(0)", "State: 0 [a] 1 [a] 2 State: 1 [b] 3 State: 2 [c] 3 State: 3 [t] 3 {0}",
		"State: 0 [a] 1 State: 1 [b | c] 2 State: 2 [t] 2 {0}", once(backward))
	worked.Check(t, "simulate.go", "1 Inf(0)", "State: 0 [a] 1 [a] 2 State: 1 [b] 1 {0} State: 2 [t] 2 {0}",
		"State: 0 [a] 2 State: 1 [b] 1 {0} State: 2 [t] 2 {0}", once(simulated))
	worked.Check(t, "residual.go", "1 Inf(0)", "State: 0 [a] 0 [!a] 1 State: 1 [a] 2 [!a] 1 {0} State: 2 [a] 2 [!a] 2 {0}",
		"State: 0 [a] 2 [!a] 2 State: 1 [a] 2 [!a] 2 {0} State: 2 [a] 2 [!a] 2 {0}", once(residual))
	worked.Check(t, "redirect.go", "1 Inf(0)", "State: 0 [a] 0 {0} [!a] 1 State: 1 [a] 0 {0} [!a] 0",
		"State: 0 [a] 0 {0} [!a] 0", once(redirected))
	worked.Check(t, "deadends.go", "1 Inf(0)", "State: 0 [a] 0 {0} [!a] 1 State: 1 [a] 2 State: 2", "State: 0 [a] 0 {0}",
		func(_ context.Context, a *omega.Automaton) (*omega.Automaton, error) { return WithoutDeadEnds(a), nil })
	worked.Check(t, "states.go", "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 1 {0}", "State: 0 [t] 1 {0} State: 1 [t] 1 {0}", once(settled))
	worked.Check(t, "parity.go", parityMaxEven5, "State: 0 [a] 0 {4} [!a] 0 {1}", "State: 0 [!a] 0 [a] 0 {0}",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return Parity(ctx, a, false)
		})
}

// TestWorkedPriorities checks the example in the comment of leastPriorities.
func TestWorkedPriorities(t *testing.T) {
	const parityMaxEven5 = "5 Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))"
	for states, want := range map[string]string{
		"State: 0 [a] 0 {1} [!a] 0 {4}": "[1 2]",
		"State: 0 [t] 0 {4}":            "[0]",
	} {
		a := worked.Automaton(t, parityMaxEven5, states)
		if got := fmt.Sprint(leastPriorities(a, budget.New(t.Context()))); got != want {
			t.Errorf("%s: priorities %s, want %s", states, got, want)
		}
	}
}
