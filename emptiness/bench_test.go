package emptiness_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// BenchmarkCheck searches a large random automaton of which nothing is
// accepted: for Büchi without a second look, for Streett in copies of its
// component, where half the edges differ in their labels only.
func BenchmarkCheck(b *testing.B) {
	for _, name := range []string{"Buchi", "Streett 3"} {
		acceptance, err := omega.NamedAcceptance(name)
		if err != nil {
			b.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 0))
		alphabet := omega.NewAlphabet("a")
		builder := omega.NewBuilder(alphabet, acceptance)
		const n = 100000
		builder.AddStates(n)
		builder.AddStart(0)
		for s := range omega.State(n) {
			for range 4 {
				t := omega.State(r.IntN(n))
				var m omega.Marks
				if acceptance.Sets > 1 {
					m = builder.Marks().Of(2 * r.IntN(3)) // only Fin marks: they ask for what is never seen
				}
				builder.AddEdge(s, alphabet.Prop(0), m, t)
				builder.AddEdge(s, alphabet.Not(alphabet.Prop(0)), m, t)
			}
		}
		a := builder.Automaton()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, err := emptiness.Check(context.Background(), a, emptiness.Limits{}); err != nil || !r.Empty() {
					b.Fatal(err)
				}
			}
		})
	}
}
