package forq_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

// BenchmarkCheck checks twelve random pairs, with half a second for each: by this package, and by
// the construction for complements that is tried first.
func BenchmarkCheck(b *testing.B) {
	const limit = time.Second / 2
	for _, c := range []struct {
		states int
		edges  float64 // of a state, on a letter
	}{{15, 1.6}, {20, 1.6}, {30, 1.3}, {20, 2}, {30, 2.5}} {
		r := rand.New(rand.NewPCG(7, 0))
		one := func(states int, edges float64) *productcheck.Language {
			o := random.Options{States: states, Density: 4 * edges / float64(states), Marks: 0.2}
			l := productcheck.NewLanguage(random.Automaton(r, letters, omega.Buchi(), o))
			must.Get(l.Reduced(b.Context(), 0))
			return l
		}
		var pairs [12][2]*productcheck.Language
		for i := range pairs {
			pairs[i] = [2]*productcheck.Language{one(5, 0.8), one(c.states, c.edges)}
		}
		measure := func(name string, check func(x, y *productcheck.Language) (included bool, err error)) {
			b.Run(fmt.Sprintf("states=%d/edges=%.1f/%s", c.states, c.edges, name), func(b *testing.B) {
				included, late := 0, 0
				for b.Loop() {
					for _, p := range pairs {
						is, err := check(p[0], p[1])
						if err != nil {
							late++
						} else if is {
							included++
						}
					}
				}
				b.ReportMetric(float64(included)/float64(b.N), "included")
				b.ReportMetric(float64(late)/float64(b.N), "late")
			})
		}
		measure("forq", func(x, y *productcheck.Language) (bool, error) {
			ctx, cancel := context.WithTimeout(b.Context(), limit)
			defer cancel()
			result, err := forq.Check(ctx, must.Get(x.Reduced(ctx, 0)), must.Get(y.Reduced(ctx, 0)), forq.Limits{})
			return err == nil && result.Included(), err
		})
		measure("complement", func(x, y *productcheck.Language) (bool, error) {
			y.Forget()
			d := productcheck.Decider{Algorithm: complement.Algorithm("modular"), Limits: productcheck.Limits{Time: limit}}
			decision, err := d.Decide(b.Context(), x, true, y, false)
			if err == nil {
				err = decision.Undecided
			}
			return err == nil && decision.Empty(), err
		})
	}
}
