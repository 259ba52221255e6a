package session

import (
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A Result is what a run leads to.
type Result struct {
	Status  outcome.ExitStatus
	Summary *report.Summary // the totals
	// Closing, if not nil, tells when the tools have ended that still ran when the context was
	// done. A Run does not wait for these.
	Closing <-chan error
}
