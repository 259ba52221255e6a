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

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// all is an automaton that accepts all words, none one that accepts no word.
const (
	all  = "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--"
	none = "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 f --BODY-- State: 0 [t] 0 --END--"
)

// Translators of formulas that are equivalent to 1 or to 0. The wrong one takes them all for 1.
const (
	right = `{right} case %f in '!'*|0) echo '` + none + `';; *) echo '` + all + `';; esac`
	wrong = `{wrong} echo '` + all + `'; : %f`
	fails = `{fails} echo oops >&2; exit 3; : %f`
)

// tautologies are formulas for these.
var tautologies = []string{"a | !a", "b | !b", "c | !c", "F(d | !d)", "G(e | !e)"}

// planOf returns a plan of some translators and formulas.
func planOf(t *testing.T, commands []string, formulas ...string) *Plan {
	t.Helper()
	config := configs.Default()
	config.Formulas = configs.Formulas{Inline: formulas}
	config.Checks.Reference = false
	var list []configs.Translator
	for _, text := range commands {
		list = append(list, configs.Translator{Command: text})
	}
	tools, err := Tools(list, config.Limits)
	if err != nil {
		t.Fatal(err)
	}
	return &Plan{Config: config, Tools: tools}
}

// recorder is a Sink that keeps what it gets.
type recorder struct {
	cases   []*outcome.Case
	summary *report.Summary
	each    func() error // called for each case; may be nil
}

func (r *recorder) Case(c *outcome.Case, _ report.News) error {
	r.cases = append(r.cases, c)
	if r.each != nil {
		return r.each()
	}
	return nil
}

func (r *recorder) End(t *report.Summary) error { r.summary = t; return nil }

// indexes returns the indexes of the cases.
func (r *recorder) indexes() (list []int) {
	for _, c := range r.cases {
		list = append(list, c.Index)
	}
	return list
}

