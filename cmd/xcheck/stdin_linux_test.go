package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// stdin returns the standard input of a command, with what to do when that has started: errs is
// its standard error.
type stdin func(t *testing.T) (file *os.File, then func(errs *messages))

func nothing(*messages) {}

// pipeOf is a pipe that has texts, and is closed behind the last one.
func pipeOf(texts ...string) stdin {
	return func(t *testing.T) (*os.File, func(*messages)) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		for _, text := range texts {
			io.WriteString(w, text)
		}
		return r, nothing
	}
}

// pipeAfter is a pipe that gets a text when the command has printed a message.
func pipeAfter(message, text string) stdin {
	return func(t *testing.T) (*os.File, func(*messages)) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		return r, func(errs *messages) {
			defer w.Close()
			for end := time.Now().Add(time.Minute); !strings.Contains(errs.String(), message) && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			io.WriteString(w, text)
		}
	}
}

// messages is a standard error that can be read while it is written.
type messages struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (m *messages) Write(text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.Write(text)
}

func (m *messages) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.String()
}

// silentPipe is a pipe that stays open, and from which nothing comes.
func silentPipe(t *testing.T) (*os.File, func(*messages)) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return r, nothing
}

// fileOf is a regular file.
func fileOf(text string) stdin {
	return func(t *testing.T) (*os.File, func(*messages)) {
		name := filepath.Join(t.TempDir(), "stdin")
		must.Do(os.WriteFile(name, []byte(text), 0o666))
		return opened(t, name), nothing
	}
}

func opened(t *testing.T, name string) *os.File {
	return must.Get(os.Open(name))
}

func devNull(t *testing.T) (*os.File, func(*messages)) { return opened(t, os.DevNull), nothing }

func terminalInput(t *testing.T) (*os.File, func(*messages)) {
	terminal, _ := newTerminal(t)
	return terminal, nothing
}

// socketOf is a socket, as some programs have it for a pipe.
func socketOf(text string) stdin {
	return func(t *testing.T) (*os.File, func(*messages)) {
		fds := must.Get(syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0))
		theirs, ours := os.NewFile(uintptr(fds[0]), "socket"), os.NewFile(uintptr(fds[1]), "socket")
		return theirs, func(*messages) {
			io.WriteString(ours, text)
			ours.Close()
		}
	}
}

const (
	waiting  = `xcheck: waiting for standard input, an open pipe`
	goingOn  = `xcheck: no input on standard input for 3s: continuing without it`
	unread   = `xcheck: standard input was not read; add -F - to check it as well`
	noInput  = `xcheck: no formulas: standard input is empty; use -n 200 for random formulas`
	two      = "GFa\n# comment\nFGb\n"
	someAuts = `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`
)

