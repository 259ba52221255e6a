// Package memory measures how much memory the process uses, and tells the garbage collector how
// much it may use.
package memory

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A Sample measures the memory in use. It is for one goroutine.
type Sample []metrics.Sample

// NewSample returns a Sample.
func NewSample() Sample {
	return Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
}

// InUse returns how many bytes the Go runtime has from the system and has not given back. They
// include garbage, and memory that was never touched.
func (s Sample) InUse() int64 {
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// Reserve is how many bytes the process may take beyond the limit: for the program itself, its
// input, and garbage.
const Reserve = 24 << 20

// Bound makes the garbage collector work harder when memory gets short: when the process takes as
// much as the checks that run at a time may take together, and half of the reserve. With a limit of
// 192 MiB and two checks, that is 2·192+12 = 396 MiB. GOMEMLIMIT overrides it. A limit of 0 means
// no limit.
func Bound(limit int64, checks int) {
	if os.Getenv("GOMEMLIMIT") == "" && limit > 0 {
		debug.SetMemoryLimit(limit*int64(checks) + Reserve/2)
	}
}

// Watch calls over when the process has more memory than the limit and the Reserve, until ctx is
// done. A process that allocates nothing costs it nothing.
func Watch(ctx context.Context, limit int64, over func()) {
	collected := make(chan struct{}, 1)
	afterCollection(func() bool {
		select {
		case collected <- struct{}{}:
		default:
		}
		return ctx.Err() == nil
	})
	pause, last := time.Millisecond, int64(0)
	for sample := NewSample(); ; {
		used := sample.InUse()
		if used > limit+Reserve {
			over()
		}
		// From less than a quarter of the limit, the heap can't reach the limit without a collection: there
		// is one whenever it has doubled, or has 32 MiB.
		var look <-chan time.Time
		if used > limit/4 {
			if pause = min(2*pause, 100*time.Millisecond); used != last {
				pause = time.Millisecond
			}
			look = time.After(pause)
		}
		last = used
		select {
		case <-collected:
		case <-look:
		case <-ctx.Done():
			return
		}
	}
}

// Size writes a number of bytes as flags have it: 64 MiB, 1536 KiB, 1000 bytes.
func Size(n int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= unit.bytes && n%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", n/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

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
