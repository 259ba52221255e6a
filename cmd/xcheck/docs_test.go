package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestDocs runs the commands of each page of docs/, in order and in one folder. It compares what they
// print with what the page shows. A command stands after four spaces and a dollar
// sign; its output follows, without the dollar sign.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := make(map[string]int)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		commands := transcripts(string(text))
		ran[filepath.Base(page)] = len(commands)
		if n := len(transcriptLike.FindAll(text, -1)); n != len(commands) {
			t.Errorf("%s: %d lines look like commands, but %d are run", page, n, len(commands))
		}
		if slices.Contains(longPages, filepath.Base(page)) && !campaign.Whole() {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			link(t, dir)
			for _, c := range commands {
				c.run(t, dir)
			}
		})
	}
	if len(ran) < 20 || ran["running.md"] < 5 {
		t.Errorf("commands found: %v", ran)
	}
}

// longPages have commands that take long. A campaign runs them.
var longPages = []string{"aut.md", "nightly.md", "reports.md", "running.md", "sharding.md", "statistics.md"}

// transcriptLike matches a command of a transcript, however it is indented or fenced.
var transcriptLike = regexp.MustCompile(`(?m)^[ \t>]*\$ `)

// A transcript is a command of a page, and the output that the page shows.
type transcript struct{ command, output string }

// transcripts returns the commands of a page.
func transcripts(text string) (list []transcript) {
	var now *transcript // nil outside of a block of code
	for line := range strings.Lines(text) {
		code, ok := strings.CutPrefix(line, "    ")
		command, isCommand := strings.CutPrefix(code, "$ ")
		switch {
		case !ok:
			now = nil
		case isCommand:
			list = append(list, transcript{command: strings.TrimSpace(command)})
			now = &list[len(list)-1]
		case now != nil:
			now.output += code
		}
	}
	return list
}

// docsEnv is the environment of a command in a folder that has xcheck.
func docsEnv(dir string) []string {
	return append(os.Environ(), asMain+"="+checked, "GORACE=atexit_sleep_ms=0", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// run runs the command in the folder, which has xcheck. A command that shows nothing ends with
// status 0 or 1: an error would not show.
func (c transcript) run(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", c.command)
	cmd.Dir = dir
	cmd.Env = docsEnv(dir)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	got, err := cmd.Output()
	if strings.TrimRight(string(got), "\n") != strings.TrimRight(c.output, "\n") || c.output == "" && cmd.ProcessState.ExitCode() > 1 {
		t.Errorf("%s\nprints\n%s%s\n(%v), but the page says\n%s", c.command, got, &errs, err, c.output)
	}
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
			if c.HasSubCommands() || name == "help" || page == "json.md" && c.Flags().Lookup("json") == nil {
				continue
			}
			if !strings.Contains(text, "`"+name+"`") && !strings.Contains(text, "xcheck "+name) {
				t.Errorf("docs/%s misses %s", page, name)
			}
		}
	}
}
