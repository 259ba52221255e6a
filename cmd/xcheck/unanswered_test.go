package main

import (
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// Ways in which a translator can be part of a run, without anything of it being checked. Each is the command
// of a translator called mine, or a table of a configuration. No formula is one of LTL.
var unanswered = map[string]string{
	"absent":              `no-such-tool %f`,
	"dies":                `exit 1; : %f`,
	"was deleted":         `sh no-such-file %f`,
	"is killed":           `kill -9 $$; : %f`,
	"answers, then fails": `GOOD translate %f; exit 1`,
	"hangs":               `sleep 60; : %f`,
	"ignores SIGTERM":     `trap "" TERM; sleep 60; : %f`,
	"is silent":           `: %f`,
	"prints a newline":    `echo; : %f`,
	"prints garbage":      `echo never mind; : %f`,
	"prints half":         `GOOD translate %f | head -c 60`,
	"gives up":            `echo "HOA: v1 States: 1 Acceptance: 0 t --ABORT--"; : %f`,
	"lacks a state":       `echo "HOA: v1 States: 2 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 1 --END--"; : %f`,
	"writes no file":      `: %f %O`,
	"cannot be checked":   `echo "HOA: v1 States: 2 Start: 0&1 AP: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0&1 {0} State: 1 [t] 0&1 --END--"; : %f`,
	"is a bomb":           `printf 'HOA: v1 States: 1 Start: 0 AP: 64'; seq -f ' "p%%g"' 64 | tr -d '\n'; printf ' Acceptance: 0 t --BODY-- State: 0 [f'; for i in $(seq 0 31); do printf ' | %%d&%%d' $i $((i+32)); done; echo '] 0 --END--'; : %f`,
	"does not know PSL":   `GOOD translate %s`,
	"is kept alive, mute": "mode = \"stream\"\ncommand = \"cat >/dev/null\"",
	"is kept alive, dies": "mode = \"stream\"\ncommand = \"read x; exit 3\"",
	"answers no batch":    "mode = \"batch\"\ncommand = \"cat %F >/dev/null\"",
	"lacks an operator":   "command = \"GOOD translate %f\"\nwithout = [\"[]->\", \"<>->\"]",
}

// Whatever flags a run has, and however it is run, its status is 0 only if something of each translator was
// checked. With -v, a table has the statuses.
func TestUnanswered(t *testing.T) {
	self := must.Get(os.Executable())
	good := fmt.Sprintf("%s=1 %s", asMain, self)
	formulas := []string{"-f", "{(a;b)[*];c}[]->d", "-f", "{(a;b)[*];c}<>->d"}
	run := func(args ...string) (int, string) {
		status, out, errs := invoke("", args...)
		return status, out + errs
	}
	// Each way to run it returns the statuses that must not be 0.
	modes := map[string]func(t *testing.T, tool []string) []int{
		"run":                         nil,
		"--ignore-failures":           nil,
		"--ignore-execution-failures": nil,
		"--no-checks":                 nil,
		"-q --grind":                  nil,
	}
	for flags := range modes {
		modes[flags] = func(t *testing.T, tool []string) []int {
			status, _ := run(slices.Concat([]string{"run"}, strings.Fields(strings.TrimPrefix(flags, "run")), formulas, tool, []string{"--json=r.json"})...)
			shown, _ := run("report", "r.json")
			return []int{status, shown}
		}
	}
	modes["nights, known"] = func(t *testing.T, tool []string) (list []int) {
		for range 3 {
			status, _ := run(slices.Concat([]string{"run", "--history=h.db", "--fail-on-new", "--ignore-failures"}, formulas, tool)...)
			list = append(list, status)
		}
		shown, _ := run("report", "--history=h.db")
		return append(list, shown)
	}
	modes["resumed"] = func(t *testing.T, tool []string) []int {
		args := slices.Concat([]string{"run", "--history=h.db", "--resume", "--ignore-failures"}, formulas, tool)
		first, _ := run(args...)
		unfinish("h.db")
		status, _ := run(args...)
		return []int{first, status}
	}
	modes["shards, merged"] = func(t *testing.T, tool []string) []int {
		for _, part := range []string{"1", "2"} {
			run(slices.Concat([]string{"run", "--history=" + part + ".db", "--name=n", "--shard=" + part + "/2", "--ignore-failures"}, formulas, tool)...)
		}
		merged, _ := run("merge", "--into=all.db", "1.db", "2.db")
		shown, _ := run("report", "--history=all.db")
		return []int{merged, shown}
	}
	modes["ltlcross"] = func(t *testing.T, tool []string) []int {
		if tool[0] != "-t" {
			return nil // it has no configuration
		}
		command := tool[1]
		if !strings.Contains(command, "%O") {
			command = "{mine} { " + strings.TrimPrefix(command, "{mine} ") + "; } >%O"
		}
		status, _ := run(slices.Concat([]string{"ltlcross", "-T1", "--ignore-execution-failures"}, formulas, []string{command, "{good} " + good + " translate %f >%O"})...)
		return []int{status}
	}
	modes["autcross"] = func(t *testing.T, tool []string) []int {
		if tool[0] != "-t" || strings.Contains(tool[1], "translate") {
			return nil // it is no tool for automata
		}
		command := strings.ReplaceAll(tool[1], "%f", "%H")
		if !strings.Contains(command, "%O") {
			command = "{mine} { " + strings.TrimPrefix(command, "{mine} ") + "; } >%O"
		}
		must.Do(os.WriteFile("a.hoa", []byte("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} --END--"), 0o666))
		status, _ := run("autcross", "-T1", "-F", "a.hoa", "--language-preserved", command, "{good} cat %H >%O")
		aut, _ := run("aut", "-T", "0.3", "-F", "a.hoa", "--ignore-failures", "-t", command, "-t", "cat", "--ignore-missing")
		return []int{status, aut}
	}
	names := slices.Sorted(maps.Keys(modes))
	tried := 0
	for _, way := range slices.Sorted(maps.Keys(unanswered)) {
		text := strings.ReplaceAll(unanswered[way], "GOOD", good)
		for i, name := range names {
			if !campaign.Whole() && (i+len(way))%8 != 0 { // a part of them
				continue
			}
			t.Chdir(t.TempDir())
			tool := []string{"-t", "{mine} " + text, "--no-found", "--ignore-missing", "-T", "0.3"}
			if strings.Contains(text, "command = ") {
				must.Do(os.WriteFile("mine.toml", []byte("[[translators]]\nbuiltin = \"couvreur\"\n[[translators]]\nname = \"mine\"\n"+text+"\n"), 0o666))
				tool = []string{"-c", filepath.Join(must.Get(os.Getwd()), "mine.toml"), "-T", "0.3"}
			}
			statuses := modes[name](t, tool)
			tried += len(statuses)
			t.Logf("%-22s %-28s %v", way, name, statuses)
			if slices.Contains(statuses, 0) {
				t.Errorf("a translator that %s: %s: statuses %v", way, name, statuses)
			}
		}
	}
	t.Logf("%d statuses, none may be 0", tried)
}

// unfinish makes the last run of a history one that was killed before its last case.
func unfinish(file string) {
	db := must.Get(sql.Open("sqlite", "file:"+file+"?_pragma=foreign_keys(ON)"))
	_, err := db.Exec("DELETE FROM cases WHERE number = 1; UPDATE runs SET ended = NULL, totals = NULL")
	must.Do(db.Close())
	must.Do(err)
}

// A run that resumes after a program was replaced checks its formulas again, whatever the command that names
// the program.
func TestReplaced(t *testing.T) {
	self := must.Get(os.Executable())
	right, wrong := fmt.Sprintf("#!/bin/sh\n%s=1 exec %s translate \"$1\"\n", asMain, self), fmt.Sprintf("#!/bin/sh\n%s=1 exec %s translate 0\n", asMain, self)
	for i, command := range []string{"./tool %f", "sh tool %f", "env A=1 ./tool %f", `sh -c './tool "$1"' - %f`, "A=1; ./tool %f", "timeout 9 sh tool %f", "tool %f", "true --rules=tool %F | ./tool %f"} {
		if !campaign.Whole() && i%2 != 0 {
			continue
		}
		t.Chdir(t.TempDir())
		t.Setenv("PATH", must.Get(os.Getwd())+":"+os.Getenv("PATH"))
		tool := func(text string) { must.Do(os.WriteFile("tool", []byte(text), 0o777)) }
		resume := func(want int, changed bool) {
			t.Helper()
			status, out, errs := invoke("", "run", "--history=h.db", "--resume", "--no-found", "-f", "Ga", "-f", "Fb", "-t", "{mine} "+command)
			again := strings.Contains(errs, "mine changed since it started: checking its 1 formula again\n") &&
				strings.Contains(out, "mine changed since the run started, 1 formula checked again")
			if status != want || again != changed {
				t.Errorf("%s: status %d, want %d\n%s%s", command, status, want, errs, out)
			}
			unfinish("h.db")
		}
		tool(right)
		resume(0, false)
		resume(0, false)
		tool(wrong)
		resume(1, true)
		resume(1, false)
		tool(right)
		resume(0, true)
	}
}
