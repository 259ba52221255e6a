package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestTutorial: docs/tutorial.md finds a bug, makes a change, and ends with PASS. (TestDocs follows it.)
func TestTutorial(t *testing.T) {
	steps := readPage(t, "../../docs/tutorial.md")
	change := slices.IndexFunc(steps, func(s docStep) bool { _, ok := s.(*docChange); return ok })
	if change < 0 {
		t.Fatal("the tutorial changes nothing")
	}
	found := docCommands(steps[:change])
	if !slices.ContainsFunc(found, func(c *docCommand) bool { return strings.Contains(c.Output, "\nFAIL: ") }) {
		t.Error("no run before the change fails")
	}
	fixed := docCommands(steps[change:])
	if last := fixed[len(fixed)-1]; !strings.HasPrefix(last.Output, "...\nPASS: ") {
		t.Errorf("the last command is %s, which prints %s", last.Text, last.Output)
	}
}

// followTutorial follows the page literally, in a fresh clone of this repository, which is built from scratch.
func followTutorial(t *testing.T, steps []docStep) {
	t.Helper()
	s := &docSession{Dir: t.TempDir(), Env: cloneEnv(t)}
	for _, step := range steps {
		must.Do(step.Do(s))
	}
	// The program on the page has no other bug than the one that the page mends.
	more := docCommand{
		Text:   "./xcheck run -t '{mytool} ./mytool %[WMei^]l' -n 1000 --seed 7 --size 1..10",
		Output: "...\nPASS: 1000 formulas checked, no disagreement...",
	}
	if err := more.Do(s); err != nil {
		t.Error(err)
	}
}

// cloneEnv returns an environment in which git clones this repository instead of the one on GitHub,
// and that has no xcheck on PATH other than the one that a page builds.
func cloneEnv(t *testing.T) []string {
	t.Helper()
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Fatalf("git rev-parse: %v", err)
	}
	return append(os.Environ(),
		asMain+"=",
		"GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url."+filepath.ToSlash(strings.TrimSpace(string(top)))+".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/xcheck-ltl/xcheck")
}
