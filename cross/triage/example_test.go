package triage_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Without translators, failures are grouped by class. A group shows its smallest formula.
func ExampleTriage() {
	failures := triage.New(triage.Options{})
	for i, formula := range []string{"G(a -> X b)", "X a", "a U X b"} {
		c := outcome.NewCase(i, formula, nil)
		c.Results = []outcome.Result{{
			Subject: outcome.Subject{Translator: "mine"},
			Status:  outcome.Crash,
			Failure: outcome.ParseClass("crash 11: no edge"),
		}}
		if _, err := failures.Add(context.Background(), c); err != nil {
			fmt.Println(err)
		}
	}
	causes, err := failures.Causes(context.Background())
	for _, c := range causes {
		fmt.Printf("%s: %s on %d formulas, such as %s\n", c.Translators[0], c.Class, c.Formulas, c.Formula)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// mine: crash 11: no edge on 3 formulas, such as X a
}
