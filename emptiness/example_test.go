package emptiness_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/emptiness"
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
		r, err := by.Check(context.Background(), a, emptiness.Limits{})
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
	r, err := emptiness.ShortestRun(context.Background(), detour(), emptiness.Limits{States: 1000000})
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
		Algorithm: emptiness.ByGMZMin,
		Found:     func(r *emptiness.Run) { fmt.Println("found a run of", r.Size(), "edges") },
	}
	r, err := m.Run(context.Background(), detour())
	fmt.Println(r.Runs, "runs,", err)
	// Output:
	// found a run of 5 edges
	// found a run of 3 edges
	// 2 runs, <nil>
}
