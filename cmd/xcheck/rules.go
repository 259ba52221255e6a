package main

import (
	"strings"

	"slices"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/report"
)

// rules decide what counts as an error, of a formula and of a run.
type rules struct {
	configs.Checks
	strict, ignore bool // --strict-failures, --ignore-failures
	onlyNew        bool // --fail-on-new
}

// wrong reports whether something is wrong with a formula: a disagreement, a false
// property, an unstable answer, a line that is no formula, a failure that counts. As in
// ltlcross, a timeout is none of these unless it is to be an error. An undecided check is
// nothing wrong.
func (l *rules) wrong(c *cross.Case) bool {
	if c.Wrong() || c.Error != "" || len(c.Errors) > 0 {
		return true
	}
	for _, f := range c.Findings {
		if f.Class == "unstable" {
			return true
		}
	}
	for i := range c.Results {
		r := &c.Results[i]
		timeout := report.Timeout(r.Status) && l.Timeouts != configs.TimeoutsError
		if r.Failed() && !l.ignored(r.Status) && !timeout {
			return true
		}
	}
	return false
}

// ignored reports whether failures of a status don't count at all.
func (l *rules) ignored(status string) bool {
	if report.Timeout(status) && l.Timeouts != configs.TimeoutsFail {
		return l.Timeouts == configs.TimeoutsIgnore
	}
	return l.ignore || l.IgnoreExecutionFailures && (status == "exit" || status == "crash")
}

// ignoredStatuses returns the statuses of a run's failed calls that don't count at all.
func (l *rules) ignoredStatuses(t *report.Tally) (list []string) {
	for _, x := range t.Translators {
		for status := range x.Statuses {
			if r := (cross.Result{Status: status}); r.Failed() && l.ignored(status) && !slices.Contains(list, status) {
				list = append(list, status)
			}
		}
	}
	slices.Sort(list)
	return list
}

// status decides how the run ends: what it has found counts for more than what it
// could not do, but for an error of its own.
func (l *rules) status(t *report.Tally, err error) status {
	s := &t.Summary
	failures, timeouts, ignored := 0, 0, 0
	for _, x := range t.Translators {
		for status, n := range x.Statuses {
			r := cross.Result{Status: status}
			switch {
			case !r.Failed():
			case l.ignored(status):
				ignored += n
			case report.Timeout(status):
				timeouts += n
			default:
				failures += n
			}
		}
	}
	switch {
	case s.Interrupted:
		return statusInterrupted
	case err != nil || s.Errors > 0:
		return statusTrouble
	case l.onlyNew && t.Regression != nil:
		return l.news(t)
	case s.Disagreements+s.FalseProps > 0:
		return statusOther
	case s.Unreadable > 0:
		return statusTrouble
	case timeouts > 0 && l.Timeouts == configs.TimeoutsError:
		return statusOther
	}
	// A formula of which there was nothing to compare counts, unless that is for want of
	// automata that don't count. Even so, a run that has compared nothing is not good.
	unchecked := s.Unchecked
	if ignored > 0 && unchecked < s.Formulas {
		unchecked = 0
	}
	open := failures + timeouts + s.Unstable + s.Undecided + unchecked
	switch {
	case open == 0, l.ignore && s.Unchecked < s.Formulas:
		return statusGood
	case l.strict:
		return statusOther
	}
	return statusFailures
}

// news decides how a run ends of which only those failures count that are new, or back again:
// no check that stayed undecided does.
func (l *rules) news(t *report.Tally) status {
	timeouts := false
	for i := range t.Regression.Groups {
		g := &t.Regression.Groups[i]
		if g.State != history.New && g.State != history.BackAgain {
			continue
		}
		class, _, _ := strings.Cut(g.Class, " ") // of a call the status comes first
		class = strings.TrimRight(class, ",:")
		switch {
		case g.Words() || g.Property():
			return statusOther
		case l.ignored(class), l.ignore:
		case report.Timeout(class) && l.Timeouts != configs.TimeoutsError:
			timeouts = true
		default:
			return statusOther
		}
	}
	s := &t.Summary
	nothing := s.Formulas > 0 && s.Unchecked == s.Formulas // was compared: no night is good for that
	switch {
	case s.Unreadable > 0:
		return statusTrouble
	case !timeouts && !nothing:
		return statusGood
	case l.strict:
		return statusOther
	}
	return statusFailures
}
