package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// A smaller is what makes a command small: the greatest numbers that its flags may have, and flags
// that are appended as they are. A flag that is given again counts the last time.
type smaller struct {
	atMost map[string]int
	flags  string
}

// smallCommands are the commands that check many inputs.
var (
	smallCommands = map[string]smaller{
		"run":    {map[string]int{"number": 2, "jobs": 1}, "--timeout 5s --max-time 1s --quiet"},
		"aut":    {map[string]int{"number": 2}, "--timeout 5s --quiet"},
		"grind":  {nil, ""},
		"random": {map[string]int{"number": 2}, ""},
	}
	shortFlags = map[string]string{"number": "n", "jobs": "j"}
)

// small returns the command, made so small that it takes less than a second or two. It reports
// false for a command that it can't make small.
func small(command string) (string, bool) {
	words := strings.Fields(command)
	if len(words) < 3 || words[0] != "xcheck" {
		return "", false
	}
	s, ok := smallCommands[words[1]]
	for _, flag := range slices.Sorted(maps.Keys(s.atMost)) {
		most := s.atMost[flag]
		given := regexp.MustCompile(` (?:--` + flag + `|-` + shortFlags[flag] + `)[ =](\d+)`)
		if m := given.FindStringSubmatch(command); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n <= most {
				continue
			}
		}
		command += " --" + flag + " " + strconv.Itoa(most)
	}
	command = wholeList().ReplaceAllString(command, " --patterns '$1 1..2'$2")
	return command + " " + s.flags, ok
}

// wholeList matches a list of published formulas without numbers.
var wholeList = lazy(` --patterns (\w+)( |$)`)

// codeSpan matches what stands in backquotes, and codeEnd a backslash before the end of a line.
var (
	codeSpan = lazy("`([^`\n]+)`")
	codeEnd  = lazy(`\\\n\s*`)
)

// shownCommands returns the commands of a page that begin with a prefix: lines of code, and what
// stands in backquotes. A name alone, such as xcheck run, is none. TestDocs runs those with a dollar
// sign.
func shownCommands(text, prefix string) (list []string) {
	fenced := false
	for line := range strings.Lines(codeEnd().ReplaceAllString(text, "")) {
		codes := codeSpan().FindAllString(line, -1)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if fenced || strings.HasPrefix(line, "    ") {
			codes = []string{line}
		}
		for _, code := range codes {
			code = strings.TrimPrefix(strings.Trim(code, "` \n"), "go run ./cmd/")
			code, _, _ = strings.Cut(code, "  #")
			code = strings.TrimSuffix(strings.TrimSpace(code), " …")
			if strings.HasPrefix(code, prefix) && strings.Count(code, " ") > 1 {
				list = append(list, strings.ReplaceAll(code, `\|`, "|"))
			}
		}
	}
	return list
}

// measurements returns the commands of the pages that check many inputs.
func measurements(t *testing.T) (commands []string) {
	t.Helper()
	for _, p := range readPages(t) {
		commands = append(commands, shownCommands(p.text, "xcheck ")...)
	}
	commands = slices.DeleteFunc(commands, func(command string) bool {
		_, ok := small(command)
		return !ok || elsewhere(command)
	})
	slices.Sort(commands)
	return slices.Compact(commands)
}

// TestMeasurements runs one in ten measurements, or in a campaign each, made small. The tools of other projects are programs here
// that fail: that has status 3 in a run.
func TestMeasurements(t *testing.T) {
	campaign.Only(t)
	dir := t.TempDir()
	link(t, dir)
	rival := "#!/bin/sh\nexit 9\n"
	for _, tool := range []string{"autfilt", "kofola", "kofola-answer", "ltlfilt", "ltl2tgba", "ltl3ba", "ltl2ba", "mytool", "mytool-1.0"} {
		file(t, rival, 0o755, dir, tool)
	}
	file(t, "Fa\n", 0o644, dir, "f.ltl")
	file(t, "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n", 0o644, dir, "a.hoa")
	for _, name := range []string{"nightly.toml", "FILE"} {
		file(t, "[formulas.random]\nnumber = 2\n[[translators]]\ncommand = \"mytool %f\"\n", 0o644, dir, name)
	}

	commands := measurements(t)
	if len(commands) < 30 {
		t.Errorf("%d commands", len(commands))
	}
	ran := make(map[string]bool)
	for command := range campaign.Sample(slices.Values(commands), 10) {
		scaled, _ := small(command)
		if ran[scaled] {
			continue
		}
		ran[scaled] = true
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("sh", "-c", scaled)
			cmd.Dir = dir
			cmd.Env = docsEnv(dir)
			start := time.Now()
			out, err := cmd.CombinedOutput()
			if status := cmd.ProcessState.ExitCode(); status < 0 || status > 1 && status != 3 {
				t.Errorf("%s: %v\n%s", scaled, err, out)
			}
			if took := time.Since(start); took > time.Second {
				t.Logf("%s: %v", scaled, took)
			}
		})
	}
}

// file writes a file.
func file(t *testing.T, text string, mode os.FileMode, path ...string) {
	t.Helper()
	must.Do(os.WriteFile(filepath.Join(path...), []byte(text), mode))
}
