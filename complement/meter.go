package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// meter counts what a construction makes, and stops it at its limits. All parts
// of one complement share one.
type meter struct {
	ctx         context.Context
	limit       int // of macrostates; 0: none
	macrostates int
	before      int // macrostates that the limit does not count
	steps       uint

	memory int64        // bytes that the construction may take; 0: no limit
	taken  func() int64 // that it takes
}

// Limits of what a macrostate may take, whatever the caller's: past them, even
// its edges can't be listed.
const (
	maxLetters = 1 << 14 // sets of letters that it tells apart
	maxChoices = 1 << 18 // successors on one letter
)

// check fails when the context is done or there are too many macrostates.
func (m *meter) check() error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if m.limit > 0 && m.macrostates-m.before > m.limit {
		return &omega.LimitError{What: "macrostates", Limit: m.limit}
	}
	if m.memory > 0 && m.taken() > m.memory {
		return &omega.LimitError{What: "memory", Limit: int(m.memory)}
	}
	return nil
}

// poll is check now and then. It is called in every loop the length of which is
// not bounded by the size of what has been made.
func (m *meter) poll() error {
	if m.steps++; m.steps%256 != 0 {
		return nil
	}
	return m.check()
}
