package translators

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// running are the commands that have been started and not been reaped, by their
// process numbers (those of the system). No child is looked at between its start and its entry here.
var running struct {
	sync.Mutex
	calls map[int]*process
	// started counts the calls. strays are orphans that may belong to any of the
	// calls that were running when they were first seen, with the count at that
	// time.
	started int
	strays  map[int]int
}

// start starts a command in a session of its own, and returns a channel that is
// closed when it has ended. It is not reaped then, so that its number, which is
// that of its group and session, is not used again before reap.
func (p *process) start(path string, args []string, attr *os.ProcAttr) (<-chan struct{}, error) {
	attr.Sys = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	var err error
	begin := func() {
		running.Lock()
		defer running.Unlock()
		running.started++
		p.order = running.started
		unmark := p.inherited()
		p.system, err = os.StartProcess(path, args, attr)
		unmark()
		if err == nil {
			if running.calls == nil {
				running.calls, running.strays = make(map[int]*process), make(map[int]int)
			}
			running.calls[p.system.Pid] = p
			p.limit()
		}
	}
	if p.stdin == nil {
		begin() // we are here until it has ended, and so is our thread
	} else {
		done := make(chan bool)
		starter() <- func() { begin(); close(done) }
		<-done
	}
	if err != nil {
		return nil, err
	}
	exited := make(chan struct{})
	go func() {
		p.waitExit()
		close(exited)
	}()
	return exited, nil
}

// starter returns what starts the commands that are kept alive. The kernel sends the
// death signal of a process when the thread that has started it ends, not when all of us
// do: so it is one thread that never ends. (Go ends no thread but with a goroutine that
// is locked to it; and one that has called us is here until its command has ended.)
var starter = sync.OnceValue(func() chan<- func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range starts {
			start()
		}
	}()
	return starts
})

// waitExit returns when the command has ended. A descriptor of the process keeps no
// thread waiting, unlike waitid, which is for kernels that have none.
func (p *process) waitExit() {
	ended := func(flags int) bool {
		var info unix.Siginfo
		for {
			err := unix.Waitid(unix.P_PID, p.system.Pid, &info, unix.WEXITED|unix.WNOWAIT|flags, nil)
			if err != unix.EINTR {
				return err != nil || info.Signo != 0
			}
		}
	}
	fd, err := unix.PidfdOpen(p.system.Pid, unix.PIDFD_NONBLOCK)
	if err == nil {
		file := os.NewFile(uintptr(fd), "pidfd")
		defer file.Close()
		if raw, err := file.SyscallConn(); err == nil && raw.Read(func(uintptr) bool { return ended(unix.WNOHANG) }) == nil {
			return
		}
	}
	ended(0)
}

// inherited sets the limits that a command must have from its first instruction on: it
// inherits them from us. The function that it returns sets them back.
func (p *process) inherited() (back func()) {
	var undo []func()
	set := func(resource int, value uint64) {
		var was unix.Rlimit
		if unix.Getrlimit(resource, &was) != nil || was.Max < value {
			return
		}
		if unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: was.Max}) == nil {
			undo = append(undo, func() { unix.Setrlimit(resource, &was) })
		}
	}
	set(unix.RLIMIT_RTTIME, p.mark())
	set(unix.RLIMIT_CORE, 0) // no core dumps
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// limit sets the limits that all processes of a command inherit, and that we can't
// have for a moment. The command has just begun to run.
func (p *process) limit() {
	set := func(resource int, value uint64) {
		// It fails if the command has ended, or where a limit of our own is lower.
		unix.Prlimit(p.system.Pid, resource, &unix.Rlimit{Cur: value, Max: value}, nil)
	}
	if p.limits.AddressSpace > 0 {
		set(unix.RLIMIT_AS, uint64(p.limits.AddressSpace))
	}
	if p.limits.OpenFiles > 0 {
		set(unix.RLIMIT_NOFILE, uint64(p.limits.OpenFiles))
	}
	// For a command that hides from our looks; but one that is kept alive may take this
	// much for each formula.
	if p.limits.CPU > 0 && p.stdin == nil {
		set(unix.RLIMIT_CPU, uint64((p.limits.CPU+time.Second-1)/time.Second)+1)
	}
}

