package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// explained is a case in which two automata are wrong on a word, with their explanations.
func explained() *outcome.Case {
	no := false
	end := 1
	accepting := outcome.Explanation{
		Automata: []outcome.Subject{{Translator: "liar"}, {Translator: "parrot"}},
		Accepts:  true,
		Why:      "accepting run sees {0 2} infinitely often, which satisfies Inf(0)",
		Run: &outcome.Path{
			Prefix: []outcome.Step{{Letter: "a", State: 0, Name: "Ga", To: 1, NameHolds: &no, Obligation: "Ga"}},
			Cycle:  []outcome.Step{{Letter: "!a", State: 1, Name: "a U b", Marks: []int{0, 2}, To: 1, Obligation: "0"}},
		},
		Repair: &outcome.Repair{Text: "the cycle is wrong"},
	}
	stuck := outcome.Explanation{
		Automata: []outcome.Subject{{Translator: "liar", Polarity: outcome.Negation}},
		Why:      "stuck at letter 2: state 1 has no edge for !a, only for a",
		Run: &outcome.Path{
			Prefix: []outcome.Step{{Letter: "a", State: 0, To: 1}},
			End:    &end,
		},
		Stuck: []outcome.Stuck{{State: 1, Name: "end", Labels: []string{"a"}}},
	}
	opposite := outcome.Explanation{
		Automata: []outcome.Subject{{Translator: "good", Polarity: outcome.Negation}},
		Accepts:  true,
		Why:      "accepting run: every infinite run is accepting",
		Run:      &outcome.Path{Cycle: []outcome.Step{{Letter: "a", State: 0, To: 0}}},
	}
	return &outcome.Case{Formula: "Ga", Disagreements: []outcome.Disagreement{{
		Word: "a; cycle{!a}", Size: 2, Kind: "extra", Explanations: []outcome.Explanation{accepting, stuck}, Opposite: &opposite,
		Table: &outcome.TruthTable{Letters: []string{"a", "!a"}, Cycle: 1, Rows: []outcome.TruthRow{{Formula: "a", Truth: "10"}, {Formula: "Ga", Truth: "00"}}},
	}}}
}

func text(t *testing.T, c *outcome.Case, options report.Text) string {
	t.Helper()
	var b bytes.Buffer
	options.W = &b
	if err := options.Case(c, report.News{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExplanations: the runs and the truth table stand below the disagreement.
func TestExplanations(t *testing.T) {
	const want = `
  liar, parrot: accepting run sees {0 2} infinitely often, which satisfies Inf(0)
          letter  state   marks  state's name  must hold from here
      1   a       0 -> 1         Ga (false)    Ga
      2*  !a      1 -> 1  {0 2}  a U b         0
     the cycle is wrong
  liar (negation): stuck at letter 2: state 1 has no edge for !a, only for a
         letter  state    state's name
      1  a       0 -> 1
      2          1 stuck  end
  good (negation), right: accepting run: every infinite run is accepting
          letter  state
      1*  a       0 -> 0
      truth at letter  1  2*
      a                1   0
      Ga               0   0
`
	if got := text(t, explained(), report.Text{}); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
	if got := text(t, explained(), report.Text{Quiet: true}); strings.Contains(got, "run") || strings.Contains(got, "truth at") {
		t.Errorf("quiet: %s", got)
	}
}

// TestExplanationsBounded: what is long is shown with -v only, and it is said that there is
// more.
func TestExplanationsBounded(t *testing.T) {
	c := explained()
	d := &c.Disagreements[0]
	d.Explanations = append(d.Explanations, d.Explanations...)
	first := &d.Explanations[0]
	first.Run = &outcome.Path{Prefix: first.Run.Prefix, Cycle: first.Run.Cycle}
	for i := range 20 {
		first.Run.Prefix = append(first.Run.Prefix, outcome.Step{Letter: "a", State: i, To: i + 1})
		d.Table.Rows = append(d.Table.Rows, outcome.TruthRow{Formula: fmt.Sprintf("a U %d", i), Truth: "00"})
	}
	first.Stays = []outcome.Stay{{}, {States: []int{1, 2}, StatesLeftOut: 3, Marks: []int{1}, Fails: []string{"Fin(1)"}}}
	first.StaysLeftOut = 2
	short := text(t, c, report.Text{})
	for _, line := range []string{
		"      22*  !a ",
		"     (10 letters of the run not shown: use -v)\n",
		"  (2 more explanations: use -v)\n",
		"  (truth of 22 subformulas along the word: use -v)\n",
		"     a run that stays in states 1, 2, … sees {1} infinitely often, which violates Fin(1)\n",
		"     (runs can also stay in 2 other components)\n",
	} {
		if !strings.Contains(short, line) {
			t.Errorf("%q is missing in\n%s", line, short)
		}
	}
	if n := strings.Count(short, "\n"); n > 40 {
		t.Errorf("%d lines", n)
	}
	d.Table.LeftOut = 7
	long := text(t, c, report.Text{Verbose: true})
	for _, line := range []string{"      22*  ", "      a U 19 ", "     (7 smaller subformulas not shown)\n"} {
		if !strings.Contains(long, line) {
			t.Errorf("-v: %q is missing in\n%s", line, long)
		}
	}
	if strings.Contains(long, "use -v") {
		t.Errorf("-v: something is left out:\n%s", long)
	}
}
