package process

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
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
// long as it lives (a subreaper), and reaps them as they end. Supervisors then find and kill what has
// left the group of its command, and also end all children of this process in other sessions that
// belong to no command: the program must not start such ones itself.
func AdoptOrphans() {
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil || adopts.Swap(true) {
		return
	}
	ended := make(chan os.Signal, 1) // one that waits stands for all that come meanwhile
	signal.Notify(ended, unix.SIGCHLD)
	go func() {
		for range ended {
			running.Lock()
			for _, pid := range children() {
				if call, _ := ownerOf(pid); call != ours {
					bury(pid, call, unix.WNOHANG)
				}
			}
			running.Unlock()
		}
	}()
}

// bury reaps an orphan, and counts what it has taken as its call's. With WNOHANG, it does so only if
// the orphan has ended.
func bury(pid int, call *Process, options int) {
	var usage syscall.Rusage
	got, err := syscall.Wait4(pid, nil, options, &usage)
	for err == syscall.EINTR {
		got, err = syscall.Wait4(pid, nil, options, &usage)
	}
	if got != pid {
		return
	}
	delete(running.strays, pid)
	if call != nil {
		call.orphans.cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		call.orphans.peak = max(call.orphans.peak, int64(usage.Maxrss)*1024)
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
//
// Let a command start "setsid tool & exit", and the tool a helper. When the shell has ended, the
// tool is our child, in a session of its own, and its mark says that it is of p. The first round
// kills it. Then the helper is our child, and the second round kills it. The third finds nothing.
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
			if orphan(pid, p) && syscall.Kill(pid, syscall.SIGKILL) == nil {
				found = true
				bury(pid, p, 0)
			}
		}
		running.Unlock()
		if !found {
			return
		}
	}
}

// ours stands for the owner of children that are no orphans: another part of the program started
// them, or they are commands.
var ours = new(Process)

// ownerOf returns the call that an orphan belongs to, or nil for none that runs. It is not known of an
// orphan that has left the session of its command and got rid of both mark and environment, or has
// ended.
func ownerOf(pid int) (call *Process, known bool) {
	session, err := unix.Getsid(pid)
	if err != nil || session == ourSession || running.calls[pid] != nil {
		return ours, true
	}
	if call := running.calls[session]; call != nil {
		return call, true
	}
	if mark := markOf(pid); mark != 0 {
		for _, call := range running.calls {
			if call.mark() == mark {
				return call, true
			}
		}
	}
	id := callOf(pid)
	for _, call := range running.calls {
		if call.id == id {
			return call, true
		}
	}
	return nil, id != ""
}

// orphan reports whether a child of ours is one that sweep(p) is to kill.
func orphan(pid int, p *Process) bool {
	owner, known := ownerOf(pid)
	if owner != nil {
		return owner == p
	}
	if known { // its command has ended
		return true
	}
	// It may belong to any command that was running when it was first seen.
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
	environment, _ := readFile(fmt.Sprintf("/proc/%d/environ", pid))
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

// children returns the numbers of our children, including orphans that we may have adopted.
// The kernel gives orphans to the first thread of a process that lives, and the main thread
// of a Go program never ends. It is quick, but the kernel may leave one out when another
// child is reaped at the same time: then that is found at the end of a later call.
func children() []int {
	text, err := readFile(mainThreadChildren)
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

// members returns the numbers of the processes of p: its command with all
// descendants, and those that have become our children.
func (p *Process) members() []int {
	list := []int{p.system.Pid}
	if adopts.Load() {
		running.Lock()
		p.count()
		for _, pid := range children() {
			if pid != list[0] && orphan(pid, p) {
				list = append(list, pid)
			}
		}
		running.Unlock()
	}
	for i := 0; i < len(list); i++ {
		tasks := fmt.Sprintf("/proc/%d/task", list[i])
		threads, _ := os.ReadDir(tasks)
		for _, thread := range threads {
			text, _ := readFile(filepath.Join(tasks, thread.Name(), "children"))
			list = append(list, numbers(text)...)
		}
	}
	return list
}

// count adds what orphans have taken that were reaped.
func (p *Process) count() {
	p.CPU, p.Peak = p.CPU+p.orphans.cpu, max(p.Peak, p.orphans.peak)
	p.orphans.cpu = 0
}

// Sample returns how many bytes the processes of p have resident now, and the CPU time
// that they and those that they have waited for have taken. Memory that they share, as
// after a fork, is counted once if there would be more than the limit otherwise: to
// find out takes the kernel long.
func (p *Process) Sample() (bytes int64, cpu time.Duration) {
	members := p.members()
	for _, pid := range members {
		bytes += resident(pid)
		fields := statFields(pid)
		for i := 11; i < 15 && i < len(fields); i++ { // utime, stime, and the same for children
			ticks, _ := strconv.ParseInt(fields[i], 10, 64)
			cpu += time.Duration(ticks) * (time.Second / 100)
		}
	}
	if p.Limits.Memory > 0 && bytes > p.Limits.Memory && len(members) > 1 {
		bytes = 0
		for _, pid := range members {
			bytes += proportional(pid)
		}
	}
	return bytes, cpu + p.CPU
}

// proportional returns how many bytes a process has resident now, where it has only a
// share in what it shares with others.
func proportional(pid int) int64 {
	text, _ := readFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("Pss:")); ok {
			kib, _ := strconv.ParseInt(string(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte(" kB"))), 10, 64)
			return kib << 10
		}
	}
	return resident(pid) // it can't be looked at more closely, or has no memory any more
}

// resident returns how many bytes a process has resident now.
func resident(pid int) int64 {
	text, _ := readFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// Clock returns the CPU time that the command has taken, without its children, or 0
// if that is not known. It is exact, and quick.
func (p *Process) Clock() time.Duration {
	var t unix.Timespec
	// The number of a process's clock: see clock_getcpuclockid.
	if unix.ClockGettime(int32(^p.system.Pid)<<3|2, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// Time returns the processor time of this program, or of the calling thread alone.
func Time(thread bool) time.Duration {
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if thread {
		clock = unix.CLOCK_THREAD_CPUTIME_ID
	}
	var t unix.Timespec
	if unix.ClockGettime(clock, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// Parent reports whether the command has children now, as a script has that runs the
// translator. It is quick; where the kernel does not say, the answer is no.
func (p *Process) Parent() bool {
	text, _ := readFile(fmt.Sprintf("/proc/%d/task/%d/children", p.system.Pid, p.system.Pid))
	return len(text) > 0
}

// statFields returns what the kernel says of a process, from its state on; nil if
// there is none.
func statFields(pid int) []string {
	text, _ := readFile(fmt.Sprintf("/proc/%d/stat", pid))
	// The name of the program comes before, in parentheses, and may have any
	// characters.
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// stat returns the state and the parent of a process, "" and 0 if there is none.
func stat(pid int) (state string, parent int) {
	fields := statFields(pid)
	if len(fields) < 2 {
		return "", 0
	}
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

// maxRSS returns the greatest memory that a process and those that it waited for
// had, in bytes, or 0 if that is not known. A process inherits its parent's peak:
// the kernel takes it over when a process that was started with vfork, as Go does,
// changes to another program. Its counters are only about right, hence the margin.
func maxRSS(state *os.ProcessState) int64 {
	var own syscall.Rusage
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok || syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || usage.Maxrss <= own.Maxrss+own.Maxrss/8 {
		return 0
	}
	return int64(usage.Maxrss) * 1024
}
