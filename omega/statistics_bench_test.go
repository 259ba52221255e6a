package omega_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// BenchmarkStatistics measures what a run finds out of each automaton: the sizes, and on
// request the strength, of small automata as translators give them, and of large ones.
func BenchmarkStatistics(b *testing.B) {
	for _, n := range []int{5, 5000} {
		r := rand.New(rand.NewPCG(1, 0))
		alphabet := omega.NewAlphabet("a", "b", "c")
		a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(2), random.Options{States: n, Density: 4 / float64(n), Marks: 0.2})
		b.Run(fmt.Sprintf("sizes/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Statistics(b.Context())
			}
		})
		b.Run(fmt.Sprintf("strength/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Strength(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
