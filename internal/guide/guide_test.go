package guide_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/guide"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// answer is the case that a translator gives for a formula. Its automaton shows how deep fixed
// points are nested, and how many propositions there are.
func answer(index int, f *ltl.Formula) *outcome.Case {
	return &outcome.Case{Index: index, Results: []outcome.Result{{Subject: outcome.Subject{Translator: "a"}, Status: outcome.OK,
		Sizes: omega.Sizes{States: 1 + depth(f), Totals: omega.Totals{Sets: len(f.Props())}}}}}
}

func depth(f *ltl.Formula) int {
	switch f.Op().Arity() {
	case 0:
		return 0
	case 1:
		return depth(f.Left()) + 1
	}
	return max(depth(f.Left()), depth(f.Right()))
}

// run returns n formulas. At most so many of them are without an answer; which of these comes next is random.
func run(t *testing.T, n, atOnce int, r *rand.Rand) (list []string, guided int) {
	t.Helper()
	g := guide.New(random.Default, 5, nil)
	var waiting []*outcome.Case
	for k := range n {
		if len(waiting) >= atOnce {
			i := r.IntN(len(waiting))
			g.Answer(waiting[i])
			waiting = slices.Delete(waiting, i, i+1)
		}
		// The guide may need any of them now.
		if k%64 == 0 {
			for _, c := range waiting {
				g.Answer(c)
			}
			waiting = nil
		}
		f, parents, err := g.Next(context.Background(), 2*k)
		if err != nil {
			t.Fatal(err)
		}
		if len(parents) > 0 {
			guided++
		}
		list = append(list, f.String())
		waiting = append(waiting, answer(2*k, f))
	}
	return list, guided
}

// The formulas do not depend on which answers come first.
func TestOrder(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	want, guided := run(t, n, 1, r)
	if guided < n/4 {
		t.Errorf("%d of %d formulas are guided", guided, n)
	}
	for _, atOnce := range []int{2, 10, 60} {
		if got, _ := run(t, n, atOnce, r); !slices.Equal(got, want) {
			t.Errorf("seed %d: with %d answers at once, the formulas are others", seed, atOnce)
		}
	}
}

// Guided formulas show more than random ones.
func TestNovelty(t *testing.T) {
	shown := func(next func(k int) *ltl.Formula) int {
		seen := map[outcome.Signature]bool{}
		for k := range 1500 {
			for _, s := range answer(k, next(k)).Signatures() {
				seen[s] = true
			}
		}
		return len(seen)
	}
	g := guide.New(random.Default, 5, nil)
	guided := shown(func(k int) *ltl.Formula {
		f := must.First(g.Next(context.Background(), k))
		g.Answer(answer(k, f))
		return f
	})
	drawn := random.New(random.Default, 5)
	unguided := shown(func(int) *ltl.Formula {
		return must.Get(drawn.Next(context.Background()))
	})
	t.Logf("%d signatures with a guide, %d without", guided, unguided)
	if guided <= unguided {
		t.Errorf("%d signatures with a guide, %d without", guided, unguided)
	}
}

// A guide that waits for an answer obeys its context, and ignores answers to other questions.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	g := guide.New(random.Small, 1, nil)
	for k := 0; ; k++ {
		if k == 128+64 { // this one needs answers
			cancel()
			g.Answer(&outcome.Case{Index: 10000})
		}
		if _, _, err := g.Next(ctx, k); err != nil {
			if !errors.Is(err, context.Canceled) || k < 128+64 {
				t.Errorf("formula %d: %v", k, err)
			}
			return
		}
	}
}

// What is made depends on the answers of translators, and not on what became of the checks, which may reach a
// limit on one machine and not on another. Nor does it matter whether a very large automaton was read.
func TestLimits(t *testing.T) {
	formulas := func(fill func(k int, c *outcome.Case)) (list []string) {
		g := guide.New(random.Default, 5, nil)
		for k := range 800 {
			f := must.First(g.Next(context.Background(), k))
			c := answer(k, f)
			fill(k, c)
			g.Answer(c)
			list = append(list, f.String())
		}
		return list
	}
	decided := formulas(func(k int, c *outcome.Case) {
		c.Checks = []outcome.Check{{Verdict: outcome.Passed, Macrostates: 10 * k, ProductStates: 5000}}
		if k%10 == 0 {
			c.Results[0].States, c.Results[0].Edges = 1000*k, 100000
		}
	})
	undecided := formulas(func(k int, c *outcome.Case) {
		c.Checks = []outcome.Check{{Verdict: outcome.NotDecided, Macrostates: 100}}
		c.Undecided = []outcome.Undecided{{Why: "time limit of 1m0s"}}
		if k%10 == 0 {
			c.Results[0] = outcome.Result{Subject: c.Results[0].Subject, Status: outcome.Unsupported}
		}
	})
	if !slices.Equal(decided, undecided) {
		t.Error("the formulas depend on whether checks were decided")
	}
}
