//go:build unix

package translators

import (
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// fatal are the signals of programs that crash or are killed. Other statuses above
// 128 may well be what a program has chosen to end with.
var fatal = map[syscall.Signal]bool{
	syscall.SIGILL: true, syscall.SIGTRAP: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGFPE: true,
	syscall.SIGKILL: true, syscall.SIGSEGV: true, syscall.SIGPIPE: true, syscall.SIGTERM: true, syscall.SIGXCPU: true,
	syscall.SIGXFSZ: true, syscall.SIGSYS: true,
}

// outOfTime reports whether the system has ended a process at its limit of CPU time.
func outOfTime(status syscall.WaitStatus) bool {
	return status.Signaled() && status.Signal() == syscall.SIGXCPU
}

// SignalName returns the name of a signal, such as SIGSEGV.
func SignalName(number int) string {
	s := syscall.Signal(number)
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(number)
}
