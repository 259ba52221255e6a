//go:build unix && !linux

package process

import (
	"os"
	"runtime"
	"syscall"
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