// mark is a limit of the time that a process may take with real-time scheduling
// before it sleeps, in microseconds: so great that it limits nothing, and different
// for each process of ours. It is inherited by all that a process starts, also by
// those that leave its session and empty their environment, and hardly anybody
// changes it.
func (p *process) mark() uint64 { return p.runner.mark + uint64(p.order)%maxOrder }

// reap takes the status of a command that has ended.
func (p *process) reap() (err error) {
	running.Lock()
	defer running.Unlock()
	delete(running.calls, p.system.Pid)
	p.state, err = p.system.Wait()
	return err
}

// killGroup sends a signal to all processes of a group.
func killGroup(pid int, signal syscall.Signal) {
	syscall.Kill(-pid, signal)
}

// killRunning kills the groups of all commands that run. The lock stays: nothing is started
// from now on.
func killRunning(deadline time.Time) {
	if !lockBefore(&running.Mutex, deadline) {
		return
	}
	for pid := range running.calls {
		killGroup(pid, syscall.SIGKILL)
	}
}

// adoptOrphans makes this process the parent of all descendants whose own
// parents end.
func adoptOrphans() {
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
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
func sweep(p *process) {
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
				p.cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
				p.peak = max(p.peak, int64(usage.Maxrss)*1024)
			}
		}
		running.Unlock()
		if !found {
			return
		}
	}
}

// orphan reports whether a child of ours is one that sweep(p) is to kill.
func orphan(pid int, p *process) bool {
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
	if !ok && running.strays != nil {
		seen = running.started
		running.strays[pid] = seen
	}
	for _, call := range running.calls {
		if call != p && call.order <= seen {
			return zombie(pid)
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

// zombie reports whether a process has ended and not been reaped.
func zombie(pid int) bool {
	state, _ := stat(pid)
	return state == "Z"
}

// statFields returns what the kernel says of a process, from its state on; nil if
// there is none.
func statFields(pid int) []string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
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

// members returns the numbers of the processes of p: its command with all
// descendants, and those that have become our children.
func (p *process) members() []int {
	list := []int{p.system.Pid}
	running.Lock()
	for _, pid := range children() {
		if pid != list[0] && orphan(pid, p) {
			list = append(list, pid)
		}
	}
	running.Unlock()
	for i := 0; i < len(list); i++ {
		tasks := fmt.Sprintf("/proc/%d/task", list[i])
		for _, name := range names(tasks) {
			text, _ := os.ReadFile(filepath.Join(tasks, name, "children"))
			for _, field := range strings.Fields(string(text)) {
				if pid, err := strconv.Atoi(field); err == nil {
					list = append(list, pid)
				}
			}
		}
	}
	return list
}

// names returns what is in a folder, as far as it can be read.
func names(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.Readdirnames(-1)
	return list
}

// sample returns how many bytes the processes of p have resident now, and the CPU time
// that they and those that they have waited for have taken. Memory that they share, as
// after a fork, is counted once if there would be more than the limit otherwise: to
// find out takes the kernel long.
func (p *process) sample() (bytes int64, cpu time.Duration) {
	members := p.members()
	for _, pid := range members {
		bytes += resident(pid)
		fields := statFields(pid)
		for i := 11; i < 15 && i < len(fields); i++ { // utime, stime, and those of children
			ticks, _ := strconv.ParseInt(fields[i], 10, 64)
			cpu += time.Duration(ticks) * (time.Second / 100)
		}
	}
	if p.limits.Memory > 0 && bytes > p.limits.Memory && len(members) > 1 {
		bytes = 0
		for _, pid := range members {
			bytes += proportional(pid)
		}
	}
	return bytes, cpu + p.cpu
}

// proportional returns how many bytes a process has resident now, where it has only a
// share in what it shares with others.
func proportional(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
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
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// clock returns the CPU time that the command has taken, without its children, or 0
// if that is not known. It is exact, and quick.
func (p *process) clock() time.Duration {
	var t unix.Timespec
	// The number of a process's clock: see clock_getcpuclockid.
	if unix.ClockGettime(int32(^p.system.Pid)<<3|2, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// parent reports whether the command has children now, as a script has that runs the
// translator. It is quick; where the kernel does not say, the answer is no.
func (p *process) parent() bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", p.system.Pid, p.system.Pid))
	return len(text) > 0
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
	var list []int
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

// SignalName returns the name of a signal, such as SIGSEGV.
func SignalName(number int) string {
	s := syscall.Signal(number)
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(number)
}
