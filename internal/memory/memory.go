// Package memory measures how much memory the process uses, and tells the garbage collector how
// much it may use.
package memory

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A Sample reads how much it is. It is for one goroutine.
type Sample []metrics.Sample

// NewSample returns a Sample.
func NewSample() Sample {
	return Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
}

// InUse returns how many bytes the Go runtime has from the system and has not given back. What
// it has may be garbage, or not have been touched yet.
func (s Sample) InUse() int64 {
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// reserve is what the process may have beyond the limit of memory: the program itself, what was
// read, and garbage.
const reserve = 24 << 20

// Bound makes the garbage collector work harder before the process takes more memory than some
// checks at a time are limited to, and half of the reserve. GOMEMLIMIT overrides it. A limit of
// 0 is none.
func Bound(limit int64, checks int) {
	if os.Getenv("GOMEMLIMIT") == "" && limit > 0 {
		debug.SetMemoryLimit(limit*int64(checks) + reserve/2)
	}
}

// Watch calls over when the process has more memory than the limit and the reserve, until ctx is
// done.
func Watch(ctx context.Context, limit int64, over func()) {
	for sample := NewSample(); ; {
		used := sample.InUse()
		if used > limit+reserve {
			over()
		}
		pause := 10 * time.Millisecond
		if used > limit/4 {
			pause = time.Millisecond
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// Size writes a number of bytes as flags have it.
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
