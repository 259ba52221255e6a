package cross

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/memory"
)

// errCaseMemory is the cause of the end of a case's context when the process has too much
// memory, and the case has been at work the longest.
var errCaseMemory = errors.New("memory limit reached")

// A room ends cases when the process has more memory than all checks together may take. The
// checks count what they take and stay within their limits by themselves; this is for what they
// do not count, such as what was read.
type room struct {
	limit int64

	mu     sync.Mutex
	ending []*context.CancelCauseFunc // of the cases that are checked, those that began first come first
}

const (
	// spare is what the process may have beyond the limits: the program itself, and garbage.
	spare = 40 << 20
	// relief is the time in which the end of a case should be felt.
	relief = 300 * time.Millisecond
)

// watch ends cases until ctx is done.
func (r *room) watch(ctx context.Context) {
	if r.limit <= 0 {
		return
	}
	sample := memory.NewSample()
	for pause := time.Duration(0); ; {
		used := sample.InUse()
		switch {
		case used > r.limit+spare && r.endFirst():
			pause = relief
		case used > r.limit/2:
			pause = 2 * time.Millisecond
		default:
			pause = 10 * time.Millisecond
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// endFirst ends the case that began first, and reports whether there was one.
func (r *room) endFirst() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ending) == 0 {
		return false
	}
	(*r.ending[0])(errCaseMemory)
	r.ending = r.ending[1:]
	return true
}

// enter returns the context of a case that is checked, and what to call at its end.
func (r *room) enter(ctx context.Context) (context.Context, func()) {
	own, cancel := context.WithCancelCause(ctx)
	entry := &cancel
	r.mu.Lock()
	r.ending = append(r.ending, entry)
	r.mu.Unlock()
	return own, func() {
		r.mu.Lock()
		for i, e := range r.ending {
			if e == entry {
				r.ending = append(r.ending[:i:i], r.ending[i+1:]...)
				break
			}
		}
		r.mu.Unlock()
		cancel(nil)
	}
}
