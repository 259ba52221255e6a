package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// minHeap is the size of the heap below which no garbage is collected, in bytes.
// What a case needs is small and soon garbage, so that with Go's own minimum of
// 4 MiB a third of the time of a run goes into collecting it.
const minHeap = 32 << 20

// goMinHeap is Go's minimum, for GOGC=100; for other values it is in proportion.
const goMinHeap = 4 << 20

// SpareSmallHeaps makes the garbage collector leave heaps of less than minHeap alone.
// Those of more than half of that are collected as always, when they have doubled.
// GOGC overrides it.
func SpareSmallHeaps() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(100 * minHeap / goMinHeap)
	afterCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(gcPercent(live[0].Value.Uint64()))
	})
}

// gcPercent returns by how much a heap in which so many bytes are live may grow, in
// percent, before it is collected.
func gcPercent(live uint64) int {
	return int(min(max(100, 100*(minHeap-min(minHeap, live))/max(1, live)), 100*minHeap/goMinHeap))
}

// afterCollection calls f after each collection of garbage.
func afterCollection(f func()) {
	type sentinel struct{ _ [16]byte }
	var again func(*sentinel)
	again = func(s *sentinel) {
		f()
		runtime.SetFinalizer(s, again)
	}
	runtime.SetFinalizer(new(sentinel), again)
}
