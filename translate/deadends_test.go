package translate

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// TestNoDeadEnds: from each state of a translation, and each initial one above all, a run
// goes on for ever. Without With's pruning most algorithms have states that none does.
func TestNoDeadEnds(t *testing.T) {
	const seed = 43
	pruned := map[string]int{}
	s := ltl.NewStore()
	for _, f := range randomFormulas(t, s, seed, campaign.Inputs(t, 150), 2, 1, 9) {
		for _, a := range Algorithms() {
			x, err := With(t.Context(), a.Name, s, f)
			if err != nil {
				t.Fatal(err)
			}
			for state := range omega.State(x.NumStates()) {
				if len(x.Edges(state)) == 0 {
					t.Fatalf("seed %d: %s: %s: state %d has no edge", seed, a.Name, f, state)
				}
			}
			if reduce.WithoutDeadEnds(x) != x {
				t.Fatalf("seed %d: %s: %s: some state has no infinite run", seed, a.Name, f)
			}
			source, err := a.Source(t.Context(), s, f)
			if err != nil {
				t.Fatal(err)
			}
			if whole, err := omega.Explore(t.Context(), source, 0); err != nil {
				t.Fatal(err)
			} else if reduce.WithoutDeadEnds(whole) != whole {
				pruned[a.Name]++
			}
		}
	}
	for _, name := range []string{"gpvw", "cgh", "tight"} {
		if pruned[name] == 0 {
			t.Errorf("seed %d: %s has never had a dead end: expected some to be pruned", seed, name)
		}
	}
}
