package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// minHeap is the size of the heap below which no garbage is collected, in bytes. A case needs
// little memory, for a short time. With Go's own minimum of 4 MiB, the collector takes a third of a
// run.
const minHeap = 32 << 20

// goMinHeap is Go's minimum, for GOGC=100; for other values it is in proportion.
const goMinHeap = 4 << 20

// SpareSmallHeaps makes the garbage collector leave heaps below minHeap alone. A heap that has more
// than half of minHeap live is collected as usual, when it has doubled. GOGC overrides it.
func SpareSmallHeaps() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(100 * minHeap / goMinHeap)
	afterCollection(func() bool {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(gcPercent(live[0].Value.Uint64()))
		return true
	})
}

// gcPercent returns by how many percent a heap may grow before it is collected, given how many of
// its bytes are live. With 8 MiB live it may grow by 300 %, to 32 MiB; with 64 MiB by 100 %.
func gcPercent(live uint64) int {
	return int(min(max(100, 100*(minHeap-min(minHeap, live))/max(1, live)), 100*minHeap/goMinHeap))
}

// afterCollection calls f after each collection of garbage, until it returns false.
func afterCollection(f func() bool) {
	type sentinel struct{ _ [16]byte }
	var again func(*sentinel)
	again = func(s *sentinel) {
		if f() {
			runtime.SetFinalizer(s, again)
		}
	}
	runtime.SetFinalizer(new(sentinel), again)
}
