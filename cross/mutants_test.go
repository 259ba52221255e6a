package cross_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestMutants runs a wrong translator beside two good ones. Whenever its mutation has changed the language,
// it is found, and only it is blamed; and it is not blamed when the language is the same.
func TestMutants(t *testing.T) {
	const seed = 1
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		checkMutants(t, seed, mutation, run(t,
			cross.Options{Tools: []*translators.Tool{streamed(t, "gpvw"), streamed(t, mutation), streamed(t, "gastin-oddoux")}, Exhaustive: cross.Cheap},
			randomFormulas(t, seed, campaign.Inputs(t, 60), 10)))
	}
}

// checkMutants checks that the mutated translator, and no other, is blamed in
// just those cases in which it is wrong.
func checkMutants(t *testing.T, seed uint64, mutation string, cases []*outcome.Case) {
	t.Helper()
	caught, harmless := 0, 0
	for _, c := range cases {
		wrong := map[outcome.Subject]bool{}
		for _, d := range c.Disagreements {
			checkDisagreement(t, c, &d)
			checkGeneral(t, c, &d, func(s outcome.Subject) *omega.Automaton { return mutant(t, s, c.Formula) })
			checkExplanations(t, c, &d, func(s outcome.Subject) *omega.Automaton { return mutant(t, s, c.Formula) })
			for _, b := range d.Blamed {
				if b.Translator != mutation {
					t.Errorf("seed %d, %s: %s is blamed: %+v", seed, c.Formula, b, d)
				}
				wrong[b] = true
			}
		}
		for _, negated := range []bool{false, true} {
			want := changed(t, mutation, c.Formula, negated)
			if got := wrong[outcome.Subject{Translator: mutation, Polarity: outcome.Polarity(negated)}]; got != want {
				t.Errorf("seed %d, %s, negated %v: blamed %v, but the language has changed: %v", seed, c.Formula, negated, got, want)
			}
			if want {
				caught++
			} else {
				harmless++
			}
		}
	}
	if caught < len(cases)/3 || harmless < len(cases)/12 {
		t.Errorf("%s: %d mutants, %d without effect: too few to say anything", mutation, caught, harmless)
	}
}

// changed reports whether the mutant differs from the automaton that it is made
// from, by random words and, where they don't show it, by both inclusions.
func changed(t *testing.T, mutation, formula string, negated bool) bool {
	t.Helper()
	s := ltl.NewStore()
	f := must.Get(s.Parse(formula, ltl.Spot))
	if negated {
		f = s.Not(f)
	}
	good := must.Get(mutated("gastin-oddoux", f.String()))
	bad := must.Get(mutated(mutation, f.String()))
	good = must.Get(good.Over(context.Background(), bad.Alphabet()))
	r := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		w := random.Word(r, bad.Alphabet(), 3, 3)
		x, _ := good.Accepts(context.Background(), w)
		y, _ := bad.Accepts(context.Background(), w)
		if x != y {
			return true
		}
	}
	for _, pair := range [][2]*omega.Automaton{{good, bad}, {bad, good}} {
		co := must.First(complement.Whole(context.Background(), "", pair[1], omega.Limits{}))
		both := must.Get(productcheck.Intersect(context.Background(), pair[0], co, omega.Limits{}))
		if !both.Empty() {
			return true
		}
	}
	return false
}

// checkDisagreement recomputes everything that a disagreement says of its word.
func checkDisagreement(t *testing.T, c *outcome.Case, d *outcome.Disagreement) {
	t.Helper()
	f := must.Get(ltl.NewStore().Parse(c.Formula, ltl.Spot))
	w := must.Get(omega.ParseWord(context.Background(), d.Word))
	truth, err := w.Holds(f)
	if err != nil || truth != d.Truth || w.Size() != d.Size {
		t.Errorf("%s on %s: truth %v (%v), size %d; the report says %v, %d", c.Formula, d.Word, truth, err, w.Size(), d.Truth, d.Size)
	}
	for _, a := range d.Accepts {
		if a.Right != (a.Accepts == (truth != bool(a.Polarity))) {
			t.Errorf("%s on %s: %+v is inconsistent", c.Formula, d.Word, a)
		}
		blamed := false
		for _, b := range d.Blamed {
			blamed = blamed || b == a.Subject
		}
		if kind := map[bool]string{true: "extra", false: "missing"}[a.Accepts]; blamed != (!a.Right && kind == string(d.Kind)) {
			t.Errorf("%s on %s, kind %s: %+v, blamed %v", c.Formula, d.Word, d.Kind, a, blamed)
		}
	}
}

