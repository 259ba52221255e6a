package browser

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestMain makes the test binary a translator with a bug, if the environment names one.
func TestMain(m *testing.M) {
	seeded.Main()
	os.Exit(m.Run())
}

// A storedRun is what a page is made of.
type storedRun struct {
	cases   []*outcome.Case
	summary *report.Summary
}

// pageOf writes the page of a run into a file, and returns its name.
func pageOf(t *testing.T, n *storedRun) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	file := must.Get(os.Create(name))
	note := func(why string) { t.Errorf("%s: install Debian's package graphviz", why) }
	page := report.FormatOf("html").New(file, report.Options{Note: note})
	for _, c := range n.cases {
		noError(t, page.Case(c, report.News{}))
	}
	noError(t, page.End(n.summary))
	noError(t, file.Close())
	return name
}

// run runs translators with bugs on random formulas.
func run(t *testing.T, bugs []string, number, least, most int) *storedRun {
	t.Helper()
	self := must.Get(os.Executable())
	n := &storedRun{}
	var tools []*translators.Tool
	for _, bug := range bugs {
		c := must.Get(translators.ParseCommand(translators.Quote(self)+" -", translators.Stream))
		tools = append(tools, &translators.Tool{Name: bug, Command: c, Mode: translators.Stream, Version: "1.2", Env: []string{seeded.Variable + "=" + bug}})
	}
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	o := cross.Options{Tools: tools, Runner: runner, Reference: translate.Of, Properties: true}
	seed := uint64(11)
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Props: []string{"a", "b", "c"}, MinSize: least, MaxSize: most, Seed: seed}))
	next := func() (cross.Input, error) {
		if number--; number < 0 {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		return cross.Input{Formula: f, Seed: &seed}, err
	}
	n.summary = report.NewSummary(tools)
	failures := triage.New(triage.Options{})
	err := cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		n.cases = append(n.cases, c)
		n.summary.Add(c)
		_, err := failures.Add(context.Background(), c)
		return err
	})
	noError(t, err)
	causes := must.Get(failures.Causes(context.Background()))
	for _, c := range causes {
		command := fmt.Sprintf("xcheck run -c nightly.toml --only %s -f %s", translators.Quote(c.Translators[0]), translators.Quote(c.Formula))
		c.Command = command
		n.summary.Causes = append(n.summary.Causes, c)
	}
	n.summary.Counts.Status = 1
	return n
}

// nightly is a run with groups in all states, and runs before it.
func nightly(t *testing.T) *storedRun {
	t.Helper()
	n := run(t, []string{"X is ignored", "U is W", "mark lost", "edge to the wrong state", "crash on nested untils", "false deterministic", "none"}, 60, 6, 14)
	begin := time.Date(2026, 11, 1, 22, 0, 0, 0, time.UTC)
	seed := uint64(11)
	r := &outcome.Regression{RunID: outcome.RunID{Run: 21, Name: "nightly", Started: begin.AddDate(0, 0, 20), Seed: &seed}}
	before := &outcome.RunID{Run: 20, Name: "nightly", Started: begin.AddDate(0, 0, 19)}
	r.Baseline = before
	states := []outcome.State{outcome.StateNew, outcome.StateBackAgain, outcome.StateKnown, outcome.StateKnown}
	for i, c := range n.summary.Causes {
		g := outcome.Group{State: states[i%len(states)], Record: outcome.Record{Translators: c.Translators, Key: c.Translators[0] + " | " + c.Key, Class: c.Class, Formula: c.Formula, Polarity: c.Polarity, Word: c.Word, Size: c.Size, Shortest: c.Shortest, Formulas: c.Formulas, Command: c.Command}}
		if g.State != outcome.StateNew {
			g.First, g.Last = before, before
		}
		r.Groups = append(r.Groups, g)
	}
	r.Groups = append(r.Groups, outcome.Group{State: outcome.StateFixed, Record: outcome.Record{Translators: []string{"none"}, Class: outcome.ParseClass("missing words"), Formula: "G(a -> X b)", Word: "cycle{!a}", Size: 1, Shortest: true, Command: "xcheck run -f 'G(a -> X b)'"}, First: before, Last: before},
		outcome.Group{State: outcome.StateUnseen, Record: outcome.Record{Translators: []string{"old"}, Class: outcome.ParseClass("exit 3: assertion failed"), Formula: "F(a U b)", Command: "xcheck run -f 'F(a U b)'"}, First: before, Last: before})
	r.Changes = []outcome.Change{
		{Translator: "mark lost", Measure: "time", Formulas: 120, Before: 1.25, After: 1.41, Ratio: 1.12, P: 2e-7, VersionBefore: "1.1", VersionAfter: "1.2"},
		{Translator: "U is W", Measure: "states", Formulas: 118, Before: 480, After: 452, Ratio: 0.955, P: 0.0004, VersionBefore: "1.2", VersionAfter: "1.2"}}
	r.Notes = []string{"all translators took 3 % more time than in run 20: the machine is slower, and that is left out"}
	n.summary.Regression = r
	return n
}

