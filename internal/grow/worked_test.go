package grow

import "testing"

// TestWorkedExample runs the example in the comment of By.
func TestWorkedExample(t *testing.T) {
	full := make([]int64, 100_000)
	if longer := By(full[:len(full):len(full)], 1); len(longer) != 100_000 || cap(longer) != 125_000 || piece/8 != 32_768 {
		t.Errorf("length %d, room for %d, pieces of %d", len(longer), cap(longer), piece/8)
	}
}
