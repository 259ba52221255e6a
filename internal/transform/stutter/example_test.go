package stutter_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/transform/stutter"
	"github.com/xcheck-ltl/xcheck/omega"
)

func ExampleCollapse() {
	ctx := context.Background()
	word := must.Get(omega.ParseWord(ctx, "a; a; !a; cycle{!a; a; a}"))
	fmt.Println(stutter.Collapse(word))

	// The automaton accepts this very word. Closure adds those with fewer repetitions.
	more := must.Get(stutter.Closure(ctx, word.Automaton(), 0))
	fmt.Println(must.Get(word.Automaton().Accepts(ctx, stutter.Collapse(word))), must.Get(more.Accepts(ctx, stutter.Collapse(word))))
	// Output:
	// cycle{a; !a}
	// false true
}
