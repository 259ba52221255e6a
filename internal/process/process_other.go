//go:build !linux

package process

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// start starts a command in a session of its own, and returns a channel that is
// closed when it has ended and has been waited for. Without a way to wait for it
// and leave it unreaped, the number of the group may in theory be used again
// before the group is killed.
func (p *Process) start(path string, args []string, attr *os.ProcAttr) (_ <-chan struct{}, err error) {
	attr.Sys = &syscall.SysProcAttr{Setsid: true}
	if p.system, err = os.StartProcess(path, args, attr); err != nil {
		return nil, err
	}
	running.Lock()
	running.calls[p.system.Pid] = p
	running.Unlock()
	exited := make(chan struct{})
	go func() {
		p.State, _ = p.system.Wait()
		close(exited)
	}()
	return exited, nil
}

// reap takes the status of a command that has ended, which start has done already.
func (p *Process) reap() error {
	running.Lock()
	delete(running.calls, p.system.Pid)
	running.Unlock()
	if p.State == nil {
		return syscall.ECHILD
	}
	return nil
}

// maxRSS returns the greatest memory of a process, in bytes. Only Apple's systems
// count it so, the others in KiB.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}

// rawPipe returns the descriptors of a new pipe, which commands do not inherit.
func rawPipe() (r, w int, err error) {
	syscall.ForkLock.RLock() // so that no command starts in between
	defer syscall.ForkLock.RUnlock()
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		return 0, 0, err
	}
	syscall.CloseOnExec(ends[0])
	syscall.CloseOnExec(ends[1])
	return ends[0], ends[1], nil
}

// Only Linux lets us look at other processes. Elsewhere limits of memory and CPU time are not kept.

// AdoptOrphans does nothing: there is no way to adopt processes that have left their group.
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
