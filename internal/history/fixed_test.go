package history

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// fixedNight adds a run with some formulas, of which a translator makes automata of the same size
// in each run; size 0 stands for a call that fails.
func fixedNight(t *testing.T, s *Store, tools []string, formulas []string, size func(tool, formula string) int) *Run {
	t.Helper()
	p := plan("")
	p.Tools = nil
	for _, name := range tools {
		p.Tools = append(p.Tools, Tool{Name: name, Version: "1"})
	}
	r := must.Get(s.Begin(ctx, p))
	for i, formula := range formulas {
		c := outcome.NewCase(i, formula, nil)
		c.Checked = true
		for _, name := range tools {
			for _, polarity := range outcome.BothPolarities {
				x := outcome.Result{Subject: outcome.Subject{Translator: name, Polarity: polarity}, Status: outcome.OK, Seconds: 1, CPU: 0.5}
				if x.States = size(name, formula); x.States == 0 {
					x.Status = outcome.Timeout
				}
				c.Results = append(c.Results, x)
			}
		}
		must.Do(r.Add(c))
	}
	must.Do(r.End(0, true, []byte("{}")))
	return r
}

// TestFixedTrend: in runs with formulas of their own and some in common, of sizes that depend on
// the formula alone, no curve moves; and the formulas are those that all runs have.
func TestFixedTrend(t *testing.T) {
	number, seed := campaign.Seeded(t, 20, 1)
	for k := range number {
		rng := rand.New(rand.NewPCG(seed, uint64(k)))
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			s := openTemporary(t)
			fixed, runs := 4+rng.IntN(8), 2+rng.IntN(5)
			size := func(tool, formula string) int { return 1 + len(tool) + int(crc32.ChecksumIEEE([]byte(formula))%50) }
			for n := range runs {
				var formulas []string
				for i := range fixed {
					formulas = append(formulas, fmt.Sprint("G p", i))
				}
				for i := range rng.IntN(9) {
					formulas = append(formulas, fmt.Sprint("F q", n, "_", i))
				}
				tools := []string{"a"}
				if n >= runs-2 {
					tools = append(tools, "new")
				}
				fixedNight(t, s, tools, formulas, size)
			}
			trend := must.Get(s.FixedTrend(ctx, 90))
			if trend == nil || len(trend.Runs) != runs || trend.Formulas != fixed {
				t.Fatalf("seed %d: %d runs of %d formulas in common: %+v", seed, runs, fixed, trend)
			}
			for i := range trend.Runs {
				run := &trend.Runs[i]
				if run.Formulas != fixed || run.Failures != 0 || len(run.Tools) != 1+btoi(i >= runs-2) {
					t.Errorf("run %d: %+v", i, run)
				}
				for _, tool := range run.Tools {
					last := trend.Runs[runs-1].Tools
					j := slices.IndexFunc(last, func(x outcome.TrendTotal) bool { return x.Name == tool.Name })
					if tool.Made != 2*fixed || math.Abs(tool.States-last[j].States) > 1e-9 || math.Abs(tool.Seconds-0.5) > 1e-9 {
						t.Errorf("seed %d: run %d: %+v, and in the last one %+v", seed, i, tool, last[j])
					}
				}
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestFixedTrendGaps: runs and calls that could not be compared leave gaps, and no curve moves.
func TestFixedTrendGaps(t *testing.T) {
	s := openTemporary(t)
	all := []string{"Ga", "Fa", "a U b", "Xa", "GFa", "FGa"}
	size := func(_, formula string) int { return len(formula) }
	fixedNight(t, s, []string{"a", "b"}, []string{"other", "formulas"}, size)
	fixedNight(t, s, []string{"a", "b"}, all, size)
	fixedNight(t, s, []string{"a", "b"}, all[:1], size) // cut short
	fixedNight(t, s, []string{"a", "b"}, all, func(tool, formula string) int {
		if tool == "b" || formula == "Xa" {
			return 0 // b is broken, and one call of a is late
		}
		return len(formula)
	})
	pruned := fixedNight(t, s, []string{"a", "b"}, all, size)
	must.Get(s.db.Exec("UPDATE runs SET pruned = TRUE WHERE id = ?", pruned.RunID.Run))
	fixedNight(t, s, []string{"a", "b"}, all, size)
	trend, err := s.FixedTrend(ctx, 90)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, run := range trend.Runs {
		text := fmt.Sprintf("%d: %d formulas, %d failures", run.Run, run.Formulas, run.Failures)
		for _, tool := range run.Tools {
			text += fmt.Sprintf(", %s %d of %.3g", tool.Name, tool.Made, tool.States)
		}
		got = append(got, text)
	}
	want := []string{"2: 6 formulas, 0 failures, a 10 of 3, b 12 of 2.83", "4: 6 formulas, 14 failures, a 10 of 3", "6: 6 formulas, 0 failures, a 10 of 3, b 12 of 2.83"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if trend, err = s.FixedTrend(ctx, 1); trend != nil || err != nil {
		t.Errorf("one run has no curve: %+v, %v", trend, err)
	}
}

// TestFailingCase: the newest case of the formula in which the translator fails.
func TestFailingCase(t *testing.T) {
	s := openTemporary(t)
	for range 2 {
		r := must.Get(s.Begin(ctx, plan("")))
		for index := range 3 {
			c := sample(index)
			c.Disagreements[0].Size = int(r.RunID.Run)
			must.Do(r.Add(c))
		}
		must.Do(r.End(1, true, []byte("{}")))
	}
	c, err := s.FailingCase(ctx, "a U b1", "bad")
	if err != nil || c == nil || c.Formula != "a U b1" || c.Disagreements[0].Size != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, x := range [][2]string{{"a U b1", "good"}, {"a U b9", "bad"}} {
		if c, err := s.FailingCase(ctx, x[0], x[1]); c != nil || err != nil {
			t.Errorf("%q: %+v, %v", x, c, err)
		}
	}
}
