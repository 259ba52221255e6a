package cross_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
