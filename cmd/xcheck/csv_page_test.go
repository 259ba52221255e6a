package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestCSVPage: the tables of docs/csv.md have each column that a run can write, and no others.
func TestCSVPage(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/csv.md"))
	listed := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			for _, column := range codes(cells[1]) {
				listed[column] = true
			}
		}
	}
	self := program()
	cmd := exec.Command(self, "run", "-f", "a U b", "--no-found", "--csv", "--strength", "--ambiguous", "--automata", "--csv-more")
	cmd.Env = docsEnv(t.TempDir())
	out := must.Get(cmd.Output())
	header := must.Get(csv.NewReader(bytes.NewReader(out)).Read())
	for _, column := range header {
		if !listed[column] {
			t.Errorf("docs/csv.md misses %s", column)
		}
		delete(listed, column)
	}
	for column := range listed {
		t.Errorf("docs/csv.md has %s, but the CSV has not", column)
	}
}
