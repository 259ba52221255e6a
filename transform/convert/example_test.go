package convert_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/convert"
)

// twoMarks returns an automaton of the words with infinitely many a and infinitely many b, with a
// mark for each.
func twoMarks() *omega.Automaton {
	alphabet := omega.NewAlphabet("a", "b")
	a, b := alphabet.Prop(0), alphabet.Prop(1)
	x := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(2))
	s := x.AddState()
	x.AddStart(s)
	x.AddEdge(s, alphabet.And(a, b), x.Marks().Of(0, 1), s)
	x.AddEdge(s, alphabet.And(a, alphabet.Not(b)), x.Marks().Of(0), s)
	x.AddEdge(s, alphabet.And(b, alphabet.Not(a)), x.Marks().Of(1), s)
	x.AddEdge(s, alphabet.Not(alphabet.Or(a, b)), 0, s)
	return x.Automaton()
}

func ExampleDegeneralize() {
	a := must.Get(convert.Degeneralize(context.Background(), twoMarks(), false, 0))
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			fmt.Println(s, a.Alphabet().Text(e.Label), a.Marks().AppendTo(nil, e.Marks), e.Dst)
		}
	}
	// Output:
	// 0 a&b [0] 0
	// 0 a&!b [] 1
	// 0 !a&b [] 0
	// 0 !a&!b [] 0
	// 1 a&b [0] 1
	// 1 a&!b [] 1
	// 1 !a&b [0] 0
	// 1 !a&!b [] 1
}
