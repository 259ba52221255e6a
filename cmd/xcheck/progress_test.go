package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/mattn/go-runewidth"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestQuiet: with -q nothing is printed before the end, also at the first failure and into files. The
// second formula waits until the first one has failed and the output was looked at.
func TestQuiet(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		dir := t.TempDir()
		file := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(dir, name))
			return string(text)
		}
		args := []string{"run", "--no-found", "--no-builtin", "--progress=always", "--grind", "-f", "a U b", "-f", "last", "--save-bogus=bogus",
			"-t", "{mine} case %f in *last*) until [ -e go ]; do sleep 0.01; done;; esac; printf 'never { a: skip }'"}
		if quiet {
			args = append(args, "-q")
		}
		cmd := self(t, dir, args...)
		for name, to := range map[string]*io.Writer{"out": &cmd.Stdout, "err": &cmd.Stderr} {
			f := must.Get(os.Create(filepath.Join(dir, name)))
			defer f.Close()
			*to = f
		}
		must.Do(cmd.Start())
		defer cmd.Process.Kill()
		for file("bogus") == "" {
			time.Sleep(time.Millisecond)
		}
		if text := file("out") + file("err"); (text == "") != quiet {
			t.Errorf("quiet is %v: %q is printed at the first failure", quiet, text)
		}
		must.Do(os.WriteFile(filepath.Join(dir, "go"), nil, 0o666))
		cmd.Wait()
		if text := file("out"); !strings.Contains(text, "wrong: mine") || quiet && file("err") != "" {
			t.Errorf("quiet is %v: %q, %q", quiet, text, file("err"))
		}
	}
}

// TestTerminal: on a real terminal, the line fits also when that became narrower, and Ctrl-C
// leaves the report alone. A tool that hangs does not keep the line from being drawn.
func TestTerminal(t *testing.T) {
	t.Parallel()
	self := program()
	cmd := exec.Command(self, "run", "-n", "1000000", "--seed", "1", "--no-builtin", "--no-reference", "-j", "1", "-t", "{stuck} sleep 1000; %f")
	cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "TERM=xterm", "NO_COLOR=1")
	terminal := must.Get(pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80}))
	defer terminal.Close()
	defer cmd.Process.Kill()
	var text string
	await := func(what string) {
		t.Helper()
		for buf := make([]byte, 4096); !regexp.MustCompile(what).MatchString(text); {
			n, err := terminal.Read(buf)
			if text += string(buf[:n]); err != nil {
				t.Fatalf("expected %s, got %q, and then %v", what, text, err)
			}
		}
	}
	await("\r0/1000000 formulas, no progress for [0-9]+s, 0 disagreeing\x1b\\[K")
	must.Do(pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: 30}))
	text = ""
	// It is taken away, and comes back.
	await("\r\x1b\\[J\r.*\x1b\\[K")
	for _, line := range regexp.MustCompile(`[\r\n]([^\r\n]*)\x1b\[K`).FindAllStringSubmatch(text[strings.Index(text, "\x1b[J"):], -1) {
		if n := runewidth.StringWidth(line[1]); n > 27 || !strings.HasPrefix(line[1], "0/1000000 formulas, no pro") {
			t.Errorf("the line %q has %d columns", line[1], n)
		}
	}
	if _, err := terminal.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(terminal) // the error is that the other end is closed
	text += string(rest)
	cmd.Wait()
	before, report, cut := strings.Cut(text[strings.Index(text, "^C"):], "\x1b[J")
	if !cut || strings.ContainsAny(before, "\n") || strings.Contains(report, "\x1b") || !strings.HasSuffix(report, "INTERRUPTED: 0 formulas checked\r\nxcheck: interrupted\r\n") {
		t.Errorf("after Ctrl-C: %q", text)
	}
	if cmd.ProcessState.ExitCode() != int(outcome.ExitInterrupted) {
		t.Errorf("it ends with %v", cmd.ProcessState)
	}
}
