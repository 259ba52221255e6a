package simulation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// BenchmarkAllPairs compares the fair game from all pairs of states with the matrix of package reduce for
// delayed simulation.
func BenchmarkAllPairs(b *testing.B) {
	alphabet := omega.NewAlphabet("a", "b")
	for _, n := range []int{30, 100, 300} {
		r := rand.New(rand.NewPCG(1, 0))
		o := random.Options{States: n, Density: 3 / float64(n), Marks: 0.2}
		x, y := random.Automaton(r, alphabet, omega.Buchi(), o), random.Automaton(r, alphabet, omega.Buchi(), o)
		b.Run(fmt.Sprint("game/", n), func(b *testing.B) {
			b.ReportAllocs()
			p, q := union(x), union(y)
			for b.Loop() {
				g := newGame(p, q, Fair, budget.New(b.Context()))
				g.explore()
				g.won()
			}
		})
		b.Run(fmt.Sprint("matrix/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := reduce.NewDelayed(b.Context(), union(y, x), omega.State(n), 1<<30); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// union returns Büchi automata side by side. All states are initial.
func union(list ...*omega.Automaton) *omega.Automaton {
	b := omega.NewBuilder(list[0].Alphabet(), omega.Buchi())
	for _, a := range list {
		first := omega.State(b.NumStates())
		b.AddStates(b.NumStates() + a.NumStates())
		for s := range omega.State(a.NumStates()) {
			b.AddStart(first + s)
			for _, e := range a.Edges(s) {
				b.AddEdge(first+s, e.Label, e.Marks, first+e.Dst)
			}
		}
	}
	return b.Automaton()
}
