//go:build unix && !linux

package process

import (
	"os"
	"runtime"
	"sync"
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
	running.pids[p.system.Pid] = true
	running.Unlock()
	exited := make(chan struct{})
	go func() {
		p.State, _ = p.system.Wait()
		close(exited)
	}()
	return exited, nil
}

// running has the numbers of the commands that have been started and not been reaped.
var running = struct {
	sync.Mutex
	pids map[int]bool
}{pids: make(map[int]bool)}

// killRunning kills the groups of all commands that run. The lock stays: nothing is noted
// from now on.
func killRunning(deadline time.Time) {
	if !lockBefore(&running.Mutex, deadline) {
		return
	}
	for pid := range running.pids {
		killGroup(pid, syscall.SIGKILL)
	}
}

// reap takes the status of a command that has ended, which start has done already.
func (p *Process) reap() error {
	running.Lock()
	delete(running.pids, p.system.Pid)
	running.Unlock()
	if p.State == nil {
		return syscall.ECHILD
	}
	return nil
}

func killGroup(pid int, signal syscall.Signal) { syscall.Kill(-pid, signal) }

// AdoptOrphans does nothing: there is no way to adopt the processes that have left their group.
func AdoptOrphans() {}

func sweep(*Process) {}

// There is no way to look at other processes that all systems have: limits of memory
// and CPU time are not kept.
// Sample returns nothing.
func (p *Process) Sample() (bytes int64, cpu time.Duration) { return 0, 0 }

// Parent returns false.
func (p *Process) Parent() bool { return false }

func resident(pid int) int64 { return 0 }

// Clock returns 0.
func (p *Process) Clock() time.Duration { return 0 }

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
