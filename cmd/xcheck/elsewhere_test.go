package main

import (
	_ "embed"
	"os"
	"strings"
	"testing"
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
	for line := range strings.Lines(commandsElsewhere) {
		command, where, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Errorf("%q: expected a command, a tab and a test", line)
		}
		if !strings.Contains(shown.String(), command) {
			t.Errorf("no page shows %q", command)
		}
		source := testsOfRepository().find(where)
		if _, err := os.Stat("../../" + where); source == "" && err != nil {
			t.Errorf("%s: no test %s", command, where)
		}
		if strings.HasPrefix(where, "TestScripts/") && !strings.Contains(source, command) {
			t.Errorf("%s does not run %s", where, command)
		}
	}
}
