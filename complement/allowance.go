package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An allowance is the budget of a construction, with a limit of macrostates. All parts of
// one complement share one.
type allowance struct {
	*budget.Budget
	limit       int // of macrostates; 0: none
	macrostates int // made so far
	before      int // macrostates that the limit does not count
}

func newAllowance(ctx context.Context, limit int) *allowance {
	return &allowance{Budget: budget.New(ctx), limit: limit}
}

// Limits of a macrostate, whatever the limits of the caller. Past them, its edges cannot even be
// listed.
const (
	maxLetters = 1 << 14 // sets of letters that it tells apart
	maxChoices = 1 << 18 // successors on one letter
)

// check fails when the budget has ended or there are too many macrostates.
func (m *allowance) check() error {
	if err := m.Check(); err != nil {
		return err
	}
	return m.within()
}

// poll is check at intervals. Each loop calls it whose length is not bounded by the size of its
// results.
func (m *allowance) poll() error {
	if m.Stop() {
		return m.Err()
	}
	return m.within()
}

// within fails when there are too many macrostates.
func (m *allowance) within() error {
	if m.limit > 0 && m.macrostates-m.before > m.limit {
		return &omega.LimitError{What: "macrostates", Limit: m.limit}
	}
	return nil
}
