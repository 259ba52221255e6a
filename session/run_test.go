package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
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
	tools := must.Get(newTools(list, config.Limits))
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
		{"ignored", []string{right, fails}, tautologies[:1], func(p *Plan) { p.IgnoreFailures = true }, []int{0}, outcome.ExitIncomplete, ""},
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
	r := must.Get(os.Open(file))
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
		must.Do(os.WriteFile(file(name), []byte("1\n"), 0o666))
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
		must.Get(Run(context.Background(), p))
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
	shown, goOn, known := make(chan string, 1), make(chan struct{}), false
	p.Tools[0].Builtin = func(ctx context.Context, in string, out io.Writer) error {
		if !slices.ContainsFunc(inputs, func(f string) bool { return in == f || strings.HasPrefix(in, "!") }) {
			select { // it is a smaller formula
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return seeded.Builtin("U is W")(ctx, in, out)
	}
	p.Config.Checks.Reference, p.Config.Checks.Grind = true, true
	p.Progress = &report.Progress{Width: func() int { return 200 }, W: writer(func(text []byte) (int, error) {
		known = known || strings.Contains(string(text), "failure: mine: ")
		if lines := string(text); known && strings.Contains(lines, "5/5") {
			select {
			case shown <- lines:
				close(goOn)
			default:
			}
		}
		return len(text), nil
	})}
	result := must.Get(Run(t.Context(), p))
	select {
	case <-shown:
	default:
		t.Error("the failure was not shown before the formula was shrunk")
	}
	if list := result.Summary.Causes; len(list) != 1 || list[0].Formula != "1 U b" || list[0].Formulas != 2 {
		t.Errorf("causes %+v", list[0])
	}
}

// TestLiveEarly: a failure of a case that is not complete is shown, and not once more when the case is complete.
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
	p := &Plan{Progress: progress}
	must.Do(p.tell(failing(3, "a; cycle{!b}")))
	for !strings.Contains(<-text, "failure: mine: extra words: a U b, word a; cycle{!b}") {
	}
	must.Do(p.tell(failing(3, "b; cycle{!b}")))
	must.Do(p.tell(outcome.NewCase(5, "a U b", nil)))
	progress.Stop()
	for len(text) > 0 {
		if again := <-text; strings.Contains(again, "failure:") {
			t.Errorf("the kind of failure is shown again: %q", again)
		}
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

// chain is a translator of lines that prints an automaton with a state for each three characters of
// the formula, and a few more sets if there is a U or an R.
const chain = `{chain} while IFS= read -r f; do
	case $f in *U*R*|*R*U*) m=3;; *U*) m=2;; *R*) m=1;; *) m=0;; esac
	n=$((${#f}/3)); b="HOA: v1 States: $((n+1)) Start: 0 AP: 0 Acceptance: $m t --BODY--"; i=0
	while [ $i -lt $n ]; do b="$b State: $i [t] $((i+1))"; i=$((i+1)); done
	echo "$b State: $i [t] $i --END--"
done`

// chained is chain within this process.
func chained(_ context.Context, f string, out io.Writer) error {
	n, sets := len(f)/3, 0
	if strings.Contains(f, "R") {
		sets = 1
	}
	if strings.Contains(f, "U") {
		sets += 2
	}
	fmt.Fprintf(out, "HOA: v1 States: %d Start: 0 AP: 0 Acceptance: %d t --BODY--", n+1, sets)
	for i := range n {
		fmt.Fprintf(out, " State: %d [t] %d", i, i+1)
	}
	_, err := fmt.Fprintf(out, " State: %d [t] %d --END--\n", n, n)
	return err
}

// drawnPlan returns a plan of n random formulas for chained, without checks.
func drawnPlan(t *testing.T, n int) *Plan {
	t.Helper()
	config := configs.Default()
	config.Formulas = configs.Formulas{Random: &configs.Random{Number: n, Seeded: true, Profile: random.Default, RandomOptions: ltl.RandomOptions{Seed: 7}}}
	config.Checks.Reference, config.Checks.NoChecks = false, true
	tools := must.Get(newTools([]configs.Translator{{Command: chain, Mode: translators.Stream}}, config.Limits))
	tools[0].Builtin = chained
	return &Plan{Config: config, Tools: tools}
}

// cases runs a plan and returns what can be compared of its cases.
func cases(t *testing.T, p *Plan) []outcome.Case {
	t.Helper()
	var all recorder
	must.Get(Run(t.Context(), p, &all))
	return comparable(all.cases)
}

var times = regexp.MustCompile(`"(time|cpu_time|max_rss|started|proved|unproved)":(?:[-+0-9.e]+|"[^"]*"|true|false)`)

// TestJobs: the whole report, but for times, does not depend on how many processes there are.
func TestJobs(t *testing.T) {
	report := func(jobs int) string {
		p := drawnPlan(t, 300)
		file := filepath.Join(t.TempDir(), "run.json")
		p.Config.Output.Report("json", file)
		p.Config.Limits.Jobs = jobs
		cases(t, p)
		text := must.Get(os.ReadFile(file))
		return times.ReplaceAllString(string(text), `"$1":0`)
	}
	want := report(1)
	for _, jobs := range []int{2, 300} {
		if got := report(jobs); got != want {
			t.Errorf("-j %d: another report than with -j 1", jobs)
		}
	}
}

// TestShards: shards have the cases of the undivided run, and a merge has all.
func TestShards(t *testing.T) {
	const n, parts = 60, 2
	dir := t.TempDir()
	whole := cases(t, drawnPlan(t, n))
	for i := 1; i <= parts; i++ {
		p := drawnPlan(t, n)
		p.Shard = Shard{i, parts}
		p.Config.History = configs.History{File: filepath.Join(dir, fmt.Sprintf("%d.db", i)), Name: "monday"}
		for k, c := range cases(t, p) {
			if !reflect.DeepEqual(c, whole[parts*k+i-1]) {
				t.Fatalf("shard %d has %q where the run has %q", i, c.Formula, whole[parts*k+i-1].Formula)
			}
		}
	}
	merged, err := Merge(t.Context(), filepath.Join(dir, "all.db"), filepath.Join(dir, "1.db"), filepath.Join(dir, "2.db"))
	if err != nil || len(merged.Unions) != 1 || lacking(merged.Unions[0]) != "" || merged.Unions[0].Cases != n {
		t.Fatalf("%v, %+v", err, merged)
	}
}

// TestInOrder: cases that have overtaken others are passed on in the order of their indexes. At the
// end all are, but none after an error.
func TestInOrder(t *testing.T) {
	fails := errors.New("fails")
	for _, c := range []struct {
		name  string
		shard Shard
		come  []int
		want  []int // after these
		flush []int // and after the last
		fails int   // the index of the case on which pass does
	}{
		{"in order", Shard{}, []int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1, 2}, -1},
		{"the first is slow", Shard{}, []int{1, 3, 2, 0, 4}, []int{0, 1, 2, 3, 4}, []int{0, 1, 2, 3, 4}, -1},
		{"the first does not come", Shard{}, []int{2, 1}, nil, []int{1, 2}, -1},
		{"of a shard", Shard{2, 3}, []int{4, 1, 10, 7}, []int{1, 4, 7, 10}, []int{1, 4, 7, 10}, -1},
		{"of the only shard", Shard{1, 1}, []int{1, 0, 3}, []int{0, 1}, []int{0, 1, 3}, -1},
		{"fails", Shard{}, []int{1, 0, 3, 2}, []int{0, 1}, []int{0, 1}, 1},
	} {
		var got []int
		o := inOrder{shard: c.shard, next: c.shard.first(), pass: func(x *outcome.Case) error {
			if got = append(got, x.Index); x.Index == c.fails {
				return fails
			}
			return nil
		}}
		failed := 0
		for _, index := range c.come {
			if err := o.add(&outcome.Case{Index: index}); err == fails {
				failed++
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if err := o.flush(); err != nil || !slices.Equal(got, c.flush) || (failed == 1) != (c.fails >= 0) {
			t.Errorf("%s: at the end %v, want %v; %d errors, %v", c.name, got, c.flush, failed, err)
		}
	}
}

// TestInOrderLong: no more than maxWaiting cases wait for one. If there are more, they overtake it.
func TestInOrderLong(t *testing.T) {
	var got []int
	o := inOrder{pass: func(c *outcome.Case) error { got = append(got, c.Index); return nil }}
	for index := 1; index <= maxWaiting; index++ {
		o.add(&outcome.Case{Index: index})
	}
	if len(got) > 0 {
		t.Errorf("%d cases are passed on", len(got))
	}
	o.add(&outcome.Case{Index: maxWaiting + 1})
	o.add(&outcome.Case{Index: 0})
	if len(got) != maxWaiting+2 || got[0] != 1 || got[maxWaiting+1] != 0 {
		t.Errorf("%d cases are passed on", len(got))
	}
}

// TestOvertaken: all reports to files and the text are the same, in whatever order the cases are
// completed. Standard output gets them at once.
func TestOvertaken(t *testing.T) {
	var all recorder
	must.Get(Run(t.Context(), planOf(t, []string{right, wrong, fails}, tautologies...), &all))
	written := func(order []int) (files map[string]string, stdout string) {
		dir := t.TempDir()
		p := planOf(t, []string{right, wrong, fails}, tautologies...)
		var text, out bytes.Buffer
		p.Stdout = &out
		for _, f := range []string{"json", "markdown", "html", "junit"} {
			p.Config.Output.Report(f, filepath.Join(dir, f))
		}
		p.Config.Output.Report("csv", "-")
		s := must.Get(begin(t.Context(), p, []report.Sink{&report.Text{W: &text}}))
		s.reports.summary.Provenance = nil // it has a time
		for _, i := range order {
			must.Do(s.reports.add(all.cases[i]))
		}
		err := errors.Join(s.reports.order.flush(), s.reports.causes.end(s.period, true), s.runner.Close(), s.reports.end(nil, 0))
		if s.period.cancel(nil); err != nil {
			t.Fatal(err)
		}
		files = map[string]string{"text": text.String()}
		for _, f := range []string{"json", "markdown", "html", "junit"} {
			content := must.Get(os.ReadFile(filepath.Join(dir, f)))
			files[f] = string(content)
		}
		return files, out.String()
	}
	want, _ := written([]int{0, 1, 2, 3, 4})
	overtaken := []int{3, 1, 4, 0, 2}
	got, stdout := written(overtaken)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%s\nand in order it is\n%s", name, got[name], want[name])
		}
	}
	for at := 0; len(overtaken) > 0; overtaken = overtaken[1:] {
		spelled, _ := new(spelling.Speller).SpellText(tautologies[overtaken[0]])
		n := strings.Index(stdout[at:], spelled)
		if n < 0 {
			t.Fatalf("standard output has not %q next:\n%s", tautologies[overtaken[0]], stdout[at:])
		}
		at += n
	}
}

// TestInOrderExample runs the example in the comment of inOrder.
func TestInOrderExample(t *testing.T) {
	var passed []int
	o := &inOrder{pass: func(c *outcome.Case) error { passed = append(passed, c.Index); return nil }}
	for i, want := range [][]int{0: {0}, 1: {0}, 2: {0, 1, 2}} {
		if err := o.add(&outcome.Case{Index: [...]int{0, 2, 1}[i]}); err != nil || !slices.Equal(passed, want) {
			t.Errorf("passed on %v, %v; want %v", passed, err, want)
		}
	}
}

// TestShard: each input is in one shard, and Count counts how many of the first n are in a shard.
func TestShard(t *testing.T) {
	for parts := 1; parts <= 7; parts++ {
		counts := make([]int, parts)
		for n := range 40 {
			has := 0
			for i := range parts {
				s := Shard{i + 1, parts}
				if got := s.Count(n); got != counts[i] {
					t.Errorf("shard %v has %d of %d inputs, want %d", &s, got, n, counts[i])
				}
				if s.Has(n) {
					has++
					counts[i]++
				}
			}
			if has != 1 {
				t.Errorf("input %d is in %d of %d shards", n, has, parts)
			}
		}
	}
	if all := (Shard{}); !all.Has(3) || all.Count(5) != 5 || all.String() != "" || !all.whole() {
		t.Errorf("the zero shard is %+v", all)
	}
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/5": {2, 5}, "": {}, "0/3": {}, "4/3": {}, "1": {}, "a/2": {}, "-1/2": {}, "1/2/3": {}} {
		var s Shard
		if err := s.Set(text); s != want || (err == nil) != (want != Shard{}) || err == nil && s.String() != text {
			t.Errorf("%q is %+v, %v", text, s, err)
		}
	}
}

