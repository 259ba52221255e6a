package main

import (
	"errors"
	"testing"

	"github.com/xcheck-ltl/xcheck/report"
)

// TestRunStatus: what counts for more comes first.
func TestRunStatus(t *testing.T) {
	oops := errors.New("oops")
	for _, c := range []struct {
		name    string
		flags   runFlags
		summary report.Summary
		err     error
		want    status
	}{
		{"good", runFlags{}, report.Summary{Formulas: 3}, nil, statusGood},
		{"odd output is no failure", runFlags{strict: true}, report.Summary{Formulas: 3, Findings: 2, Skipped: 1}, nil, statusGood},
		{"failure", runFlags{}, report.Summary{Formulas: 3, Failures: 1}, nil, statusFailures},
		{"unstable", runFlags{}, report.Summary{Formulas: 3, Findings: 1, Unstable: 1}, nil, statusFailures},
		{"undecided", runFlags{}, report.Summary{Formulas: 3, Undecided: 1}, nil, statusFailures},
		{"unchecked", runFlags{}, report.Summary{Formulas: 3, Unchecked: 1}, nil, statusFailures},
		{"strict", runFlags{strict: true}, report.Summary{Formulas: 3, Unstable: 1}, nil, statusOther},
		{"ignored", runFlags{ignore: true}, report.Summary{Formulas: 3, Failures: 1, Unstable: 1, Undecided: 1, Unchecked: 1}, nil, statusGood},
		{"nothing compared", runFlags{ignore: true}, report.Summary{Formulas: 3, Unchecked: 3}, nil, statusFailures},
		{"unreadable", runFlags{}, report.Summary{Formulas: 3, Unreadable: 1, Failures: 1}, nil, statusTrouble},
		{"unreadable can't be ignored", runFlags{ignore: true}, report.Summary{Formulas: 3, Unreadable: 1}, nil, statusTrouble},
		{"disagreement", runFlags{ignore: true}, report.Summary{Formulas: 3, Disagreements: 1, Failures: 1, Unreadable: 1}, nil, statusOther},
		{"false property", runFlags{}, report.Summary{Formulas: 3, Findings: 1, FalseProps: 1, Unreadable: 1}, nil, statusOther},
		{"internal error", runFlags{}, report.Summary{Formulas: 3, Disagreements: 1, Errors: 1}, nil, statusTrouble},
		{"run error", runFlags{}, report.Summary{Formulas: 3, Disagreements: 1}, oops, statusTrouble},
		{"interrupted", runFlags{}, report.Summary{Formulas: 3, Disagreements: 1, Interrupted: true}, oops, statusInterrupted},
	} {
		if got := c.flags.status(&c.summary, c.err); got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got, c.want)
		}
	}
}
