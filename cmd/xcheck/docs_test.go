package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs runs the commands of some pages, those of a page in order and in one
// folder, and compares what they print with what stands there.
func TestDocs(t *testing.T) {
	for page, least := range map[string]int{
		"aut.md":           7,
		"blame.md":         6,
		"commands.md":      10,
		"emptiness.md":     5,
		"grind.md":         3,
		"html.md":          4,
		"lint.md":          6,
		"ltlcross.md":      3,
		"nightly.md":       13,
		"options.md":       10,
		"patterns.md":      2,
		"reports.md":       5,
		"running.md":       9,
		"shortest-runs.md": 6,
		"statistics.md":    10,
		"tight.md":         6,
		"translators.md":   3,
		"triage.md":        2,
		"witnesses.md":     3,
	} {
		if ran := runPage(t, page); ran < least {
			t.Errorf("docs/%s: only %d commands found", page, ran)
		}
	}
}

// runPage runs the commands of one page, and returns how many it has.
func runPage(t *testing.T, page string) (ran int) {
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "xcheck")); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "    $ ")
		if !ok {
			continue
		}
		var want []string
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ") && !strings.HasPrefix(lines[i+1], "    $ ") {
			i++
			want = append(want, lines[i][4:])
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		got, _ := cmd.Output() // the status is 1 where the answer is the other one
		if strings.TrimRight(string(got), "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\nprints\n%s\nbut docs/%s says\n%s", command, got, page, strings.Join(want, "\n"))
		}
		ran++
	}
	return ran
}

// TestDocsComplete looks for each command, and each table of bench, in the pages on
// commands and on their JSON.
func TestDocsComplete(t *testing.T) {
	for _, page := range []string{"commands.md", "json.md"} {
		bytes, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(string(bytes)), " ")
		list := (&app{}).root(nil).Commands()
		for _, c := range list {
			list = append(list, c.Commands()...)
		}
		for _, c := range list {
			name := strings.TrimPrefix(c.CommandPath(), "xcheck ")
			if c.HasSubCommands() || name == "help" {
				continue
			}
			if !strings.Contains(text, "`"+name+"`") && !strings.Contains(text, "xcheck "+name) {
				t.Errorf("docs/%s misses %s", page, name)
			}
		}
	}
}
