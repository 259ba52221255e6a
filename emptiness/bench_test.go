package emptiness_test

import (
	"context"
	"fmt"
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

// BenchmarkAlgorithms searches automata of which nothing is accepted, with up to 8 acceptance sets,
// the last of them empty.
func BenchmarkAlgorithms(b *testing.B) {
	for _, sets := range []int{1, 2, 4, 8} {
		r := rand.New(rand.NewPCG(1, 0))
		alphabet := omega.NewAlphabet()
		builder := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(sets))
		const n = 50000
		builder.AddStates(n)
		builder.AddStart(0)
		for s := range n {
			for range 4 {
				var m omega.Marks
				if i := r.IntN(sets); i < sets-1 {
					m = builder.Marks().Of(i)
				}
				builder.AddEdge(omega.State(s), alphabet.True(), m, omega.State(min(n-1, max(0, s+r.IntN(100)-10))))
			}
		}
		a := builder.Automaton()
		for _, by := range emptiness.Algorithms() {
			if by == emptiness.ByWeak || by == emptiness.ByTerminal {
				continue
			}
			b.Run(fmt.Sprintf("%d/%s", sets, by), func(b *testing.B) {
				for b.Loop() {
					if r, err := by.Check(context.Background(), a, emptiness.Limits{}); err != nil || !r.Empty() {
						b.Fatal(r, err)
					}
				}
			})
		}
	}
}
