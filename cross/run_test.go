package cross_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
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

// hangingOn returns the best translation, which hangs on one formula: until its context is done,
// or for ever.
func hangingOn(t *testing.T, formula string, obeys bool) cross.Translation {
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	return func(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
		if f.String() == formula {
			if obeys {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			<-forever
		}
		return translate.Of(ctx, s, f)
	}
}

// TestCaseTime: what takes too long in one case is undecided, whether or not it stops by itself,
// and the run goes on.
func TestCaseTime(t *testing.T) {
	t.Parallel()
	for _, obeys := range []bool{true, false} {
		t.Run(fmt.Sprint("obeys ", obeys), func(t *testing.T) {
			t.Parallel()
			o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, CaseTime: 5 * time.Second, Words: 5,
				Reference: hangingOn(t, "a U b", obeys), Limits: productcheck.DefaultLimits}
			begin := time.Now()
			cases := run(t, o, these(t, "GFa", "a U b", "FGb"))
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("took %v", took)
			}
			for i, c := range cases {
				if late := i == 1; !late && (len(c.Undecided) > 0 || !c.Checked) {
					t.Errorf("%s: checked %v, undecided %v", c.Formula, c.Checked, c.Undecided)
				} else if late {
					want := "case time limit of 5s reached (reference translation)"
					if !obeys {
						want += ", and the check did not stop"
					}
					if len(c.Undecided) != 1 || c.Undecided[0].Why != want || c.Checked || len(c.Results) != 2 || obeys == (c.Results[0].States == 0) {
						t.Errorf("%s: %+v", c.Formula, c)
					}
				}
			}
		})
	}
}

// TestCaseTimeKeeps: what was found before the time limit stays. It is certified, or undecided where
// too many words were found to certify them all in time. A busy machine needs a longer limit.
func TestCaseTimeKeeps(t *testing.T) {
	t.Parallel()
	var wrong string
	for limit := time.Second / 4; limit < 2*time.Minute; limit *= 4 {
		o := cross.Options{Tools: []*translators.Tool{tool(t, "negate"), tool(t, "gpvw")}, CaseTime: limit, Words: 5,
			Reference: translate.Of, Products: cross.Products{Number: 1 << 30, States: 100, Density: 0.1}}
		c := run(t, o, these(t, "GFa"))[0]
		for _, d := range c.Disagreements {
			checkDisagreement(t, c, &d)
		}
		var rest []outcome.Undecided
		for _, u := range c.Undecided {
			if !strings.HasPrefix(u.Why, "no time left to certify the word") {
				rest = append(rest, u)
			}
		}
		b := blamed(c)
		switch {
		case b["P gpvw"]:
			t.Fatalf("blamed %v: %+v", b, c.Disagreements)
		case len(rest) != 1 || !strings.Contains(rest[0].Why, "products with state spaces") || !c.Checked:
			wrong = fmt.Sprintf("checked %v, undecided %+v", c.Checked, rest)
		case !b["P negate"] && !b["N negate"]:
			wrong = fmt.Sprintf("blamed %v: %+v", b, c.Disagreements)
		default:
			return
		}
	}
	t.Error(wrong)
}

// TestStuck: a run that is canceled does not wait for what does not stop.
func TestStuck(t *testing.T) {
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	reached := make(chan struct{})
	hang := hangingOn(t, "a U b", false)
	o := cross.Options{Runner: runner, Tools: []*translators.Tool{tool(t, "gpvw")}, Limits: productcheck.DefaultLimits,
		Reference: func(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
			close(reached)
			return hang(ctx, s, f)
		}}
	var canceled time.Time
	go func() {
		<-reached
		canceled = time.Now()
		cancel()
	}()
	emitted := 0
	err = cross.Run(ctx, o, these(t, "a U b"), func(*outcome.Case) error { emitted++; return nil })
	if took := time.Since(canceled); !errors.Is(err, context.Canceled) || took > time.Minute || emitted > 0 {
		t.Errorf("error %v after %v, %d cases", err, took, emitted)
	}
	if err := runner.Close(); err != nil {
		t.Error(err)
	}
}

// TestStuckKeeps: of a case that does not stop, what was certified before stays. A busy machine
// needs a longer limit.
func TestStuckKeeps(t *testing.T) {
	t.Parallel()
	cross.HangIn(t, "explanations")
	var wrong string
	for limit := time.Second; limit < time.Minute; limit *= 4 {
		o := cross.Options{Tools: []*translators.Tool{tool(t, "negate"), tool(t, "gpvw")}, CaseTime: limit, Words: 5, Reference: translate.Of}
		cases := run(t, o, these(t, "GFa"))
		if len(cases) != 1 {
			t.Fatalf("%d cases", len(cases))
		}
		c := cases[0]
		for _, d := range c.Disagreements {
			checkDisagreement(t, c, &d)
		}
		b := blamed(c)
		if b["P gpvw"] {
			t.Fatalf("blamed %v: %+v", b, c.Disagreements)
		}
		if len(c.Undecided) == 1 && c.Checked && len(c.Checks) > 0 && (b["P negate"] || b["N negate"]) {
			return
		}
		wrong = fmt.Sprintf("undecided %+v, checked %v, blamed %v", c.Undecided, c.Checked, b)
	}
	t.Error(wrong)
}

