package translators_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestParseOptionGroup(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"-B", []string{"-B"}},
		{" -B | -M|-D ", []string{"-B", "-M", "-D"}},
		{"-x gf-guarantee={0,1}", []string{"-x gf-guarantee=0", "-x gf-guarantee=1"}},
		{"--{low,high}{,er}|-C", []string{"--low", "--lower", "--high", "--higher", "-C"}},
		{"--parity='{min,max} odd'", []string{"--parity='min odd'", "--parity='max odd'"}},
	} {
		got, err := translators.ParseOptionGroup(test.text)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	for text, want := range map[string]int{
		"": 0, "-B|": 3, "-B| |-D": 3, "-x {0,1": 3, "-x 0,1}": 6, "-x {0|1}": 3, "{{a}}": 0, "-B|-a > x": 3, "-B `a`": 0, "-B;": 0, "-B\n#x": 0,
		strings.Repeat("{0,1}", 10): 0,
	} {
		group, err := translators.ParseOptionGroup(text)
		var bad *translators.CommandError
		if !errors.As(err, &bad) || bad.Offset != want {
			t.Errorf("%s: got %q, %v, want an error at %d", text, group, err, want)
		}
	}
}

// TestWith: options stand at {options}, or behind the first word, which may be quoted.
func TestWith(t *testing.T) {
	for text, want := range map[string]string{
		"mine %f":                     "mine -B -x a=1 'f'",
		"mine":                        "mine -B -x a=1",
		"{name} mine -q < %F":         "mine -B -x a=1 -q < 'f'",
		"A=/x B='/y z' mine %f":       "A=/x B='/y z' mine -B -x a=1 'f'",
		"owl ltl2dpa {options} -f %f": "owl ltl2dpa -B -x a=1 -f 'f'",
		"'my tool'/bin %f":            "'my tool'/bin -B -x a=1 'f'",
		"mine|filter %f":              "mine -B -x a=1|filter 'f'",
	} {
		mode := translators.Spawn
		if !strings.Contains(text, "%") {
			mode = translators.Stream
		}
		command := must.Get(translators.ParseCommand(text, mode))
		tool := must.Get((&translators.Tool{Command: command, Mode: mode}).With([]string{"-B", "-x a=1"}))
		if got, _ := translators.Expansions(tool.Command, "f"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if tool.Command.Text() != text {
			t.Errorf("%s: the text is %s", text, tool.Command.Text())
		}
	}
}

// TestDraw: what a formula draws depends on its text and the name of the tool, and each
// combination is drawn.
func TestDraw(t *testing.T) {
	command := must.Get(translators.ParseCommand("mine {options} %f", translators.Spawn))
	tool := &translators.Tool{Name: "mine", Command: command, Options: []translators.OptionGroup{{"-B", "-D"}, {"--low", "--high"}}}
	other := *tool
	other.Name = "other"
	drawn := map[string]int{}
	differ := false
	for i := range 300 {
		formula := fmt.Sprintf("p%d", i)
		a, errA := tool.Draw(formula)
		b, errB := tool.Draw(formula)
		c, errC := other.Draw(formula)
		must.Do(errors.Join(errA, errB, errC))
		if !slices.Equal(a.Drawn, b.Drawn) {
			t.Errorf("%s draws %q and %q", formula, a.Drawn, b.Drawn)
		}
		differ = differ || !slices.Equal(a.Drawn, c.Drawn)
		drawn[strings.Join(a.Drawn, " ")]++
	}
	if len(drawn) != 9 || !differ {
		t.Errorf("combinations are %v; another name draws others: %v", drawn, differ)
	}
}

// TestDrawnInStream: where options are drawn, each formula gets a process of its own, also in mode Stream.
func TestDrawnInStream(t *testing.T) {
	r := translators.NewTestRunner(t, 2)
	command := must.Get(translators.ParseCommand(`sh -c 'while read f; do echo HOA: v1; echo name: \"$1\"; echo States: 0; echo Acceptance: 0 t; echo --BODY--; echo --END--; done' -- {options}`, translators.Stream))
	f := ltl.NewStore().Prop("p")
	for _, groups := range [][]translators.OptionGroup{nil, {{"-x"}}} {
		tool := &translators.Tool{Name: "sh", Mode: translators.Stream, Command: command, Options: groups}
		with := must.Get(tool.With([]string{"-x"}))
		out, err := with.Translate(context.Background(), r, f, 0)
		if err != nil || out.Automaton == nil || out.Automaton.Name != "-x" || out.Alone != (groups != nil) {
			t.Fatalf("groups %q: %v, %+v", groups, err, out)
		}
	}
}

const universal = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n"

func builtin(t *testing.T, b func(context.Context, string, io.Writer) error) *translators.Tool {
	t.Helper()
	c := must.Get(translators.ParseCommand("xcheck translate -F -", translators.Stream))
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
		do     func(context.Context, string, io.Writer) error
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
		}, outcome.Aborted, "limit of 7 states"},
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
		r := must.Get(translators.NewRunner(1, t.TempDir()))
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
	r := must.Get(translators.NewRunner(1, "/nonexistent"))
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
