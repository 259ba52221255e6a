package translators_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A shell command stands for a translator: it prints an automaton of G a, whatever the formula.
func ExampleTool_Translate() {
	command := `echo 'HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--' # %f`
	tool := &translators.Tool{Name: "mine", Command: must.Get(translators.ParseCommand(command, translators.Spawn))}
	runner := must.Get(translators.NewRunner(2, ""))
	defer runner.Close()

	ctx := context.Background()
	out := must.Get(tool.Translate(ctx, runner, must.Get(ltl.NewStore().Parse("G a", ltl.Spot)), 0))
	fmt.Println(out.Status, out.Automaton.NumStates(), "state")
	for _, text := range []string{"cycle{a}", "a; cycle{!a}"} {
		fmt.Println(text, must.Get(out.Automaton.Accepts(ctx, must.Get(omega.ParseWord(context.Background(), text)))))
	}
	// Output:
	// ok 1 state
	// cycle{a} true
	// a; cycle{!a} false
}
