package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/docpage"
)

// TestJSONPages follows pages with the commands that need jq, which TestDocs leaves out.
func TestJSONPages(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("needs jq, which .ci/run installs")
	}
	for page := range campaign.Sample(slices.Values([]string{"json.md", "paper.md"}), 2) {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.ReplaceAll(string(text), "\n    jq ", "\n    $ jq ")
		if all == string(text) {
			t.Errorf("docs/%s has no command with jq", page)
		}
		steps, err := docpage.Read(all)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		link(t, dir)
		follow(t, steps, dir)
	}
}
