package process

import (
	"container/list"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"
)

// A Use is what a core is used for.
type Use int

// The uses of cores.
const (
	Check Use = iota // xcheck's own work
	Call             // a command
	uses
)

// Cores are the cores that translators and checks of a run share. Who holds a core may use it,
// and at most as many are held at a time as there are.
//
// Checks go first, and each use is served in order. Checks complete a case, and so free its
// automata. They can't starve calls, because there are no checks without new automata.
//
// A holder of a core must not wait for another core. Otherwise all holders could wait forever.
type Cores struct {
	n      int // of the machine, and for checks
	places int // for all: n, and those for calls ahead

	mu      sync.Mutex
	held    [uses]int
	waiting [uses]list.List // of chan struct{}, closed when it is granted
	work    []*Work         // under way
}

// NewCores returns n cores. With n = 0, they are those that Go uses, and one place in addition
// for each four of them (rounded up), which only calls keep busy: between the end of a command
// and the start of the next, xcheck has to read, and a core would be idle that long.
func NewCores(n int) *Cores {
	if n > 0 {
		return &Cores{n: n, places: n}
	}
	n = runtime.GOMAXPROCS(0)
	return &Cores{n: n, places: n + (n+3)/4}
}

// Len returns the number of cores, without places ahead.
func (c *Cores) Len() int { return c.n }

// Acquire waits for a core. The caller holds it until Release. If ctx is done first, Acquire
// returns its error, and no core.
func (c *Cores) Acquire(ctx context.Context, use Use) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	granted := make(chan struct{})
	c.mu.Lock()
	place := c.waiting[use].PushBack(granted)
	c.grant()
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
		c.held[use]--
		c.grant()
	default:
		c.waiting[use].Remove(place)
	}
	return ctx.Err()
}

// Release returns a core.
func (c *Cores) Release(use Use) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[use]--
	c.grant()
}

// grant gives the cores that are free to those who wait. With four cores and a place ahead, and
// three checks and five calls waiting, it grants three checks and two calls.
func (c *Cores) grant() {
	for c.held[Check]+c.held[Call] < c.places {
		use := Check
		if c.waiting[Check].Len() == 0 || c.held[Check] == c.n { // places ahead are for calls
			use = Call
		}
		first := c.waiting[use].Front()
		if first == nil {
			return
		}
		c.held[use]++
		close(c.waiting[use].Remove(first).(chan struct{}))
	}
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
