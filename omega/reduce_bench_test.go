package omega

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// BenchmarkQuotient is the worst case for rounds over all states: each splits off
// one.
func BenchmarkQuotient(b *testing.B) {
	for _, n := range []int{1e4, 1e5} {
		a := path(n)
		b.Run(fmt.Sprintf("path%d", n), func(b *testing.B) {
			for b.Loop() {
				if q := a.quotient(unbounded()); q.NumStates() != n {
					b.Fatal(q.NumStates())
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 0))
	a := sparse(r, NewAlphabet(props(4)...), 1e5)
	b.Run("sparse100000", func(b *testing.B) {
		for b.Loop() {
			a.quotient(unbounded())
		}
	})
}

// sparse returns a Büchi automaton like those that are made from formulas: two to
// four edges a state on conjunctions of few literals, mostly to states near by,
// and many loops.
func sparse(r *rand.Rand, alphabet *Alphabet, n int) *Automaton {
	b := NewBuilder(alphabet, Buchi())
	b.AddStates(n)
	b.AddStart(0)
	label := func() Label {
		var pos, neg uint64
		for range r.IntN(3) {
			if i := r.IntN(alphabet.Len()); r.IntN(2) == 0 {
				pos |= 1 << i &^ neg
			} else {
				neg |= 1 << i &^ pos
			}
		}
		return alphabet.Cube(pos, neg)
	}
	for s := range n {
		m := b.Marks().Of()
		if r.IntN(4) == 0 {
			m = b.Marks().Of(0)
		}
		b.AddEdge(State(s), label(), m, State(s))
		b.AddEdge(State(s), label(), 0, State(min(s+1, n-1)))
		for range r.IntN(3) {
			b.AddEdge(State(s), label(), m, State(max(0, min(n-1, s+r.IntN(20)-8))))
		}
	}
	return b.Automaton()
}

// BenchmarkReduce is on random automata and on sparse ones.
func BenchmarkReduce(b *testing.B) {
	alphabet := NewAlphabet(props(4)...)
	for _, n := range []int{100, 300, 1000, 3000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for _, c := range []struct {
			name string
			a    *Automaton
		}{
			{"random", Random(r, alphabet, Buchi(), RandomOptions{States: n, Density: 5 / float64(n), Marks: 0.2})},
			{"sparse", sparse(r, alphabet, n)},
			{"diagrams", sparse(r, NewAlphabet(props(20)...), n)},
		} {
			b.Run(fmt.Sprintf("%s%d", c.name, n), func(b *testing.B) {
				var got *Automaton
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
	benchmarkPass(b, []int{100, 300, 1000, 3000}, func(a *Automaton) { a.simulation(budget.Free()) })
}

func BenchmarkDelayed(b *testing.B) {
	benchmarkPass(b, []int{100, 300, 1000}, func(a *Automaton) { a.delayedSimulation(budget.Free()) })
}

func benchmarkPass(b *testing.B, sizes []int, pass func(a *Automaton)) {
	for _, n := range sizes {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for _, c := range []struct {
			name string
			a    *Automaton
		}{
			{"random", Random(r, NewAlphabet(props(1)...), Buchi(), RandomOptions{States: n, Density: 5 / float64(n), Marks: 0.2})},
			{"sparse", sparse(r, NewAlphabet(props(4)...), n)},
			{"diagrams", sparse(r, NewAlphabet(props(20)...), n)},
			{"path", path(n)},
		} {
			b.Run(fmt.Sprintf("%s%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					pass(c.a)
				}
			})
		}
	}
}
