package process

import (
	"sync"
	"time"
)

// supervisors are those that are not closed.
var supervisors struct {
	sync.Mutex
	open map[*Supervisor]bool
}

// keep notes that a Supervisor is open, or no longer.
func (s *Supervisor) keep(open bool) {
	supervisors.Lock()
	defer supervisors.Unlock()
	if supervisors.open == nil {
		supervisors.open = make(map[*Supervisor]bool)
	}
	if open {
		supervisors.open[s] = true
	} else {
		delete(supervisors.open, s)
	}
}

// abandonTime is how long Abandon takes at most, or about so.
const abandonTime = 150 * time.Millisecond

// Abandon kills all running commands with their groups, and removes the temporary folders of
// all Supervisors. Call it before the program exits at once: no command can start afterwards, and
// Abandon waits for nothing. The guards finish what it can't do within [abandonTime].
func Abandon() {
	deadline := time.Now().Add(abandonTime)
	killRunning(deadline)
	if !lockBefore(&supervisors.Mutex, deadline) {
		return
	}
	var removed sync.WaitGroup
	for s := range supervisors.open {
		removed.Go(func() { removeAll(s.dir) })
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
