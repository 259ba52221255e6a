package main

import (
	"os"
	"strings"
	"testing"
)

// TestReadme: the README is short, and its commands have only flags that exist. (TestPages
// looks at its links, and .ci/prose at its sentences.)
func TestReadme(t *testing.T) {
	bytes, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(bytes), "\n"), "\n")
	if len(lines) > 150 {
		t.Errorf("%d lines: expected at most 150", len(lines))
	}
	for i, line := range lines {
		if command, ok := strings.CutPrefix(line, "    "); ok && strings.HasPrefix(command, "xcheck ") {
			if _, err := commandsOf((&app{}).root(nil), command); err != nil {
				t.Errorf("%d: %s: %v", i+1, command, err)
			}
		}
	}
}
