package cross_test

import (
	"context"
	"io"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

// A bogus is a formula on which a translator fails, and how it does.
type bogus struct {
	formula *ltl.Formula
	c       *cross.Case
	failure cross.Failure
}

// bogusFormulas returns random formulas on which a tool fails.
func bogusFormulas(t testing.TB, o cross.Options, n int) (list []bogus) {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: 1, Props: []string{"a", "b", "c"}, MinSize: 8, MaxSize: 20})
	if err != nil {
		t.Fatal(err)
	}
	formulas := map[int]*ltl.Formula{}
	next := func() (cross.Input, error) {
		if len(formulas) == 10*n {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		formulas[len(formulas)] = f
		return cross.Input{Formula: f}, err
	}
	if err := cross.Run(context.Background(), o, next, func(c *cross.Case) error {
		if failures := c.Failures(); len(failures) > 0 && len(list) < n {
			list = append(list, bogus{formulas[c.Index], c, failures[0]})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(list) < n {
		t.Fatalf("only %d formulas", len(list))
	}
	return list
}

// descend is the plain descent: a run for each candidate, with everything that a run does,
// until one fails in the same way, and so on.
func descend(t testing.TB, o cross.Options, b bogus, steps ltl.Steps) (*ltl.Formula, int) {
	s := ltl.NewStore()
	f, cases := s.Import(b.formula), 0
	for {
		next := f
		for g := range s.Shrink(f, steps) {
			asked, failed := false, false
			if err := cross.Run(context.Background(), o, func() (cross.Input, error) {
				if asked {
					return cross.Input{}, io.EOF
				}
				asked = true
				return cross.Input{Formula: g}, nil
			}, func(c *cross.Case) error {
				failed = b.failure.In(c)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if cases++; failed {
				next = g
				break
			}
		}
		if next == f {
			return f, 2 * cases
		}
		f = next
	}
}

// BenchmarkGrind grinds the same formulas in different ways: with the Grinder, and by a
// plain descent with kept-alive tools, and with a process for each call. calls/op are those
// for a formula, without those that confirm something in the plain descents.
func BenchmarkGrind(b *testing.B) {
	for _, mutation := range []string{"U as W", "R as U", "M as R", "F as X", "xor as |", "<-> as ->", "drop", "toggle"} {
		runner, err := translators.NewRunner(2, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		defer runner.Close()
		o := cross.Options{Tools: []*translators.Tool{streamed(b, mutation)}, Runner: runner, Reference: builtin.Best, Words: 20, Properties: true, Limits: productcheck.DefaultLimits}
		list := bogusFormulas(b, o, 25)
		for _, one := range []bool{false, true} {
			name := mutation + "/grind"
			if one {
				name += "-all"
			}
			b.Run(name, func(b *testing.B) {
				g, calls := cross.NewGrinder(o), 0
				for i := 0; b.Loop(); i++ {
					x := list[i%len(list)]
					if !one || i%len(list) == 0 {
						calls += g.Calls()
						g = cross.NewGrinder(o)
					}
					if _, err := g.Grind(b.Context(), cross.Grind{Formula: x.formula, Fails: x.failure.In, Polarity: x.c.PolarityOf(x.failure), Steps: ltl.AllSteps}); err != nil {
						b.Fatal(err)
					}
				}
				calls += g.Calls()
				b.ReportMetric(float64(calls)/float64(b.N), "calls/op")
			})
		}
		plain := func(name string, o cross.Options) {
			b.Run(mutation+"/"+name, func(b *testing.B) {
				calls := 0
				for i := 0; b.Loop(); i++ {
					_, n := descend(b, o, list[i%len(list)], ltl.AllSteps)
					calls += n
				}
				b.ReportMetric(float64(calls)/float64(b.N), "calls/op")
			})
		}
		plain("plain", o)
		spawn := o
		spawn.Tools = []*translators.Tool{tool(b, mutation)}
		plain("plain-spawned", spawn)
	}
}
