package session

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// stored returns results without what is not stored.
func stored(results []outcome.Result) []outcome.Result {
	results = slices.Clone(results)
	for i := range results {
		results[i].Ran, results[i].Said = "", ""
	}
	return results
}

// comparable returns cases without what is different in each run, or not stored.
func comparable(cases []*outcome.Case) (list []outcome.Case) {
	for _, c := range cases {
		c := *c
		c.Results, c.Witnesses = stored(c.Results), nil
		for i := range c.Results {
			r := &c.Results[i]
			r.Seconds, r.CPU, r.MaxRSS, r.Proved, r.Unproved = 0, 0, 0, false, "" // which depend on time
		}
		list = append(list, c)
	}
	return list
}

// TestResume interrupts a run after some numbers of cases, or after each in a campaign. It resumes, and then has the same cases
// and the same totals as one that was not interrupted. What was done is not done again.
func TestResume(t *testing.T) {
	var whole recorder
	must.Get(Run(context.Background(), planOf(t, []string{right, wrong}, tautologies...), &whole))
	for stop := range campaign.Sample(slices.Values([]int{1, 2, 4, 3}), 2) {
		file := filepath.Join(t.TempDir(), "h.db")
		plan := func() *Plan {
			p := planOf(t, []string{right, wrong}, tautologies...)
			p.Config.History.File, p.Resume = file, true
			p.Config.Limits.Jobs = 1
			return p
		}
		ctx, cancel := context.WithCancel(context.Background())
		first := &recorder{}
		first.each = func() error {
			if len(first.cases) == stop {
				cancel()
			}
			return nil
		}
		start := time.Now()
		result, err := Run(ctx, plan(), first)
		if err != nil || result.Status != outcome.ExitInterrupted || !first.summary.Counts.Interrupted {
			t.Fatalf("interrupted after %d: %v, %+v", stop, err, result)
		}
		if took := time.Since(start); took > 5*time.Minute {
			t.Errorf("it took %v to end", took)
		}
		second := &recorder{}
		p := plan()
		var notes []string
		p.Note = func(text string) { notes = append(notes, text) }
		result, err = Run(context.Background(), p, second)
		if err != nil || result.Status != outcome.ExitFailed || len(notes) != 1 || !strings.HasPrefix(notes[0], "resuming run 1 of "+file) {
			t.Fatalf("resumed after %d: %v, %+v, %q", stop, err, result, notes)
		}
		if !reflect.DeepEqual(comparable(second.cases), comparable(whole.cases)) {
			t.Errorf("resumed after %d: the cases differ", stop)
		}
		for i, c := range first.cases {
			if !reflect.DeepEqual(stored(c.Results), second.cases[i].Results) {
				t.Errorf("resumed after %d: case %d was done again", stop, i)
			}
		}
		// It has ended: the next one is another run, which replays what failed.
		third := &recorder{}
		p = plan()
		if result, err = Run(context.Background(), p, third); err != nil || result.Summary.Regression.Run != 2 || !third.cases[0].Replayed {
			t.Errorf("after the end: %v, %+v", err, result)
		}
	}
}

// broken is a Sink that writes something and fails: at its end, or before.
type broken struct {
	w     io.Writer
	atEnd bool
}

func (b broken) Case(*outcome.Case, report.News) error {
	io.WriteString(b.w, "half")
	if b.atEnd {
		return nil
	}
	return io.ErrShortWrite
}

func (b broken) End(*report.Summary) error { return io.ErrShortWrite }

// TestReportFails: a report that fails leaves the file as it was, and the run can resume.
func TestReportFails(t *testing.T) {
	html := report.FormatOf("html")
	working := html.New
	defer func() { html.New = working }()
	for _, atEnd := range []bool{true, false} {
		dir := t.TempDir()
		file, page := filepath.Join(dir, "h.db"), filepath.Join(dir, "page")
		must.Do(os.WriteFile(page, []byte("old"), 0o666))
		night := func(make func(io.Writer, report.Options) report.Sink) error {
			html.New = make
			p := planOf(t, []string{right}, tautologies...)
			p.Config.History.File, p.Resume = file, true
			p.Config.Output.Report("html", page)
			_, err := Run(context.Background(), p)
			return err
		}
		err := night(func(w io.Writer, _ report.Options) report.Sink { return broken{w, atEnd} })
		if text := must.Get(os.ReadFile(page)); !errors.Is(err, io.ErrShortWrite) || string(text) != "old" {
			t.Errorf("at the end %v: %q, %v", atEnd, text, err)
		}
		must.Do(night(working))
		s := must.Get(history.OpenExisting(context.Background(), file))
		defer s.Close()
		if runs := must.Get(s.Runs(context.Background())); len(runs) != 1 || !runs[0].Finished || !strings.HasPrefix(string(must.Get(os.ReadFile(page))), "<!DOCTYPE html>") {
			t.Errorf("resumed: %+v", runs)
		}
	}
}

