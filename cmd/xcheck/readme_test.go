package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestReadme: the README is short, links to every page of docs/ and to nothing that is missing,
// and its commands have only flags that exist. (.ci/prose looks at its sentences.)
func TestReadme(t *testing.T) {
	bytes, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(bytes)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 150 {
		t.Errorf("%d lines: expected at most 150", len(lines))
	}
	root := (&app{}).root(nil)
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("line %d has %d columns: expected at most 100", i+1, n)
		}
		args, ok := strings.CutPrefix(line, "    xcheck ")
		if !ok {
			continue
		}
		words := strings.Fields(quoted.ReplaceAllString(args, "…"))
		command, _, err := root.Find(words)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, word := range words {
			name, _, _ := strings.Cut(word, "=")
			if long, ok := strings.CutPrefix(name, "--"); ok && command.Flags().Lookup(long) == nil {
				t.Errorf("%s: %s has no flag %s", line, command.CommandPath(), name)
			}
		}
	}
	linked := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:\]\(|src="|srcset=")([^)"#]+)`).FindAllStringSubmatch(text, -1) {
		linked[m[1]] = true
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
			t.Error(err)
		}
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if name := "docs/" + filepath.Base(page); !linked[name] {
			t.Errorf("the README does not link to %s", name)
		}
	}
}
