package report_test

import (
	"fmt"
	"log"
	"os"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Two cases of a translator that is wrong on the second one: the CSV as they come, and the totals
// at the end.
func ExampleSummary() {
	command := must.Get(translators.ParseCommand("mine %f", translators.Spawn))
	summary := report.NewSummary([]*translators.Tool{{Name: "mine", Command: command}})
	table := report.NewCSV(os.Stdout, report.Columns{}, false)
	for i, formula := range []string{"Ga", "GFa"} {
		c := &outcome.Case{Index: i, Formula: formula, Checked: true}
		for _, negated := range []bool{false, true} {
			s := outcome.Subject{Translator: "mine", Polarity: outcome.Polarity(negated)}
			c.Results = append(c.Results, outcome.Result{Subject: s, Status: "ok", Sizes: omega.Sizes{States: i + 1, Edges: 2 * (i + 1)}})
		}
		if i == 1 {
			c.Disagreements = []outcome.Disagreement{{Word: "cycle{a}", Kind: "missing", Blamed: []outcome.Subject{{Translator: "mine"}}}}
		}
		if err := table.Case(c, summary.Add(c)); err != nil {
			fmt.Println(err)
		}
	}
	if err := table.End(summary); err != nil {
		fmt.Println(err)
	}
	t := summary.Translators[0]
	fmt.Println(t.Name, "made", t.Statuses["ok"], "automata with", t.States, "states;", t.WrongP, "wrong for a formula,", t.WrongN, "for a negation")
	// Output:
	// "formula","tool","exit_status","exit_code","time","states","edges","transitions","acc","scc","nondet_states","nondet_aut","complete_aut"
	// "G(a)","mine","ok",0,0,1,2,0,0,0,0,1,0
	// "!(G(a))","mine","ok",0,0,1,2,0,0,0,0,1,0
	// "G(F(a))","mine","ok",0,0,2,4,0,0,0,0,1,0
	// "!(G(F(a)))","mine","ok",0,0,2,4,0,0,0,0,1,0
	// mine made 4 automata with 6 states; 1 wrong for a formula, 0 for a negation
}

// The program of docs/json.md: the words of a document.
func ExampleRead() {
	file, err := os.Open("testdata/everything.json")
	if err != nil {
		log.Fatal(err)
	}
	_, err = report.Read(file, func(c *outcome.Case) error {
		for _, d := range c.Disagreements {
			fmt.Println(c.Formula, d.Kind, d.Word, d.Blamed)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Ga missing cycle{!a&!b} [mine (negation)]
	// Ga extra cycle{!a&!b} [mine]
}
