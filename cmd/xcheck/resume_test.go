package main

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestResumeLate resumes a run after its deadline. It reports every formula that was started,
// also those that were not finished, and starts no others.
func TestResumeLate(t *testing.T) {
	const number = 30
	dir := t.TempDir()
	file, document := filepath.Join(dir, "history.db"), filepath.Join(dir, "run.json")
	args := []string{"run", "--no-reference", "-n", "30", "-t", "{one} cat %F", "--no-builtin", "--no-checks", "--history=" + file, "--json=" + document, "--resume", "--for=1h"}
	night := func(want outcome.ExitStatus) int {
		t.Helper()
		var out, errs bytes.Buffer
		if got := run(args, nil, &out, &errs); got != want {
			t.Fatalf("status %d, want %d: %s%s", got, want, errs.String(), out.String())
		}
		var report struct{ Cases []struct{ Index int } }
		readJSON(t, document, &report)
		for i, c := range report.Cases {
			if c.Index != i {
				t.Errorf("case %d is where %d is expected", c.Index, i)
			}
		}
		return len(report.Cases)
	}
	if got := night(outcome.ExitIncomplete); got != number {
		t.Fatalf("%d cases, want %d", got, number)
	}
	// It was killed: one case was not done then, and the last one not begun.
	db := must.Get(sql.Open("sqlite", "file:"+file+"?_pragma=foreign_keys(ON)"))
	_, err := db.Exec("DELETE FROM cases WHERE number IN (10, 29); UPDATE runs SET ended = NULL, totals = NULL, spent = 7200")
	must.Do(db.Close())
	if err != nil {
		t.Fatal(err)
	}
	if got := night(outcome.ExitIncomplete); got != number-1 {
		t.Errorf("%d cases after it went on, want %d", got, number-1)
	}
}
