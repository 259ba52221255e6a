package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// members returns the numbers of the processes of p: its command with all
// descendants, and those that have become our children.
func (p *Process) members() []int {
	list := []int{p.system.Pid}
	if adopts.Load() {
		running.Lock()
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
			text, _ := os.ReadFile(filepath.Join(tasks, thread.Name(), "children"))
			list = append(list, numbers(text)...)
		}
	}
	return list
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
		for i := 11; i < 15 && i < len(fields); i++ { // utime, stime, and those of children
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

// Parent reports whether the command has children now, as a script has that runs the
// translator. It is quick; where the kernel does not say, the answer is no.
func (p *Process) Parent() bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", p.system.Pid, p.system.Pid))
	return len(text) > 0
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
