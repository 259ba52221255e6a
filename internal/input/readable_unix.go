//go:build unix

package input

import (
	"os"

	"golang.org/x/sys/unix"
)

// readable reports whether something can be read from a pipe now.
func readable(file *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
}
