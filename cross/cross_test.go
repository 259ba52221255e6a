package cross_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
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

// random gives n random formulas over 3 propositions.
func randomFormulas(t testing.TB, seed uint64, n, size int) func() (cross.Input, error) {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: size})
	if err != nil {
		t.Fatal(err)
	}
	return func() (cross.Input, error) {
		if n--; n < 0 {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		return cross.Input{Formula: f, Seed: &seed}, err
	}
}

func these(t testing.TB, formulas ...string) func() (cross.Input, error) {
	t.Helper()
	return func() (cross.Input, error) {
		if len(formulas) == 0 {
			return cross.Input{}, io.EOF
		}
		f, err := ltl.NewStore().Parse(formulas[0], ltl.Spot)
		formulas = formulas[1:]
		return cross.Input{Formula: f}, err
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
	runner, err := translators.NewRunner(n, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.Runner = runner
	if o.Limits == (productcheck.Limits{}) {
		o.Limits = productcheck.DefaultLimits
	}
	var cases []*outcome.Case
	err = cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		cases = append(cases, c)
		return nil
	})
	if err = errors.Join(err, runner.Close()); err != nil {
		t.Fatal(err)
	}
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

// TestClassesAndPairs: checking every pair of automata and checking by classes
// blame the same automata, whatever is wrong with them.
func TestClassesAndPairs(t *testing.T) {
	t.Parallel()
	const seed = 3
	tools := []*translators.Tool{streamed(t, "drop"), streamed(t, "gpvw"), streamed(t, "toggle"), streamed(t, "negate"), streamed(t, "gastin-oddoux")}
	n := campaign.Inputs(t, 100)
	classes := run(t, cross.Options{Tools: tools}, randomFormulas(t, seed, n, 8))
	pairs := run(t, cross.Options{Tools: tools, AllPairs: true}, randomFormulas(t, seed, n, 8))
	some := 0
	for i, c := range classes {
		x, y := blamed(c), blamed(pairs[i])
		if !reflect.DeepEqual(x, y) {
			t.Errorf("seed %d, %s: by classes %v are wrong, by pairs %v", seed, c.Formula, x, y)
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

// TestDeterminism: but for times, the report is the same whatever runs in
// parallel.
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
		text, err := json.MarshalIndent(cases, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("the reports differ")
	}
}

// TestLimits: what is given up is counted, and not blamed on anybody.
func TestLimits(t *testing.T) {
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}}
	o.Limits = productcheck.Limits{Macrostates: 1, ProductStates: 3, Time: time.Minute}
	cases := run(t, o, these(t, "GFa & GFb | FGc"))
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

// TestReferenceConsistent has a translator that takes every U for a W, in the
// formula and in its negation: its automata agree with each other, so that
// nothing but the reference shows that they are wrong.
func TestReferenceConsistent(t *testing.T) {
	formulas := []string{"p0 U p1", "G(p0 -> X(p1 U p2))", "p0 W p1", "(p0 & p1) U 0", "Gp0"}
	wrong := []bool{true, true, false, true, false}
	tools := []*translators.Tool{tool(t, "weak")}
	for i, c := range run(t, cross.Options{Tools: tools}, these(t, formulas...)) {
		if len(c.Disagreements) != 0 || c.Reference != "" {
			t.Errorf("%s: without a reference: %+v, reference %q", formulas[i], c.Disagreements, c.Reference)
		}
	}
	for i, c := range run(t, cross.Options{Tools: tools, Reference: translate.Of}, these(t, formulas...)) {
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
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "weak"), given}, Reference: never}, these(t, "p0 U p1")) {
		if c.Reference != "gpvw" || len(c.Undecided) != 0 || !blamed(c)["P weak"] {
			t.Errorf("%+v", c)
		}
	}
}

// TestReferenceFails goes on without a reference that has no automaton, and says
// that the comparisons with it are undecided: nothing else may show that a
// translator is wrong.
func TestReferenceFails(t *testing.T) {
	fails := func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error) {
		return nil, errors.New("too large")
	}
	want := []outcome.Undecided{{Check: "comparison with P builtin", Text: "comparison with builtin", Why: "too large"}, {Check: "comparison with N builtin", Text: "comparison with builtin (negation)", Why: "too large"}}
	for _, tools := range [][]*translators.Tool{{tool(t, "weak")}, {tool(t, "weak"), tool(t, "gpvw")}} {
		for _, c := range run(t, cross.Options{Tools: tools, Reference: fails}, these(t, "p0 U p1")) {
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
		o := cross.Options{Tools: []*translators.Tool{tool(t, "weak")}, Reference: half, Limits: productcheck.Limits{Time: 300 * time.Millisecond}}
		want := []outcome.Undecided{{Check: "comparison with " + side + " builtin", Text: "comparison with builtin" + map[string]string{"N": " (negation)"}[side], Why: "time limit of 300ms"}}
		for _, c := range run(t, o, these(t, "p0 U p1")) {
			if b := blamed(c); c.Reference != "builtin" || !slices.Equal(c.Undecided, want) || !b["P weak"] || !b["N weak"] {
				t.Errorf("without %s: %+v", side, c)
			}
		}
	}
}

// TestReferenceToolFails has a tool that is the reference and gives no automaton of
// the negation: then the built-in one serves.
func TestReferenceToolFails(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	given := shell(t, "positive", `f() { case "$1" in !*) false;; *) `+translators.Quote(self)+` "$1";; esac; }; f %f`,
		asTranslator+"=gpvw", "GORACE=atexit_sleep_ms=0")
	given.Reference = true
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "weak"), given}, Reference: translate.Of}, these(t, "p0 U p1")) {
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
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "weak")}, Reference: mutant, Runner: runner}
	found := 0
	err = cross.Run(t.Context(), o, these(t, "G(p0 -> Fp1)", "p0 U p1", "Fp0 & Gp1", "p0 W p1"), func(c *outcome.Case) error {
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
	if err := errors.Join(err, runner.Close()); err != nil {
		t.Fatal(err)
	}
	if found != 4 {
		t.Errorf("the reference was found wrong %d times of 4", found)
	}
}

// TestReferenceComplements counts: n translators that are right are compared with
// the reference, whose negation serves as its complement, by making the
// complement of each of their automata once.
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
