package translators

import (
	"sync"
	"time"
)

// runners are those that are not closed.
var runners struct {
	sync.Mutex
	open map[*Runner]bool
}

// keep notes that a Runner is open, or no longer.
func (r *Runner) keep(open bool) {
	runners.Lock()
	defer runners.Unlock()
	if runners.open == nil {
		runners.open = make(map[*Runner]bool)
	}
	if open {
		runners.open[r] = true
	} else {
		delete(runners.open, r)
	}
}

// abandonTime is how long Abandon takes at most, or about so.
const abandonTime = 150 * time.Millisecond

// Abandon kills all running commands with their groups, and removes the temporary folders of
// all Runners. Call it before the program exits at once: no command can start afterwards, and
// Abandon waits for nothing. The guards finish what it can't do within [abandonTime].
func Abandon() {
	deadline := time.Now().Add(abandonTime)
	killRunning(deadline)
	if !lockBefore(&runners.Mutex, deadline) {
		return
	}
	var removed sync.WaitGroup
	for r := range runners.open {
		removed.Go(func() { removeAll(r.dir) })
	}
	done := make(chan struct{})
	go func() { removed.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Until(deadline)):
	}
}

// lockBefore locks a mutex, unless somebody else has it until the deadline.
func lockBefore(mu *sync.Mutex, deadline time.Time) bool {
	for !mu.TryLock() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}
