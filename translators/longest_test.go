package translators

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
)

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
