package memory

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestWorkedExamples runs the examples in comments.
func TestWorkedExamples(t *testing.T) {
	for live, want := range map[uint64]int{8 << 20: 300, 64 << 20: 100} {
		if got := gcPercent(live); got != want {
			t.Errorf("%d bytes live: %d %%", live, got)
		}
	}
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	Bound(512<<20, 2)
	if limit := debug.SetMemoryLimit(-1); limit != 1036<<20 {
		t.Errorf("limit of %s", Size(limit))
	}
	for n, want := range map[int64]string{64 << 20: "64 MiB", 1536 << 10: "1536 KiB", 1000: "1000 bytes"} {
		if got := Size(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}