// TestMisbehaviour: each failure is in its class, and does not keep the others from being checked.
func TestMisbehaviour(t *testing.T) {
	t.Parallel()
	alternating := `HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 [t] 0\&1 {0} [t] 0 State: 1 [t] 1 --END--`
	tools := []*translators.Tool{
		tool(t, "gpvw"),
		shell(t, "hangs", "trap '' TERM; sleep 100; : %f"),
		shell(t, "forks", "sleep 100 & echo never { a: false } '#' %f | sed 's/#.*//'"),
		shell(t, "endless", "yes %f"),
		shell(t, "half", "echo HOA: v1 States: 1 : %f"),
		shell(t, "error text", "echo error: cannot translate %f"),
		shell(t, "killed", "kill -9 $$ ; : %f"),
		shell(t, "missing", "/no/such/translator %f"),
		shell(t, "silent", ": %f"),
		shell(t, "alternating", "echo '"+strings.ReplaceAll(alternating, `\&`, "&")+"'; : %f"),
		shell(t, "aborts", "echo 'HOA: v1 --ABORT--'; : %f"),
		shell(t, "no X", "echo %f"),
	}
	for i := range tools {
		tools[i].Limits = translators.Limits{Timeout: 30 * time.Second, MaxOutput: 1 << 16}
	}
	tools[1].Limits.Timeout = 300 * time.Millisecond
	tools[len(tools)-1].Without = ltl.Ops(ltl.OpNext)
	cases := run(t, cross.Options{Tools: tools}, these("X0 & Xa", "b U Xc"))
	want := "ok timeout ok too-big syntax syntax crash exit no-output unsupported aborted skipped"
	for _, c := range cases {
		for polarity := range 2 {
			var got []string
			for i := polarity; i < len(c.Results); i += 2 {
				got = append(got, string(c.Results[i].Status))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %s, want %s", c.Formula, got, want)
			}
		}
		// The claim that has no run at all is wrong.
		if x := blamed(c); !reflect.DeepEqual(x, map[string]bool{"P forks": true, "N forks": true}) {
			t.Errorf("%s: blamed %v", c.Formula, x)
		}
	}
}

// TestNames: propositions that a syntax can't write come back under their own names.
func TestNames(t *testing.T) {
	self, _ := os.Executable()
	odd := shell(t, "lbt", translators.Quote(self)+" \"$(printf %%s %l | tr -d '&' | sed 's/^ *//')\"", asTranslator+"=gpvw", "GORACE=atexit_sleep_ms=0")
	spin := shell(t, "claim", "echo 'never { T0: if :: (p0) -> goto T0 fi }'; : %s")
	cases := run(t, cross.Options{Tools: []*translators.Tool{odd, spin}}, these(`"a b"`))
	if len(cases) != 1 || len(cases[0].Results) != 4 {
		t.Fatalf("%+v", cases)
	}
	c := cases[0]
	for _, f := range c.Findings {
		t.Errorf("finding %+v", f)
	}
	for _, d := range c.Disagreements {
		if !strings.Contains(d.Word, `"a b"`) {
			t.Errorf("the word %s does not speak of the formula's proposition", d.Word)
		}
	}
	if !blamed(c)["P claim"] || !blamed(c)["N claim"] {
		t.Errorf("blamed: %v", blamed(c))
	}
}

// TestFindings: false properties, strange propositions and headers.
func TestFindings(t *testing.T) {
	text := `HOA: v1 States: 1 Start: 0 AP: 2 "a" "z" acc-name: Buchi Acceptance: 1 Fin(0) Strange: x properties: deterministic weak complete --BODY-- State: 0 [0] 0 [0&1] 0 --END--`
	cases := run(t, cross.Options{Tools: []*translators.Tool{shell(t, "liar", "echo '"+text+"'; : %f")}, Properties: true}, these("Ga"))
	var got []string
	for _, f := range cases[0].Findings {
		if f.Polarity == outcome.Formula {
			got = append(got, string(f.Class)+": "+f.Text)
		}
	}
	want := []string{
		"header: 1:79: unknown header Strange: (its capital letter means that it changes the semantics of the automaton)",
		`proposition: unknown proposition "z": the formula does not have it`,
		"property: acc-name: Buchi stands for 1 Inf(0), but the acceptance is 1 Fin(0)",
		"property: declared deterministic, but state 0 has two edges on a&z",
		"property: declared complete, but state 0 has no edge on !a",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNotTight: the automaton of gpvw for p & X G q declares itself tight, and is not.
func TestNotTight(t *testing.T) {
	text := `HOA: v1 States: 2 Start: 0 AP: 2 "p" "q" Acceptance: 0 t properties: tight --BODY-- State: 0 [0] 1 State: 1 [1] 1 --END--`
	cases := run(t, cross.Options{Tools: []*translators.Tool{shell(t, "liar", "echo '"+text+"'; : %f")}, Properties: true}, these("p & XGq"))
	want := "declared tight, but a run on cycle{p&q} has to be longer than that"
	if f := cases[0].Findings; len(f) != 2 || f[0].Class != "property" || f[0].Text != want {
		t.Errorf("findings %v, want %s", f, want)
	}
}
