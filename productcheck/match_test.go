package productcheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// gillard returns automata as in Gillard 2019, section 4.7.1: 500 states, an edge
// between two of them with probability 7.5 %, 16 sets of generalized Büchi
// acceptance, and single letters of 10 propositions as labels.
func gillard(n int, marks float64) []*omega.Automaton {
	r := rand.New(rand.NewPCG(471, 0))
	alphabet := omega.NewAlphabet(names(10)...)
	var list []*omega.Automaton
	for range n {
		list = append(list, omega.Random(r, alphabet, omega.GeneralizedBuchi(16), omega.RandomOptions{States: 500, Density: 0.075, Marks: marks}))
	}
	return list
}

// BenchmarkEveryPair is the product check of Gillard's automata by the index of
// edges, and by trying every pair of edges, which meet or are conjoined; each time
// on the pairs of six automata whose product has more than 1000 states. The
// automata without marks have empty products, all of which is searched.
func BenchmarkEveryPair(b *testing.B) {
	for _, kind := range []string{"non-empty", "empty"} {
		automata := gillard(6, map[string]float64{"non-empty": 0.2}[kind])
		var pairs [][2]*omega.Automaton
		for i, x := range automata {
			for _, y := range automata[i+1:] {
				if _, err := omega.Explore(context.Background(), productcheck.NewProduct(x, y), 1000); err != nil {
					pairs = append(pairs, [2]*omega.Automaton{x, y}) // more than the limit
				}
			}
		}
		if kind == "empty" {
			pairs = pairs[:1]
		}
		for _, how := range []struct {
			name  string
			check func(x, y omega.Source) omega.Source
		}{
			{"index", func(x, y omega.Source) omega.Source { return productcheck.NewBlind(x, y) }},
			{"every pair met", func(x, y omega.Source) omega.Source { return productcheck.NewEveryPair(x, y, false) }},
			{"every pair conjoined", func(x, y omega.Source) omega.Source { return productcheck.NewEveryPair(x, y, true) }},
		} {
			b.Run(fmt.Sprintf("%s/%s", kind, how.name), func(b *testing.B) {
				var times []time.Duration
				var states []int
				for b.Loop() {
					for _, p := range pairs {
						start := time.Now()
						result, err := emptiness.Check(context.Background(), how.check(p[0], p[1]), emptiness.Limits{})
						if err != nil || result.Empty() != (kind == "empty") {
							b.Fatal(result, err)
						}
						times = append(times, time.Since(start))
						states = append(states, result.States)
					}
				}
				slices.Sort(times)
				slices.Sort(states)
				b.ReportMetric(times[len(times)/2].Seconds()*1000, "median-ms")
				b.ReportMetric(float64(states[len(states)/2]), "median-pairs")
			})
		}
	}
}
