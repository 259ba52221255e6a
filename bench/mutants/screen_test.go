//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// A screen keeps mutants that print something else than the original, or less.
func TestScreen(t *testing.T) {
	program := func(name, script string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const copies = `exec sed 's/$/ --END--/'`
	s, err := newScreen(context.Background(), program("original", copies))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, script string
		keeps        bool
	}{
		{"the same", copies, false},
		{"more at the end", `sed 's/$/ --END--/'; echo`, false},
		{"another operator", `exec sed 's/U/R/; s/$/ --END--/'`, true},
		{"an early end", `exec sed 's/$/ --END--/; 300q'`, true},
		{"nothing", `exit 3`, true},
	} {
		keeps, err := s.keeps(context.Background(), program("mutant", c.script), "any")
		if err != nil || keeps != c.keeps {
			t.Errorf("%s: kept %t, want %t; error %v", c.name, keeps, c.keeps, err)
		}
	}
}
