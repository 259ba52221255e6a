package emptiness_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An automaton that accepts the words with a infinitely often, and the emptiness checks
// that apply to it.
func ExampleAlgorithm_Check() {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	s := b.AddState()
	b.AddStart(s)
	b.AddEdge(s, alphabet.Prop(0), b.Marks().Of(0), s)
	b.AddEdge(s, alphabet.Not(alphabet.Prop(0)), 0, s)
	a := b.Automaton()
	for _, by := range []emptiness.Algorithm{emptiness.BySE, emptiness.ByTarjan, emptiness.ByWeak} {
		r, err := by.Check(context.Background(), a, omega.Limits{})
		if errors.Is(err, emptiness.ErrUnfit) {
			fmt.Println(err)
			continue
		}
		fmt.Println(by, r.Run.Word(alphabet), r.States, r.Edges, r.Depth)
	}
	// Output:
	// se-ndfs cycle{a} 1 2 1
	// tarjan cycle{a} 1 2 1
	// the algorithm does not fit the automaton: weak-dfs needs a weak automaton (the acceptance condition is 1 Inf(0)): use couvreur
}