// TestAnyCaseTime: whenever a case reaches its time limit, nobody is blamed who is right, and
// nothing is an internal error.
func TestAnyCaseTime(t *testing.T) {
	n, seed := campaign.Seeded(t, 15, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	late := 0
	times := func(i int) time.Duration {
		switch i {
		case 0:
			return 1 // late for certain
		case 1:
			return time.Hour // never late
		}
		return time.Microsecond << r.IntN(16)
	}
	for i := range n {
		o := cross.Options{Tools: []*translators.Tool{streamed(t, "negate"), streamed(t, "gpvw")}, Words: 20, Properties: true, Reference: translate.Of,
			CaseTime: times(i), AllPairs: r.IntN(2) == 0, Products: cross.Products{Number: r.IntN(2), States: 50, Density: 0.1}}
		for _, c := range run(t, o, randomFormulas(t, seed+uint64(i), 2, 10)) {
			if b := blamed(c); b["P gpvw"] || b["N gpvw"] {
				t.Errorf("seed %d, %d, %v, %s: blamed %v", seed, i, o.CaseTime, c.Formula, b)
			}
			for _, d := range c.Disagreements {
				checkDisagreement(t, c, &d)
			}
			late += min(1, len(c.Undecided))
		}
	}
	if late == 0 || late == 2*n {
		t.Errorf("%d of %d cases are late: expected some", late, 2*n)
	}
}

// dotage is a tool in the shell's language that is right on the first formula of each
// process, and then has its mind on other things: what it answers from formula $1 on
// is for the formula $2.
const dotage = `n=0
while read -r f; do
	n=$((n+1))
	[ $n -lt "$1" ] || f=$2
	"$SELF" "$f" || exit 1
done
`

// kept returns such a tool in a mode.
func kept(t *testing.T, name string, mode translators.Mode, from int, formula string) *translators.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(file, []byte(dotage), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := translators.ParseCommand(fmt.Sprintf("sh %s %d '%s'", file, from, formula), mode)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: name, Mode: mode, Command: c, Processes: 1, Limits: translators.Limits{Timeout: time.Minute},
		Env: []string{"SELF=" + self, asTranslator + "=gastin-oddoux", "GORACE=atexit_sleep_ms=0"}}
}

// TestNoFalseBlame: a tool that is wrong only after other formulas is not blamed for
// its automata, but found to be unstable; one that is always wrong is blamed.
func TestNoFalseBlame(t *testing.T) {
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		tools := []*translators.Tool{
			tool(t, "gpvw"),
			kept(t, "good", mode, 1000, "1"),
			kept(t, "old", mode, 2, "F(a & b & c)"),
			kept(t, "wrong", mode, 1, "F(a & b & c)"),
		}
		cases := run(t, cross.Options{Tools: tools}, these(t, "a U b", "G(a | c)", "FGc", "Xa & b"))
		unstable := 0
		for _, c := range cases {
			for i, r := range c.Results {
				if r.Status != "ok" {
					t.Errorf("%s, %s: result %d: %s: %s", mode, c.Formula, i, r.Status, r.Detail)
				}
			}
			for name := range blamed(c) {
				if !strings.HasSuffix(name, " wrong") {
					t.Errorf("%s, %s: %s is blamed", mode, c.Formula, name)
				}
			}
			if !blamed(c)["P wrong"] || !blamed(c)["N wrong"] {
				t.Errorf("%s, %s: only %v are blamed", mode, c.Formula, blamed(c))
			}
			var odd []string
			for _, f := range c.Findings {
				odd = append(odd, f.Translator+" "+string(f.Class))
				if f.Translator == "old" && f.Class == "unstable" {
					unstable++
				}
			}
			if slices.ContainsFunc(odd, func(s string) bool { return s != "old unstable" && !strings.HasPrefix(s, "wrong proposition") }) {
				t.Errorf("%s, %s: findings %q", mode, c.Formula, odd)
			}
		}
		if unstable < 5 {
			t.Errorf("%s: %d answers are found to be unstable", mode, unstable)
		}
	}
}

// TestNumbering: a tool that writes the same automaton in another way each time is
// blamed if it is wrong, but not unstable.
func TestNumbering(t *testing.T) {
	script := `n=0
		while read -r f; do
			n=$((n+1)); a=$((n%2)); b=$((1-a))
			printf 'HOA: v1 States: 2 Start: %d AP: 3 "a" "b" "c" Acceptance: 1 Inf(0) --BODY--
				State: %d [t] %d [0&1&2] %d State: %d {0} [t] %d --END--\n' $a $a $a $b $b $b
		done`
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		c, err := translators.ParseCommand("sh -c "+translators.Quote(strings.ReplaceAll(script, "%", "%%")), mode)
		if err != nil {
			t.Fatal(err)
		}
		wrong := &translators.Tool{Name: "wrong", Mode: mode, Command: c, Processes: 1}
		cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), wrong}}, these(t, "a & b & c", "a U (b & c)", "G(a | b & c)"))
		for _, c := range cases {
			if !blamed(c)["P wrong"] || !blamed(c)["N wrong"] {
				t.Errorf("%s, %s: only %v are blamed", mode, c.Formula, blamed(c))
			}
			if len(c.Findings) > 0 {
				t.Errorf("%s, %s: %v", mode, c.Formula, c.Findings)
			}
		}
	}
}
