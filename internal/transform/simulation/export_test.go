package simulation

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Claim says that Duplicator wins from a pair of states, after so many rounds of priority 1 at most.
type Claim struct{ P, Q omega.State }

// Claims returns what the game has found with some lookahead: the measures of the pairs from which
// Duplicator wins, and whether he wins from the start.
func Claims(a, b *omega.Automaton, kind Kind, lookahead int) (claims map[Claim]int32, won bool) {
	g := newGame(a, b, kind, budget.Free())
	for k := 1; k <= lookahead && !won; k++ {
		if k > 1 && !g.deepen() {
			break
		}
		g.explore()
		won = g.won()
	}
	claims = map[Claim]int32{}
	for i := range g.pairs.Len() {
		if pair := g.pairs.At(int32(i)); g.positions[i+1].measure != never {
			claims[Claim{omega.State(pair >> 32), omega.State(uint32(pair))}] = g.positions[i+1].measure
		}
	}
	return claims, won
}
