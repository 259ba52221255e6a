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

// A process that is at work says so every heartbeat. One on another host that has said nothing for
// silence is taken for dead.
const (
	heartbeat = 10 * time.Second
	silence   = time.Minute
)

// elsewhere reports whether a process is on another host. Of such a one nothing is known but when
// it last wrote something.
func elsewhere(process string) bool {
	name, _, _ := strings.Cut(process, " ")
	host, _ := os.Hostname()
	return name != "" && name != strings.ReplaceAll(host, " ", "_")
}

// working reports whether a process is still there, which last wrote something at the given time.
func working(process string, alive time.Time) bool {
	fields := strings.SplitN(process, " ", 3)
	if len(fields) != 3 {
		return false
	}
	if elsewhere(process) {
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
