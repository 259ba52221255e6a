package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// CheckSplits is Check with or without the test of unavoidable marks. It also returns how often a
// component was split.
func CheckSplits(ctx context.Context, src omega.Source, unavoidable bool) (*Result, int, error) {
	s := &search{explorer: newExplorer(ctx, src, Limits{}), noUnavoidable: !unavoidable}
	s.hasFin = s.cond.HasFin()
	result, err := s.any()
	return result, s.splits, err
}

// BlackStates returns the states that are black when the colour DFS has ended.
func BlackStates(ctx context.Context, src omega.Source) ([]omega.State, error) {
	c, _, err := newHunt(ctx, src, &Minimizer{}).colour(false)
	if err != nil {
		return nil, err
	}
	var list []omega.State
	for s := range c.colouring {
		if c.is(omega.State(s), black) {
			list = append(list, omega.State(s))
		}
	}
	return list, nil
}
