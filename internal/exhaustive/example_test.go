package exhaustive_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/exhaustive"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// An automaton of F a that accepts only words with a at the start.
func ExampleCheck() {
	a := &certify.Automaton{Props: []string{"a"}, States: 2, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Always}}
	a.AddEdge(0, &certify.Label{Op: certify.Prop, Prop: 0}, nil, 1)
	a.AddEdge(1, &certify.Label{Op: certify.True}, nil, 1)
	answer := must.Get(exhaustive.Check(context.Background(), &exhaustive.Question{
		Props:    []string{"a"},
		Formula:  must.Get(ltl.NewStore().Parse("F a", ltl.Spot)),
		Automata: []exhaustive.Automaton{{Automaton: a}},
		Size:     3,
	}))
	fmt.Printf("%d words up to size %d\n", answer.Words, answer.Size)
	for _, w := range answer.Wrong {
		fmt.Printf("accepts: %v, letters: %v, before the cycle: %d\n", w.Accepts, w.Word.Letters, w.Word.Prefix)
	}
	// Output:
	// 18 words up to size 3
	// accepts: false, letters: [[false] [true]], before the cycle: 1
}
