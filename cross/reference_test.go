package cross_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
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