// TestManyPropositions: every report has automata over as many propositions as are read, though 2^1000
// edges are more than a short number can count.
func TestManyPropositions(t *testing.T) {
	for _, n := range []int{1, 64, 65, 127, 128, 200, 1000} {
		dir := t.TempDir()
		var props, hoa, numbers []string
		for i := range n {
			props, hoa = append(props, fmt.Sprint("p", i)), append(hoa, fmt.Sprintf("%q", fmt.Sprint("p", i)))
			numbers = append(numbers, fmt.Sprint(i))
		}
		must.Do(os.WriteFile(filepath.Join(dir, "hoa"), fmt.Appendf(nil, "HOA: v1 States: 1 Start: 0 AP: %d %s Acceptance: 0 t --BODY-- State: 0 [%s] 0 [!0] 0 --END--", n, strings.Join(hoa, " "), strings.Join(numbers, "|")), 0o666))
		read := " cat " + filepath.Join(dir, "hoa") + "; : %F"
		p := planOf(t, []string{"{many}" + read, "{more}" + read, fails}, "F("+strings.Join(props, " | ")+")")
		p.Config.History.File, p.Config.Checks.NoChecks = filepath.Join(dir, "h.db"), true
		texts := make([]bytes.Buffer, len(report.Formats()))
		var sinks []report.Sink
		for i, f := range report.Formats() {
			sinks = append(sinks, f.New(&texts[i], report.Options{}))
		}
		result, err := Run(context.Background(), p, sinks...)
		if err != nil || result.Summary.Translators[0].Statuses[outcome.OK] != 1 {
			t.Errorf("%d propositions: %v, %+v", n, err, result.Summary.Translators[0])
		}
		for i, f := range report.Formats() {
			if text := texts[i].String(); !strings.Contains(text, "many") || strings.Contains(text, "+Inf") {
				t.Errorf("%d propositions, %s: no translator, or an infinite number: %s", n, f.Name, text)
			}
		}
		s := must.Get(history.OpenExisting(context.Background(), p.Config.History.File))
		defer s.Close()
		must.Get(WriteSite(context.Background(), s, filepath.Join(dir, "site"), func(text string) { t.Error(text) }))
	}
}

