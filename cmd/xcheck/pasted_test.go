package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// spotCommands are our commands in place of Spot's tools.
var spotCommands = map[string]string{"ltlcross": "xcheck run", "autcross": "xcheck aut", "ltlgrind": "xcheck grind", "randltl": "xcheck random",
	"ltlmix": "xcheck random", "randaut": "xcheck random --automata", "genltl": "xcheck patterns"}

// standIns are scripts in place of tools that the lines call. As the real ltl3ba, that one declares
// universal branching with -H1 that the automaton does not have.
var standIns = map[string]string{
	"ltl2tgba": `to=hoa
while [ $# -gt 0 ]; do
	case $1 in
	--lbtt) to=lbtt ;;
	-s) to=never ;;
	-F) exec xcheck translate -F - ;;
	-f) f=$2; shift ;;
	-*) ;;
	*) f=$1 ;;
	esac
	shift
done
xcheck translate "$f" | xcheck convert --buchi --to $to -
`,
	"ltl3ba": `case $1 in
-H1) xcheck translate --syntax spin "$3" | sed 's/^properties:/properties: univ-branch/' ;;
*) xcheck translate --syntax spin "$2" | xcheck convert --buchi --to never - ;;
esac
`,
	"autfilt": `case $1 in
--complement) xcheck complement "$2" ;;
*) cat "$2" ;;
esac
`,
}

// firstWord is a command of a pipe.
var firstWord = regexp.MustCompile(`(^| \| )(\w+)`)

// TestPasted runs the lines of docs/pasted.md. They end with the status that the page says, and with an
// error if there is one, whose message has what the page shows.
func TestPasted(t *testing.T) {
	page, err := os.ReadFile("../../docs/pasted.md")
	if err != nil {
		t.Fatal(err)
	}
	tools := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(tools, "xcheck"))
	}
	for name, script := range standIns {
		if err == nil {
			err = os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+script), 0o777)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for row := range strings.Lines(string(page)) {
		cells := strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|")
		if len(cells) != 6 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		n++
		line := strings.Trim(strings.ReplaceAll(cells[1], "\x00", "|"), " `")
		want, err := strconv.Atoi(strings.TrimSpace(cells[3]))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			testPasted(t, tools, line, want, cells[4], strings.TrimSpace(cells[2]) != strings.TrimSpace(cells[3]))
		})
	}
	if n < 60 {
		t.Errorf("the page has %d lines", n)
	}
}

func testPasted(t *testing.T, tools, line string, want int, difference string, different bool) {
	dir := t.TempDir()
	for name, text := range map[string]string{"bugs.ltl": "GFa -> GFb\na U X(b & c)\n", "in.hoa": twoAutomata} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ours := firstWord.ReplaceAllStringFunc(line, func(s string) string {
		i := strings.LastIndex(s, " ") + 1
		return s[:i] + spotCommands[s[i:]]
	})
	cmd := exec.Command("sh", "-c", ours)
	cmd.Dir, cmd.Env = dir, docsEnv(tools)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != want {
		t.Errorf("%s: status %d (%v), want %d\n%s%s", ours, got, err, want, &out, &errs)
	}
	for _, message := range codes(difference) {
		if !strings.Contains(errs.String(), message) {
			t.Errorf("%s: the message has no %q:\n%s", ours, message, &errs)
		}
	}
	if different != (strings.TrimSpace(difference) != "") {
		t.Errorf("%s: the page does not say what is different, or says it for nothing", line)
	}
	if want < 2 && strings.Contains(errs.String(), "xcheck: internal error") {
		t.Errorf("%s: %s", ours, &errs)
	}
}

// twoAutomata are the input of the tools for automata.
const twoAutomata = `HOA: v1
States: 1
Start: 0
AP: 1 "a"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
HOA: v1
States: 1
Start: 0
AP: 1 "a"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
--END--
`
