package emptiness_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// detour is a Büchi automaton with an accepting cycle of five edges. Two of them can be cut off.
func detour() *omega.Automaton {
	b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	b.AddStates(5)
	b.AddStart(0)
	for s := range omega.State(5) {
		b.AddEdge(s, b.Alphabet().True(), b.Marks().Of(0), (s+1)%5)
		if s == 1 {
			b.AddEdge(s, b.Alphabet().True(), 0, 4)
		}
	}
	return b.Automaton()
}

func ExampleShortestRun() {
	r, err := emptiness.ShortestRun(context.Background(), detour(), omega.Limits{ProductStates: 1000000})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.Run.Size(), "edges")
	for _, s := range r.Run.Cycle {
		fmt.Println(s.From, "->", s.Edge.Dst)
	}
	// Output:
	// 3 edges
	// 0 -> 1
	// 1 -> 4
	// 4 -> 0
}

func ExampleMinimizer() {
	m := emptiness.Minimizer{
		Found: func(r *emptiness.Run) { fmt.Println("found a run of", r.Size(), "edges") },
	}
	r, err := m.Run(context.Background(), detour())
	fmt.Println(r.Runs, "runs,", err)
	// Output:
	// found a run of 3 edges
	// 1 runs, <nil>
}
