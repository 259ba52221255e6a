package reduce_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

func ExampleReduce() {
	alphabet := omega.NewAlphabet("a")
	a := alphabet.Prop(0)
	b := omega.NewBuilder(alphabet, omega.Buchi())
	mark := b.Marks().Of(0)
	b.AddStates(3)
	b.AddStart(0)
	b.AddEdge(0, a, mark, 1)
	b.AddEdge(0, a, mark, 2)
	b.AddEdge(1, a, mark, 1)
	b.AddEdge(2, alphabet.True(), mark, 2)
	small := must.Get(reduce.Reduce(context.Background(), b.Automaton()))
	for s := range omega.State(small.NumStates()) {
		for _, e := range small.Edges(s) {
			fmt.Println(s, alphabet.Text(e.Label), small.Marks().AppendTo(nil, e.Marks), e.Dst)
		}
	}
	// Output:
	// 0 a [] 1
	// 1 1 [0] 1
}
