package cross_test

import (
	"context"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A translator gives F a an automaton that accepts only words with a at the start. Its automaton
// for the negation is right.
func ExampleRun() {
	command := `case %f in
		'F(a)') echo 'HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY--
			State: 0 [0] 1 State: 1 [t] 1 --END--' ;;
		*) echo 'HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY--
			State: 0 [!0] 0 --END--' ;;
	esac`
	mine := &translators.Tool{Name: "mine", Command: must.Get(translators.ParseCommand(command, translators.Spawn))}
	runner := must.Get(translators.NewRunner(2, ""))
	defer runner.Close()

	inputs := []cross.Input{{Formula: must.Get(ltl.NewStore().Parse("F a", ltl.Spot))}}
	next := func() (cross.Input, error) {
		if len(inputs) == 0 {
			return cross.Input{}, io.EOF
		}
		in := inputs[0]
		inputs = inputs[1:]
		return in, nil
	}
	o := cross.Options{Tools: []*translators.Tool{mine}, Runner: runner, Reference: translate.Of}
	err := cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		for _, d := range c.Disagreements {
			fmt.Printf("%s: word %s (shortest: %t) is %s\n", c.Formula, d.Word, d.Shortest, d.Kind)
			for _, s := range d.Blamed {
				fmt.Printf("wrong: %s, negation: %t\n", s.Translator, s.Polarity)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// Fa: word cycle{!a; a} (shortest: true) is missing
	// wrong: mine, negation: false
}
