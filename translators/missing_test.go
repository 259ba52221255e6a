package translators

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestMissing: what can't be started is found, and nothing else.
func TestMissing(t *testing.T) {
	bin := t.TempDir()
	good := "#!/bin/sh\nprintf 'HOA: v1\\nStates: 1\\nStart: 0\\nAP: 0\\nAcceptance: 0 t\\n--BODY--\\nState: 0\\n[t] 0\\n--END--\\n'\n"
	for _, file := range []struct {
		name, text string
		mode       os.FileMode
	}{
		{"good", good, 0o755},
		{"plain", strings.TrimPrefix(good, "#!/bin/sh\n"), 0o755},
		{"locked", good, 0o644},
		{"python", "#!/no/python -u\n", 0o755},
		{"windows", "#!/bin/sh\r\n" + good, 0o755},
		{"inner", "#!/bin/sh\nno-inner \"$1\"\n", 0o755},
		{"talks", "#!/bin/sh\necho talks: not found >&2\nexit 127\n", 0o755},
	} {
		must.Do(os.WriteFile(filepath.Join(bin, file.name), []byte(file.text), file.mode))
	}
	must.Do(os.Mkdir(filepath.Join(bin, "folder"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	at := filepath.Join(bin, "")
	for _, c := range []struct {
		command, want string // "" if it can be started
	}{
		{"good %f", ""},
		{"plain %f", ""},
		{at + "/good %f > %O", ""},
		{"no-tool %f", "no-tool: not found on PATH"},
		{"{named} no-tool -x %f", "no-tool: not found on PATH"},
		{"folder %f", "folder: not found on PATH"},
		{"locked %f", "locked: " + at + "/locked is not executable"},
		{at + "/no-tool %f", at + "/no-tool: no such file"},
		{"./no-tool %f", "./no-tool: no such file"},
		{at + "/folder %f", at + "/folder: it is a directory"},
		{at + "/good/x %f", at + "/good/x: not a directory"},
		{at + "/locked %f", at + "/locked: it is not executable"},
		{"python %f", `python: its first line needs "/no/python": no such file`},
		{"windows %f", `windows: its first line needs "/bin/sh\r": no such file`},

		{"no-tool %f >%O 2>/dev/null", "no-tool: not found on PATH"},

		// The shell decides.
		{"A=1 no-tool %f", ""},
		{"no-tool %f | cat", ""},
		{"timeout 5 no-tool %f", ""},
		{"good %f | cat", ""},
		{"A=1 good %f", ""},
		{"$TOOL %f", ""},
		{"inner %f", ""}, // it is there, and fails
		{"talks %f", ""},
		{"A=1 talks %f", ""},
	} {
		command := must.Get(ParseCommand(c.command, Spawn))
		tool := &Tool{Name: "x", Command: command, Limits: Limits{Timeout: DefaultTimeout}}
		if got := tool.Missing(context.Background()); got != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
	// The tool's own environment counts.
	for variable, want := range map[string]string{"PATH=/nowhere": "good: not found on PATH", "X=1": ""} {
		command := must.Get(ParseCommand("good", Stream))
		tool := &Tool{Name: "x", Command: command, Mode: Stream, Env: []string{variable}}
		if got := tool.Missing(context.Background()); got != want {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
	command := must.Get(ParseAutomatonCommand("no-tool %H", Spawn))
	if got := (&Tool{Name: "x", Command: command}).Missing(context.Background()); got != "no-tool: not found on PATH" {
		t.Errorf("for automata: %q", got)
	}
}

const everything = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n"

// TestFlood: of an output with very many pieces few are kept, and each class of what is
// odd is there once.
func TestFlood(t *testing.T) {
	junk := strings.Repeat("x\n", 10000)
	for _, c := range []struct {
		output, want     string
		pieces, automata int
	}{
		{junk + everything + junk, "text-before text-after", 3, 1},
		{junk + everything + everything + junk, "text-before second-automaton text-after", 4, 2},
		{everything + strings.Repeat("HOA:\n"+junk+everything, 100), "second-automaton", 2, 201},
		{strings.Repeat("HOA:\n", 10000), "second-automaton", 2, 10000},
		{junk, "", 1, 0},
	} {
		a := split([]byte(c.output), 2)
		if len(a.pieces) > c.pieces || a.automata != c.automata {
			t.Errorf("%.40q: %d pieces, %d automata; want %d and %d", c.output, len(a.pieces), a.automata, c.pieces, c.automata)
		}
		store := ltl.NewStore()
		out := &Output{}
		out.read(context.Background(), a, &question{store: store, formula: store.True()}, &Tool{})
		var classes []string
		for _, o := range out.Oddities {
			classes = append(classes, string(o.Class))
		}
		if got := strings.Join(classes, " "); got != c.want {
			t.Errorf("%.40q: %s; want %s", c.output, got, c.want)
		}
		if size := int64(len(strings.Join(strings.Fields(c.output), ""))); out.Size < size || out.Size > int64(len(c.output)) {
			t.Errorf("%.40q: size %d of %d", c.output, out.Size, len(c.output))
		}
	}
}

// TestConversionTime: an end of the run is not taken for the time limit of a conversion.
func TestConversionTime(t *testing.T) {
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	b := omega.NewBuilder(omega.NewAlphabet(), omega.GeneralizedBuchi(2))
	slow := NewAutomaton(b.Automaton())
	slow.toBuchi = func(context.Context, *omega.Automaton, omega.Limits) (*omega.Automaton, error) {
		return nil, context.DeadlineExceeded
	}
	if _, err := slow.text(late, form{'s', false}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := slow.text(t.Context(), form{'s', false}); err == nil || !strings.Contains(err.Error(), "time limit of 10s") {
		t.Error(err)
	}
}

// TestReadingTime: reading an answer has a limit of its own, and the tool is not blamed.
func TestReadingTime(t *testing.T) {
	store := ltl.NewStore()
	for _, limits := range []question{{reading: 1}, {reading: time.Hour, timeout: 1}} {
		limits.store, limits.formula = store, store.True()
		out := &Output{Outcome: Outcome{Status: outcome.OK}}
		out.read(context.Background(), split([]byte(everything), 2), &limits, &Tool{})
		if out.Status != outcome.Unsupported || !strings.Contains(out.Detail, "longer than the time limit of 1ns") {
			t.Errorf("%v: %s", out.Status, out.Detail)
		}
	}
	f := store.True()
	tool := &Tool{Name: "t", Command: mustParse(t, "cat %f", Spawn), Limits: Limits{Timeout: time.Minute}}
	if q, err := tool.question(t.Context(), f, 0); err != nil || q.reading != time.Minute || q.formula != f {
		t.Errorf("%v, %v", q, err)
	}
}

// TestAgain: the line that a report shows gives a command the same again, without the
// files that it had.
func TestAgain(t *testing.T) {
	in := func(placeholder byte) (string, error) { return syntaxes[placeholder].String() + " '1'", nil }
	for _, test := range []struct{ command, stdin, want, prints string }{
		{"echo %f", "", `echo 'spot '\''1'\'''`, "spot '1'\n"},
		{"echo %f > %O", "", `echo 'spot '\''1'\''' > '/dev/stdout'`, "spot '1'\n"},
		{"cat %L", "", `printf '%s\n' 'lbt '\''1'\''' | cat '/dev/stdin'`, "lbt '1'\n"},
		{"cp %S %O", "", `printf '%s\n' 'spin '\''1'\''' | cp '/dev/stdin' '/dev/stdout'`, "spin '1'\n"},
		{"cd /; cat < %W; echo %f", "", `printf '%s\n' 'wring '\''1'\''' | (cd /; cat < '/dev/stdin'; echo 'spot '\''1'\''')`, "wring '1'\nspot '1'\n"},
		{"cat", "a\nb\n", "printf '%s\\n' 'a\nb' | cat", "a\nb\n"},
		{"cat; exit 0 # all", "a\n", "printf '%s\\n' 'a' | (cat; exit 0 # all\n)", "a\n"},
		{"echo 100%%", "", "echo 100%", "100%\n"},
	} {
		mode := Spawn
		if !strings.Contains(strings.ReplaceAll(test.command, "%%", ""), "%") {
			mode = Batch
		}
		command := must.Get(ParseCommand(test.command, mode))
		c := call{command: command, in: in, stdin: test.stdin}
		line, err := c.again()
		if err != nil || line != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.command, line, err, test.want)
		}
		if got, err := exec.Command("/bin/sh", "-c", line).CombinedOutput(); err != nil || string(got) != test.prints {
			t.Errorf("%s prints %q, %v; want %q", line, got, err, test.prints)
		}
	}
}

// TestLongestTool: while a tool hangs, it is known which, and on what, in each mode in which
// a process can hang for long.
func TestLongestTool(t *testing.T) {
	r := must.Get(NewRunner(1, t.TempDir()))
	defer r.Close()
	for mode, line := range map[Mode]string{
		Spawn:  "echo %f > STARTED; exec sleep 1000",
		Stream: "read f; echo $f > STARTED; exec sleep 1000",
	} {
		started := filepath.Join(t.TempDir(), "started")
		line = strings.ReplaceAll(line, "STARTED", Quote(started))
		command := must.Get(ParseCommand(line, mode))
		f := must.Get(ltl.NewStore().Parse("a U b", ltl.Spot))
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			_, err := (&Tool{Name: "hangs", Mode: mode, Command: command}).Translate(ctx, r, f, 0)
			done <- err
		}()
		for _, err := os.Stat(started); err != nil; _, err = os.Stat(started) {
			time.Sleep(time.Millisecond)
		}
		w, ok := r.Cores().Longest()
		if !ok || w.Tool != "hangs" || w.About() != "the formula a U b" {
			t.Errorf("mode %v: %+v, %v", mode, w, ok)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("mode %v: %v", mode, err)
		}
		if w, ok := r.Cores().Longest(); ok {
			t.Errorf("mode %v: %s still works", mode, w.Tool)
		}
	}
}
