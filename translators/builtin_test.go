package translators_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

const universal = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n"

func builtin(t *testing.T, b translators.Builtin) *translators.Tool {
	t.Helper()
	c, err := translators.ParseCommand("xcheck translate -F -", translators.Stream)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: "own", Command: c, Mode: translators.Stream, Builtin: b}
}

// TestBuiltin: what a tool within the process does has the status that a program would have, and a
// limit that it reaches is no error of the run.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	f := ltl.NewStore().Prop("a")
	for _, c := range []struct {
		name   string
		limits translators.Limits
		do     translators.Builtin
		status outcome.Status
		detail string
	}{
		{"answers", translators.Limits{}, func(_ context.Context, in string, out io.Writer) error {
			if in != "a" {
				t.Errorf("it was given %q", in)
			}
			_, err := io.WriteString(out, universal)
			return err
		}, outcome.OK, ""},
		{"prints no automaton", translators.Limits{}, func(_ context.Context, _ string, out io.Writer) error {
			_, err := io.WriteString(out, "none")
			return err
		}, outcome.Syntax, "none"},
		{"never ends", translators.Limits{Timeout: 20 * time.Millisecond}, func(ctx context.Context, _ string, _ io.Writer) error {
			<-ctx.Done()
			return ctx.Err()
		}, outcome.Timeout, "stopped after 20ms"},
		{"never ends, with a limit of processor time", translators.Limits{CPU: 20 * time.Millisecond}, func(ctx context.Context, _ string, _ io.Writer) error {
			<-ctx.Done()
			return ctx.Err()
		}, outcome.Timeout, "stopped after 20ms"},
		{"takes all memory", translators.Limits{Memory: 3 << 20}, func(ctx context.Context, _ string, _ io.Writer) error {
			b := budget.New(ctx)
			b.LimitMemory(b.MemoryLimit(), func() int64 { return 4 << 20 })
			return b.Check()
		}, outcome.Memory, "more than 3 MiB of memory"},
		{"has too many states", translators.Limits{}, func(context.Context, string, io.Writer) error {
			return &budget.LimitError{What: "states", Limit: 7}
		}, outcome.Aborted, "it gave up: limit of 7 states"},
		{"prints without end", translators.Limits{MaxOutput: 1 << 20}, func(_ context.Context, _ string, out io.Writer) error {
			for {
				if _, err := io.WriteString(out, universal); err != nil {
					return err
				}
			}
		}, outcome.TooBig, "more than 1 MiB of output"},
	} {
		r := translators.NewTestRunner(t, 1)
		tool := builtin(t, c.do)
		tool.Limits = c.limits
		out, err := tool.Translate(t.Context(), r, f, 0)
		if err != nil || out.Status != c.status || !strings.Contains(out.Detail, c.detail) || (out.Automaton != nil) != (c.status == outcome.OK) {
			t.Errorf("%s: %+v, %v", c.name, out, err)
		}
		if err == nil && !strings.HasSuffix(out.Command, "| xcheck translate -F -") {
			t.Errorf("%s: to run the same, type %s", c.name, out.Command)
		}
	}
}

// TestBuiltinEnds: a call ends with its context, and with the runner; none begins after that.
func TestBuiltinEnds(t *testing.T) {
	t.Parallel()
	f := ltl.NewStore().Prop("a")
	for _, end := range []string{"context", "runner"} {
		r, err := translators.NewRunner(1, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		begun := make(chan bool)
		tool := builtin(t, func(ctx context.Context, _ string, _ io.Writer) error {
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		})
		ended := make(chan error)
		go func() {
			_, err := tool.Translate(ctx, r, f, time.Hour)
			ended <- err
		}()
		<-begun
		if end == "context" {
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("canceled: %v", err)
			}
		}
		closed := make(chan error)
		go func() { closed <- r.Close() }()
		if end == "runner" {
			if err := <-ended; err == nil {
				t.Error("the runner is closed, and the call has an answer")
			}
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if _, err := tool.Translate(t.Context(), r, f, 0); err == nil {
			t.Error("a runner that is closed makes calls")
		}
		cancel()
	}
}

// TestBuiltinStartsNothing: a run of built-in tools alone makes no folder, which only processes need.
func TestBuiltinStartsNothing(t *testing.T) {
	t.Parallel()
	r, err := translators.NewRunner(1, "/nonexistent")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tool := builtin(t, func(_ context.Context, _ string, out io.Writer) error {
		_, err := io.WriteString(out, universal)
		return err
	})
	if out, err := tool.Alone(t.Context(), r, ltl.NewStore().Prop("a"), 0); err != nil || out.Status != outcome.OK {
		t.Errorf("%+v, %v", out, err)
	}
	if err := r.Open(); err == nil {
		t.Error("there is a folder in a folder that does not exist")
	}
}
