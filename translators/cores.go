package translators

import (
	"container/list"
	"context"
	"sync"
)

// Cores are shared by all that computes in a run: processes of translators, and
// checks. Whoever holds one may use a core; at most n are held at a time.
//
// Among those that wait, the urgent are served before all others, and each class
// in the order in which they came. Checks are urgent: they end a case, whose
// automata then leave the memory, while processes make new ones. They can't keep
// the others waiting for ever, as without new automata there are no checks.
//
// One who holds a core must not wait for another one: if all did that, none would
// come.
type Cores struct {
	n int

	mu      sync.Mutex
	free    int          // 0 if somebody waits
	waiting [2]list.List // of chan struct{}, closed when it is granted: the urgent, the others
	work    []*Work      // under way
}

// NewCores returns n cores, or one if n is less than that.
func NewCores(n int) *Cores {
	n = max(1, n)
	return &Cores{n: n, free: n}
}

// Len returns how many there are.
func (c *Cores) Len() int { return c.n }

// Acquire waits for a core, which the caller then has until Release. The error is
// that ctx is done: then there is none.
func (c *Cores) Acquire(ctx context.Context, urgent bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	if c.free > 0 {
		c.free--
		c.mu.Unlock()
		return nil
	}
	queue := &c.waiting[1]
	if urgent {
		queue = &c.waiting[0]
	}
	granted := make(chan struct{})
	place := queue.PushBack(granted)
	c.mu.Unlock()
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-granted: // in the meantime: it goes to the next
		c.pass()
	default:
		queue.Remove(place)
	}
	return ctx.Err()
}

// Release gives back a core.
func (c *Cores) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pass()
}

// pass gives a core to the first who waits.
func (c *Cores) pass() {
	for i := range c.waiting {
		queue := &c.waiting[i]
		if first := queue.Front(); first != nil {
			close(queue.Remove(first).(chan struct{}))
			return
		}
	}
	c.free++
}
