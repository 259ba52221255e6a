//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestCommands makes a mutant, and runs generators on it and on the seeded bugs, as the record of
// mutants does. A campaign does so, as it builds programs.
func TestCommands(t *testing.T) {
	if !campaign.Whole() {
		return
	}
	dir := t.TempDir()
	mutants, raw := filepath.Join(dir, "mutants"), filepath.Join(dir, "first.csv")
	t.Chdir("../..")
	if err := compile(t.Context(), ".", filepath.Join(dir, "xcheck"), "./cmd/xcheck"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, args := range [][]string{
		{"make", "-n", "1", "-seed", "2", mutants},
		{"run", "-for", "100ms", "-seeds", "1", "-raw", raw, mutants, "guided:", "uniform: --ap 3 --size 1..12"},
		{"run", "-hard", raw, "-for", "100ms", "-seeds", "1", mutants, "guided:", "swarm: --no-guide"},
	} {
		if err := command(t.Context(), args); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
	}
}
