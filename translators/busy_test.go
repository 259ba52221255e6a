package translators

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestLongest: the longest work under way is that which began first and has not ended.
func TestLongest(t *testing.T) {
	c := NewCores(3)
	longest := func() string {
		w, ok := c.Longest()
		if !ok {
			return ""
		}
		return w.Tool + " " + w.About()
	}
	begin := func(tool string) func() { return c.Begin(tool, func() string { return "on a" }) }
	if got := longest(); got != "" {
		t.Errorf("nobody works, but %q", got)
	}
	first, second, third := begin("first"), begin("second"), begin("third")
	for _, step := range []struct {
		end  func()
		left string
	}{{func() {}, "first on a"}, {second, "first on a"}, {first, "third on a"}, {third, ""}} {
		if step.end(); longest() != step.left {
			t.Errorf("got %q, want %q", longest(), step.left)
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
			_, err := (&Tool{Name: "hangs", Mode: mode, Command: command}).Translate(ctx, r, f)
			done <- err
		}()
		waitFor(t, func() bool { _, err := os.Stat(started); return err == nil })
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
