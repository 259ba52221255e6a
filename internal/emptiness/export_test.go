package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// CheckSplits is Check with or without the test of unavoidable marks. It also returns how often a
// component was split.
func CheckSplits(ctx context.Context, src omega.Source, unavoidable bool) (*Result, int, error) {
	s := &search{Explorer: NewExplorer(ctx, src, omega.Limits{}), noUnavoidable: !unavoidable}
	s.hasFin = s.Cond.HasFin()
	result, err := s.any()
	return result, s.splits, err
}
