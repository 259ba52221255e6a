package cross_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// random gives n random formulas over 3 propositions.
func randomFormulas(t testing.TB, seed uint64, n, size int) func() (cross.Input, error) {
	t.Helper()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: size}))
	return func() (cross.Input, error) {
		if n--; n < 0 {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		return cross.Input{Formula: f, Seed: &seed}, err
	}
}

func these(formulas ...string) func() (cross.Input, error) {
	var list []cross.Input
	for _, f := range formulas {
		list = append(list, cross.Input{Formula: must.Get(ltl.NewStore().Parse(f, ltl.Spot))})
	}
	return inputs(list...)
}

func inputs(list ...cross.Input) func() (cross.Input, error) {
	return func() (in cross.Input, err error) {
		if len(list) == 0 {
			return in, io.EOF
		}
		in, list = list[0], list[1:]
		return in, nil
	}
}

// run collects the cases of a run on 2 cores.
func run(t testing.TB, o cross.Options, next func() (cross.Input, error)) []*outcome.Case {
	t.Helper()
	return runOn(t, 2, o, next)
}

// runOn collects the cases of a run on n cores.
func runOn(t testing.TB, n int, o cross.Options, next func() (cross.Input, error)) []*outcome.Case {
	t.Helper()
	runner := must.Get(translators.NewRunner(n, t.TempDir()))
	o.Runner = runner
	var cases []*outcome.Case
	err := cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		cases = append(cases, c)
		return nil
	})
	must.Do(errors.Join(err, runner.Close()))
	// On a busy machine, a case may take so long that others come before it.
	slices.SortFunc(cases, func(a, b *outcome.Case) int { return cmp.Compare(a.Index, b.Index) })
	for i, c := range cases {
		if c.Index != i {
			t.Fatalf("case %d has index %d", i, c.Index)
		}
		for _, e := range c.Errors {
			t.Errorf("%s: %s", c.Formula, e)
		}
	}
	return cases
}

// TestNoFalseAlarm runs the good translators alone. (The long version of this
// test is a command in CONTRIBUTING.md.)
func TestNoFalseAlarm(t *testing.T) {
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{streamed(t, "gpvw"), streamed(t, "gastin-oddoux")}, Words: 20, Exhaustive: cross.Cheap, Properties: true},
		randomFormulas(t, 2, campaign.Inputs(t, 200), 15)) {
		if len(c.Disagreements)+len(c.Undecided)+len(c.Findings) > 0 {
			t.Errorf("%s: %+v", c.Formula, c)
		}
	}
}

// TestClassesAndPairs: checking every pair of automata, and checking by classes with and without proofs,
// blame the same automata, whatever is wrong with them.
func TestClassesAndPairs(t *testing.T) {
	t.Parallel()
	const seed = 3
	tools := []*translators.Tool{streamed(t, "drop"), streamed(t, "gpvw"), streamed(t, "toggle"), streamed(t, "negate"), streamed(t, "gastin-oddoux")}
	n := campaign.Inputs(t, 100)
	classes := run(t, cross.Options{Tools: tools}, randomFormulas(t, seed, n, 8))
	proofs := run(t, cross.Options{Tools: tools, Prove: cross.ProveAll}, randomFormulas(t, seed, n, 8))
	pairs := run(t, cross.Options{Tools: tools, AllPairs: true}, randomFormulas(t, seed, n, 8))
	some := 0
	for i, c := range classes {
		x, y, z := blamed(c), blamed(pairs[i]), blamed(proofs[i])
		if !reflect.DeepEqual(x, y) || !reflect.DeepEqual(x, z) {
			t.Errorf("seed %d, %s: by classes %v are wrong, by pairs %v, with proofs %v", seed, c.Formula, x, y, z)
		}
		some += len(x)
	}
	if some < n/2 {
		t.Errorf("only %d wrong automata: too few to say anything", some)
	}
}

func blamed(c *outcome.Case) map[string]bool {
	set := map[string]bool{}
	for _, d := range c.Disagreements {
		for _, b := range d.Blamed {
			set[b.Symbol()] = true
		}
	}
	return set
}

// TestDeterminism: but for times, the report is the same whatever runs in parallel.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, jobs := range []int{1, 8} {
		cases := runOn(t, jobs, cross.Options{Tools: []*translators.Tool{tool(t, "drop"), tool(t, "gpvw"), tool(t, "gastin-oddoux")}, Words: 5},
			randomFormulas(t, 4, campaign.Inputs(t, 50), 8))
		for _, c := range cases {
			for i := range c.Results {
				r := &c.Results[i]
				r.Seconds, r.CPU, r.MaxRSS = 0, 0, 0
			}
		}
		text := must.Get(json.MarshalIndent(cases, "", " "))
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("the reports differ")
	}
}

