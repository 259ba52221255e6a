package session

import (
	"context"
	"database/sql"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
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
	if _, err := Run(context.Background(), planOf(t, []string{right, wrong}, tautologies...), &whole); err != nil {
		t.Fatal(err)
	}
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

// TestResumeOther: a run resumes only with the same configuration, and with the same versions.
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
		{"an unknown version", func(p *Plan) { p.Tools[0].Version = "" }, "right did not print its version in time: run 1 resumes", ""},
		{"another version", func(p *Plan) { p.Tools[0].Version = "2" }, "", "cannot resume run 1: it started with right"},
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
		if _, err := Run(ctx, night(), &recorder{each: func() error { cancel(); return nil }}); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("UPDATE runs SET started = ?", time.Now().UTC().Add(-x.age).Format("2006-01-02T15:04:05.000000000Z")); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		next := night()
		var notes []string
		next.Note = func(text string) { notes = append(notes, text) }
		if _, err := Run(context.Background(), next, &recorder{}); err != nil {
			t.Fatal(err)
		}
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
		if _, err := Run(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		return file
	}
	whole := store("whole.db", Shard{})
	var parts []string
	for i := 1; i <= 3; i++ {
		parts = append(parts, store(string(rune('0'+i))+".db", Shard{i, 3}))
	}
	into := filepath.Join(dir, "all.db")
	merged, err := Merge(context.Background(), into, parts[:2]...)
	if err != nil || len(merged.Unions) != 1 || Lacks(merged.Unions[0]) != "shard 3 of 3 is missing" {
		t.Fatalf("two of three: %v, %+v", err, merged)
	}
	if merged, err = Merge(context.Background(), into, parts...); err != nil || Lacks(merged.Unions[0]) != "" {
		t.Fatalf("all: %v, %+v", err, merged)
	}
	read := func(file string) (cases []*outcome.Case, status int) {
		s, err := history.Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		info, err := s.Find(context.Background(), "last")
		if err != nil {
			t.Fatal(err)
		}
		rest, err := Totals(info)
		if err != nil || rest.Cut || int(rest.Counts.Status) != *info.Status {
			t.Fatalf("totals %+v, %v", rest, err)
		}
		err = s.Cases(context.Background(), info.Run, func(c *outcome.Case) error { cases = append(cases, c); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return cases, *info.Status
	}
	want, wantStatus := read(whole)
	got, status := read(into)
	if status != wantStatus || !reflect.DeepEqual(comparable(got), comparable(want)) {
		t.Errorf("status %d, want %d; %d cases, want %d", status, wantStatus, len(got), len(want))
	}
}
