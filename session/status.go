package session

import "github.com/xcheck-ltl/xcheck/report"

// A Status is the exit status of a run.
type Status int

// The exit statuses.
const (
	Passed      Status = 0   // no disagreement
	Failed      Status = 1   // a disagreement, a false property, or a failure that the plan counts as one
	Broken      Status = 2   // the run could not do its work
	Incomplete  Status = 3   // no disagreement, but a translator failed, or a check is undecided
	Interrupted Status = 130 // the context was done before the last input
)

// A Result is what a run leads to.
type Result struct {
	Status  Status
	Summary *report.Summary // the totals
	// Closing, if not nil, tells when the tools have ended that still ran when the context was
	// done. A Run does not wait for these.
	Closing <-chan error
}
