package reduce

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
)

// unbounded is for what always runs to its end.
func unbounded() *reducer {
	w := newReducer(context.Background())
	w.simulation = budget.Unlimited
	return w
}

// Delayed is the quotient by delayed simulation, for tests that need other
// packages.
func Delayed(a *omega.Automaton) *omega.Automaton { return delayed(a, unbounded()) }

// Overlapping makes random automata.
var Overlapping = sample.Overlapping

// Path is a Büchi automaton that is a path of n states with a marked loop at its
// end: no two states are bisimilar.
func Path(n int) *omega.Automaton {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(n)
	b.AddStart(0)
	for s := range omega.State(n - 1) {
		b.AddEdge(s, alphabet.Prop(0), 0, s+1)
	}
	b.AddEdge(omega.State(n-1), alphabet.True(), b.Marks().Of(0), omega.State(n-1))
	return b.Automaton()
}

// complete is the relation of all states.
func complete(a *omega.Automaton) *relation {
	all := newRelation(a.NumStates())
	all.fill()
	return all
}
