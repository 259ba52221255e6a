package properties_test

import (
	"context"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// checker has the limits of a run.
var checker = properties.Checker{Decider: &productcheck.Decider{Limits: productcheck.DefaultLimits}}

func read(t *testing.T, text string) *omega.Automaton {
	t.Helper()
	a, _, err := hoa.ReadOne(context.Background(), []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return a
}

func decide(t *testing.T, a *omega.Automaton, name string) *properties.Answer {
	t.Helper()
	x, err := checker.Decide(t.Context(), a, name)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestDecide: of each property, an automaton that has it, and one that has not, with
// the reason.
func TestDecide(t *testing.T) {
	for _, test := range []struct {
		name      string
		true_     string // the body, after a header with one mark, Inf(0), and a and b
		false_    string
		reason    string
		negated   string // the reason why the first one is not !name
		condition string // if another one than "1 Inf(0)"
	}{
		{name: "state-labels", true_: "State: [0] 0 0", false_: "State: 0 [0] 0", reason: "edges of state 0 have labels"},
		{name: "state-labels", true_: "State: [0] 0", false_: "State: 0 0 0 0 0", reason: "edges of state 0 have none but implicit labels"},
		{name: "trans-labels", true_: "State: 0 [0] 0", false_: "State: [0] 0 0", reason: "state 0 has a label"},
		{name: "implicit-labels", true_: "State: 0 0 0 0 0", false_: "State: 0 [0] 0", reason: "edges of state 0 have labels"},
		{name: "implicit-labels", true_: "State: 0", false_: "State: 0 State: [0] 1 0", reason: "state 1 has a label"},
		{name: "explicit-labels", true_: "State: 0 [0] 0", false_: "State: 0 0 0 0 0", reason: "edges of state 0 have none"},
		{name: "state-acc", true_: "State: 0 {0} [0] 0 [1] 0", false_: "State: 0 [0] 0 {0}", reason: "edges of state 0 have marks"},
		{name: "trans-acc", true_: "State: 0 [0] 0 {0}", false_: "State: 0 {0} [0] 0", reason: "state 0 has marks"},
		{name: "univ-branch", true_: "State: 0 [0] 0&1 State: 1", false_: "State: 0 [0] 0", reason: "there is no universal branching", negated: "there is universal branching"},
		{name: "no-univ-branch", true_: "State: 0 [0] 0", false_: "State: 0 [0] 0&1 State: 1", reason: "there is universal branching", negated: "there is no universal branching"},
		{name: "deterministic", true_: "State: 0 [0] 0 [!0] 0", false_: "State: 0 State: 1 [0] 0 [!1] 1", reason: "state 1 has two edges on a&!b"},
		{name: "deterministic", true_: "State: 0 [0] 0&1 [!0] 1 State: 1", false_: "State: 0 State: 1 Start: 1", reason: "there are 2 initial states"},
		{name: "complete", true_: "State: 0 [0] 0 [!0] 0", false_: "State: 0 [t] 1 State: 1 [0|1] 1", reason: "state 1 has no edge on !a&!b"},
		{name: "unambiguous", true_: "State: 0 [0] 0 [!0] 1 State: 1 [t] 1", false_: "State: 0 [0] 0 [t] 1 State: 1 [0] 1 {0} [0] 1 {0}",
			reason: "the word cycle{a&!b} has two accepting runs"},
		{name: "stutter-invariant", true_: "State: 0 [0] 0 [!0] 1 {0} State: 1 [!0] 1 [0] 0", false_: "State: 0 [0] 1 State: 1 [1] 1 {0}",
			reason: "it accepts a&!b; cycle{!a&b} and not a&!b; a&!b; cycle{!a&b}"},
		{name: "weak", true_: "State: 0 [0] 0 {0} [1] 0 {0} [0] 1 State: 1 [0] 1", false_: "State: 0 [0] 1 {0} State: 1 [0] 0",
			reason: "states 0 and 1 are in one component, and have edges in it with the marks {0} and {}"},
		{name: "weak", true_: "State: 0", false_: "State: 0 [0] 0 {0} [1] 0", reason: "state 0 has edges within its component with the marks {0} and {}"},
		{name: "very-weak", true_: "State: 0 [0] 0 {0} [0] 1 State: 1 [0] 1", false_: "State: 0 [0] 1 State: 1 [0] 0", reason: "states 0 and 1 are in one component"},
		{name: "very-weak", true_: "State: 0", false_: "State: 0 [0] 0 {0} [1] 0", reason: "state 0 has edges within its component with the marks {0} and {}"},
		{name: "inherently-weak", true_: "State: 0 [0] 1 {0} State: 1 [0] 0", false_: "State: 0 State: 1 [0] 1 {0} [1] 1",
			reason: "the component of state 1 has accepting and rejecting cycles"},
		{name: "terminal", true_: "State: 0 [0] 0 [1] 1 State: 1 [0] 1 {0} [!0] 1 {0}", false_: "State: 0 [0] 0 {0} [1] 0 {0}",
			reason: "state 0, in a component with an accepting cycle, has no edge on !a&!b"},
		{name: "terminal", true_: "State: 0 [t] 0 {0} [t] 1 State: 1", false_: "State: 0 [t] 0 {0} [t] 1 State: 1 [t] 1",
			reason: "a rejecting cycle at state 1 can be reached from an accepting one at state 0"},
		{name: "terminal", true_: "State: 0", false_: "State: 0 [0] 0 {0} [1] 0", reason: "state 0 has edges within its component with the marks {0} and {}"},
		{name: "tight", true_: "State: 0 [0] 0 {0}", false_: "State: 0 [0] 1 State: 1 [0] 1 {0}", reason: "a run on cycle{a&!b} has to be longer than that"},
		{name: "tight", condition: "2 Inf(0)&Inf(1)", true_: "State: 0 [0] 0 {0} [0] 0 {1}", false_: "State: 0 [0] 1 {0} [0] 1 {1} State: 1 [0] 0",
			reason: "a run on cycle{a&!b} has to be longer than that"},
		{name: "colored", condition: "2 Inf(0)&Inf(1)", true_: "State: 0 [0] 0 {0} [0] 0 {1}", false_: "State: 0 [0] 0 {0} [0] 0 {0 1}", reason: "an edge of state 0 carries the marks {0 1}"},
		{name: "colored", condition: "2 Inf(!0)&Inf(1)", true_: "State: 0 [0] 0 {0} [0] 0 {1}", false_: "State: 0 [0] 0 {0} [0] 0", reason: "an edge of state 0 carries the marks {}"},
		{name: "stutter-sensitive", true_: "State: 0 [0] 1 State: 1 [1] 1 {0}", false_: "State: 0 [0] 0 {0}", reason: "it is stutter-invariant",
			negated: "it accepts a&!b; cycle{!a&b} and not a&!b; a&!b; cycle{!a&b}"},
		{name: "semi-deterministic", true_: "State: 0 [0] 0 [0] 1 State: 1 [0] 1 {0}", false_: "State: 0 [0] 0 {0} [0] 1 State: 1",
			reason: "state 0 has two edges on a, and can be reached from an accepting cycle at state 0"},
		{name: "exist-branch", true_: "State: 0 [0] 0 [1] 1 State: 1", false_: "State: 0 [0] 0", reason: "no two edges of a state meet", negated: "state 0 has two edges on a&b"},
	} {
		condition := "1 Inf(0)"
		if test.condition != "" {
			condition = test.condition
		}
		automaton := func(body string) *omega.Automaton {
			header := "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: " + condition
			if b, ok := strings.CutSuffix(body, "Start: 1"); ok {
				header, body = header+" Start: 1", b
			}
			return read(t, header+" --BODY-- "+body+" --END--")
		}
		holds, lies := automaton(test.true_), automaton(test.false_)
		if x := decide(t, holds, test.name); !x.Holds || x.Undecided != nil || x.Reason != "" {
			t.Errorf("%s, %s: %+v", test.name, test.true_, x)
		}
		if x := decide(t, lies, test.name); x.Holds || x.Reason != test.reason {
			t.Errorf("%s, %s: %+v, expected %s", test.name, test.false_, x, test.reason)
		}
		if x := decide(t, lies, "!"+test.name); !x.Holds || x.Reason != "" {
			t.Errorf("!%s, %s: %+v", test.name, test.false_, x)
		}
		negated := test.negated
		if negated == "" {
			negated = "it is " + test.name
		}
		if x := decide(t, holds, "!"+test.name); x.Holds || x.Reason != negated {
			t.Errorf("!%s, %s: %+v, expected %s", test.name, test.true_, x, negated)
		}
	}
}
