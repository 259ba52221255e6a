package history

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// thisProcess names this process, as "host 1234 5678": its number and when it was started,
// as numbers of processes come again.
func thisProcess() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s %d %s", strings.ReplaceAll(host, " ", "_"), os.Getpid(), started(os.Getpid()))
}

// silence is how long a process on another host may write nothing before it is taken for dead.
const silence = 10 * time.Minute

// working reports whether a process is still there. Of one on another host nothing is known but
// when it last wrote something.
func working(process string, alive time.Time) bool {
	fields := strings.SplitN(process, " ", 3)
	if len(fields) != 3 {
		return false
	}
	if host, _ := os.Hostname(); fields[0] != strings.ReplaceAll(host, " ", "_") {
		return time.Since(alive) < silence
	}
	number, err := strconv.Atoi(fields[1])
	if err != nil || number <= 0 || number == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(number)
	if err != nil {
		return false
	}
	if err := p.Signal(syscall.Signal(0)); err != nil && !errors.Is(err, os.ErrPermission) {
		return false
	}
	return started(number) == fields[2]
}

// started returns when a process was started, in the kernel's ticks since it was; "" where that
// is not known. A process that has ended but is still listed is none.
func started(number int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", number))
	if err != nil {
		return ""
	}
	// The name, in parentheses, may have anything in it.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "ended"
	}
	return fields[19]
}
