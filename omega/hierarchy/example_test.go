package hierarchy_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/hierarchy"
)

func ExampleOf() {
	alphabet := omega.NewAlphabet("a")
	a := alphabet.Prop(0)
	b := omega.NewBuilder(alphabet, omega.Buchi())
	s := b.AddState()
	b.AddStart(s)
	b.AddEdge(s, a, b.Marks().Of(0), s)
	b.AddEdge(s, alphabet.Not(a), 0, s)
	class := must.Get(hierarchy.Of(context.Background(), b.Automaton()))
	fmt.Println("GFa:", class, class.Within())
	// Output: GFa: recurrence [recurrence reactivity]
}