// TestFormulasGoOn: what is no formula in a file is an input with its place, and the
// rest comes, of this file and of others.
func TestFormulasGoOn(t *testing.T) {
	dir := t.TempDir()
	var files []configs.File
	bad := filepath.Join(dir, "bad")
	must.Do(os.WriteFile(bad, []byte("a\nb U\n\"c\xff\"\n"+strings.Repeat("(", 5000)+"\nd\n"), 0o600))
	for _, path := range []string{bad, dir} {
		files = append(files, configs.File{Path: path, Syntax: ltl.Spot})
	}
	files = append(files, configs.File{Path: "-", Syntax: ltl.Spin})
	p := &Plan{Config: &configs.Config{Formulas: configs.Formulas{Files: files}}, Open: func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(strings.NewReader("[]e")), nil
		}
		return os.Open(name)
	}}
	next, total, err := p.Formulas()
	if err != nil || total != 0 {
		t.Fatal(total, err)
	}
	var got bytes.Buffer
	for {
		in, err := next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if in.Err == nil {
			fmt.Fprintln(&got, in.Formula)
			continue
		}
		if len(in.Text) > 4100 {
			t.Errorf("%d bytes are kept of a bad line", len(in.Text))
		}
		fmt.Fprintf(&got, "%.8q: %s\n", in.Text, strings.ReplaceAll(in.Err.Error(), dir, "DIR"))
	}
	want := `a
"b U": DIR/bad:2:4: expected a formula, found the end
"\"c\xff\"": DIR/bad:3: line is not UTF-8
"((((((((": DIR/bad:4:5001: expected a formula, found the end
d
"": DIR:1: read DIR: is a directory
Ge
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
