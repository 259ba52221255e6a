package memory

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 1 << 20: 800, 4 << 20: 700, 8 << 20: 300, 16 << 20: 100, 32 << 20: 100, 64 << 20: 100, 1 << 40: 100} {
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

// TestInUse: what is allocated is in use.
func TestInUse(t *testing.T) {
	s := NewSample()
	before := s.InUse()
	const size = 64 << 20
	block := make([]byte, size)
	if grown := s.InUse() - before; grown < size/2 || grown > 4*size {
		t.Errorf("%d bytes more after %d were allocated", grown, size)
	}
	runtime.KeepAlive(block)
}

// TestWatch: too much memory is noticed, also if little was in use for long.
func TestWatch(t *testing.T) {
	defer debug.FreeOSMemory() // or what others allocate is no more in use
	const limit = 256 << 20
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	over := make(chan bool, 1)
	go Watch(ctx, limit, func() {
		select {
		case over <- true:
		default:
		}
	})
	var held [][]byte
	for end := time.Now().Add(time.Minute); ; {
		select {
		case <-over:
			runtime.KeepAlive(held)
			return
		default:
		}
		if len(held) < 1200 { // 300 MiB, and no more
			held = append(held, make([]byte, 256<<10))
		} else if time.Now().After(end) {
			t.Fatal("nobody has noticed")
		}
	}
}

// TestWorkedExamples runs the examples in comments.
func TestWorkedExamples(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	Bound(192<<20, 2)
	if limit := debug.SetMemoryLimit(-1); limit != 396<<20 {
		t.Errorf("limit of %s", Size(limit))
	}
	for n, want := range map[int64]string{64 << 20: "64 MiB", 1536 << 10: "1536 KiB", 1000: "1000 bytes"} {
		if got := Size(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}
