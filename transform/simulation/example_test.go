package simulation_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/simulation"
)

// The automata of the package comment.
func ExampleProves() {
	alphabet := omega.NewAlphabet("a")
	yes, no := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	spoiler := omega.NewBuilder(alphabet, omega.Buchi())
	spoiler.AddStates(2)
	spoiler.AddStart(0)
	spoiler.AddEdge(0, alphabet.True(), 0, 1)
	spoiler.AddEdge(1, alphabet.True(), 1, 0)
	duplicator := omega.NewBuilder(alphabet, omega.Buchi())
	duplicator.AddStates(3)
	duplicator.AddStart(0)
	duplicator.AddEdge(0, alphabet.True(), 0, 1)
	duplicator.AddEdge(0, alphabet.True(), 0, 2)
	duplicator.AddEdge(1, yes, 1, 0)
	duplicator.AddEdge(2, no, 1, 0)
	a, b := spoiler.Automaton(), duplicator.Automaton()

	ctx := context.Background()
	fmt.Println(must.Get(simulation.Proves(ctx, a, b, simulation.Fair, 1, 1000)))
	fmt.Println(must.Get(simulation.Proves(ctx, a, b, simulation.Fair, 4, 1000)))
	fmt.Println(must.Get(simulation.Proves(ctx, a, b, simulation.Fair, 4, 10))) // too few steps
	// Output:
	// 0
	// 2
	// 0
}
