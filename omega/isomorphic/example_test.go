package isomorphic_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
)

func ExampleEqual() {
	alphabet := omega.NewAlphabet("a")
	// alternating reads a and !a in turn, from the given state.
	alternating := func(start omega.State) *omega.Automaton {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(2)
		b.AddStart(start)
		b.AddEdge(start, alphabet.Prop(0), b.Marks().Of(0), 1-start)
		b.AddEdge(1-start, alphabet.Not(alphabet.Prop(0)), 0, start)
		return b.Automaton()
	}
	fmt.Println(must.Get(isomorphic.Equal(context.Background(), alternating(0), alternating(1))))
	// Output: true
}
