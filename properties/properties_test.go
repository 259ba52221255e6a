package properties_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// checker has the limits of a run.
var checker = properties.Checker{Decider: &productcheck.Decider{}}

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
	return must.Get(checker.Decide(t.Context(), a, name))
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

// lies returns what the text declares that is false or is not decided, and how many
// properties it declares.
func lies(t *testing.T, text string) (list []*properties.Answer, declared int) {
	t.Helper()
	a := read(t, text)
	list = must.Get(checker.CheckDeclared(t.Context(), a))
	return list, len(a.Declared.Properties)
}

// TestRecorded: what real translators declare is true; but ltl3ba declares that its
// alternating automata have universal branching even if they happen to have none. One in three
// automata is taken, or in a campaign all.
func TestRecorded(t *testing.T) {
	n, none := 0, 0
	for c := range campaign.Sample(corpus.Records[map[string]any](t, "recorded.jsonl.gz"), 3) {
		if c["status"] != "ok" {
			continue
		}
		list, declared := lies(t, c["output"].(string))
		n += declared
		for _, x := range list {
			if c["tool"] == "ltl3ba-H1" && x.Message() == "declared univ-branch, but there is no universal branching" {
				none++
				continue
			}
			t.Errorf("%s: %s (%v)\n%s", c["tool"], x.Message(), x.Undecided, c["output"])
		}
	}
	if campaign.Whole() && (n != 12246 || none != 130) || n < 12246/4 || none < 130/4 {
		t.Errorf("%d properties declared; %d times there is no universal branching", n, none)
	}
}

// TestCorpusAutomata: so is what was written of random automata.
func TestCorpusAutomata(t *testing.T) {
	n := 0
	for file, keys := range map[string][]string{"automata.jsonl.gz": {"hoa"}, "pairs.jsonl.gz": {"a", "b"}} {
		for c := range corpus.Records[map[string]any](t, file) {
			for _, k := range keys {
				list, declared := lies(t, c[k].(string))
				n += declared
				for _, x := range list {
					t.Errorf("%s: %s (%v)\n%s", file, x.Message(), x.Undecided, c[k])
				}
			}
		}
	}
	if n < 4000 {
		t.Errorf("%d properties declared", n)
	}
}

// TestMutants lets automata declare what the recorded ones declared that they differ from in
// one place. By default, it takes one in three. Many of them lie; whether a language is stutter-invariant does not change with
// the automaton.
func TestMutants(t *testing.T) {
	type key struct{ formula, tool any }
	declared := make(map[key][]string)
	for c := range corpus.Records[map[string]any](t, "recorded.jsonl.gz") {
		if a, _, err := hoa.ReadOne(context.Background(), []byte(c["output"].(string))); err == nil && c["negated"] == false {
			declared[key{c["formula"], c["tool"]}] = a.Declared.Properties
		}
	}
	count := make(map[string]int)
	limits := omega.Limits{WordSteps: 100_000} // the words need not be shortest
	checker := properties.Checker{Decider: &productcheck.Decider{Limits: limits}}
	for c := range campaign.Sample(corpus.Records[map[string]any](t, "mutants.jsonl.gz"), 3) {
		a := read(t, c["hoa"].(string))
		a.Declared.Properties = declared[key{c["formula"], c["tool"]}]
		list := must.Get(checker.CheckDeclared(t.Context(), a))
		for _, x := range list {
			count[x.Property]++
			if x.Undecided != nil || x.Property == "stutter-invariant" && c["equivalent"] == true {
				t.Errorf("%v, %v: %s (%v)\n%s", c["tool"], c["mutation"], x.Message(), x.Undecided, c["hoa"])
			}
		}
	}
	t.Log(count)
	for _, name := range []string{"deterministic", "complete", "stutter-invariant", "very-weak", "terminal"} {
		if count[name] == 0 {
			t.Errorf("no mutant is found to be not %s", name)
		}
	}
}

// TestRecordedStuttering: all tools' automata of a formula are stutter-invariant, or none, as
// they are of one language; alternating ones and never claims too. They are if the formula has
// no X.
func TestRecordedStuttering(t *testing.T) {
	invariant := make(map[string]bool)
	sensitive, alternating := 0, 0
	for c := range corpus.Records[map[string]any](t, "recorded.jsonl.gz") {
		formula, _ := c["formula"].(string)
		if c["status"] != "ok" || len(formula)%10 != 0 {
			continue
		}
		a := read(t, c["output"].(string))
		x, err := checker.Decide(t.Context(), a, "stutter-invariant")
		if err != nil || x.Undecided != nil {
			t.Fatalf("%v: %s: %v %v", c["tool"], formula, err, x)
		}
		if a.Alternating() {
			alternating++
		}
		if !x.Holds {
			sensitive++
		}
		before, known := invariant[formula]
		if known && before != x.Holds || !x.Holds && !strings.Contains(formula, "X") {
			t.Errorf("%v: %s: %+v", c["tool"], formula, x)
		}
		invariant[formula] = x.Holds
	}
	if len(invariant) < 10 || sensitive < 10 || alternating < 10 {
		t.Errorf("%d formulas, %d automata are not stutter-invariant, %d are alternating", len(invariant), sensitive, alternating)
	}
}

// TestWritten: what is declared of an automaton that we write is true.
func TestWritten(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 300 {
		a := few(r)
		a.StateMarks = r.IntN(2) == 0
		var b bytes.Buffer
		must.Do(hoa.Write(context.Background(), &b, a))
		back := read(t, b.String())
		list, err := checker.CheckDeclared(t.Context(), back)
		if err != nil || len(list) > 0 {
			t.Fatalf("seed %d, case %d: %v (%v)\n%s", seed, i, list, err, &b)
		}
	}
}
