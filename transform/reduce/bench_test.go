package reduce

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// BenchmarkQuotient is the worst case for rounds over all states: each splits off
// one.
func BenchmarkQuotient(b *testing.B) {
	for _, n := range []int{1e4, 1e5} {
		a := Path(n)
		b.Run(fmt.Sprintf("path%d", n), func(b *testing.B) {
			for b.Loop() {
				if q := quotient(a, unbounded()); q.NumStates() != n {
					b.Fatal(q.NumStates())
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 0))
	a := sample.Sparse(r, omega.NewAlphabet(sample.Props(4)...), 1e5)
	b.Run("sparse100000", func(b *testing.B) {
		for b.Loop() {
			quotient(a, unbounded())
		}
	})
}

// BenchmarkReduce is on random automata and on sparse ones.
func BenchmarkReduce(b *testing.B) {
	alphabet := omega.NewAlphabet(sample.Props(4)...)
	for _, n := range []int{100, 300, 1000, 3000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for _, c := range []struct {
			name string
			a    *omega.Automaton
		}{
			{"random", random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: n, Density: 5 / float64(n), Marks: 0.2})},
			{"sparse", sample.Sparse(r, alphabet, n)},
			{"diagrams", sample.Sparse(r, omega.NewAlphabet(sample.Props(20)...), n)},
		} {
			b.Run(fmt.Sprintf("%s%d", c.name, n), func(b *testing.B) {
				var got *omega.Automaton
				for b.Loop() {
					got, _ = Reduce(context.Background(), c.a)
				}
				b.ReportMetric(float64(got.NumStates()), "states")
				b.ReportMetric(float64(got.NumEdges()), "edges")
			})
		}
	}
}

// BenchmarkSimulation is the direct simulation alone, BenchmarkDelayed the delayed
// one.
func BenchmarkSimulation(b *testing.B) {
	benchmarkPass(b, []int{100, 300, 1000, 3000}, func(a *omega.Automaton) { simulate(a, budget.Free()) })
}

func BenchmarkDelayed(b *testing.B) {
	benchmarkPass(b, []int{100, 300, 1000}, func(a *omega.Automaton) { simulateDelayed(a, complete(a), budget.Free()) })
}

func benchmarkPass(b *testing.B, sizes []int, pass func(a *omega.Automaton)) {
	for _, n := range sizes {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for _, c := range []struct {
			name string
			a    *omega.Automaton
		}{
			{"random", random.Automaton(r, omega.NewAlphabet(sample.Props(1)...), omega.Buchi(), random.Options{States: n, Density: 5 / float64(n), Marks: 0.2})},
			{"sparse", sample.Sparse(r, omega.NewAlphabet(sample.Props(4)...), n)},
			{"diagrams", sample.Sparse(r, omega.NewAlphabet(sample.Props(20)...), n)},
			{"path", Path(n)},
		} {
			b.Run(fmt.Sprintf("%s%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					pass(c.a)
				}
			})
		}
	}
}
