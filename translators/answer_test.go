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

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

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
		command, err := ParseCommand(test.command, mode)
		if err != nil {
			t.Fatal(err)
		}
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
	r, err := NewRunner(1, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for mode, line := range map[Mode]string{
		Spawn:  "echo %f > STARTED; exec sleep 1000",
		Stream: "read f; echo $f > STARTED; exec sleep 1000",
	} {
		started := filepath.Join(t.TempDir(), "started")
		line = strings.ReplaceAll(line, "STARTED", Quote(started))
		command, err := ParseCommand(line, mode)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ltl.NewStore().Parse("a U b", ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
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

// TestCommentPatterns: the examples in the comment on Pattern.
func TestCommentPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"error in line 12: cannot open '/tmp/x.ltl'": "error in line …: cannot open …",
		"bad operator in a U (b & foo)":              "bad operator in …",
		"Assertion `n > 0' failed.":                  "Assertion `n > 0' failed.",
	} {
		if got := Pattern(text, "a U (b & foo)"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestCommentSimple: the examples in the comment on simple commands.
func TestCommentSimple(t *testing.T) {
	for text, want := range map[string]bool{
		"mytool -f %f > %O": true, "mytool '%%' %f 2>&1": true, "mytool %f | sort": false, "FOO=1 mytool %f": false, "$HOME/mytool %f": false,
	} {
		c, err := ParseCommand(text, Spawn)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.simple != nil; got != want {
			t.Errorf("%s: simple is %t", text, got)
		}
	}
}

// TestCommentQueue: the examples in the comments on batches, for 10 that wait, and on their size.
func TestCommentQueue(t *testing.T) {
	q := &queue{runner: NewTestRunner(t, 4), tool: &Tool{}, waiting: make([]*request, 10), size: maxBatch, batches: 1}
	if n := len(q.take()); n != 3 {
		t.Errorf("a batch of %d", n)
	}
	for i, want := range []int{64, 32, 64} {
		if q.resize(i == 2); q.size != want {
			t.Errorf("size %d, want %d", q.size, want)
		}
	}
}
