package translators

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// running are the commands that have been started and not been reaped.
var running struct {
	sync.Mutex
	pids map[int]bool
}

// start starts a command in a group of its own, and returns a channel that is
// closed when it has ended. It is not reaped then, so that its number, and that
// of its group, are not used again before reap.
func (p *process) start(cmd *exec.Cmd) (<-chan struct{}, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	exited := make(chan struct{})
	started := make(chan error, 1)
	go func() {
		// The kernel sends the death signal when the thread that started the
		// command ends, not the process: so the goroutine keeps its thread until
		// the command has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := enlist(cmd)
		started <- err
		if err != nil {
			return
		}
		for {
			err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
			if err != unix.EINTR {
				break
			}
		}
		close(exited)
	}()
	return exited, <-started
}

// enlist starts a command. No orphan is looked for between its start and its
// entry in the list.
func enlist(cmd *exec.Cmd) error {
	running.Lock()
	defer running.Unlock()
	err := cmd.Start()
	if err == nil {
		if running.pids == nil {
			running.pids = make(map[int]bool)
		}
		running.pids[cmd.Process.Pid] = true
	}
	return err
}

// reap takes the status of a command that has ended.
func reap(cmd *exec.Cmd) error {
	running.Lock()
	defer running.Unlock()
	delete(running.pids, cmd.Process.Pid)
	return cmd.Wait()
}

// killGroup sends a signal to all processes of a group.
func killGroup(pid int, signal syscall.Signal) {
	syscall.Kill(-pid, signal)
}

// adoptOrphans makes this process the parent of all descendants whose own
// parents end.
func adoptOrphans() {
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// killOrphans kills and reaps the processes that a call has left behind, that
// are in no group that was killed, or have not ended yet although it was, and that
// have become children of ours. With an empty id, it does so for those of all
// calls. What they leave behind in turn is found in the next round.
func killOrphans(id string) {
	list := children
	if id == "" {
		list = allChildren
	}
	for range 100 {
		running.Lock()
		found := 0
		for _, pid := range list() {
			if running.pids[pid] || !orphan(pid, id) {
				continue
			}
			found++
			syscall.Kill(pid, syscall.SIGKILL)
			syscall.Wait4(pid, nil, 0, nil)
		}
		running.Unlock()
		if found == 0 {
			return
		}
	}
}

// orphan reports whether a child was started by a call and adopted. Children
// that something else in this program has started don't have the variable in
// their environment, or are in our own group.
func orphan(pid int, id string) bool {
	group, err := syscall.Getpgid(pid)
	if err != nil || group == syscall.Getpgrp() {
		return false
	}
	if zombie(pid) {
		// It only waits to be reaped. One of a running command's group is reaped when
		// that is done.
		return !running.pids[group]
	}
	environment, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	for _, entry := range strings.Split(string(environment), "\x00") {
		if value, ok := strings.CutPrefix(entry, callVariable+"="); ok {
			return id == "" || value == id
		}
	}
	// A process that has cleaned its environment can't be told from those of other
	// calls, so that it is ended with the Runner. It has its own session as well, or
	// it would not have got out of its group.
	session, _ := unix.Getsid(pid)
	ours, _ := unix.Getsid(0)
	return id == "" && session != ours
}

// zombie reports whether a process has ended and not been reaped.
func zombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	return bytes.HasPrefix(text[bytes.LastIndexByte(text, ')')+1:], []byte(" Z"))
}

// allChildren returns the numbers of this process's children, for certain: it asks
// every process for its parent.
func allChildren() []int {
	var list []int
	entries, _ := os.ReadDir("/proc")
	self := strconv.Itoa(os.Getpid())
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		// The name of the program, in parentheses, may have any character in it.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) > 1 && fields[1] == self {
			list = append(list, pid)
		}
	}
	return list
}

// children returns the numbers of this process's children. It is quick, but may
// miss some while others end.
func children() []int {
	var list []int
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				list = append(list, pid)
			}
		}
	}
	return list
}

// maxRSS returns the greatest memory that a process and those that it waited for
// had, in bytes.
func maxRSS(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss * 1024
	}
	return 0
}

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(int(s))
}
