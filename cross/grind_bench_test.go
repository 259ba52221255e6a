package cross_test

import (
	"context"
	"io"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A bogus is a formula on which a translator fails, and how it does.
type bogus struct {
	formula *ltl.Formula
	c       *outcome.Case
	failure outcome.Failure
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
	if err := cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
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
// until one fails in the same way, and so on. It returns the number of calls.
func descend(t testing.TB, o cross.Options, b bogus) (calls int) {
	s := ltl.NewStore()
	f := s.Import(b.formula)
	for {
		next := f
		for g := range s.Shrink(f, ltl.AllSteps) {
			asked, failed := false, false
			if err := cross.Run(context.Background(), o, func() (cross.Input, error) {
				if asked {
					return cross.Input{}, io.EOF
				}
				asked = true
				return cross.Input{Formula: g}, nil
			}, func(c *outcome.Case) error {
				failed = b.failure.In(c)
				if calls += len(c.Results); o.Tools[0].Mode == translators.Stream {
					calls += len(blamed(c)) // each is confirmed
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if failed {
				next = g
				break
			}
		}
		if next == f {
			return calls
		}
		f = next
	}
}

// BenchmarkGrind grinds 25 formulas for each of eight wrong translators in different ways:
// with a Grinder for each formula, with one for all those of a translator, as in a run,
// and by a plain descent, with the translators kept alive and with a process for each
// call. The times and calls are those for one formula.
func BenchmarkGrind(b *testing.B) {
	const each = 25
	runner, err := translators.NewRunner(2, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer runner.Close()
	type job struct {
		kept, spawned cross.Options
		list          []bogus
	}
	var jobs []job
	for _, mutation := range []string{"U as W", "R as U", "M as R", "F as X", "xor as |", "<-> as ->", "drop", "toggle"} {
		o := cross.Options{Tools: []*translators.Tool{streamed(b, mutation)}, Runner: runner, Reference: translate.Of,
			Words: 20, Properties: true, Limits: productcheck.DefaultLimits}
		spawned := o
		spawned.Tools = []*translators.Tool{tool(b, mutation)}
		jobs = append(jobs, job{o, spawned, bogusFormulas(b, o, each)})
	}
	ways := []struct {
		name string
		do   func(*job) int
	}{
		{"grind", func(j *job) (calls int) {
			for _, x := range j.list {
				calls += ground(b, cross.NewGrinder(j.kept), x)
			}
			return calls
		}},
		{"grind-run", func(j *job) (calls int) {
			g := cross.NewGrinder(j.kept)
			for _, x := range j.list {
				calls += ground(b, g, x)
			}
			return calls
		}},
		{"plain", func(j *job) (calls int) {
			for _, x := range j.list {
				calls += descend(b, j.kept, x)
			}
			return calls
		}},
		{"plain-spawned", func(j *job) (calls int) {
			for _, x := range j.list {
				calls += descend(b, j.spawned, x)
			}
			return calls
		}},
	}
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			calls := 0
			for b.Loop() {
				for i := range jobs {
					calls += way.do(&jobs[i])
				}
			}
			formulas := float64(b.N * each * len(jobs))
			b.ReportMetric(float64(calls)/formulas, "calls/formula")
			b.ReportMetric(b.Elapsed().Seconds()*1000/formulas, "ms/formula")
		})
	}
}

// ground grinds a formula, and returns the number of calls.
func ground(t testing.TB, g *cross.Grinder, x bogus) int {
	before := g.Calls()
	if _, err := g.Grind(context.Background(), x.c, x.failure, cross.GrindOptions{Steps: ltl.AllSteps}); err != nil {
		t.Fatal(err)
	}
	return g.Calls() - before
}
