package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestKillGuided kills a run with signal 9 when its guide is at work: its translator has answered 499
// calls, and does not answer the next. The run that resumes it, with another -j, has the formulas,
// parents and reports of one that nobody killed, but for times, and keeps the same formulas.
func TestKillGuided(t *testing.T) {
	campaign.Only(t)
	t.Parallel()
	k := &killed{T: t, dir: t.TempDir(), marker: fmt.Sprintf("guided-%d-%d", os.Getpid(), time.Now().UnixNano()), formulas: 300}
	var err error
	if k.self, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	gate := `while IFS= read -r f; do n=$((n+1)); if [ $n = 500 ]; then until [ -e open ]; do sleep 0.1; done; fi; echo "$f"; done`
	config := fmt.Sprintf(`
[formulas.random]
number = %d
seed = 7
profile = 'small'
[[translators]]
name = 'mine'
mode = 'stream'
command = '''%s | %s -'''
env = { %s = 'U is W', GORACE = 'atexit_sleep_ms=0' }
`, k.formulas, gate, translators.Quote(k.self), seeded.Variable)
	if err := os.WriteFile(filepath.Join(k.dir, "config.toml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	open := func(folder string) {
		if err := os.MkdirAll(filepath.Join(k.dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(k.dir, folder, "open"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}

	open("undisturbed")
	cmd, stderr := k.start("undisturbed", "-j", "2")
	if cmd.Wait(); cmd.ProcessState.ExitCode() != int(outcome.ExitFailed) {
		t.Fatalf("the run ended with %v: %s", cmd.ProcessState, stderr)
	}
	k.want = k.reports("undisturbed")

	// All cases before the one that waits are written in order; 32 are under way.
	cmd, stderr = k.start("killed", "-j", "1")
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for k.written("killed") < 215 {
		select {
		case err := <-ended:
			t.Fatalf("the run ended before it was killed: %v: %s", err, stderr)
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	k.nothingLeft("killed")
	open("killed")
	cmd, stderr = k.start("killed", "-j", "2", "--resume")
	if cmd.Wait(); cmd.ProcessState.ExitCode() != int(outcome.ExitFailed) || !strings.Contains(stderr.String(), "resuming run 1") {
		t.Fatalf("the run that resumes ended with %v: %s", cmd.ProcessState, stderr)
	}
	k.compare("killed")

	parents := 0
	for _, c := range k.want["json"].(map[string]any)["cases"].([]any) {
		if c.(map[string]any)["parents"] != nil {
			parents++
		}
	}
	if parents < k.formulas/5 {
		t.Errorf("%d of %d formulas have parents", parents, k.formulas)
	}
	if got, want := keptBy(t, filepath.Join(k.dir, "killed")), keptBy(t, filepath.Join(k.dir, "undisturbed")); got != want {
		t.Errorf("the run that was killed keeps\n%s\nthe other one\n%s", got, want)
	}
}

// keptBy returns the formulas that the next run with a folder's history starts from.
func keptBy(t *testing.T, folder string) string {
	t.Helper()
	s, err := history.OpenExisting(context.Background(), filepath.Join(folder, "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Corpus(context.Background(), []string{"mine"})
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: %d formulas are kept, %v", folder, len(list), err)
	}
	return strings.Join(list, "\n")
}
