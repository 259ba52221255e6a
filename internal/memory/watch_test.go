package memory

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

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
