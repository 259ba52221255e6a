package process

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"time"
)

// Cores are the cores that translators and checks of a run share. Who holds a core may use it,
// and at most n are held at a time.
//
// Urgent requests go first, and each class is served in order. Checks are urgent: they
// complete a case, and so free its automata. They can't starve the others, because there are
// no checks without new automata.
//
// A holder of a core must not wait for another core. Otherwise all holders could wait forever.
type Cores struct {
	n int

	mu      sync.Mutex
	free    int          // 0 if somebody waits
	waiting [2]list.List // of chan struct{}, closed when it is granted: the urgent, the others
	work    []*Work      // under way
}

// NewCores returns n cores, and at least one.
func NewCores(n int) *Cores {
	n = max(1, n)
	return &Cores{n: n, free: n}
}

// Len returns the number of cores.
func (c *Cores) Len() int { return c.n }

// Acquire waits for a core. The caller holds it until Release. If ctx is done first, Acquire
// returns its error, and no core.
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

// Release returns a core.
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

// Work describes what a core is used for.
type Work struct {
	Tool  string        // whose process it is; "" for xcheck's own work
	About func() string // names the formula or automaton; for use by any goroutine
	Since time.Time
}

// Begin records that the caller, who holds a core, starts some work. Call end when it is done.
// It takes time O(n) for n cores.
func (c *Cores) Begin(tool string, about func() string) (end func()) {
	w := &Work{tool, about, time.Now()}
	c.mu.Lock()
	c.work = append(c.work, w)
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.work, w)
		c.work = slices.Delete(c.work, i, i+1)
	}
}

// Longest returns the work that has been under way for the longest time, if there is any.
func (c *Cores) Longest() (Work, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.work) == 0 {
		return Work{}, false
	}
	return *c.work[0], true // they are in the order in which they began
}
