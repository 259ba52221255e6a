//go:build unix && !linux

package translators

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// start starts a command in a group of its own, and returns a channel that is
// closed when it has ended and has been waited for. Without a way to wait for it
// and leave it unreaped, the number of the group may in theory be used again
// before the group is killed.
func (p *process) start(cmd *exec.Cmd) (<-chan struct{}, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	exited := make(chan struct{})
	go func() {
		cmd.Wait()
		close(exited)
	}()
	return exited, nil
}

func enlist(cmd *exec.Cmd) error { return cmd.Start() }

// reap waits for a command that has not been waited for, as the guard.
func reap(cmd *exec.Cmd) error {
	if cmd.ProcessState != nil {
		return nil
	}
	return cmd.Wait()
}

func killGroup(pid int, signal syscall.Signal) { syscall.Kill(-pid, signal) }

// There is no way to adopt the processes that have left their group.
func adoptOrphans()      {}
func killOrphans(string) {}

func maxRSS(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss
	}
	return 0
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
