package process

import (
	"slices"
	"time"
)

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
