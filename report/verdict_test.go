package report_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A happening is something that may happen in a run, with the word that the closing line has
// then if nothing else happens: without flags, with --strict-failures and with --ignore-failures.
type happening struct {
	name                      string
	happen                    func(*report.Summary)
	word                      string
	usual, strict, lenient    outcome.ExitStatus
	rank, strictly, leniently int // 0 counts for most
}

// happenings are all that can happen. The ranks say what counts for more.
var happenings = []happening{
	{"interrupted", func(t *report.Summary) { t.Counts.Interrupted = true }, "", 130, 130, 130, 0, 0, 0},
	{"internal error", func(t *report.Summary) { t.Counts.Errors = 2 }, "2 internal errors", 2, 2, 2, 1, 1, 1},
	{"error", func(t *report.Summary) { t.Counts.Error = errors.New("disk full").Error() }, "ended by an error", 2, 2, 2, 1, 1, 1},
	{"disagreement", func(t *report.Summary) {
		t.Counts.Disagreements, t.Counts.Disagreeing, t.Translators[0].WrongP = 3, 2, 1
	}, "disagreement on 2 formulas", 1, 1, 1, 2, 2, 2},
	{"false property", func(t *report.Summary) { t.Counts.FalseProps, t.Counts.Findings = 1, t.Counts.Findings+1 }, "false properties", 1, 1, 1, 2, 2, 2},
	{"unreadable", func(t *report.Summary) { t.Counts.Unreadable = 1 }, "1 invalid formula", 2, 2, 2, 3, 3, 3},
	{"failure", func(t *report.Summary) { t.Translators[0].Statuses["exit"] = 5 }, "5 failed calls (x: 5× exit", 3, 1, 0, 4, 4, 4},
	{"undecided", func(t *report.Summary) { t.Counts.Undecided = 4 }, "4 undecided checks", 3, 1, 0, 4, 4, 4},
	{"unstable", func(t *report.Summary) {
		t.Counts.Unstable, t.Counts.Findings, t.Translators[0].Unstable = 1, t.Counts.Findings+1, 1
	}, "1 unstable answer (x)", 3, 1, 0, 4, 4, 4},
	{"not compared", func(t *report.Summary) { t.Counts.Unchecked = 6 }, "6 formulas not checked", 3, 1, 0, 4, 4, 4},
	{"skipped", func(t *report.Summary) {
		t.Counts.Skipped, t.Translators[0].Statuses["skipped"], t.Translators[0].Skip = 7, 7, "no X"
	}, "7 skipped (x: 7× no X)", 0, 0, 0, 5, 5, 5},
	{"odd", func(t *report.Summary) { t.Counts.Findings += 41 }, "41 minor findings", 0, 0, 0, 5, 5, 5},
}

// TestVerdict tries all combinations of what can happen. The most important event decides the
// status and the first word of the line. The line names all events.
func TestVerdict(t *testing.T) {
	words := map[outcome.ExitStatus]string{0: "PASS: ", 1: "FAIL: ", 2: "ERROR: ", 3: "INCOMPLETE: ", 130: "INTERRUPTED: "}
	for set := range 1 << len(happenings) {
		for rule := range 3 {
			summary := &report.Summary{Translators: []*report.ToolStats{{Name: "x", Statuses: map[outcome.Status]int{"ok": 3}}}}
			summary.Counts.Formulas, summary.Counts.Passed = 10, 10
			summary.Counts.StrictFailures, summary.Counts.IgnoreFailures = rule == 1, rule == 2
			want, rank := outcome.ExitPassed, 5
			var names []string
			for i, o := range happenings {
				if set>>i&1 == 0 {
					continue
				}
				o.happen(summary)
				names = append(names, o.name)
				if r := [...]int{o.rank, o.strictly, o.leniently}[rule]; r < rank {
					want, rank = [...]outcome.ExitStatus{o.usual, o.strict, o.lenient}[rule], r
				}
			}
			v := summary.Verdict()
			if v.Status != want || !strings.HasPrefix(v.Line(), words[want]) {
				t.Fatalf("%v, rule %d: status %d, want %d: %s", names, rule, v.Status, want, v.Line())
			}
			for i, o := range happenings {
				if set>>i&1 == 1 && !strings.Contains(v.Line(), o.word) {
					t.Fatalf("%v: %q does not say %q", names, v.Line(), o.word)
				}
			}
			if strings.Contains(v.Line(), "no disagreement") == (summary.Counts.Disagreeing > 0 || summary.Counts.Error != "") {
				t.Fatalf("%v: %s", names, v.Line())
			}
			summary.Decide()
			if summary.Counts.Status != want {
				t.Fatalf("%v: status %d is stored, want %d", names, summary.Counts.Status, want)
			}
		}
	}
}