// TestLimits: what is given up is counted, and not blamed on anybody.
func TestLimits(t *testing.T) {
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}}
	o.Limits = omega.Limits{Macrostates: 1, ProductStates: 3, Time: time.Minute}
	cases := run(t, o, these("GFa & GFb | FGc"))
	c := cases[0]
	if len(c.Disagreements) > 0 || len(c.Undecided) == 0 {
		t.Fatalf("%+v", c)
	}
	for _, u := range c.Undecided {
		why, _, _ := strings.Cut(u.Why, " spent before on the same ")
		if why != "limit of 1 states with Büchi acceptance" && why != "limit of 1 macrostates" && why != "limit of 3 product states" {
			t.Errorf("undecided %+v", u)
		}
	}
}

// TestReferenceAlone runs a wrong translator with no other but the reference. It
// is found and blamed whenever its language is wrong.
func TestReferenceAlone(t *testing.T) {
	const seed = 2
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		checkMutants(t, seed, mutation, run(t,
			cross.Options{Tools: []*translators.Tool{streamed(t, mutation)}, Reference: translate.Of},
			randomFormulas(t, seed, campaign.Inputs(t, 60), 10)))
	}
}

// TestReferenceConsistent has a translator that takes every U for a W, in the formula and in its negation:
// its automata agree with each other, so that nothing but the reference shows that they are wrong.
func TestReferenceConsistent(t *testing.T) {
	formulas := []string{"p0 U p1", "G(p0 -> X(p1 U p2))", "p0 W p1", "(p0 & p1) U 0", "Gp0"}
	wrong := []bool{true, true, false, true, false}
	tools := []*translators.Tool{tool(t, "weak")}
	for i, c := range run(t, cross.Options{Tools: tools}, these(formulas...)) {
		if len(c.Disagreements) != 0 || c.Reference != "" {
			t.Errorf("%s: without a reference: %+v, reference %q", formulas[i], c.Disagreements, c.Reference)
		}
	}
	for i, c := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, these(formulas...)) {
		if c.Reference != "builtin" || !c.Checked {
			t.Errorf("%s: reference %q, checked %v", c.Formula, c.Reference, c.Checked)
		}
		for _, d := range c.Disagreements {
			checkDisagreement(t, c, &d)
		}
		if b := blamed(c); b["P weak"] != wrong[i] || b["N weak"] != wrong[i] {
			t.Errorf("%s: blamed %v, want %v", formulas[i], blamed(c), wrong[i])
		}
	}
}

// TestReferenceTool prefers a tool that is a reference to the built-in one.
func TestReferenceTool(t *testing.T) {
	given := tool(t, "gpvw")
	given.Reference = true
	never := func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error) {
		return nil, errors.New("must not be asked")
	}
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "weak"), given}, Reference: never}, these("p0 U p1")) {
		if c.Reference != "gpvw" || len(c.Undecided) != 0 || !blamed(c)["P weak"] {
			t.Errorf("%+v", c)
		}
	}
}

// TestReferenceFails goes on without a reference that has no automaton, and says that the comparisons with it
// are undecided: nothing else may show that a translator is wrong.
func TestReferenceFails(t *testing.T) {
	fails := func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error) {
		return nil, errors.New("too large")
	}
	want := []outcome.Undecided{{Check: "comparison with P builtin", Text: "comparison with builtin", Why: "too large"}, {Check: "comparison with N builtin", Text: "comparison with builtin (negation)", Why: "too large"}}
	for _, tools := range [][]*translators.Tool{{tool(t, "weak")}, {tool(t, "weak"), tool(t, "gpvw")}} {
		for _, c := range run(t, cross.Options{Tools: tools, Reference: fails}, these("p0 U p1")) {
			if c.Reference != "" || !slices.Equal(c.Undecided, want) || blamed(c)["P weak"] != (len(tools) > 1) || blamed(c)["P gpvw"] {
				t.Errorf("%+v", c)
			}
		}
	}
}

