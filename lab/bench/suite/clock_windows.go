package suite

import (
	"time"

	"golang.org/x/sys/windows"
)

// processorTime returns the processor time of this process, without its children.
func processorTime() time.Duration {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0
	}
	// A span of time, in units of 100 ns.
	span := func(t windows.Filetime) time.Duration {
		return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
	}
	return span(kernel) + span(user)
}
