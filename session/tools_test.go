package session

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestMain(m *testing.M) {
	var known []string
	for _, s := range configs.Shorthands() {
		if s.Program() != "" {
			known = append(known, s.Program())
		}
	}
	os.Exit(campaign.Shadow(m.Run, known))
}

// TestNewTool: all that a configuration says of a translator arrives at the tool, and
// where it says nothing, the limits for all.
func TestNewTool(t *testing.T) {
	all := configs.Limits{Limits: translators.Limits{
		Timeout: 1 * time.Second, CPU: 2 * time.Second, MaxOutput: 3, Memory: 4, AddressSpace: 5, OpenFiles: 6,
	}}
	own := translators.Limits{Timeout: 10 * time.Second, CPU: 20 * time.Second, MaxOutput: 30, Memory: 40, AddressSpace: 50, OpenFiles: 60}
	tool, err := newTool(configs.Translator{
		Name: "x", Command: "x --all", Mode: translators.Stream, Syntax: ltl.LBT, Processes: 3, CleanEnv: true,
		Format: "lbtt", Limits: own, Env: map[string]string{"A": "b"}, Reference: true,
	}, all, translators.ParseCommand)
	if err != nil {
		t.Fatal(err)
	}
	if tool.Name != "x" || tool.Mode != translators.Stream || tool.Syntax != ltl.LBT || tool.Processes != 3 || !tool.CleanEnv ||
		tool.Format != "lbtt" || !tool.Reference || len(tool.Env) != 1 || tool.Env[0] != "A=b" {
		t.Errorf("the tool is %+v", tool)
	}
	if diff := cmp.Diff(own, tool.Limits); diff != "" {
		t.Errorf("the translator's own limits (-want +got):\n%s", diff)
	}
	tool = must.Get(newTool(configs.Translator{Command: "x %[MW]L", Format: "auto", Without: ltl.Ops(ltl.OpNext)}, all, translators.ParseCommand))
	if diff := cmp.Diff(all.Limits, tool.Limits); diff != "" {
		t.Errorf("the limits for all (-want +got):\n%s", diff)
	}
	if want := ltl.Ops(ltl.OpNext, ltl.OpStrongRelease, ltl.OpWeakUntil); tool.Name != "x %[MW]L" || tool.Format != "" || tool.Without != want {
		t.Errorf("the tool is %+v, want it without %v", tool, want)
	}
	if _, err := newTool(configs.Translator{Command: "x %f", Mode: translators.Stream}, all, translators.ParseCommand); err == nil {
		t.Error("a command that is none of its mode has no error")
	}
}

// TestOptionsChangeFormat: with options from flags, the format of a known tool is recognized from
// the output: ltl3ba prints never claims, but HOA with -H3.
func TestOptionsChangeFormat(t *testing.T) {
	for _, choice := range []*Choice{{}, {Options: []string{"ltl3ba=all"}}, {With: []string{"ltl3ba=-H3"}}} {
		known, _ := configs.Complete("ltl3ba")
		tool := must.Get(newTool(known, configs.Default().Limits, translators.ParseCommand))
		tools := []*translators.Tool{tool}
		must.Do(choice.setOptions(tools, nil))
		want := ""
		if choice.Options == nil && choice.With == nil {
			want = "never"
		}
		if tools[0].Format != want {
			t.Errorf("%+v: the format is %q, want %q", choice, tools[0].Format, want)
		}
	}
}

// TestNewToolBuiltin: the built-in ones have all modes, and xcheck's own version.
func TestNewToolBuiltin(t *testing.T) {
	for mode, want := range map[translators.Mode]string{
		translators.Spawn:  " translate --algorithm gpvw %f",
		translators.Stream: " translate --algorithm gpvw -F -",
		translators.Batch:  " translate --algorithm gpvw -F -",
	} {
		tool := must.Get(newTool(configs.Translator{Name: "gpvw", Builtin: "gpvw", Mode: mode}, configs.Default().Limits, translators.ParseCommand))
		if !strings.HasSuffix(tool.Command.Text(), want) || tool.Mode != mode || tool.Version != version.Own() || tool.Builtin == nil {
			t.Errorf("%v: the tool is %+v", mode, tool)
		}
	}
	known, _ := configs.Complete("xcheck translate --buchi")
	tool := must.Get(newTool(known, configs.Default().Limits, translators.ParseCommand))
	if tool.Name != "xcheck translate --buchi" || tool.Mode != translators.Stream || tool.Version != version.Own() {
		t.Errorf("the tool is %+v", tool)
	}
}

