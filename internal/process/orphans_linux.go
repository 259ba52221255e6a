package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adopts says whether AdoptOrphans was called.
var adopts atomic.Bool

// AdoptOrphans makes this process the parent of all descendants whose own parents end, for as
// long as it lives (a subreaper). Supervisors then find and kill what has left the group of its
// command, and also end all children of this process in other sessions that belong to no
// command: the program must not start such ones itself.
func AdoptOrphans() {
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil {
		adopts.Store(true)
	}
}

// sweep kills and reaps what the command of p has left behind, and what belongs to
// no command that runs (with p nil, only the latter). The command has ended, and is
// not reaped.
//
// All that the command has started and that still lives has become a child of
// ours, or has an ancestor that has, for the dead leave their children to us. When
// a child of ours has been waited for, its own children have come to us in turn,
// and are seen in the next round. A round without a find is the last. The bound is
// for those that start new processes faster than we kill them.
func sweep(p *Process) {
	if !adopts.Load() {
		return
	}
	list := children
	if p == nil {
		list = allChildren
	}
	for range 1000 {
		found := false
		running.Lock()
		for _, pid := range list() {
			if !orphan(pid, p) || syscall.Kill(pid, syscall.SIGKILL) != nil {
				continue
			}
			found = true
			delete(running.strays, pid)
			var usage syscall.Rusage
			for {
				if _, err := syscall.Wait4(pid, nil, 0, &usage); err != syscall.EINTR {
					break
				}
			}
			if p != nil {
				p.CPU += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
				p.Peak = max(p.Peak, int64(usage.Maxrss)*1024)
			}
		}
		running.Unlock()
		if !found {
			return
		}
	}
}

// orphan reports whether a child of ours is one that sweep(p) is to kill.
func orphan(pid int, p *Process) bool {
	session, err := unix.Getsid(pid)
	if err != nil || session == ourSession || running.calls[pid] != nil {
		return false // it was started by another part of the program, or is a command
	}
	if call := running.calls[session]; call != nil {
		return call == p
	}
	// It has left the session of its command.
	if mark := markOf(pid); mark != 0 {
		for _, call := range running.calls {
			if call.mark() == mark {
				return call == p
			}
		}
	}
	if id := callOf(pid); id != "" {
		for _, call := range running.calls {
			if call.id == id {
				return call == p
			}
		}
		return true
	}
	// It has neither mark nor environment: it has got rid of both, and then it may belong
	// to any command that was running when it was first seen; or it has ended.
	seen, ok := running.strays[pid]
	if !ok {
		seen = running.started
		running.strays[pid] = seen
	}
	for _, call := range running.calls {
		if call != p && call.order <= seen {
			state, _ := stat(pid)
			return state == "Z" // it has ended, and is not reaped
		}
	}
	return true
}

// ourSession is the session of this process, which does not leave it.
var ourSession, _ = unix.Getsid(0)

// callOf returns the id of the call that a process belongs to by its environment,
// or "".
func callOf(pid int) string {
	environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for _, entry := range bytes.Split(environment, []byte{0}) {
		if id, ok := bytes.CutPrefix(entry, []byte(callVariable+"=")); ok {
			return string(id)
		}
	}
	return ""
}

// markOf returns the mark of a process, or 0 if it has none.
func markOf(pid int) uint64 {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) != nil || limit.Cur < maxOrder || limit.Cur == unix.RLIM_INFINITY {
		return 0
	}
	return limit.Cur
}

// children returns the numbers of those children of ours that we may have
// adopted. The kernel gives orphans to the first thread of a process that lives,
// and the main thread of a Go program never ends. It is quick, but the kernel may
// leave one out when another child is reaped at the same time: then that is found
// at the end of a later call.
func children() []int {
	text, err := os.ReadFile(mainThreadChildren)
	if err != nil {
		return allChildren() // this kernel has no such files
	}
	return numbers(text)
}

// numbers returns the numbers of processes in a text.
func numbers(text []byte) (list []int) {
	for _, field := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

var mainThreadChildren = fmt.Sprintf("/proc/self/task/%d/children", os.Getpid())

// allChildren returns the numbers of all our children, for certain: it asks every
// process for its parent.
func allChildren() []int {
	var list []int
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, _ := strconv.Atoi(filepath.Base(name))
		if _, parent := stat(pid); parent == os.Getpid() {
			list = append(list, pid)
		}
	}
	return list
}
