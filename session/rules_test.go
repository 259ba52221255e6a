package session

import (
	"errors"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// TestRunStatus: what counts for more comes first.
func TestRunStatus(t *testing.T) {
	type counts map[outcome.Status]int
	oops := errors.New("oops")
	lax := configs.Checks{Timeouts: configs.TimeoutsIgnore}
	hard := configs.Checks{Timeouts: configs.TimeoutsError}
	exec := configs.Checks{IgnoreExecutionFailures: true}
	for _, c := range []struct {
		name     string
		rules    rules
		statuses counts
		summary  report.Counts
		err      error
		want     outcome.ExitStatus
	}{
		{"good", rules{}, counts{"ok": 6}, report.Counts{Formulas: 3}, nil, outcome.ExitPassed},
		{"odd output is no failure", rules{strict: true}, counts{"skipped": 1}, report.Counts{Formulas: 3, Findings: 2}, nil, outcome.ExitPassed},
		{"failure", rules{}, counts{"syntax": 1}, report.Counts{Formulas: 3}, nil, outcome.ExitIncomplete},
		{"unstable", rules{}, nil, report.Counts{Formulas: 3, Findings: 1, Unstable: 1}, nil, outcome.ExitIncomplete},
		{"undecided", rules{}, nil, report.Counts{Formulas: 3, Undecided: 1}, nil, outcome.ExitIncomplete},
		{"unchecked", rules{}, nil, report.Counts{Formulas: 3, Unchecked: 1}, nil, outcome.ExitIncomplete},
		{"strict", rules{strict: true}, nil, report.Counts{Formulas: 3, Unstable: 1}, nil, outcome.ExitFailed},
		{"ignored", rules{ignore: true}, counts{"exit": 1}, report.Counts{Formulas: 3, Unstable: 1, Undecided: 1, Unchecked: 1}, nil, outcome.ExitPassed},
		{"nothing compared", rules{ignore: true}, nil, report.Counts{Formulas: 3, Unchecked: 3}, nil, outcome.ExitIncomplete},
		{"unreadable", rules{}, counts{"exit": 1}, report.Counts{Formulas: 3, Unreadable: 1}, nil, outcome.ExitBroken},
		{"unreadable can't be ignored", rules{ignore: true}, nil, report.Counts{Formulas: 3, Unreadable: 1}, nil, outcome.ExitBroken},
		{"disagreement", rules{ignore: true}, counts{"exit": 1}, report.Counts{Formulas: 3, Disagreements: 1, Unreadable: 1}, nil, outcome.ExitFailed},
		{"false property", rules{}, nil, report.Counts{Formulas: 3, Findings: 1, FalseProps: 1, Unreadable: 1}, nil, outcome.ExitFailed},
		{"internal error", rules{}, nil, report.Counts{Formulas: 3, Disagreements: 1, Errors: 1}, nil, outcome.ExitBroken},
		{"run error", rules{}, nil, report.Counts{Formulas: 3, Disagreements: 1}, oops, outcome.ExitBroken},
		{"interrupted", rules{}, nil, report.Counts{Formulas: 3, Disagreements: 1, Interrupted: true}, oops, outcome.ExitInterrupted},

		{"timeout", rules{}, counts{"timeout": 1}, report.Counts{Formulas: 3}, nil, outcome.ExitIncomplete},
		{"timeout that counts", rules{Checks: hard}, counts{"cpu-time": 1}, report.Counts{Formulas: 3}, nil, outcome.ExitFailed},
		{"it counts in spite of --ignore-failures", rules{Checks: hard, ignore: true}, counts{"exit": 1, "timeout": 1}, report.Counts{Formulas: 3}, nil, outcome.ExitFailed},
		{"timeout that does not", rules{Checks: lax}, counts{"timeout": 2, "cpu-time": 1}, report.Counts{Formulas: 3, Unchecked: 1}, nil, outcome.ExitPassed},
		{"but for a failure", rules{Checks: lax}, counts{"timeout": 1, "memory": 1}, report.Counts{Formulas: 3}, nil, outcome.ExitIncomplete},
		{"nothing but timeouts", rules{Checks: lax}, counts{"timeout": 6}, report.Counts{Formulas: 3, Unchecked: 3}, nil, outcome.ExitIncomplete},
		{"execution failures", rules{Checks: exec}, counts{"exit": 2, "crash": 1}, report.Counts{Formulas: 3, Unchecked: 1}, nil, outcome.ExitPassed},
		{"and others", rules{Checks: exec}, counts{"exit": 2, "no-output": 1}, report.Counts{Formulas: 3}, nil, outcome.ExitIncomplete},
	} {
		summary := report.Summary{Counts: c.summary, Translators: []*report.ToolStats{{Statuses: c.statuses}, {}}}
		if c.rules.decide(&summary, c.err); summary.Counts.Status != c.want {
			t.Errorf("%s: status %d, want %d", c.name, summary.Counts.Status, c.want)
		}
	}
}

// TestRunStatusNew: with --fail-on-new only what is new counts, and what is back again.
func TestRunStatusNew(t *testing.T) {
	words, property, call, timeout := "extra words, of the negation only", "property: deterministic", "exit 3: no words", "timeout"
	all := []string{words, property, call, timeout}
	type groups map[outcome.State][]string
	for _, c := range []struct {
		name    string
		rules   rules
		groups  groups
		summary report.Counts
		err     error
		want    outcome.ExitStatus
	}{
		{"nothing", rules{}, nil, report.Counts{}, nil, outcome.ExitPassed},
		{"nothing new", rules{}, groups{outcome.StateKnown: all, outcome.StateFixed: all, outcome.StateUnseen: all}, report.Counts{Disagreements: 5, Undecided: 3}, nil, outcome.ExitPassed},
		{"new words", rules{ignore: true}, groups{outcome.StateNew: {call, words}}, report.Counts{Unreadable: 1}, nil, outcome.ExitFailed},
		{"a property is back again", rules{}, groups{outcome.StateBackAgain: {property}}, report.Counts{}, nil, outcome.ExitFailed},
		{"a new call", rules{}, groups{outcome.StateNew: {call}, outcome.StateKnown: {words}}, report.Counts{Disagreements: 1}, nil, outcome.ExitFailed},
		{"a strict one", rules{strict: true}, groups{outcome.StateNew: {timeout}}, report.Counts{}, nil, outcome.ExitFailed},
		{"an ignored one", rules{ignore: true}, groups{outcome.StateNew: {call}}, report.Counts{}, nil, outcome.ExitPassed},
		{"one of those ignored", rules{Checks: configs.Checks{IgnoreExecutionFailures: true}}, groups{outcome.StateNew: {call}}, report.Counts{}, nil, outcome.ExitPassed},
		{"a new timeout", rules{}, groups{outcome.StateNew: {timeout}}, report.Counts{}, nil, outcome.ExitIncomplete},
		{"one that counts", rules{Checks: configs.Checks{Timeouts: configs.TimeoutsError}}, groups{outcome.StateNew: {timeout}}, report.Counts{}, nil, outcome.ExitFailed},
		{"one that does not", rules{Checks: configs.Checks{Timeouts: configs.TimeoutsIgnore}}, groups{outcome.StateNew: {timeout}}, report.Counts{}, nil, outcome.ExitPassed},
		{"unreadable", rules{}, groups{outcome.StateKnown: {words}, outcome.StateNew: {timeout}}, report.Counts{Unreadable: 1}, nil, outcome.ExitBroken},
		{"nothing compared", rules{ignore: true}, groups{outcome.StateKnown: {call}}, report.Counts{Formulas: 3, Unchecked: 3}, nil, outcome.ExitIncomplete},
		{"run error", rules{}, groups{outcome.StateNew: {words}}, report.Counts{}, errors.New("oops"), outcome.ExitBroken},
		{"interrupted", rules{}, groups{outcome.StateNew: {words}}, report.Counts{Interrupted: true}, nil, outcome.ExitInterrupted},
	} {
		statuses := map[outcome.Status]int{}
		summary := report.Summary{Counts: c.summary, Regression: &outcome.Regression{}, Translators: []*report.ToolStats{{Statuses: statuses}}}
		for state, classes := range c.groups {
			for _, class := range classes {
				class := outcome.ParseClass(class)
				if class.Status != "" {
					statuses[class.Status]++
				}
				summary.Regression.Groups = append(summary.Regression.Groups, outcome.Group{State: state, Class: class})
			}
		}
		c.rules.onlyNew = true
		summary.Counts.Formulas = max(summary.Counts.Formulas, 1)
		if c.rules.decide(&summary, c.err); summary.Counts.Status != c.want {
			t.Errorf("%s: status %d, want %d", c.name, summary.Counts.Status, c.want)
		}
	}
}

// TestWrong: on which formulas something is wrong, for --stop-on-error and --save-bogus.
func TestWrong(t *testing.T) {
	status := func(s outcome.Status) *outcome.Case {
		return &outcome.Case{Results: []outcome.Result{{Status: "ok"}, {Status: s}}}
	}
	finding := func(class outcome.FindingClass) *outcome.Case {
		return &outcome.Case{Findings: []outcome.Finding{{Class: class}}}
	}
	hard := rules{Checks: configs.Checks{Timeouts: configs.TimeoutsError}}
	exec := rules{Checks: configs.Checks{IgnoreExecutionFailures: true}}
	for _, c := range []struct {
		name  string
		rules rules
		c     *outcome.Case
		want  bool
	}{
		{"nothing", rules{}, status("ok"), false},
		{"skipped", rules{strict: true}, status("skipped"), false},
		{"unasked", rules{strict: true}, status("unasked"), false},
		{"failure", rules{}, status("exit"), true},
		{"ignored", rules{ignore: true}, status("exit"), false},
		{"execution", exec, status("crash"), false},
		{"no execution", exec, status("syntax"), true},
		{"timeout", rules{}, status("timeout"), false},
		{"timeout that counts", hard, status("timeout"), true},
		{"disagreement", rules{ignore: true}, &outcome.Case{Disagreements: []outcome.Disagreement{{}}}, true},
		{"undecided", rules{strict: true}, &outcome.Case{Undecided: []outcome.Undecided{{}}}, false},
		{"false property", rules{}, finding("property"), true},
		{"unstable", rules{}, finding("unstable"), true},
		{"odd output", rules{}, finding("text-before"), false},
		{"unreadable", rules{}, &outcome.Case{Error: "f:1"}, true},
		{"internal error", rules{}, &outcome.Case{Errors: []string{"oops"}}, true},
	} {
		if got := c.rules.wrong(c.c); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
