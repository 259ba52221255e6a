package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// spotCommands are our commands in place of Spot's tools.
var spotCommands = map[string]string{"ltlcross": "xcheck run", "autcross": "xcheck aut", "ltlgrind": "xcheck grind", "randltl": "xcheck random",
	"randaut": "xcheck random --automata", "genltl": "xcheck patterns"}

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
var firstWord = lazy(`(^| \| )(\w+)`)

// A pastedLine is a command line of Spot's manuals, with the exit statuses of Spot's tool and xcheck.
type pastedLine struct {
	line         string
	spot, xcheck int
	difference   string // why they differ; what xcheck's message has if its status is 2
}

// pastedLines reads docs/pasted.txt.
func pastedLines(t *testing.T) (list []pastedLine) {
	t.Helper()
	text := must.Get(os.ReadFile("../../docs/pasted.txt"))
	for row := range strings.Lines(string(text)) {
		if strings.HasPrefix(row, "# ") {
			continue
		}
		cells := append(strings.Split(strings.TrimSuffix(row, "\n"), "\t"), "")
		if len(cells) < 4 {
			t.Fatalf("%q: expected a line and two statuses", row)
		}
		spot := must.Get(strconv.Atoi(cells[1]))
		xcheck := must.Get(strconv.Atoi(cells[2]))
		list = append(list, pastedLine{cells[0], spot, xcheck, cells[3]})
	}
	return list
}

// TestPasted runs a fifth of the lines, or in a campaign all. They end with the status that the table says, and with an error if
// there is one, whose message has what the table shows.
func TestPasted(t *testing.T) {
	t.Parallel()
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
	lines := pastedLines(t)
	for p := range campaign.Sample(slices.Values(lines), 5) {
		t.Run(p.line, func(t *testing.T) {
			t.Parallel()
			p.test(t, tools)
		})
	}
	if len(lines) != 69 {
		t.Errorf("%d lines, but docs/ltlcross.md says 69", len(lines))
	}
}

func (p pastedLine) test(t *testing.T, tools string) {
	dir := t.TempDir()
	for name, text := range map[string]string{"bugs.ltl": "GFa -> GFb\na U X(b & c)\n", "in.hoa": twoAutomata} {
		must.Do(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	ours := firstWord().ReplaceAllStringFunc(p.line, func(s string) string {
		i := strings.LastIndex(s, " ") + 1
		return s[:i] + spotCommands[s[i:]]
	})
	cmd := exec.Command("sh", "-c", ours)
	cmd.Dir, cmd.Env = dir, docsEnv(tools)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != p.xcheck {
		t.Errorf("%s: status %d (%v), want %d\n%s%s", ours, got, err, p.xcheck, &out, &errs)
	}
	if p.xcheck == 2 && !strings.Contains(errs.String(), p.difference) {
		t.Errorf("%s: the message has no %q:\n%s", ours, p.difference, &errs)
	}
	if (p.spot != p.xcheck) != (p.difference != "") {
		t.Errorf("%s: the table does not say what is different, or says it for nothing", p.line)
	}
	if p.xcheck < 2 && strings.Contains(errs.String(), "xcheck: internal error") {
		t.Errorf("%s: %s", ours, &errs)
	}
}

// onA and twoAutomata are the input of the tools for automata.
const (
	onA = `HOA: v1
States: 1
Start: 0
AP: 1 "a"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
`
	twoAutomata = onA + "[!0] 0\n--END--\n" + onA + "--END--\n"
)