// TestReferenceHalf has a reference that makes one automaton of two within its time
// limit. The others are compared with that one.
func TestReferenceHalf(t *testing.T) {
	t.Parallel()
	for _, missing := range []ltl.Op{ltl.OpNot, ltl.OpUntil} {
		half := func(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
			if f.Op() == missing {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return translate.Of(ctx, s, f)
		}
		side := map[ltl.Op]string{ltl.OpUntil: "P", ltl.OpNot: "N"}[missing]
		within(t, func(limit time.Duration) (wrong string) {
			o := cross.Options{Tools: []*translators.Tool{tool(t, "weak")}, Reference: half, Limits: omega.Limits{Time: limit}}
			want := []outcome.Undecided{{Check: "comparison with " + side + " builtin", Text: "comparison with builtin" + map[string]string{"N": " (negation)"}[side], Why: fmt.Sprint("time limit of ", limit)}}
			for _, c := range run(t, o, these("p0 U p1")) {
				if b := blamed(c); c.Reference != "builtin" || !slices.Equal(c.Undecided, want) || !b["P weak"] || !b["N weak"] {
					wrong += fmt.Sprintf("without %s: %+v\n", side, c)
				}
			}
			return wrong
		})
	}
}

// TestReferenceToolFails has a tool that is the reference and gives no automaton of
// the negation: then the built-in one serves.
func TestReferenceToolFails(t *testing.T) {
	self := must.Get(os.Executable())
	given := shell(t, "positive", `f() { case "$1" in !*) false;; *) `+translators.Quote(self)+` "$1";; esac; }; f %f`,
		asTranslator+"=gpvw", "GORACE=atexit_sleep_ms=0")
	given.Reference = true
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "weak"), given}, Reference: translate.Of}, these("p0 U p1")) {
		if b := blamed(c); c.Reference != "builtin" || c.Results[2].Failed() || !c.Results[3].Failed() || !b["P weak"] || !b["N weak"] || b["P positive"] {
			t.Errorf("%+v", c)
		}
	}
}

// TestReferenceWrong has a reference that is wrong itself: that is an internal
// error wherever it changes the language, and no translator is blamed for it.
func TestReferenceWrong(t *testing.T) {
	mutant := func(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
		a, err := translate.Of(ctx, s, f)
		if err != nil || f.Op() == ltl.OpNot {
			return a, err
		}
		return mutate(a, "negate", rand.New(rand.NewPCG(1, 0))), nil
	}
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "weak")}, Reference: mutant, Runner: runner}
	found := 0
	err := cross.Run(t.Context(), o, these("G(p0 -> Fp1)", "p0 U p1", "Fp0 & Gp1", "p0 W p1"), func(c *outcome.Case) error {
		for _, e := range c.Errors {
			if strings.Contains(e, "the reference is wrong on this word (builtin)") {
				found++
			}
		}
		for who := range blamed(c) {
			if c.Formula != "p0 U p1" || who != "P weak" && who != "N weak" {
				t.Errorf("%s: %s is blamed", c.Formula, who)
			}
		}
		return nil
	})
	must.Do(errors.Join(err, runner.Close()))
	if found != 4 {
		t.Errorf("the reference was found wrong %d times of 4", found)
	}
}

// TestReferenceComplements counts: n translators that are right are compared with the reference, whose
// negation serves as its complement, by making the complement of each of their automata once.
func TestReferenceComplements(t *testing.T) {
	tools := []*translators.Tool{tool(t, "gpvw")}
	for _, c := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, randomFormulas(t, 3, 40, 12)) {
		complements := map[string]int{}
		for _, check := range c.Checks {
			if check.Verdict != "passed" {
				t.Errorf("%s: %+v", c.Formula, check)
			}
			for _, by := range check.Constructions {
				if by != "negation" {
					complements[check.Check]++
				}
			}
		}
		for _, check := range []string{"P builtin & N builtin", "P gpvw & N builtin", "N gpvw & P builtin"} {
			if complements[check] > 0 {
				t.Errorf("%s: a complement for %s", c.Formula, check)
			}
		}
		for _, check := range []string{"P builtin & !(P gpvw)", "N builtin & !(N gpvw)"} {
			if complements[check] > 1 {
				t.Errorf("%s: %d complements for %s", c.Formula, complements[check], check)
			}
		}
	}
}

