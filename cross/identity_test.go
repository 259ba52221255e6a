package cross

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
)

// TestIdentity: alternating automata that differ only in the states that an edge
// leads to at once are not identical.
func TestIdentity(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	always := func(set ...omega.State) *omega.Automaton {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(3)
		b.AddStart(0)
		b.AddEdge(0, alphabet.True(), 0, b.Universal(set))
		b.AddEdge(1, alphabet.Prop(0), b.Marks().Of(0), 1)
		b.AddEdge(2, alphabet.Not(alphabet.Prop(0)), b.Marks().Of(0), 2)
		return b.Automaton()
	}
	x, y := always(1, 2), always(0, 1)
	if identity(x) != identity(always(2, 1)) {
		t.Error("automata with the same sets are not identical")
	}
	if identity(x) == identity(y) {
		t.Error("automata with different sets are identical")
	}
}
