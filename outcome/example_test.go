package outcome_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Two translators fail on one formula: the automaton of the first lacks a word, and the second crashes.
func ExampleCase_Failures() {
	c := &outcome.Case{
		Formula: "G a",
		Results: []outcome.Result{
			{Subject: outcome.Subject{Translator: "mine"}, Status: "ok"},
			{Subject: outcome.Subject{Translator: "frail"}, Status: "crash", ExitCode: 11, Failure: outcome.ParseClass("crash 11: assertion failed")},
		},
		Disagreements: []outcome.Disagreement{{Word: "cycle{a}", Kind: "missing", Blamed: []outcome.Subject{{Translator: "mine"}}}},
	}
	for _, f := range c.Failures() {
		fmt.Println(f.Translators[0]+":", f)
	}
	// Output:
	// frail: crash 11: assertion failed
	// mine: missing
}
