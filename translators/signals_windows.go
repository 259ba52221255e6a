package translators

import (
	"strconv"
	"syscall"
)

// fatal is empty: Windows has no signals, and a shell's status above 128 is a number like others.
var fatal = map[syscall.Signal]bool{}

// outOfTime returns false: there is no limit of CPU time.
func outOfTime(syscall.WaitStatus) bool { return false }

// SignalName returns the number of a signal.
func SignalName(number int) string { return "signal " + strconv.Itoa(number) }