// TestCancel: what is done is reported, and the run ends soon.
func TestCancel(t *testing.T) {
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	start := time.Now()
	err := cross.Run(ctx, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
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

// TestSlow: while one case is slow, in both polarities, others go on, and all are emitted.
func TestSlow(t *testing.T) {
	go1 := filepath.Join(t.TempDir(), "go")
	// The first formula waits for the last one; were that not started, for ever.
	slow := shell(t, "slow", "case %f in first | !first) until [ -e "+go1+" ]; do sleep 0.01; done;; last) : > "+go1+";; esac; echo 'never { a: skip }'")
	formulas := []string{"first"}
	for i := range 20 {
		formulas = append(formulas, fmt.Sprintf("a U b%d", i))
	}
	cases := run(t, cross.Options{Tools: []*translators.Tool{slow}}, these(append(formulas, "last")...))
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
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
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
	err := cross.Run(ctx, cross.Options{Tools: []*translators.Tool{stuck}, Runner: runner}, next, func(c *outcome.Case) error {
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
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	full := errors.New("disk full")
	err := cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
		randomFormulas(t, 6, 1_000_000, 5), func(*outcome.Case) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestSourceWaits: an error of the receiver ends the run also if no further formula comes.
func TestSourceWaits(t *testing.T) {
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	defer runner.Close()
	first, never := these("a"), make(chan bool)
	asked := 0
	next := func() (cross.Input, error) {
		if asked++; asked > 1 {
			<-never
		}
		return first()
	}
	full := errors.New("disk full")
	err := cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
		next, func(*outcome.Case) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestTrouble: an internal error ends the run, and is not taken for a canceled run.
func TestTrouble(t *testing.T) {
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	must.Do(runner.Close())
	err := cross.Run(context.Background(), cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Runner: runner},
		randomFormulas(t, 6, 1_000_000, 5), func(*outcome.Case) error { return nil })
	if err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the runner of translators is closed") {
		t.Errorf("got %v", err)
	}
}

// hangingOn returns the best translation, which hangs on one formula: until its context is done, or for ever.
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

// within tries a check with longer and longer time limits until nothing is wrong: a busy machine needs
// a longer one.
func within(t *testing.T, check func(limit time.Duration) (wrong string)) {
	t.Helper()
	var wrong string
	for limit := time.Second / 4; limit < 2*time.Minute; limit *= 4 {
		if wrong = check(limit); wrong == "" {
			return
		}
	}
	t.Error(wrong)
}

// TestCaseTime: what takes too long in one case is undecided, whether or not it stops by itself,
// and the run goes on.
func TestCaseTime(t *testing.T) {
	t.Parallel()
	for _, obeys := range []bool{true, false} {
		t.Run(fmt.Sprint("obeys ", obeys), func(t *testing.T) {
			t.Parallel()
			within(t, func(limit time.Duration) (wrong string) {
				o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, CaseTime: limit, Words: 5,
					Reference: hangingOn(t, "a U b", obeys)}
				for i, c := range run(t, o, these("GFa", "a U b", "FGb")) {
					if late := i == 1; !late && (len(c.Undecided) > 0 || !c.Checked) {
						wrong += fmt.Sprintf("%s: checked %v, undecided %v\n", c.Formula, c.Checked, c.Undecided)
					} else if late {
						want := "case time limit of " + limit.String() + " reached (reference translation)"
						if !obeys {
							want += ", and the check did not stop"
						}
						if len(c.Undecided) != 1 || c.Undecided[0].Why != want || c.Checked || len(c.Results) != 2 || obeys == (c.Results[0].States == 0) {
							wrong += fmt.Sprintf("%s: %+v\n", c.Formula, c)
						}
					}
				}
				return wrong
			})
		})
	}
}

// TestCaseTimeKeeps: what was found before the time limit stays. It is certified, or undecided where
// too many words were found to certify them all in time.
func TestCaseTimeKeeps(t *testing.T) {
	t.Parallel()
	within(t, func(limit time.Duration) (wrong string) {
		o := cross.Options{Tools: []*translators.Tool{tool(t, "negate"), tool(t, "gpvw")}, CaseTime: limit, Words: 5,
			Reference: translate.Of, Products: cross.Products{Number: 1 << 30, States: 100, Density: 0.1}}
		c := run(t, o, these("GFa"))[0]
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
		}
		return wrong
	})
}

// TestStuck: a run that is canceled does not wait for what does not stop.
func TestStuck(t *testing.T) {
	runner := must.Get(translators.NewRunner(2, t.TempDir()))
	ctx, cancel := context.WithCancel(context.Background())
	reached := make(chan struct{})
	hang := hangingOn(t, "a U b", false)
	o := cross.Options{Runner: runner, Tools: []*translators.Tool{tool(t, "gpvw")},
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
	err := cross.Run(ctx, o, these("a U b"), func(*outcome.Case) error { emitted++; return nil })
	if took := time.Since(canceled); !errors.Is(err, context.Canceled) || took > time.Minute || emitted > 0 {
		t.Errorf("error %v after %v, %d cases", err, took, emitted)
	}
	if err := runner.Close(); err != nil {
		t.Error(err)
	}
}

// TestStuckKeeps: of a case that does not stop, what was certified before stays.
func TestStuckKeeps(t *testing.T) {
	for _, stage := range []string{"products with state spaces", "explanations"} {
		t.Run(stage, func(t *testing.T) { stuckIn(t, stage) })
	}
}

func stuckIn(t *testing.T, stage string) {
	cross.HangIn(t, stage) // in all tests: none may run beside it
	within(t, func(limit time.Duration) (wrong string) {
		o := cross.Options{Tools: []*translators.Tool{tool(t, "negate"), tool(t, "gpvw")}, CaseTime: limit, Words: 5, Reference: translate.Of}
		cases := run(t, o, these("GFa"))
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
		if len(c.Undecided) != 1 || !c.Checked || len(c.Checks) == 0 || !b["P negate"] && !b["N negate"] {
			wrong = fmt.Sprintf("undecided %+v, checked %v, blamed %v", c.Undecided, c.Checked, b)
		}
		return wrong
	})
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

// dotage is a tool in the shell's language that is right on the first formula of each process, and then has
// its mind on other things: what it answers from formula $1 on is for the formula $2.
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
	self := must.Get(os.Executable())
	file := filepath.Join(t.TempDir(), "tool")
	must.Do(os.WriteFile(file, []byte(dotage), 0o600))
	c := must.Get(translators.ParseCommand(fmt.Sprintf("sh %s %d '%s'", file, from, formula), mode))
	return &translators.Tool{Name: name, Mode: mode, Command: c, Processes: 1, Limits: translators.Limits{Timeout: time.Minute},
		Env: []string{"SELF=" + self, asTranslator + "=gastin-oddoux", "GORACE=atexit_sleep_ms=0"}}
}

// TestNoFalseBlame: a tool that is wrong only after other formulas is not blamed for
// its automata, but found to be unstable; one that is always wrong is blamed.
func TestNoFalseBlame(t *testing.T) {
	tools := []*translators.Tool{
		tool(t, "gpvw"),
		kept(t, "good", translators.Stream, 1000, "1"),
		kept(t, "old", translators.Stream, 2, "F(a & b & c)"),
		kept(t, "wrong", translators.Stream, 1, "F(a & b & c)"),
	}
	cases := run(t, cross.Options{Tools: tools}, these("a U b", "G(a | c)", "FGc", "Xa & b"))
	unstable := 0
	for _, c := range cases {
		for i, r := range c.Results {
			if r.Status != "ok" {
				t.Errorf("%s: result %d: %s: %s", c.Formula, i, r.Status, r.Detail)
			}
		}
		for name := range blamed(c) {
			if !strings.HasSuffix(name, " wrong") {
				t.Errorf("%s: %s is blamed", c.Formula, name)
			}
		}
		if !blamed(c)["P wrong"] || !blamed(c)["N wrong"] {
			t.Errorf("%s: only %v are blamed", c.Formula, blamed(c))
		}
		var odd []string
		for _, f := range c.Findings {
			odd = append(odd, f.Translator+" "+string(f.Class))
			if f.Translator == "old" && f.Class == "unstable" {
				unstable++
			}
		}
		if slices.ContainsFunc(odd, func(s string) bool { return s != "old unstable" && !strings.HasPrefix(s, "wrong proposition") }) {
			t.Errorf("%s: findings %q", c.Formula, odd)
		}
	}
	if unstable < 5 {
		t.Errorf("%d answers are found to be unstable", unstable)
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
	c := must.Get(translators.ParseCommand("sh -c "+translators.Quote(strings.ReplaceAll(script, "%", "%%")), translators.Stream))
	wrong := &translators.Tool{Name: "wrong", Mode: translators.Stream, Command: c, Processes: 1}
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), wrong}}, these("a & b & c", "a U (b & c)", "G(a | b & c)"))
	for _, c := range cases {
		if !blamed(c)["P wrong"] || !blamed(c)["N wrong"] {
			t.Errorf("%s: only %v are blamed", c.Formula, blamed(c))
		}
		if len(c.Findings) > 0 {
			t.Errorf("%s: %v", c.Formula, c.Findings)
		}
	}
}
