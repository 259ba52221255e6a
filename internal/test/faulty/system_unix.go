//go:build unix

package faulty

import (
	"os"
	"syscall"
)

// suspend stops this process until somebody continues it.
func suspend() { syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

// ownSession makes a child leave the session of this process.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
