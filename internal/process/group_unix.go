//go:build unix

package process

import "syscall"

// A group is a process group. It needs no handle: its number is the command's process
// number.
type group struct{}

// signal sends a signal to all processes of the command's group.
func (p *Process) signal(signal syscall.Signal) { syscall.Kill(-p.system.Pid, signal) }
