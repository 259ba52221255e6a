//go:build unix

package history

import (
	"errors"
	"os"
	"syscall"
)

// exists reports whether a process has not ended.
func exists(p *os.Process) bool {
	err := p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