// twoThousand is a run with two thousand groups, each with an automaton and a run on it.
func twoThousand(t *testing.T) *storedRun {
	t.Helper()
	n := run(t, []string{"X is ignored", "U is W", "mark lost", "edge to the wrong state", "literal negated"}, 150, 8, 14)
	n.summary.Causes = nil
	for len(n.summary.Causes) < 2000 {
		for _, c := range n.cases {
			for _, d := range c.Disagreements {
				k := len(n.summary.Causes)
				kind := map[bool]outcome.Kind{true: outcome.Extra, false: outcome.Missing}[k%2 == 0]
				if d.Kind != kind || k == 2000 || len(d.Explanations) == 0 || len(d.Explanations[0].Automata) == 0 {
					continue
				}
				part := *c
				part.Disagreements = []outcome.Disagreement{d}
				n.summary.Causes = append(n.summary.Causes, &outcome.Cause{Record: outcome.Record{Translators: []string{d.Explanations[0].Automata[0].Translator}, Class: outcome.ParseClass(string(kind) + " words"), Formula: c.Formula, Word: d.Word, Size: d.Size, Shortest: d.Shortest, Formulas: 1, Key: fmt.Sprint("cause ", k), Command: "xcheck run -f " + translators.Quote(c.Formula)}, Original: c.Formula, Index: c.Index, Case: &part})
			}
		}
	}
	return n
}

// markup is what must stay text.
const markup = `</script><img src=x onerror="window.hacked=1"><!--<script>window.hacked=1</script>`

// hostile has markup wherever text comes from a translator or a user.
func hostile(t *testing.T) *storedRun {
	t.Helper()
	quoted := strings.ReplaceAll(markup, `"`, `\"`)
	text := "HOA: v1\nname: \"" + quoted + "\"\nStates: 2\nStart: 0\nAP: 1 \"" + quoted + "\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 \"" + quoted + "\"\n[t] 1\nState: 1\n[0] 1 {0}\n--END--\n"
	a, _, err := hoa.ReadOne(context.Background(), []byte(text))
	noError(t, err)
	label := a.Alphabet().Text(a.Edges(1)[0].Label)
	subject := outcome.Subject{Translator: markup}
	seed := uint64(1)
	n := &storedRun{summary: report.NewSummary(nil)}
	for i := range 60 { // some are on the page, some are made when they are opened
		word := "cycle{" + label + "}"
		explanation := outcome.Explanation{Automata: []outcome.Subject{subject}, Accepts: true, Why: markup, HOA: text, Repair: &outcome.Repair{Text: markup},
			Run: &outcome.Path{Prefix: []outcome.Step{{Letter: markup, State: 0, Name: markup, Label: "1", Marks: []int{}, To: 1, Obligation: markup}},
				Cycle: []outcome.Step{{Letter: markup, State: 1, Label: label, Marks: []int{0}, To: 1, Obligation: markup}}}}
		c := &outcome.Case{Index: i, Formula: fmt.Sprint(markup, i), Seed: &seed, Checked: true,
			Results: []outcome.Result{{Subject: subject, Status: "exit", Detail: markup, Command: markup, Stderr: markup, Failure: outcome.ParseClass("exit 3: " + markup), ExitCode: 3}},
			Disagreements: []outcome.Disagreement{{Word: word, Size: 1, Kind: "extra", Accepts: []outcome.Answer{{Subject: subject, Accepts: true}}, Blamed: []outcome.Subject{subject},
				Explanations: []outcome.Explanation{explanation}, Table: &outcome.TruthTable{Letters: []string{markup}, Rows: []outcome.TruthRow{{Formula: markup, Truth: "1"}}}}},
			Findings: []outcome.Finding{{Subject: subject, Class: "property", Property: markup, Text: markup}}}
		n.cases = append(n.cases, c)
		n.summary.Add(c)
		for _, class := range []string{"extra words", "exit 3: " + markup, "property: " + markup} {
			n.summary.Causes = append(n.summary.Causes, &outcome.Cause{Record: outcome.Record{Translators: []string{markup}, Class: outcome.ParseClass(class), Formula: fmt.Sprint(markup, i), Word: word, Formulas: 1, Command: markup}, Original: markup, Case: c})
		}
	}
	n.summary.Translators[0].Command, n.summary.Translators[0].Version = markup, markup
	n.summary.Regression = &outcome.Regression{RunID: outcome.RunID{Name: markup}, Notes: []string{markup},
		Groups:  []outcome.Group{{State: outcome.StateNew, Record: outcome.Record{Translators: []string{markup}, Class: outcome.ParseClass(markup), Formula: markup, Word: markup, Command: markup}}},
		Changes: []outcome.Change{{Translator: markup, Measure: markup, VersionBefore: markup}}}
	n.summary.Counts.Error = markup
	return n
}