// TestNamesOfTools: each tool gets a proposition as its grammar can hold it, and p0 where it can't.
func TestNamesOfTools(t *testing.T) {
	r := must.Get(translators.NewRunner(1, t.TempDir()))
	defer r.Close()
	for command, want := range map[string]string{
		//                   _pid _p __ tt ff true False A x.y NOT AND goOn_2
		"ltl2ba":            "p0 p0 p0 tt ff p0 p0 p0 p0 p0 p0 goOn_2",
		"ltl3ba -M0":        "p0 p0 p0 tt ff p0 p0 p0 p0 p0 p0 goOn_2",
		"spin":              "p0 p0 p0 tt ff p0 p0 p0 p0 p0 p0 goOn_2",
		"lbt":               "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0",
		"owl ltl2dpa":       "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 goOn_2",
		"bin/ltl2dra -f %f": "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 goOn_2",
		"ltl2tgba":          `_pid _p __ tt ff "true" "False" A x.y NOT AND goOn_2`,
		"mine %f":           `_pid _p __ tt ff "true" "False" A x.y NOT AND goOn_2`,
	} {
		x, known := configs.Complete(command)
		if !known {
			x = configs.Translator{Command: command}
		}
		tool := must.Get(newTool(x, configs.Limits{}, translators.ParseCommand))
		var got []string
		tool.Builtin = func(_ context.Context, in string, _ io.Writer) error {
			got = append(got, in)
			return nil
		}
		for name := range strings.FieldsSeq("_pid _p __ tt ff true False A x.y NOT AND goOn_2") {
			must.Get(tool.Translate(t.Context(), r, ltl.NewStore().Prop(name), 0))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s gets %s, want %s", command, strings.Join(got, " "), want)
		}
	}
}

// TestZeroChoice: with the zero Choice, a program runs the built-in translators and starts nothing, not
// even itself.
func TestZeroChoice(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no known translator
	t.Setenv("TMPDIR", "/nonexistent")
	p := planOf(t, nil, "GFa", "a U b")
	must.Do(p.Choose(&Choice{}))
	var r recorder
	result, err := Run(t.Context(), p, &r)
	if err != nil || result.Status != outcome.ExitPassed || len(r.cases) != 2 {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, c := range r.cases {
		for _, x := range c.Results {
			if x.Status != outcome.OK || !strings.Contains(x.Command, "xcheck translate") {
				t.Errorf("%s: %+v", c.Formula, x)
			}
		}
	}
}

// TestExplodes: on a formula whose automata are too large, built-in translators reach their limits, of
// time or of memory, and the run goes on.
func TestExplodes(t *testing.T) {
	var left, right []string
	for _, p := range strings.Split("abcdefghijklmnopqrstuvwx", "") {
		left, right = append(left, "GF"+p), append(right, "GFx"+p)
	}
	explodes := strings.Join(left, " & ") + " -> " + strings.Join(right, " & ")
	for name, limit := range map[outcome.Status]func(*translators.Limits){
		outcome.Timeout: func(l *translators.Limits) { l.Timeout, l.Memory = time.Second, 1<<40 }, // Ga has it, too
		outcome.Memory:  func(l *translators.Limits) { l.Timeout, l.Memory = time.Hour, 4<<20 },
	} {
		p := planOf(t, nil, explodes, "Ga")
		limit(&p.Config.Limits.Limits)
		must.Do(p.Choose(&Choice{NoFound: true, Only: []string{"gpvw"}}))
		p.Config.Checks.NoChecks = true
		var r recorder
		if _, err := Run(t.Context(), p, &r); err != nil || len(r.cases) != 2 {
			t.Fatalf("%s: %d cases, %v", name, len(r.cases), err)
		}
		for i, want := range []outcome.Status{name, outcome.OK} {
			for _, x := range r.cases[i].Results[:1] { // the negation is not asked for
				if x.Status != want {
					t.Errorf("%s: %s on formula %d: %s, %s", name, x.Translator, i, x.Status, x.Detail)
				}
			}
		}
	}
}

// TestRename: names are kept where they can be, and no two are the same.
func TestRename(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"x y z", "x y z"},
		{"x x x", "x x#2 x#3"},
		{"x x#2 x", "x x#2 x#3"},
		{"x x x#2", "x x#3 x#2"},
		{"x#2 x#2 x x", "x#2 x#2#2 x x#3"},
		{"x x x#2 x#2 x#3 x", "x x#4 x#2 x#2#2 x#3 x#5"},
	} {
		var tools []*translators.Tool
		for _, name := range strings.Fields(c.given) {
			tools = append(tools, &translators.Tool{Name: name})
		}
		rename(tools)
		var got []string
		for _, tool := range tools {
			got = append(got, tool.Name)
		}
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: got %v, want %s", c.given, got, c.want)
		}
	}
}

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
				summary.Regression.Groups = append(summary.Regression.Groups, outcome.Group{State: state, Record: outcome.Record{Class: class}})
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

// TestFound finds a tool in a folder of its own.
func TestFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if list := found(); len(list) != 0 {
		t.Errorf("found %v", list)
	}
	must.Do(os.WriteFile(filepath.Join(dir, "ltl3ba"), []byte("#!/bin/sh\n"), 0o777))
	if list := found(); len(list) != 1 || list[0].Name != "ltl3ba" {
		t.Errorf("found %v", list)
	}
}

// TestUnasked: formulas that a program adds to the default configuration replace the random ones that nobody
// asked for, and a plan without tools does not run.
func TestUnasked(t *testing.T) {
	p := &Plan{Config: configs.Default()}
	p.Config.Formulas.Inline = []string{"GFa", "a U b", "X(a R b)"}
	if _, n, err := p.Formulas(); err != nil || n != 3 {
		t.Errorf("%d formulas, %v", n, err)
	}
	if r, err := Run(t.Context(), p); r != nil || err == nil || !strings.Contains(err.Error(), "no tools") {
		t.Errorf("without tools: %+v, %v", r, err)
	}
}