// TestStdin: what each kind of standard input does: nothing that is piped in is passed over, and
// no command waits without a word.
func TestStdin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"random.toml": "[formulas.random]\nnumber = 5\n",
		"given.toml":  "[formulas]\ninline = ['a U b', 'Xa', 'Xb']\n",
		"tools.toml":  "[[translators]]\nbuiltin = 'couvreur'\n",
	} {
		must.Do(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	slow := pipeAfter(waiting, two)
	late := func(t *testing.T) (*os.File, func(*messages)) {
		file, write := pipeAfter(goingOn, two)(t)
		return file, func(errs *messages) {
			write(errs)
			for {
				unread, err := unix.IoctlGetInt(int(file.Fd()), unix.TIOCINQ)
				if err != nil {
					t.Error(err)
				}
				if unread == 0 { // the command has read it
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if err := os.WriteFile(filepath.Join(dir, "late"), nil, 0o666); err != nil {
				t.Error(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		stdin  stdin
		args   string
		status outcome.ExitStatus
		last   string // of standard output, a pattern
		errs   string // standard error
	}{
		{"formulas", pipeOf(two), "run", 0, "^PASS: 2 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"formulas in a file", fileOf(two), "run", 0, "^PASS: 2 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"formulas on a socket", socketOf(two), "run", 0, "^PASS: 2 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"formulas that take a while", slow, "run", 0, "^PASS: 2 formulas checked, no disagreement; [0-9.]+ % proved$", waiting + "; use -n 200 or </dev/null for random formulas"},
		{"empty pipe", pipeOf(), "run", 2, "^$", noInput},
		{"blank pipe", pipeOf(" \n", "\t\n"), "run", 2, "^$", noInput},
		{"empty file", fileOf(""), "run", 2, "^$", noInput},
		{"null device", devNull, "run", 0, "^PASS: 200 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"terminal", terminalInput, "run", 0, "^PASS: 200 formulas checked, no disagreement; [0-9.]+ % proved$", ""},

		{"formulas and random ones", pipeOf(two), "run -n 3", 0, "^PASS: 5 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"formulas after a while, and random ones", slow, "run -n 3", 0, "^PASS: 5 formulas checked, no disagreement; [0-9.]+ % proved$", waiting},
		{"random ones, empty pipe", pipeOf(), "run -n 3", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"random ones, silent pipe", silentPipe, "run -n 3", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", waiting + "\n" + goingOn},
		{"random ones, null device", devNull, "run -n 3", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"random ones, closed", nil, "run -n 3", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"too late", late, "run -n 1 --no-builtin -t {x}until\x00[\x00-e\x00late\x00];do\x00sleep\x000.1;done;xcheck\x00translate\x00%f", 2,
			"^ERROR: ended by an error; 1 formula checked", waiting + "\n" + goingOn + "\nxcheck: " + input.ErrLate.Error()},

		{"configuration with random ones, formulas", pipeOf(two), "run -c random.toml", 0, "^PASS: 2 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"configuration with random ones, empty pipe", pipeOf(), "run -c random.toml", 0, "^PASS: 5 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"configuration with random ones, silent pipe", silentPipe, "run -c random.toml", 0, "^PASS: 5 formulas checked, no disagreement; [0-9.]+ % proved$", waiting + "\n" + goingOn},
		{"configuration with formulas, silent pipe", silentPipe, "run -c given.toml", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", waiting + "\n" + goingOn},
		{"configuration with formulas, empty pipe", pipeOf(), "run -c given.toml", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"configuration without formulas, formulas", pipeOf(two), "run -c tools.toml", 0, "^PASS: 2 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"configuration without formulas, empty pipe", pipeOf(), "run -c tools.toml", 2, "^$", noInput},
		{"configuration without formulas, silent pipe", silentPipe, "run -c tools.toml", 0, "^PASS: 200 formulas checked, no disagreement; [0-9.]+ % proved$", waiting + "\n" + goingOn},

		{"given, formulas", pipeOf(two), "run -f Ga", 0, "^PASS: 1 formula checked, no disagreement; [0-9.]+ % proved$", unread},
		{"given, formulas in a file", fileOf(two), "run --patterns u-right\x001", 0, "^PASS: 1 formula checked, no disagreement; [0-9.]+ % proved$", unread},
		{"given, empty pipe", pipeOf(), "run -f Ga", 0, "^PASS: 1 formula checked, no disagreement; [0-9.]+ % proved$", ""},
		{"given, silent pipe", silentPipe, "run -f Ga", 0, "^PASS: 1 formula checked, no disagreement; [0-9.]+ % proved$", ""},
		{"given, and asked for", pipeOf(two), "run -f Ga -F -", 0, "^PASS: 3 formulas checked, no disagreement; [0-9.]+ % proved$", ""},
		{"asked for, and silent until the end", silentPipe, "run -F - -f Ga --for 3", 0, "^PASS: 1 formula checked, no disagreement; [0-9.]+ % proved; time limit reached at .*$", waiting},

		{"a line that is no formula", pipeOf("p U\na\n"), "run", 2, "^ERROR: 1 invalid formula; 1 formula checked, no disagreement; [0-9.]+ % proved$", ""},

		{"automata", pipeOf(someAuts), "aut", 0, "^PASS: 1 automaton checked, no disagreement; [0-9.]+ % proved$", ""},
		{"automata and random ones", pipeOf(someAuts), "aut -n 2", 0, "^PASS: 3 automata checked, no disagreement; [0-9.]+ % proved$", ""},
		{"automata, empty pipe", pipeOf(), "aut", 2, "^$", "xcheck: no automata: standard input is empty; use -n 100 for random automata"},
		{"automata, silent pipe", silentPipe, "aut -n 2", 0, "^PASS: 2 automata checked, no disagreement; [0-9.]+ % proved$", waiting + "\n" + goingOn},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(c.args, "--for") {
				campaign.Only(t)
			}
			args := strings.Fields(c.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "\x00", " ")
			}
			if args[0] == "run" && !strings.Contains(c.args, "--no-builtin") {
				args = append(args, "--no-found", "--no-reference")
				if !strings.Contains(c.args, "-c") {
					args = append(args, "--only", "gpvw")
				}
			}
			attempt := func() (wrong string) {
				cmd := self(t, dir, args...)
				then := nothing
				if c.stdin == nil {
					cmd = closedInput(cmd)
				} else {
					var file *os.File
					file, then = c.stdin(t)
					cmd.Stdin = file
					defer file.Close()
				}
				var out bytes.Buffer
				var errs messages
				cmd.Stdout, cmd.Stderr = &out, &errs
				must.Do(cmd.Start())
				then(&errs)
				cmd.Wait()
				lines := strings.Split(strings.TrimSpace(out.String()), "\n")
				if last := lines[len(lines)-1]; cmd.ProcessState.ExitCode() != int(c.status) || !regexp.MustCompile(c.last).MatchString(last) {
					wrong = fmt.Sprintf("status %d, last line %q, want %d and %s\n%s", cmd.ProcessState.ExitCode(), last, c.status, c.last, errs.String())
				}
				if got := strings.TrimSpace(errs.String()); got != c.errs {
					wrong += fmt.Sprintf("\nstandard error is\n%s\nwant\n%s", got, c.errs)
				}
				return wrong
			}
			wrong := attempt()
			for again := 0; again < 9 && strings.Contains(wrong, goingOn) && !strings.Contains(c.errs, goingOn); again++ {
				wrong = attempt() // the machine may be so busy that formulas come too late
			}
			if wrong != "" {
				t.Error(wrong)
			}
		})
	}
}

// closedInput returns a command without standard input.
func closedInput(cmd *exec.Cmd) *exec.Cmd {
	cmd.Args = append([]string{"sh", "-c", `exec "$0" "$@" <&-`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	return cmd
}

// TestStdinInterrupted: a run that waits for a silent pipe ends with Ctrl-C.
func TestStdinInterrupted(t *testing.T) {
	t.Parallel()
	cmd := self(t, t.TempDir(), "run")
	file, _ := silentPipe(t)
	defer file.Close()
	cmd.Stdin = file
	stderr := must.Get(cmd.StderrPipe())
	must.Do(cmd.Start())
	message := make([]byte, 4096)
	n, _ := stderr.Read(message) // the message that it waits
	begin := time.Now()
	must.Do(cmd.Process.Signal(os.Interrupt))
	rest, _ := io.ReadAll(stderr)
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != int(outcome.ExitInterrupted) || time.Since(begin) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if got := string(message[:n]) + string(rest); got != waiting+"; use -n 200 or </dev/null for random formulas\nxcheck: interrupted\n" {
		t.Errorf("standard error is %q", got)
	}
}