// TestRun: how runs end, and what they report.
func TestRun(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.ltl")
	for _, c := range []struct {
		name     string
		tools    []string
		formulas []string
		change   func(*Plan)
		cases    []int
		want     outcome.ExitStatus
		err      string
	}{
		{"good", []string{right}, tautologies[:2], nil, []int{0, 1}, outcome.ExitPassed, ""},
		{"wrong", []string{right, wrong}, tautologies[:2], nil, []int{0, 1}, outcome.ExitFailed, ""},
		{"failing", []string{right, fails}, tautologies[:1], nil, []int{0}, outcome.ExitIncomplete, ""},
		{"strict", []string{right, fails}, tautologies[:1], func(p *Plan) { p.StrictFailures = true }, []int{0}, outcome.ExitFailed, ""},
		{"ignored", []string{right, fails}, tautologies[:1], func(p *Plan) { p.IgnoreFailures = true }, []int{0}, outcome.ExitPassed, ""},
		{"stopped", []string{wrong}, tautologies, func(p *Plan) { p.Config.Checks.StopOnError = true }, []int{0}, outcome.ExitFailed, ""},
		{"a shard", []string{right}, tautologies, func(p *Plan) { p.Shard = Shard{2, 3} }, []int{1, 4}, outcome.ExitPassed, ""},
		{"an empty shard", []string{right}, tautologies[:1], func(p *Plan) { p.Shard = Shard{2, 3} }, nil, outcome.ExitPassed, ""},
		{"duplicates", []string{right}, []string{"a | !a", "!(a | !a)", "a | !a"}, nil, []int{0}, outcome.ExitPassed, ""},
		{"duplicates that are allowed", []string{right}, []string{"a | !a", "a | !a"}, func(p *Plan) { p.Config.Formulas.AllowDups = true }, []int{0, 1}, outcome.ExitPassed, ""},
		{"nothing", []string{right}, nil, nil, nil, outcome.ExitBroken, "no formulas"},
		{"nothing, in other words", []string{right}, nil, func(p *Plan) { p.Empty = errors.New("try -f") }, nil, outcome.ExitBroken, "try -f"},
		{"no formula", []string{right}, []string{"a U"}, nil, nil, -1, "formula: 1:4: expected a formula"},
		{"no file", []string{right}, nil, func(p *Plan) { p.Config.Formulas.Files = []configs.File{{Path: missing}} }, nil, -1, "no such file"},
		{"no folder", []string{right}, tautologies[:1], func(p *Plan) { p.Config.Output.Report("json", filepath.Join(missing, "x.json")) }, nil, -1, "no such file"},
		{"unread input", []string{right}, tautologies[:1], func(p *Plan) { p.Unread = func() (bool, error) { return true, errors.New("too late") } }, []int{0}, outcome.ExitBroken, "too late"},
		{"random formulas to the end", []string{fails}, nil, func(p *Plan) {
			r := *configs.Default().Formulas.Random
			r.Number, r.Profile, r.MaxSize, r.Props, r.For = -1, "", 1, []string{"a"}, time.Hour
			p.Config.Formulas.Random = &r
		}, []int{0}, outcome.ExitIncomplete, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planOf(t, c.tools, c.formulas...)
			if c.change != nil {
				c.change(p)
			}
			var sink recorder
			result, err := Run(context.Background(), p, &sink)
			if got := errorText(err); !strings.Contains(got, c.err) || c.err == "" && err != nil {
				t.Fatalf("error %q, want %q", got, c.err)
			}
			if c.want < 0 {
				if result != nil || sink.summary != nil {
					t.Errorf("a run that did not start has the result %+v", result)
				}
				return
			}
			if result.Status != c.want || sink.summary != result.Summary || result.Closing != nil {
				t.Errorf("status %d, want %d", result.Status, c.want)
			}
			if got := sink.indexes(); !slices.Equal(got, c.cases) {
				t.Errorf("cases %v, want %v", got, c.cases)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestSinks: a sink that fails gets no more, and the others get all. The run returns its
// error, and its files are complete.
func TestSinks(t *testing.T) {
	p := planOf(t, []string{right}, tautologies...)
	file := filepath.Join(t.TempDir(), "run.json")
	p.Config.Output.Report("json", file)
	bad, good := &recorder{each: func() error { return errors.New("paper jam") }}, &recorder{}
	result, err := Run(context.Background(), p, bad, good)
	if errorText(err) != "writing the report: paper jam" || result.Status != outcome.ExitBroken || result.Summary.Counts.Error != errorText(err) {
		t.Errorf("%v, %+v", err, result)
	}
	if len(bad.cases) != 1 || bad.summary != nil || good.summary == nil {
		t.Errorf("the broken sink has %d cases", len(bad.cases))
	}
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rest, err := report.Read(r, func(*outcome.Case) error { return nil })
	if err != nil || rest.Counts.Status != outcome.ExitBroken || rest.Counts.Error != result.Summary.Counts.Error {
		t.Errorf("the document: %v", err)
	}
}

// TestFilesStay: a run that does not start leaves all files and the history as they were.
func TestFilesStay(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a.json", "a.csv", "formulas.ltl", "bogus"} {
		if err := os.WriteFile(file(name), []byte("1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		change func(o *configs.Output)
		want   string
	}{
		{"an input", func(o *configs.Output) { o.SaveBogus = file("formulas.ltl") }, "this command reads it"},
		{"one file for two", func(o *configs.Output) { o.Report("html", file("a.csv")) }, "cannot write two reports"},
		{"the history", func(o *configs.Output) { o.Report("junit", file("h.db")) }, "this command reads it"},
		{"no format", func(o *configs.Output) { o.Report("pdf", file("a.pdf")) }, `unknown format "pdf"`},
		{"two on standard output", func(o *configs.Output) { o.Reports = map[string]string{"json": "-", "csv": "-"} }, "cannot both go to standard output"},
		{"another table", func(o *configs.Output) { o.Report("csv", ">>"+file("a.csv")) }, "other columns"},
	} {
		p := planOf(t, []string{right}, tautologies[0])
		p.Config.Formulas.Files = []configs.File{{Path: file("formulas.ltl")}}
		p.Config.History.File = file("h.db")
		o := &p.Config.Output
		o.Reports, o.SaveBogus = map[string]string{"json": file("a.json"), "csv": file("a.csv")}, file("bogus")
		c.change(o)
		if result, err := Run(context.Background(), p); result != nil || !strings.Contains(errorText(err), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		for _, name := range []string{"a.json", "a.csv", "formulas.ltl", "bogus"} {
			if text, err := os.ReadFile(file(name)); string(text) != "1\n" || err != nil {
				t.Errorf("%s: %s is %q, %v", c.name, name, text, err)
			}
		}
		p = planOf(t, []string{right}, tautologies[0])
		p.Config.History.File, p.Resume = file("h.db"), true
		var notes []string
		p.Note = func(text string) { notes = append(notes, text) }
		if _, err := Run(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		if len(notes) != 1 || !strings.HasPrefix(notes[0], "starting run") {
			t.Errorf("%s: afterwards: %q", c.name, notes)
		}
	}
}

// TestLive: a failure is shown although its formula is being shrunk, and the other formulas are
// checked meanwhile.
func TestLive(t *testing.T) {
	inputs := []string{"a U b", "Xa", "Fb", "Ga", "X(b U c)"}
	p := planOf(t, []string{"{mine} mine %f"}, inputs...)
	shown, goOn := make(chan string, 1), make(chan struct{})
	p.Tools[0].Builtin = func(ctx context.Context, in string, out io.Writer) error {
		if !slices.ContainsFunc(inputs, func(f string) bool { return in == f || strings.HasPrefix(in, "!") }) {
			select { // it is a smaller formula
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return seeded.Builtin("U is W")(ctx, in, out)
	}
	p.Config.Checks.Reference, p.Config.Triage.Grind = true, true
	p.Progress = &report.Progress{Width: func() int { return 200 }, W: writer(func(text []byte) (int, error) {
		if lines := string(text); strings.Contains(lines, "mine: extra words: a U b") && strings.Contains(lines, "2 formulas") && strings.Contains(lines, "5/5") {
			select {
			case shown <- lines:
				close(goOn)
			default:
			}
		}
		return len(text), nil
	})}
	result, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-shown:
	default:
		t.Error("the failure was not shown before the formula was shrunk")
	}
	if list := result.Summary.Causes; len(list) != 1 || list[0].Formula != "1 U b" || list[0].Formulas != 2 {
		t.Errorf("causes %+v", list[0].Cause)
	}
}

// TestLiveEarly: a failure of a case that is not complete is shown until the case is complete. Then it
// counts once, or not at all.
func TestLiveEarly(t *testing.T) {
	failing := func(index int, word string) *outcome.Case {
		c := outcome.NewCase(index, "a U b", nil)
		c.Results = []outcome.Result{{Subject: outcome.Subject{Translator: "mine"}}}
		c.Disagreements = []outcome.Disagreement{{Kind: outcome.Extra, Word: word, Size: 2, Blamed: []outcome.Subject{{Translator: "mine"}}}}
		return c
	}
	text := make(chan string, 1000)
	progress := &report.Progress{Width: func() int { return 200 }, W: writer(func(b []byte) (int, error) {
		text <- string(b)
		return len(b), nil
	})}
	progress.Start()
	defer progress.Stop()
	l := &live{kinds: triage.New(triage.Options{}), early: map[int]*outcome.Case{}, progress: progress}
	l.tell(failing(3, "a; cycle{!b}"))
	for _, step := range []struct {
		c    *outcome.Case // complete
		want string
	}{
		{outcome.NewCase(2, "a", nil), "mine: extra words: a U b, word a; cycle{!b}"},
		{failing(3, "b; cycle{!b}"), "word b; cycle{!b}"},
		{failing(4, "b; cycle{!b}"), "2 formulas"},
	} {
		if err := l.add(step.c); err != nil {
			t.Fatal(err)
		}
		for !strings.Contains(<-text, step.want) {
		}
	}
	l.tell(failing(5, "cycle{!b}"))
	if err := l.add(outcome.NewCase(5, "a U b", nil)); err != nil || len(l.early) > 0 {
		t.Errorf("a failure that does not show again stays: %v, %v", l.early, err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(text []byte) (int, error) { return w(text) }

// TestShrinkTimeouts: failures at a time limit share a bounded time, and the answer says that it ended.
func TestShrinkTimeouts(t *testing.T) {
	defer func(was time.Duration) { maxExhausted = was }(maxExhausted)
	maxExhausted = 3
	p := planOf(t, []string{"{slow} sleep 600 # %f"}, "G(a & b)", "F(a & b)", "X(a & b)")
	p.Tools[0].Limits.Timeout = 50 * time.Millisecond
	var list []*Shrunk
	result, err := Shrink(t.Context(), p, Shrinking{Steps: ltl.AllSteps}, func(x *Shrunk) error { list = append(list, x); return nil })
	if err != nil || result.Status != outcome.ExitFailed || len(list) != 3 {
		t.Fatalf("%+v, %d formulas: %v", result, len(list), err)
	}
	for _, x := range list {
		if x.Minimal || x.Limit != "1ns" || !strings.Contains(x.String(), "not shrunk to the end: 1ns") {
			t.Errorf("%s", x)
		}
	}
}
