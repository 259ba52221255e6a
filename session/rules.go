package session

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// rules decide what counts as an error, of a formula and of a run.
type rules struct {
	configs.Checks
	strict, ignore bool // --strict-failures, --ignore-failures
	onlyNew        bool // --fail-on-new
}

// wrong reports whether something is wrong with a formula: a disagreement, a false property, an
// unstable answer, an invalid line, or a failure that counts. A timeout counts only with
// --fail-on-timeout, as in ltlcross. An undecided check does not count.
func (l *rules) wrong(c *outcome.Case) bool {
	if c.Wrong() || c.Error != "" || len(c.Errors) > 0 {
		return true
	}
	for _, f := range c.Findings {
		if f.Class == outcome.Unstable {
			return true
		}
	}
	for i := range c.Results {
		r := &c.Results[i]
		timeout := r.Status.TimedOut() && l.Timeouts != configs.TimeoutsError
		if r.Failed() && !l.ignored(r.Status) && !timeout {
			return true
		}
	}
	return false
}

// ignored reports whether failures of a status never count.
func (l *rules) ignored(status outcome.Status) bool {
	if status.TimedOut() && l.Timeouts != configs.TimeoutsFail {
		return l.Timeouts == configs.TimeoutsIgnore
	}
	return l.ignore || l.IgnoreExecutionFailures && (status == outcome.Exit || status == outcome.Crash)
}

// ignoredStatuses returns the statuses of a run's failed calls that never count.
func (l *rules) ignoredStatuses(t *report.Summary) (list []outcome.Status) {
	for _, x := range t.Translators {
		for status := range x.Statuses {
			if status.Failed() && l.ignored(status) && !slices.Contains(list, status) {
				list = append(list, status)
			}
		}
	}
	slices.Sort(list)
	return list
}

// decide sets the exit status of the run. The error, if any, has ended the run early.
func (l *rules) decide(t *report.Summary, err error) {
	s := &t.Counts
	if err != nil {
		s.Error = err.Error()
	}
	s.FailOnNew, s.Ignored = l.onlyNew, l.ignoredStatuses(t)
	s.FailOnTimeout = l.Timeouts == configs.TimeoutsError
	s.StrictFailures, s.IgnoreFailures = l.strict, l.ignore
	t.Decide()
}