// TestVerdictRules has the lines where a flag decides.
func TestVerdictRules(t *testing.T) {
	groups := func(states ...outcome.State) *outcome.Regression {
		r := &outcome.Regression{}
		for _, state := range states {
			r.Groups = append(r.Groups, outcome.Group{State: state, Record: outcome.Record{Class: outcome.ParseClass("extra words")}})
		}
		return r
	}
	for _, c := range []struct {
		change func(*report.Summary)
		status outcome.ExitStatus
		want   string
	}{
		{func(*report.Summary) {}, 0, "PASS: 10 formulas checked, no disagreement"},
		{func(x *report.Summary) { x.NoChecks, x.Counts.Passed = true, 0 }, 0, "DONE: 10 formulas translated, nothing checked"},
		{func(x *report.Summary) { x.NoChecks, x.Translators[0].Statuses["exit"] = true, 1 }, 3, "INCOMPLETE: 1 failed call (x: exit); 10 formulas translated, nothing checked"},
		{func(x *report.Summary) { x.Counts.Formulas = 0 }, 3, "INCOMPLETE: nothing was checked; 0 formulas checked"},
		{func(x *report.Summary) { x.Counts.Unchecked, x.Counts.IgnoreFailures = 10, true }, 3, "INCOMPLETE: 10 formulas not checked (no automata to compare); 0 formulas checked"},
		{func(x *report.Summary) { x.Translators[0].Statuses["timeout"], x.Counts.FailOnTimeout = 2, true }, 1, "FAIL: 2 failed calls (x: 2× timeout); 10 formulas checked, no disagreement"},
		{func(x *report.Summary) {
			x.Translators[0].Statuses["timeout"], x.Translators[0].Statuses["exit"], x.Counts.Ignored = 2, 1, []outcome.Status{"timeout"}
		}, 3, "INCOMPLETE: 1 failed call (x: exit); 10 formulas checked, no disagreement; 2 failed calls ignored (x: 2× timeout)"},
		{func(x *report.Summary) {
			x.Translators[0].Statuses["timeout"], x.Counts.Ignored, x.Counts.Unchecked = 2, []outcome.Status{"timeout"}, 1
		}, 0, "PASS: 9 formulas checked, no disagreement; 1 formula not checked (no automata to compare); 2 failed calls ignored (x: 2× timeout)"},
		{func(x *report.Summary) {
			x.Counts.FailOnNew, x.Counts.Disagreements, x.Counts.Disagreeing, x.Translators[0].WrongN = true, 2, 1, 1
			x.Regression = groups(outcome.StateKnown)
		}, 0, "PASS: no new failures; 10 formulas checked, disagreement on 1 formula; wrong: x; groups of failures: 1 known"},
		{func(x *report.Summary) {
			x.Counts.FailOnNew, x.Regression = true, groups(outcome.StateKnown, outcome.StateBackAgain)
		}, 1, "FAIL: 1 group of failures back again; 10 formulas checked, no disagreement; groups of failures: 1 known, 1 back again"},
	} {
		summary := &report.Summary{Translators: []*report.ToolStats{{Name: "x", Statuses: map[outcome.Status]int{"ok": 3}}}}
		summary.Counts.Formulas, summary.Counts.Passed = 10, 10
		c.change(summary)
		if v := summary.Verdict(); v.Status != c.status || v.Line() != c.want {
			t.Errorf("got %d, %s\nwant %d, %s", v.Status, v.Line(), c.status, c.want)
		}
	}
}

