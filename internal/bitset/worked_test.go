package bitset

import (
	"slices"
	"testing"
)

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
