package bitset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestSets compares sets with maps.
func TestSets(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range campaign.Inputs(t, 1000) {
		n := 1 + r.IntN(200)
		x, y := make([]uint64, Words(n)), make([]uint64, Words(n))
		inX, inY := map[int]bool{}, map[int]bool{}
		for range r.IntN(n + 1) {
			i := r.IntN(n)
			Add(y, i)
			inY[i] = true
			if r.IntN(20) > 0 {
				i = r.IntN(n)
			}
			if r.IntN(2) == 0 {
				Add(x, int32(i))
				inX[i] = true
			}
		}
		subset := true
		for i := range n {
			subset = subset && (!inX[i] || inY[i])
			if Has(x, i) != inX[i] || Has(y, int32(i)) != inY[i] {
				t.Fatalf("%d of %d is in the wrong sets", i, n)
			}
		}
		if Subset(x, y) != subset {
			t.Fatalf("%x and %x: subset %v", x, y, Subset(x, y))
		}
	}
}

// TestWorkedExample runs the example in the comment of the package.
func TestWorkedExample(t *testing.T) {
	set := make([]uint64, Words(100))
	for _, i := range []int{1, 64, 65} {
		Add(set, i)
	}
	if !slices.Equal(set, []uint64{2, 3}) {
		t.Errorf("words %d", set)
	}
}
