package memory

import (
	"runtime"
	"testing"
	"time"
)

func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 1 << 20: 800, 4 << 20: 700, 8 << 20: 300, 16 << 20: 100, 32 << 20: 100, 1 << 40: 100} {
		if got := gcPercent(live); got != want {
			t.Errorf("%d bytes live: %d percent, want %d", live, got, want)
		}
	}
}

// TestAfterCollection: it is called after every collection, not only the first.
func TestAfterCollection(t *testing.T) {
	calls := make(chan bool)
	end := make(chan bool)
	defer close(end)
	afterCollection(func() bool {
		select {
		case calls <- true:
			return true
		case <-end:
			return false
		}
	})
	// One that comes while f is under way is not counted.
	limit := time.After(time.Minute)
	for done := 0; done < 3; {
		runtime.GC()
		select {
		case <-calls:
			done++
		case <-time.After(time.Millisecond):
		case <-limit:
			t.Fatalf("%d calls", done)
		}
	}
}
