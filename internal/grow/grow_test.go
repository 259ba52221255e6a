package grow_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/grow"
)

func ExampleBy() {
	s := []int{1, 2}
	s = append(grow.By(s, 1), 3)
	fmt.Println(s, cap(s) >= 3)
	// Output: [1 2 3] true
}

// TestBy: the elements stay, there is room for as many as were asked for, and a slice is copied
// a number of times that grows like the logarithm of its length.
func TestBy(t *testing.T) {
	for _, n := range []int{0, 1, 100, 1 << 17, 1<<20 + 7} {
		var s, want []int
		copies := 0
		for i := range n {
			if len(s) == cap(s) {
				copies++
			}
			s, want = append(grow.By(s, 1), i), append(want, i)
		}
		if !slices.Equal(s, want) {
			t.Errorf("%d elements are not what was appended", n)
		}
		if copies > 100 {
			t.Errorf("%d elements were copied %d times", n, copies)
		}
		if more := grow.By(s, 1000); cap(more)-len(more) < 1000 || !slices.Equal(more, s) {
			t.Errorf("%d elements: room for %d more, want 1000", n, cap(more)-len(more))
		}
	}
	if s := grow.By([]struct{}(nil), 5); len(s) != 0 {
		t.Errorf("%d elements of no size", len(s))
	}
}