// TestResumeOther: a run resumes only with the same configuration. With other versions, it begins again.
func TestResumeOther(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.db")
	resume := func(change func(*Plan)) (*Result, []string, error) {
		p := planOf(t, []string{right}, tautologies...)
		p.Config.History.File, p.Resume = file, true
		var notes []string
		p.Note = func(text string) { notes = append(notes, text) }
		p.Tools[0].Version, p.Tools[0].VersionFlag = "1", "--version"
		change(p)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		result, err := Run(ctx, p, &recorder{each: func() error { cancel(); return nil }})
		return result, notes, err
	}
	for _, c := range []struct {
		name   string
		change func(*Plan)
		note   string
		err    string
	}{
		{"the first run", func(*Plan) {}, "starting run 1", ""},
		{"the same", func(*Plan) {}, "resuming run 1", ""},
		{"more words", func(p *Plan) { p.Config.Checks.Words++ }, "starting run 2", ""},
		{"another name", func(p *Plan) { p.Config.History.Name = "x" }, "starting run 3", ""},
		{"another shard", func(p *Plan) { p.Shard = Shard{1, 2} }, "starting run 4", ""},
		{"an unknown version", func(p *Plan) { p.Tools[0].Version = "" }, "resuming run 1", ""},
		{"another version", func(p *Plan) { p.Tools[0].Version = "2" }, "resuming run 1 of " + file + ": right changed since it started", ""},
		{"an appended report", func(p *Plan) { p.Config.Output.Report("csv", ">>x.csv") }, "", "--resume rewrites reports"},
	} {
		_, notes, err := resume(c.change)
		if got := errorText(err); (c.err == "") != (err == nil) || !strings.Contains(got, c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := strings.Join(notes, "; "); !strings.HasPrefix(got, c.note) {
			t.Errorf("%s: notes %q, want %q", c.name, got, c.note)
		}
	}
}

// TestResumeNextNight: a run until 06:00 that was killed resumes until 06:00. After that, the same
// command is the next night, unless the run has a name.
func TestResumeNextNight(t *testing.T) {
	for _, x := range []struct {
		age  time.Duration // of the run that was killed
		name string
		note string
	}{
		{0, "", "resuming run 1 of "},
		{25 * time.Hour, "", "starting run 2 of "},
		{25 * time.Hour, "monday", "resuming run 1 of "},
	} {
		file := filepath.Join(t.TempDir(), "h.db")
		until := configs.Until(time.Now().Add(-time.Hour).Format("15:04:05")) // in 23 hours
		night := func() *Plan {
			p := planOf(t, []string{right})
			r := *configs.Default().Formulas.Random
			r.Number, r.Until = 3, until
			p.Config.Formulas.Random = &r
			p.Config.History.File, p.Config.History.Name, p.Resume = file, x.name, true
			p.Config.Limits.Jobs = 1
			return p
		}
		ctx, cancel := context.WithCancel(context.Background())
		must.Get(Run(ctx, night(), &recorder{each: func() error { cancel(); return nil }}))
		db := must.Get(sql.Open("sqlite", file))
		must.Get(db.Exec("UPDATE runs SET started = ?", time.Now().UTC().Add(-x.age).Format("2006-01-02T15:04:05.000000000Z")))
		must.Do(db.Close())
		next := night()
		var notes []string
		next.Note = func(text string) { notes = append(notes, text) }
		must.Get(Run(context.Background(), next, &recorder{}))
		if len(notes) != 1 || !strings.HasPrefix(notes[0], x.note) {
			t.Errorf("%v, %q: %q, want %s…", x.age, x.name, notes, x.note)
		}
	}
}

// TestMergeWhole: shards that are merged are the run that was done in one go.
func TestMergeWhole(t *testing.T) {
	dir := t.TempDir()
	store := func(name string, shard Shard) string {
		file := filepath.Join(dir, name)
		p := planOf(t, []string{right, wrong}, tautologies...)
		p.Config.History.File, p.Config.History.Name, p.Shard = file, "x", shard
		must.Get(Run(context.Background(), p))
		return file
	}
	whole := store("whole.db", Shard{})
	var parts []string
	for i := 1; i <= 3; i++ {
		parts = append(parts, store(string(rune('0'+i))+".db", Shard{i, 3}))
	}
	into := filepath.Join(dir, "all.db")
	merged, err := Merge(context.Background(), into, parts[:2]...)
	if err != nil || len(merged.Unions) != 1 || lacking(merged.Unions[0]) != "shard 3 of 3 is missing" {
		t.Fatalf("two of three: %v, %+v", err, merged)
	}
	if merged, err = Merge(context.Background(), into, parts...); err != nil || lacking(merged.Unions[0]) != "" {
		t.Fatalf("all: %v, %+v", err, merged)
	}
	read := func(file string) (cases []*outcome.Case, status int) {
		s := must.Get(history.Open(context.Background(), file))
		defer s.Close()
		info := must.Get(s.Find(context.Background(), "last"))
		rest, err := Totals(info)
		if err != nil || rest.Cut || int(rest.Counts.Status) != *info.Status {
			t.Fatalf("totals %+v, %v", rest, err)
		}
		must.Do(s.Cases(context.Background(), info.Run, func(c *outcome.Case) error { cases = append(cases, c); return nil }))
		return cases, *info.Status
	}
	want, wantStatus := read(whole)
	got, status := read(into)
	if status != wantStatus || !reflect.DeepEqual(comparable(got), comparable(want)) {
		t.Errorf("status %d, want %d; %d cases, want %d", status, wantStatus, len(got), len(want))
	}
}

// TestProvenance: results tell which process made them. A run that was interrupted and resumed has
// both, the first start first; so has the history, also of a run that was killed.
func TestProvenance(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.db")
	host, _ := os.Hostname()
	begun := time.Now()
	start := func(command string, stop bool) *report.Summary {
		t.Helper()
		p := planOf(t, []string{right}, tautologies...)
		p.Config.History.File, p.Resume, p.Command = file, true, command
		p.Config.Limits.Jobs, p.Tools[0].Version = 1, "right 1.0"
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		result, err := Run(ctx, p, &recorder{each: func() error {
			if stop {
				cancel()
			}
			return nil
		}})
		if err != nil || (result.Status == outcome.ExitInterrupted) != stop {
			t.Fatalf("%s: %v, %+v", command, err, result)
		}
		return result.Summary
	}
	check := func(list []report.Process, commands ...string) {
		t.Helper()
		if len(list) != len(commands) {
			t.Fatalf("%d processes, want %d: %+v", len(list), len(commands), list)
		}
		for i, p := range list {
			if p.Command != commands[i] || p.Host != host || p.Version != version.Own() || p.Seed != nil || p.Hash == "" || p.Hash != list[0].Hash ||
				p.Started.Before(begun.Add(-time.Millisecond)) || i > 0 && !p.Started.After(list[i-1].Started) ||
				len(p.Translators) != 1 || p.Translators[0] != (report.ToolVersion{Name: "right", Version: "right 1.0"}) {
				t.Errorf("process %d is %+v", i, p)
			}
		}
	}
	check(start("one", true).Provenance, "one")
	check(start("two", true).Provenance, "one", "two")

	store := must.Get(history.Open(t.Context(), file))
	info := must.Get(store.Find(t.Context(), "last"))
	for _, killed := range []bool{false, true} {
		if killed {
			info.Totals = nil
		}
		rest := must.Get(Totals(info))
		check(rest.Provenance, "one", "two")
	}
	must.Do(store.Close())
	all := start("three", false).Provenance
	check(all, "one", "two", "three")
	if all[0].Hash != info.Hash {
		t.Errorf("the hash is %s, and in the history %s", all[0].Hash, info.Hash)
	}
	check(start("four", false).Provenance, "four")
}

// TestProvenanceMerged: a run that was merged from shards has the processes of all of them.
func TestProvenanceMerged(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for part := range 2 {
		p := planOf(t, []string{right}, tautologies...)
		p.Shard = Shard{part + 1, 2}
		p.Config.History.File = filepath.Join(dir, p.Shard.String()[:1])
		files = append(files, p.Config.History.File)
		must.Get(Run(t.Context(), p))
	}
	into := filepath.Join(dir, "all.db")
	must.Get(Merge(t.Context(), into, files...))
	records, end, err := StoredRecords(t.Context(), into, []string{"last"}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	rest, err := records[0].Read(t.Context(), func(*outcome.Case) error { return nil })
	if err != nil || len(rest.Provenance) != 2 || rest.Provenance[0].Shard != "1/2" || rest.Provenance[1].Shard != "2/2" {
		t.Errorf("%+v, %v", rest.Provenance, err)
	}
}

var update = flag.Bool("update", false, "write testdata/stored.txt")

// everything is a plan and its options in which nothing has its zero value, so that each field is in
// the text that is stored.
func everything(t *testing.T) (*Plan, *cross.Options) {
	t.Helper()
	c := &configs.Config{
		Formulas: configs.Formulas{Inline: []string{"Ga"}, Syntax: ltl.LBT, Patterns: []string{"dac"},
			Files: []configs.File{{Path: "f.csv", Syntax: ltl.Spin, Column: -2}}, AllowDups: true, Lenient: true,
			Random: &configs.Random{Number: 1, For: 2, Until: "06:00", Seeded: true, Deadline: time.Unix(3, 0), RandomOptions: ltl.RandomOptions{
				Seed: 4, Props: []string{"p"}, MinSize: 5, MaxSize: 6, Weights: map[ltl.Op]int{ltl.OpUntil: 7, ltl.OpNext: 8}, Past: true, Boolean: true,
				WeakFairness: true, Simplify: 9, KeepTrivial: true, KeepDuplicates: true}}},
		Checks:  configs.Checks{Timeouts: configs.TimeoutsIgnore, IgnoreExecutionFailures: true, NoComplement: true, Grind: true},
		History: configs.History{FailOnNew: true, Baseline: "monday"},
	}
	tools, err := newTools([]configs.Translator{{Name: "mine", Command: "mine", Mode: translators.Batch, Syntax: ltl.Wring, Processes: 10, Format: "lbtt",
		Limits: translators.Limits{Timeout: 11, CPU: 12, MaxOutput: 13, Memory: 14, AddressSpace: 15, OpenFiles: 16}, Env: map[string]string{"KEY": "secret"},
		CleanEnv: true, Reference: true, Without: ltl.PastOps, Relabel: true}, {Name: "ours", Builtin: "gpvw", Mode: translators.Stream}}, configs.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{Config: c, Tools: tools, StrictFailures: true, IgnoreFailures: true,
		Rerun: Rerun{Config: "n.toml", Tools: []string{"mine %s"}, References: []string{"right %f"}, Relabel: true, Timeout: "5s"}}
	return p, &cross.Options{Reference: translate.Of, Properties: true, AllPairs: true, NoComplement: true, NoChecks: true, Words: 17, Prove: "all", Exhaustive: 3,
		Products: cross.Products{Number: 18, States: 19, Density: 0.25, Seed: 20}, Statistics: cross.Statistics{Strength: true, Ambiguous: true, Automata: true},
		Limits: omega.Limits{Macrostates: 21, ProductStates: 22, Memory: 23, Time: 24, WordSteps: 25}, Complement: "rank"}
}

// TestStored compares the texts that a history has of a run with those that earlier versions have stored. If
// one changed, no earlier run would resume: do not update the file for another reason than a new field.
func TestStored(t *testing.T) {
	p, o := everything(t)
	configuration := must.Get(p.configuration(o))
	settings := must.Get(p.settings(nil, nil))
	p.Automata = &Automata{From: []string{"-F a.hoa"}, Complemented: true}
	ofAutomata := must.Get(p.configuration(o))
	got := string(configuration) + "\n" + string(settings) + "\n" + string(ofAutomata) + "\n"
	const golden = "testdata/stored.txt"
	if *update {
		must.Do(os.WriteFile(golden, []byte(got), 0o666))
	}
	want := must.Get(os.ReadFile(golden))
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("what is stored (-want +got):\n%s", diff)
	}
	read := must.Get(readSettings(&history.Info{Settings: settings}))
	if !reflect.DeepEqual(read.Rerun, &p.Rerun) || read.Baseline != "monday" || read.rules().Timeouts != configs.TimeoutsIgnore {
		t.Errorf("settings read again: %+v", read)
	}
}

// TestStoredSeed: a seed that was drawn does not decide whether a run is the same.
func TestStoredSeed(t *testing.T) {
	text := func(seed uint64, seeded bool) string {
		p, o := everything(t)
		p.Config.Formulas.Random.Seed, p.Config.Formulas.Random.Seeded, o.Products.Seed = seed, seeded, seed
		text := must.Get(p.configuration(o))
		return string(text)
	}
	if text(1, false) != text(2, false) {
		t.Error("a seed that was drawn is stored with the configuration")
	}
	if text(1, true) == text(2, true) || text(1, true) == text(1, false) {
		t.Error("a seed that the user chose is not")
	}
}

// TestRerunChosen: Choose sets which translators the command has.
func TestRerunChosen(t *testing.T) {
	p := &Plan{Config: configs.Default()}
	must.Do(p.Choose(&Choice{Commands: []string{"{a} cat %F"}, NoBuiltin: true}))
	cause := &outcome.Cause{}
	cause.Translators, cause.Formula = []string{"a"}, "Ga"
	if got, want := p.Rerun.command(cause), "xcheck run -t '{a} cat %F' --only 'a' -f 'Ga'"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestRerunCommand: the command has no more translators than it needs.
func TestRerunCommand(t *testing.T) {
	for _, test := range []struct {
		about string
		rerun Rerun
		run   []string
		want  string
	}{
		{"of two", Rerun{Tools: []string{"{a} x %f", "{b} y %f"}}, []string{"b"},
			"xcheck run -t '{b} y %f' --only 'b' -f 'a'"},
		{"named after the command", Rerun{Tools: []string{"x -a %f", "x -b %f"}}, []string{"x -b %f"},
			"xcheck run -t 'x -b %f' --only 'x -b %f' -f 'a'"},
		{"a known one", Rerun{Tools: []string{"ltl2ba", "ltl3ba -M0"}}, []string{"ltl3ba -M0"},
			"xcheck run -t 'ltl3ba -M0' --only 'ltl3ba -M0' -f 'a'"},
		{"the second of a name", Rerun{Tools: []string{"{a} x %f", "{b} y %f", "{a} z %f"}}, []string{"a#2"},
			"xcheck run -t '{a} x %f' -t '{a} z %f' --only 'a#2' -f 'a'"},
		{"a name that has a number", Rerun{Tools: []string{"{a#2} x %f", "{a} y %f", "{a} z %f"}}, []string{"a#3"},
			"xcheck run -t '{a#2} x %f' -t '{a} y %f' -t '{a} z %f' --only 'a#3' -f 'a'"},
		{"a reference", Rerun{Tools: []string{"{a} x %f"}, References: []string{"{r} y %f"}}, []string{"a"},
			"xcheck run -t '{a} x %f' --only 'a' -f 'a'"},
		{"the reference is wrong", Rerun{Tools: []string{"{a} x %f"}, References: []string{"{r} y %f"}}, []string{"r"},
			"xcheck run --reference '{r} y %f' --only 'r' -f 'a'"},
		{"built-in", Rerun{Tools: []string{"{a} x %f"}}, []string{"gpvw"},
			"xcheck run --only 'gpvw' -f 'a'"},
		{"kept alive", Rerun{Tools: []string{"{a} x %f"}, Streams: []string{"{b} y", "{c} z"}, Syntaxes: []string{"b=lbt", "c=spin"}, Formats: []string{"b=hoa"}}, []string{"b"},
			"xcheck run --stream '{b} y' --only 'b' --tool-syntax 'b=lbt' --tool-format 'b=hoa' -f 'a'"},
		{"options", Rerun{Config: "c.toml", Tools: []string{"{a} x %f"}, With: []string{"a=-B", "b=-C", "d=-D"}}, []string{"a", "d"},
			"xcheck run -c 'c.toml' -t '{a} x %f' --only 'a' --only 'd' --with-options 'a=-B' --with-options 'd=-D' -f 'a'"},
	} {
		cause := &outcome.Cause{Record: outcome.Record{Translators: test.run, Formula: "a"}}
		if got := test.rerun.command(cause); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.about, got, test.want)
		}
	}
	long := "a" + strings.Repeat(" & a", 40_000) // longer than an argument may be
	if got, want := (&Rerun{}).command(&outcome.Cause{Record: outcome.Record{Formula: long}}), "printf '%s\\n' '"+long+"' | xcheck run -F -"; got != want {
		t.Errorf("a long formula: %.40s … %s", got, got[len(got)-40:])
	}
}

func TestShardList(t *testing.T) {
	for _, c := range []struct {
		shards []int
		want   string
	}{
		{nil, ""},
		{[]int{3}, "3"},
		{[]int{1, 2, 3, 4}, "1, 2, 3, 4"},
		{[]int{1, 2, 3, 4, 5}, "1..5"},
		{[]int{1, 3, 4, 6, 7, 8, 9, 10, 12}, "1, 3, 4, 6..10, 12"},
	} {
		if got := shardList(c.shards); got != c.want {
			t.Errorf("%v: %q, want %q", c.shards, got, c.want)
		}
	}
}

// TestWorkedShards runs the examples in the comments on shards.
func TestWorkedShards(t *testing.T) {
	shard := Shard{2, 4}
	if n := shard.Count(10); n != 3 {
		t.Errorf("%d of 10 inputs", n)
	}
	union := &history.Union{Missing: []int{2}, Unfinished: []int{3, 4}}
	union.Parts = []history.Part{{Shards: 4}}
	worked.Shows(t, "record.go", lacking(union))

	left := 10
	f := &feed{ctx: t.Context(), shard: shard, number: -1, period: &period{}, inputs: func(context.Context) (cross.Input, error) {
		if left--; left < 0 {
			return cross.Input{}, io.EOF
		}
		return cross.Input{}, nil
	}}
	for _, want := range []struct{ number, skipped int }{{1, 1}, {5, 3}, {9, 3}} {
		in, err := f.ofShard()
		if err != nil || f.number != want.number || in.Skipped != want.skipped {
			t.Errorf("input %d, %d skipped, %v; want %d", f.number, in.Skipped, err, want)
		}
	}
	if _, err := f.ofShard(); err != io.EOF {
		t.Error(err)
	}
}

// TestWorkedRules runs the examples in the comment of wrong: a timeout counts if it is an error.
func TestWorkedRules(t *testing.T) {
	c := outcome.NewCase(0, "F a", nil)
	c.Results = []outcome.Result{{Status: outcome.Timeout}}
	c.Undecided = []outcome.Undecided{{}}
	for timeouts, want := range map[configs.Timeouts]bool{configs.TimeoutsFail: false, configs.TimeoutsIgnore: false, configs.TimeoutsError: true} {
		l := &rules{}
		l.Timeouts = timeouts
		if got := l.wrong(c); got != want {
			t.Errorf("%v: wrong is %v", timeouts, got)
		}
	}
}
