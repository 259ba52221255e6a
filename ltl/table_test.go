package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestLargeStore: a formula has the same propositions and truth in a store with many
// others, where its number is large, as in a store of its own.
func TestLargeStore(t *testing.T) {
	const seed = 5
	large := ltl.NewStore()
	for i := range campaign.Inputs(t, 20000) {
		large.Prop(fmt.Sprint("x", i))
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for _, f := range draw(t, 300, ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 20, Past: true}) {
		g := large.Import(f)
		if !slices.Equal(f.Props(), g.Props()) {
			t.Errorf("seed %d: %s has propositions %v or %v", seed, f, f.Props(), g.Props())
		}
		for range 10 {
			prefix, cycle, letters := r.IntN(4), 1+r.IntN(4), r.Uint64()
			value := func(prop string, pos int) bool { return letters>>(8*int(prop[0]-'a')+pos)&1 == 1 }
			if x, y := must.Get(f.Holds(prefix, cycle, value)), must.Get(g.Holds(prefix, cycle, value)); x != y {
				t.Errorf("seed %d: %s is %v or %v on %x of %d+%d letters", seed, f, x, y, letters, prefix, cycle)
			}
		}
	}
}
