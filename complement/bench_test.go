package complement_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// BenchmarkConstructions explores the whole complements of automata that each
// construction fits, and reports how many macrostates that is a second.
func BenchmarkConstructions(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 0))
	alphabet := omega.NewAlphabet("a", "b")
	var list []*complement.Subject
	for range 60 {
		a := structured(r, alphabet)
		if r.IntN(2) == 0 {
			a = random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 8, Density: 0.2, Marks: 0.2})
		}
		s, err := complement.Prepare(ctx, a, 0)
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, s)
	}
	for _, by := range complement.Algorithms() {
		if by == "deterministic" || by == "dualization" {
			continue
		}
		b.Run(string(by), func(b *testing.B) {
			states := 0
			for b.Loop() {
				for _, s := range list {
					c, err := s.Complement(ctx, by, 20000)
					if err != nil {
						continue // does not fit
					}
					omega.Explore(ctx, c, 0) // up to the limit
					states += c.Macrostates()
				}
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "macrostates/s")
		})
	}
}

// BenchmarkPrepare reduces and classifies automata of 10, 100 and 1000 states.
func BenchmarkPrepare(b *testing.B) {
	alphabet := omega.NewAlphabet("a", "b")
	for _, n := range []int{10, 100, 1000} {
		a := random.Automaton(rand.New(rand.NewPCG(2, 0)), alphabet, omega.Buchi(), random.Options{States: n, Density: 2 / float64(n), Marks: 0.2})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := complement.Prepare(ctx, a, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNondeterministic takes the alternation from very weak automata and from
// others, and reports how many macrostates that is a second.
func BenchmarkNondeterministic(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 0))
	alphabet := omega.NewAlphabet("a", "b")
	for _, veryWeak := range []bool{true, false} {
		var list []*omega.Automaton
		for range 200 {
			list = append(list, alternating(r, alphabet, veryWeak))
		}
		b.Run(fmt.Sprintf("very weak=%v", veryWeak), func(b *testing.B) {
			states := 0
			for b.Loop() {
				for _, a := range list {
					src, err := complement.Nondeterministic(ctx, a, 0)
					if err != nil {
						b.Fatal(err)
					}
					x, err := omega.Explore(ctx, src, 0)
					if err != nil {
						b.Fatal(err)
					}
					states += x.NumStates()
				}
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "macrostates/s")
		})
	}
}
