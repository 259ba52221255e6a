//go:build unix

package process

import "syscall"

// A group is that of the command's process number: it needs no handle.
type group struct{}

// signal sends a signal to all processes of the command's group.
func (p *Process) signal(signal syscall.Signal) { syscall.Kill(-p.system.Pid, signal) }
