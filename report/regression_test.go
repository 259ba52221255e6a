package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// fourRuns are the runs of a history; the last is the one that is reported.
func fourRuns() []*outcome.RunID {
	var list []*outcome.RunID
	for i := range 4 {
		seed := uint64(i + 100)
		list = append(list, &outcome.RunID{Run: int64(i + 1), Started: time.Date(2026, 11, 17+i, 22, 0, 0, 0, time.UTC), Seed: &seed})
	}
	list[1].Name = "mended"
	return list
}

// fiveStates is a run with a group of failures of each state, and one measure that has
// changed: liar is wrong on Ga, which is new, and on a U b, which was fixed for a while;
// broken fails as ever.
func fiveStates(t *testing.T) *report.Summary {
	t.Helper()
	tools, cases := twoCases(t)
	tools[0].Version, tools[1].Version = "good 1.0", "liar 2.1"
	summary := report.NewSummary(tools)
	for _, c := range cases {
		for i := range c.Results[4:] {
			c.Results[4+i].Failure = outcome.ParseClass("exit 1: oops")
		}
		summary.Add(c)
	}
	seed := uint64(5)
	summary.Causes = append(summary.Causes,
		&outcome.Cause{Record: outcome.Record{Translators: []string{"liar"}, Class: outcome.ParseClass("extra words"), Formula: "Ga", Word: "a; cycle{!a}", Size: 2, Formulas: 1, Key: "words | Ga", Command: "xcheck run --only 'liar' -f 'Ga'"}, Ground: true, Original: "Ga & 1", Index: 7, Seed: &seed},
		&outcome.Cause{Record: outcome.Record{Translators: []string{"broken"}, Class: outcome.ParseClass("exit 1: oops"), Formula: "Ga", Formulas: 2, Key: "exit 1: oops", Command: "xcheck run --only 'broken' -f 'Ga'"}, Original: "Ga"})
	runs := fourRuns()
	summary.Regression = &outcome.Regression{RunID: *runs[3], Baseline: runs[2], Groups: []outcome.Group{
		{State: outcome.StateNew, Record: outcome.Record{Translators: []string{"liar"}, Class: outcome.ParseClass("extra words"), Formula: "Ga", Word: "a; cycle{!a}", Size: 2, Formulas: 1, Command: "xcheck run --only 'liar' -f 'Ga'", Key: "liar | words | Ga"}},
		{State: outcome.StateBackAgain, Record: outcome.Record{Translators: []string{"liar"}, Class: outcome.ParseClass("missing words, of the negation only"), Formula: "a U b", Polarity: outcome.Negation, Word: "cycle{!b}", Size: 1, Shortest: true, Formulas: 3, Command: "xcheck run --only 'liar' -f 'a U b'", Key: "liar | words | a U b"}, First: runs[0], Last: runs[0]},
		{State: outcome.StateKnown, Record: outcome.Record{Translators: []string{"broken"}, Class: outcome.ParseClass("exit 1: oops"), Formula: "Ga", Formulas: 2, Command: "xcheck run --only 'broken' -f 'Ga'", Key: "broken | exit 1: oops"}, First: runs[0], Last: runs[2]},
		{State: outcome.StateFixed, Record: outcome.Record{Translators: []string{"good"}, Class: outcome.ParseClass("property: weak"), Formula: "GFa", Command: "xcheck run --only 'good' -f 'GFa'", Key: "good | property: weak"}, First: runs[1], Last: runs[2]},
		{State: outcome.StateUnseen, Record: outcome.Record{Translators: []string{"gone"}, Class: outcome.ParseClass("timeout: killed after …"), Formula: "G(a xor Xb)", Command: "xcheck run --only 'gone' -f 'G(a xor Xb)'", Key: "gone | timeout: killed after …"}, First: runs[0], Last: runs[1]},
	}, Changes: []outcome.Change{{Translator: "good", Measure: "time", Formulas: 198, Before: 9.125, After: 10.25, Ratio: 1.12, P: 0.00031, VersionBefore: "good 0.9", VersionAfter: "good 1.0"}},
		Notes: []string{"gone is not in this run"}}
	summary.Counts.Status, summary.Counts.Seed = 1, runs[3].Seed
	return summary
}

// TestRegressionText: what has become of failures stands below the causes, and in the
// closing line, what is news first.
func TestRegressionText(t *testing.T) {
	summary := fiveStates(t)
	show := func(text report.Text) string {
		var b bytes.Buffer
		text.W = &b
		must.Do(text.End(summary))
		return b.String()
	}
	golden(t, "states.txt", []byte(show(report.Text{Verbose: true})))
	golden(t, "states-quiet.txt", []byte(show(report.Text{Quiet: true})))
	// A failure is in the table of problems or in the table of groups, with its state.
	golden(t, "states-end.txt", []byte(show(report.Text{})))
	summary.Regression = &outcome.Regression{RunID: *fourRuns()[0]}
	if got := show(report.Text{}); strings.Contains(got, "state ") || strings.Contains(got, "compared") || strings.Contains(got, "groups of") {
		t.Errorf("there is nothing to say, and got\n%s", got)
	}
}

// TestRegressionMany: a state with many groups does not push out the others.
func TestRegressionMany(t *testing.T) {
	summary := fiveStates(t)
	for i := range 1000 {
		g := summary.Regression.Groups[2]
		g.Key = fmt.Sprint("another ", i)
		summary.Regression.Groups = append(summary.Regression.Groups, g)
	}
	rows := map[bool]int{false: 20, true: 1000}
	for verbose, want := range rows {
		var b bytes.Buffer
		must.Do((&report.Text{W: &b, Verbose: verbose}).End(summary))
		_, table, _ := strings.Cut(b.String(), "\ngroup ")
		got := strings.Count(table, " known  ")
		if left := strings.Contains(table, "\n(980 more: use -v, or see regression in --json)\n"); got != want || left == verbose || !strings.Contains(table, " fixed ") {
			t.Errorf("verbose %v: %d rows, want %d; others named: %v\n%.3000s", verbose, got, want, left, table)
		}
	}
}

// TestRegressionJSON: the document has the regression if there is one, and it is
// read again.
func TestRegressionJSON(t *testing.T) {
	summary := fiveStates(t)
	document := func() []byte {
		var b bytes.Buffer
		must.Do(report.NewJSON(&b).End(summary))
		return b.Bytes()
	}
	text := document()
	again := report.NewSummary(nil)
	rest := must.Get(report.Read(bytes.NewReader(text), nil))
	again.Complete(rest)
	if !reflect.DeepEqual(again.Regression, summary.Regression) {
		t.Errorf("read %+v from\n%s", again.Regression, text)
	}
	// The latest of several runs counts, in any order.
	early := &report.Trailer{Regression: &outcome.Regression{RunID: *fourRuns()[1]}}
	again.Complete(early)
	other := report.NewSummary(nil)
	other.Complete(early)
	other.Complete(rest)
	if again.Regression.Run != 4 || other.Regression.Run != 4 {
		t.Errorf("runs %d and %d, want 4", again.Regression.Run, other.Regression.Run)
	}
	summary.Regression = nil
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(document(), &fields); err != nil || len(fields) != 8 {
		t.Errorf("without a history: %v, %d fields", err, len(fields))
	}
}
