package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// atEnd returns the report of cases with their causes, explained at the end, and its summary.
func atEnd(t *testing.T, text report.Text, cases []*outcome.Case) (string, *report.Summary) {
	t.Helper()
	var b bytes.Buffer
	text.W, text.AtEnd = &b, true
	summary := report.NewSummary(nil)
	failures := triage.New(triage.Options{})
	for _, c := range cases {
		err := text.Case(c, summary.Add(c))
		if err == nil {
			_, err = failures.Add(context.Background(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	causes, err := failures.Causes(context.Background())
	for _, c := range causes {
		summary.Causes = append(summary.Causes, report.Cause{Cause: c, Command: "xcheck run -f '" + c.Formula + "'"})
	}
	summary.Decide()
	if err == nil {
		err = text.End(summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), summary
}

const wantProblems = `2 problems
problem  translator  kind         formulas  smallest formula  word
      1  broken      exit                2  Ga
      2  liar        extra words         1  Ga                a; cycle{!a} (at most: 2 letters)

failure (problem 1)
  formula 0:  Ga
  exit: broken: exit status 1: oops
  command: broken 'Ga'
  stderr:  line 1
  stderr:  oops
  reproduce:  xcheck run -f 'Ga'

disagreement: extra word (problem 2)
  formula 0:  Ga
  word:       a; cycle{!a}   (at most 2 letters, accepted by automata that should reject it)
  the word does not satisfy the formula
    translator  formula  negation
    liar        accepts  accepts   wrong (formula)
    good        rejects  accepts
  reproduce:  xcheck run -f 'Ga'

undecided: good is included in liar: limit of 1 macrostates (formula Ga)

`

// TestProblems: the report begins with the problems, and explains each once; with Verbose there is
// also each formula, as it comes.
func TestProblems(t *testing.T) {
	_, cases := twoCases(t)
	for _, c := range cases {
		for i := range c.Results {
			if c.Results[i].Status == "exit" {
				c.Results[i].Failure = outcome.ParseClass("exit")
			}
		}
		c.Findings = nil
	}
	got, _ := atEnd(t, report.Text{}, cases)
	if head, _, _ := strings.Cut(got, "\ntranslator  calls"); head != strings.TrimSuffix(wantProblems, "\n") {
		t.Errorf("got\n%s\nwant\n%s", head, wantProblems)
	}
	got, _ = atEnd(t, report.Text{Verbose: true}, cases)
	if strings.Index(got, "disagreement: extra word\n  formula 0:  Ga\n") > strings.Index(got, "\n2 problems\n") || !strings.Contains(got, "formula 1: Fb\n") {
		t.Errorf("verbose:\n%s", got)
	}
	got, _ = atEnd(t, report.Text{Quiet: true}, cases)
	if !strings.HasPrefix(got, "2 problems\n") || strings.Contains(got, "undecided: ") {
		t.Errorf("quiet:\n%s", got)
	}
}

// TestManyProblems: a report of many problems has a row for the most frequent, explains a few, and
// says what is left out; JSON has all of them.
func TestManyProblems(t *testing.T) {
	const number = 30
	var cases []*outcome.Case
	for i := range number {
		for k := range 2 {
			name := fmt.Sprintf("tool %d", i)
			cases = append(cases, &outcome.Case{Index: 2*i + k, Formula: fmt.Sprintf("p%d", i), Results: []outcome.Result{
				{Subject: outcome.Subject{Translator: name}, Status: "exit", Failure: outcome.ParseClass("exit 1"), Detail: "exit status 1"}},
				Undecided: []outcome.Undecided{{Check: "P x & N x", Why: "limit"}}})
		}
	}
	got, summary := atEnd(t, report.Text{}, cases)
	if !strings.HasPrefix(got, "30 problems\n") || strings.Count(got, "  reproduce:  ") != 5 || strings.Count(got, "undecided: ") != 20 ||
		!strings.Contains(got, "(10 more, less frequent: use -v, or see problems in --json)\n") ||
		!strings.Contains(got, "\n(25 more problems: use -v)\n") || !strings.Contains(got, "\n(40 more notes: use -v)\n") {
		t.Errorf("got\n%s", got)
	}
	var b bytes.Buffer
	if err := report.NewJSON(&b).End(summary); err != nil {
		t.Fatal(err)
	}
	var document struct {
		Problems []outcome.Problem
		Causes   []outcome.Cause
	}
	if err := json.Unmarshal(b.Bytes(), &document); err != nil || len(document.Problems) != number || len(document.Causes) != number {
		t.Errorf("%d problems, %d causes in JSON: %v", len(document.Problems), len(document.Causes), err)
	}
}

// TestInCommon: what all failures of a translator have in common, unless that may be chance, is said
// before it is blamed. Of 20 formulas, each fourth has W.
func TestInCommon(t *testing.T) {
	const note = "note: every failure of mine has "
	for _, c := range []struct {
		name  string
		fails func(i int) bool
		class outcome.FindingClass // of what fails
		want  string
	}{
		{"operator", func(i int) bool { return i%4 == 0 }, "", note + "the operator W"},
		{"one failure", func(i int) bool { return i == 0 }, "", ""},
		{"all fail", func(i int) bool { return true }, "", ""},
		{"others too", func(i int) bool { return i%4 < 2 }, "", ""},
		{"reading", func(i int) bool { return i == 1 }, outcome.TwoReadings, note + "the finding two-readings"},
		{"property", func(i int) bool { return i == 1 }, outcome.Unstable, ""},
	} {
		var cases []*outcome.Case
		for i := range 20 {
			formula := []string{"a W b", "Fa", "Ga", "a & Xb"}[i%4]
			s := outcome.Subject{Translator: "mine"}
			x := &outcome.Case{Index: i, Formula: formula, Results: []outcome.Result{{Subject: s, Status: outcome.OK}}}
			if c.fails(i) {
				x.Results[0] = outcome.Result{Subject: s, Status: outcome.Exit, Detail: "exit status 1"}
				if c.class != "" {
					x.Findings = []outcome.Finding{{Subject: s, Class: c.class, Text: "x"}}
				}
			}
			cases = append(cases, x)
		}
		got, summary := atEnd(t, report.Text{}, cases)
		for _, name := range []string{"markdown", "html", "junit", "json"} {
			var b bytes.Buffer
			if err := report.FormatOf(name).New(&b, report.Options{}).End(summary); err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(b.String(), `"in_common":"`, "every failure of mine has ")
			if want := strings.TrimPrefix(c.want, "note: "); strings.Contains(text, "every failure of") != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%s: %s: want %q", c.name, name, want)
			}
		}
		if got = got[:strings.Index(got+":", ": first check")+1]; !strings.HasPrefix(got, c.want) || c.want == "" && strings.HasPrefix(got, "note") {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestDetailOfFormula: next to a formula stands what the translator said on it, never on
// another formula of the same group.
func TestDetailOfFormula(t *testing.T) {
	const class = "exit 1: no room for …"
	shown := func(g outcome.Group) string {
		summary := oneTool(t)
		one := failed(0, "Fa", exit("no room for Fa"), exit("no room for !Fa"))
		summary.Add(one)
		summary.Add(failed(1, "G(b -> Fc)", exit("no room for G(b -> Fc)"), exit("no room for !G(b -> Fc)")))
		summary.Causes = []report.Cause{{Cause: &outcome.Cause{Translators: []string{"x"}, Class: outcome.ParseClass(class), Formula: "Fa", Key: class, Case: one}}}
		g.Translators, g.Class = []string{"x"}, outcome.ParseClass(class)
		summary.Regression = &outcome.Regression{Groups: []outcome.Group{g}}
		var b strings.Builder
		if err := report.WriteJUnit(&b, summary); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "\ntranslator: x\n")
		_, text, _ = strings.Cut(text, "\ndetail:")
		text, _, _ = strings.Cut(text, "\n")
		return strings.TrimSpace(text)
	}
	for _, c := range []struct {
		name string
		g    outcome.Group
		want string
	}{
		{"the smallest", outcome.Group{State: outcome.StateKnown, Formula: "Fa", Key: "x | " + class}, "exit status 1: no room for Fa"},
		{"its negation", outcome.Group{State: outcome.StateNew, Formula: "Fa", Polarity: outcome.Negation, Key: "x | " + class}, "exit status 1: no room for !Fa"},
		{"one of an earlier run", outcome.Group{State: outcome.StateKnown, Formula: "Gd", Key: "x | " + class + " | large"}, ""},
		{"one that is fixed", outcome.Group{State: outcome.StateFixed, Formula: "Gd", Key: "x | other"}, ""},
	} {
		if got := shown(c.g); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
