package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestReadme: the README is short, and its commands run, each on three formulas. (TestPages looks
// at its links, and .ci/run at its first two commands.)
func TestReadme(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link(t, dir)
	mytool := "#!/bin/sh\nexec xcheck translate \"$2\"\n" // its first argument is --ltl
	must.Do(os.WriteFile(filepath.Join(dir, "mytool"), []byte(mytool), 0o777))
	follow(t, readPage(t, "../../README.md"), dir) // saves nightly.toml
	bytes := must.Get(os.ReadFile("../../README.md"))
	lines := strings.Split(strings.TrimSuffix(string(bytes), "\n"), "\n")
	if len(lines) > 150 {
		t.Errorf("%d lines: expected at most 150", len(lines))
	}
	ran := 0
	for _, line := range lines {
		if command, ok := strings.CutPrefix(line, "    xcheck run "); ok {
			s := &docSession{Dir: dir, Env: docsEnv(dir)}
			if err := (&docCommand{Text: "xcheck run " + command + " -n 3 >out 2>&1"}).Do(s); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			ran++
		}
	}
	if ran < 2 {
		t.Errorf("%d commands ran", ran)
	}
}
