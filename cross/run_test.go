package cross_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestCancel: what is done is reported, and the run ends soon.
func TestCancel(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	start := time.Now()
	err = cross.Run(ctx, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner, Limits: productcheck.DefaultLimits},
		randomFormulas(t, 5, 1_000_000, 10), func(*outcome.Case) error {
			if done++; done == 20 {
				cancel()
			}
			return nil
		})
	if !errors.Is(err, context.Canceled) || done < 20 || time.Since(start) > 5*time.Minute {
		t.Errorf("%d cases, %v, after %v", done, err, time.Since(start))
	}
}

// TestSlow: while one case is slow, in both polarities, others go on, and all are
// emitted.
func TestSlow(t *testing.T) {
	go1 := filepath.Join(t.TempDir(), "go")
	// The first formula waits for the last one; were that not started, for ever.
	slow := shell(t, "slow", "case %f in first | !first) until [ -e "+go1+" ]; do sleep 0.01; done;; last) : > "+go1+";; esac; echo 'never { a: skip }'")
	formulas := []string{"first"}
	for i := range 20 {
		formulas = append(formulas, fmt.Sprintf("a U b%d", i))
	}
	cases := run(t, cross.Options{Tools: []*translators.Tool{slow}}, these(t, append(formulas, "last")...))
	if len(cases) != len(formulas)+1 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		for _, r := range c.Results {
			if r.Status != "ok" {
				t.Errorf("%s: %s: %s", c.Formula, r.Status, r.Detail)
			}
		}
	}
}

// TestOvertaken: one slow case holds back a bounded number of others; when there are
// more, they are emitted before it.
func TestOvertaken(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	// It never ends on the first formula, and is not run on the others.
	stuck := shell(t, "stuck", "case %f in a) sleep 1000;; esac; echo 'never { a: skip }'")
	stuck.Limits.Timeout = time.Hour
	stuck.Without = ltl.Ops(ltl.OpNext)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const n = cross.Window + 500
	given, emitted := 0, 0
	next := func() (cross.Input, error) {
		if given++; given > n {
			return cross.Input{}, io.EOF
		}
		f, err := ltl.NewStore().Parse(map[bool]string{true: "a", false: "Xa"}[given == 1], ltl.Spot)
		return cross.Input{Formula: f}, err
	}
	err = cross.Run(ctx, cross.Options{Tools: []*translators.Tool{stuck}, Runner: runner}, next, func(c *outcome.Case) error {
		if emitted++; c.Index != emitted {
			t.Errorf("case %d comes as number %d", c.Index, emitted-1)
		}
		if emitted == n-cross.Window-1 {
			cancel() // the others wait for the first
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || emitted != n-1 {
		t.Errorf("%d formulas taken, %d cases emitted, %v", given, emitted, err)
	}
}

// TestEmitError: an error of the receiver ends the run with it.
func TestEmitError(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	full := errors.New("disk full")
	err = cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
		randomFormulas(t, 6, 1_000_000, 5), func(*outcome.Case) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestSourceWaits: an error of the receiver ends the run also if no further
// formula comes.
func TestSourceWaits(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	first, never := these(t, "a"), make(chan bool)
	asked := 0
	next := func() (cross.Input, error) {
		if asked++; asked > 1 {
			<-never
		}
		return first()
	}
	full := errors.New("disk full")
	err = cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
		next, func(*outcome.Case) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestTrouble: an internal error ends the run, and is not taken for a canceled
// run.
func TestTrouble(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.Close(); err != nil {
		t.Fatal(err)
	}
	err = cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
		randomFormulas(t, 6, 1_000_000, 5), func(*outcome.Case) error { return nil })
	if err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the runner of translators is closed") {
		t.Errorf("got %v", err)
	}
}
