package ltl_test

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translate"
)

// totals are sums over some formulas.
type totals struct {
	size     int // of the trees
	graph    int // distinct subformulas
	temporal int // those with a temporal operator at the top
	states   int // of the automata
	larger   int // formulas whose automata are larger than those of the original
}

// sumUp reduces formulas at all levels, and logs what that saves.
func sumUp(t *testing.T, name string, list []*ltl.Formula) {
	t.Helper()
	const given = ltl.LevelImplications + 1
	var sums [given + 1]totals
	for _, f := range list {
		var states [given + 1]int
		for level := range given + 1 {
			s := ltl.NewStore()
			g := s.Import(f)
			if level < given {
				g = reduce(t, s, g, level)
			}
			a, err := translate.With(t.Context(), "gastin-oddoux", s, g)
			if err != nil {
				t.Fatal(err)
			}
			x := &sums[level]
			all, temporal := graph(g)
			states[level] = a.NumStates()
			x.size += g.Size()
			x.graph += all
			x.temporal += temporal
			x.states += states[level]
		}
		for level, n := range states {
			if n > states[given] {
				sums[level].larger++
			}
		}
	}
	t.Logf("%d formulas %s: %+v", len(list), name, sums[given])
	for level, x := range sums[:given] {
		t.Logf("  level %d: %+v", level, x)
	}
	for level := ltl.LevelIdentities; level < given; level++ {
		if x, y := sums[level], sums[level-1]; x.graph > y.graph || x.temporal > y.temporal || x.states > y.states {
			t.Errorf("%s: level %d gives more than level %d", name, level, level-1)
		}
	}
}

// TestReduceTotals sums up over random formulas.
func TestReduceTotals(t *testing.T) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: 1, Props: []string{"a", "b", "c", "d"}, MinSize: 15, MaxSize: 15})
	if err != nil {
		t.Fatal(err)
	}
	var list []*ltl.Formula
	for range campaign.Inputs(t, 500) {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	sumUp(t, "drawn at random", list)
}

// TestReduceCorpus sums up over one in three formulas of the published pattern sets, or in a campaign
// over all. Each must be equivalent to what it is reduced to.
func TestReduceCorpus(t *testing.T) {
	s := ltl.NewStore()
	seen := map[*ltl.Formula]bool{}
	var list []*ltl.Formula
	for rec := range corpus.Records[struct{ Formula string }](t, "recorded.jsonl.gz") {
		if f := parse(t, s, rec.Formula, ltl.Spot); !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	list = slices.Collect(campaign.Sample(slices.Values(list), 3))
	for _, f := range list {
		if g := reduce(t, s, f, ltl.LevelImplications); !included(t, s, f, g) || !included(t, s, g, f) {
			t.Errorf("%s becomes %s", f, g)
		}
	}
	sumUp(t, "of the pattern sets", list)
}
