package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/docpage"
)

// TestJSONPage follows docs/json.md with the commands that need jq, which TestDocs leaves out.
func TestJSONPage(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("needs jq, which .ci/run installs")
	}
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.ReplaceAll(string(text), "\n    jq ", "\n    $ jq ")
	if all == string(text) {
		t.Error("docs/json.md has no command with jq")
	}
	steps, err := docpage.Read(all)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	link(t, dir)
	follow(t, steps, dir)
}
