//go:build !linux

package process

import "time"

// Only Linux lets us look at other processes. Elsewhere limits of memory and CPU time are not kept.

// AdoptOrphans does nothing. On Windows no process can leave the job of its command; on other
// systems there is no way to adopt processes that have left their group.
func AdoptOrphans() {}

func sweep(*Process) {}

// Sample returns nothing.
func (p *Process) Sample() (bytes int64, cpu time.Duration) { return 0, 0 }

// Parent returns false.
func (p *Process) Parent() bool { return false }

func resident(int) int64 { return 0 }

// Clock returns 0.
func (p *Process) Clock() time.Duration { return 0 }

// Time returns the time since the program started: nobody counts its processor time.
func Time(bool) time.Duration { return time.Since(programStart) }

var programStart = time.Now()
