//go:build unix

package suite

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process, without its children.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
