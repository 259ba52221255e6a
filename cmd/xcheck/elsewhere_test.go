package main

import (
	_ "embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// commandsElsewhere has a line for each command of a page that TestDocs and TestMeasurements can't
// run, such as one for a cluster: the command, a tab, and the test that runs it, or the script of CI.
//
//go:embed testdata/elsewhere.txt
var commandsElsewhere string

// elsewhere reports whether another test runs the command.
func elsewhere(command string) bool {
	return strings.Contains("\n"+commandsElsewhere, "\n"+command+"\t")
}

// TestElsewhere: the tests of commandsElsewhere exist, and a page shows each command.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	var shown strings.Builder
	for _, p := range readPages(t) {
		shown.WriteString(p.text)
	}
	tests, scripts := testSources(), testsOfRepository(t)
	for line := range strings.Lines(commandsElsewhere) {
		command, where, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Errorf("%q: expected a command, a tab and a test", line)
		}
		if !strings.Contains(shown.String(), command) {
			t.Errorf("no page shows %q", command)
		}
		if strings.HasPrefix(where, "TestScripts/") {
			if !strings.Contains(scripts.find(where), command) {
				t.Errorf("%s does not run %s", where, command)
			}
		} else if !strings.Contains(tests, "func "+where+"(") && !strings.Contains(tests, where) {
			t.Errorf("%s: no test %s", command, where)
		}
	}
}

// testSources returns the text of all tests, and of what CI runs.
var testSources = sync.OnceValue(func() string {
	var text strings.Builder
	must.Do(filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "elsewhere_test.go") || strings.Contains(filepath.ToSlash(path), "/.ci/") && d.Type().IsRegular() {
			file, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text.Write(file)
		}
		return nil
	}))
	return text.String()
})
