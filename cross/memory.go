package cross

import (
	"context"
	"errors"
	"slices"
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

	mu      sync.Mutex
	entered [numKinds][]*context.CancelCauseFunc // what ends a case; those that began first come first
}

// A kind is what a case in a room is busy with.
type kind uint8

const (
	checking kind = iota
	asking        // tools, and reading what they print; such a case ends if there is no other one
	numKinds
)

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
	for k, list := range r.entered {
		if len(list) > 0 {
			(*list[0])(errCaseMemory)
			r.entered[k] = list[1:]
			return true
		}
	}
	return false
}

// enter returns the context of a case, and what to call when it is not busy with k any more.
func (r *room) enter(ctx context.Context, k kind) (context.Context, func()) {
	own, cancel := context.WithCancelCause(ctx)
	entry := &cancel
	r.mu.Lock()
	r.entered[k] = append(r.entered[k], entry)
	r.mu.Unlock()
	return own, func() {
		r.mu.Lock()
		if i := slices.Index(r.entered[k], entry); i >= 0 {
			r.entered[k] = slices.Delete(slices.Clone(r.entered[k]), i, i+1)
		}
		r.mu.Unlock()
		cancel(nil)
	}
}