// TestVerdictRecorded: several documents have the status of the worst run.
func TestVerdictRecorded(t *testing.T) {
	summary := report.NewSummary(nil)
	for _, status := range []outcome.ExitStatus{0, 3, 1} {
		summary.Complete(&report.Trailer{Counts: &report.Counts{Formulas: 1, Status: status}})
		if v := summary.Verdict(); v.Status != status {
			t.Errorf("status %d, want %d", v.Status, status)
		}
	}
	summary.Complete(&report.Trailer{Cut: true})
	if v := summary.Verdict(); v.Status != 130 || !strings.HasPrefix(v.Line(), "INTERRUPTED: ") {
		t.Errorf("a document that is cut off: %d, %s", v.Status, v.Line())
	}
}

// TestUncompared: a verdict says why cases were not checked, and does not blame missing automata
// where a limit was reached.
func TestUncompared(t *testing.T) {
	ok := []outcome.Result{{Status: outcome.OK}, {Status: outcome.OK}}
	late := outcome.Case{Results: ok, Undecided: []outcome.Undecided{{Check: "the rest of the case", Why: "case time limit of 1s reached"}}}
	for _, c := range []struct {
		cases []outcome.Case
		want  string
	}{
		{[]outcome.Case{{}}, "1 formula not checked (no automata to compare)"},
		{[]outcome.Case{{Results: []outcome.Result{{Status: outcome.Crash}}}}, "1 formula not checked (no automata to compare)"},
		{[]outcome.Case{late}, "1 formula not checked (no check decided)"},
		{[]outcome.Case{late, {}, {}}, "3 formulas not checked (2× no automata to compare, no check decided)"},
		{[]outcome.Case{{Results: ok, Errors: []string{"internal error: a panic"}}}, "1 formula not checked (internal error)"},
	} {
		s := report.NewSummary(nil)
		for i := range c.cases {
			s.Add(&c.cases[i])
		}
		s.Decide()
		if got := s.Verdict().Line(); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestLimits: the closing line names each limit that was reached. That is all that outcome declares.
func TestLimits(t *testing.T) {
	file := must.Get(parser.ParseFile(token.NewFileSet(), "../outcome/cause.go", nil, 0))
	var declared []outcome.Limit
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Type != nil && fmt.Sprint(v.Type) == "Limit" {
			declared = append(declared, outcome.Limit(must.Get(strconv.Unquote(v.Values[0].(*ast.BasicLit).Value))))
		}
		return true
	})
	if len(declared) < 6 {
		t.Errorf("%d limits", len(declared))
	}
	for _, limit := range declared {
		summary := &report.Summary{Translators: []*report.ToolStats{{Name: "x", Statuses: map[outcome.Status]int{"ok": 3}}}}
		summary.Counts.Formulas, summary.Counts.Passed = 10, 10
		summary.Counts.Reach(map[outcome.Limit]int{limit: 2})
		summary.Decide()
		text := regexp.MustCompile(`; 2 [a-z]+s not [a-z]+: limit[a-z ]*$`)
		if v := summary.Verdict(); v.Status != 0 || !text.MatchString(v.Line()) {
			t.Errorf("%s: %d, %s", limit, v.Status, v.Line())
		}
		again := report.NewSummary(nil)
		again.Complete(summary.Trailer())
		if line := again.Verdict().Line(); !text.MatchString(line) {
			t.Errorf("%s, read again: %s", limit, line)
		}
	}
}
