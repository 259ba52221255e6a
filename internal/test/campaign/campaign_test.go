package campaign_test

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

func TestCampaign(t *testing.T) {
	for _, c := range []struct {
		value  string
		long   bool
		inputs int // of a test that has 10
		sample []int
		turn   []string
	}{
		{"", false, 2, []int{0, 3, 6}, []string{"b"}},
		{"x1", false, 10, []int{0, 1, 2, 3, 4, 5, 6}, []string{"a", "b"}},
		{"x4", false, 40, []int{0, 1, 2, 3, 4, 5, 6}, []string{"a", "b"}},
		{"20000", true, 20000, []int{0, 1, 2, 3, 4, 5, 6}, []string{"a", "b"}},
	} {
		t.Setenv("XCHECK_CAMPAIGN", c.value)
		sample := slices.Collect(campaign.Sample(slices.Values([]int{0, 1, 2, 3, 4, 5, 6}), 3))
		n, seed := campaign.Seeded(t, 10, 1)
		if turn := campaign.Alternate(3, "a", "b"); !slices.Equal(turn, c.turn) {
			t.Errorf("%q: in turn %v", c.value, turn)
		}
		if campaign.Long() != c.long || n != c.inputs || (seed == 1) == c.long || !slices.Equal(sample, c.sample) {
			t.Errorf("%q: long %v, %d inputs with seed %d, sample %v", c.value, campaign.Long(), n, seed, sample)
		}
	}
}
