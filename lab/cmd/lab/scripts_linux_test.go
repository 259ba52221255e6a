package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestBenchScripts runs the scripts that measure, with few formulas. Spot's ltl2tgba is a program here
// that always has the same answer, and there are no other translators. Each script builds xcheck, so
// without a campaign bash only reads them.
func TestBenchScripts(t *testing.T) {
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "ltl2tgba"), []byte("#!/bin/sh\necho 3 5\n"), 0o755))
	for _, x := range []struct{ command, want string }{
		{"lab/bench/sizes.sh eh", "| eh | 24 | 82 | 72 | 1.14 | 211 | 120 |"},
		{"lab/bench/gillard.sh 1s -n 1", "2 couvreur "},
		{"lab/bench/throughput.sh 2 1", "median of the ratios"},
		{"lab/bench/memory.sh 1000", "1000 formulas checked, no disagreement"},
	} {
		t.Run(x.command, func(t *testing.T) {
			t.Parallel()
			if !campaign.Whole() {
				script, _, _ := strings.Cut(x.command, " ")
				if out, err := exec.Command("bash", "-n", "../../../"+script).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
				return
			}
			cmd := exec.Command("bash", "-c", x.command)
			cmd.Dir = "../../.."
			cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			// memory.sh needs more formulas for its verdict.
			if out, err := cmd.CombinedOutput(); !strings.Contains(string(out), x.want) {
				t.Errorf("%v: no %q in\n%s", err, x.want, out)
			}
		})
	}
}
