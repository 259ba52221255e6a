package translators

import (
	"slices"
	"time"
)

// Work is what somebody does with a core.
type Work struct {
	Tool  string        // whose process it is; "" for xcheck's own work
	About func() string // names the formula or automaton; for use by any goroutine
	Since time.Time
}

// Begin notes that the caller, who has a core, begins with some work, and returns what is to
// be called when that is done. Cost: O(n) for n cores.
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

// Longest returns the work that is under way for the longest time, and whether there is some.
func (c *Cores) Longest() (Work, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.work) == 0 {
		return Work{}, false
	}
	return *c.work[0], true // they are in the order in which they began
}
