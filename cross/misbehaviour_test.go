package cross_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestMisbehaviour: each failure is in its class, and does not keep the others
// from being checked.
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
	cases := run(t, cross.Options{Tools: tools}, these(t, "X0 & Xa", "b U Xc"))
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

// TestNames: propositions that a syntax can't write come back under their own
// names.
func TestNames(t *testing.T) {
	self, _ := os.Executable()
	odd := shell(t, "lbt", translators.Quote(self)+" \"$(printf %%s %l | tr -d '&' | sed 's/^ *//')\"", asTranslator+"=gpvw", "GORACE=atexit_sleep_ms=0")
	spin := shell(t, "claim", "echo 'never { T0: if :: (p0) -> goto T0 fi }'; : %s")
	cases := run(t, cross.Options{Tools: []*translators.Tool{odd, spin}}, these(t, `"a b"`))
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
	cases := run(t, cross.Options{Tools: []*translators.Tool{shell(t, "liar", "echo '"+text+"'; : %f")}, Properties: true}, these(t, "Ga"))
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

// TestNotTight: that of gpvw for p & X G q, which says that it is tight.
func TestNotTight(t *testing.T) {
	text := `HOA: v1 States: 2 Start: 0 AP: 2 "p" "q" Acceptance: 0 t properties: tight --BODY-- State: 0 [0] 1 State: 1 [1] 1 --END--`
	cases := run(t, cross.Options{Tools: []*translators.Tool{shell(t, "liar", "echo '"+text+"'; : %f")}, Properties: true}, these(t, "p & XGq"))
	want := "declared tight, but a run on cycle{p&q} has to be longer than that"
	if f := cases[0].Findings; len(f) != 2 || f[0].Class != "property" || f[0].Text != want {
		t.Errorf("findings %v, want %s", f, want)
	}
}
