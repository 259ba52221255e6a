package session

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

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

	store, err := history.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := store.Find(t.Context(), "last")
	if err != nil {
		t.Fatal(err)
	}
	for _, killed := range []bool{false, true} {
		if killed {
			info.Totals = nil
		}
		rest, err := Totals(info)
		if err != nil {
			t.Fatal(err)
		}
		check(rest.Provenance, "one", "two")
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
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
		if _, err := Run(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	into := filepath.Join(dir, "all.db")
	if _, err := Merge(t.Context(), into, files...); err != nil {
		t.Fatal(err)
	}
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
