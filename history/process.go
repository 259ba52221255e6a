package history

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// thisProcess names this process, as "host 1234 5678": its number and when it was started,
// as numbers of processes come again.
func thisProcess() string {
	return fmt.Sprintf("%s %d %s", thisHost(), os.Getpid(), started(os.Getpid()))
}

func thisHost() string {
	host, _ := os.Hostname()
	return strings.ReplaceAll(host, " ", "_")
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
	return name != "" && name != thisHost()
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
	if !exists(p) {
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

// A RunningError reports a run that can't be resumed, because a process is working on it.
type RunningError struct {
	Run     int64
	Process string
	// Until is when the process, on another host, is taken for dead if nothing is heard of it; zero
	// for one on this host, which is known to be there.
	Until time.Time
}

func (e *RunningError) Error() string {
	return fmt.Sprintf("run %d is still running (process %s): wait until it ends, or use another --name", e.Run, e.Process)
}

// Unfinished finds the last run of a plan, whatever its seed, and whatever versions its
// translators have, if that run did not end; otherwise it returns nil. The error is
// a *RunningError if a process is at work on it, or may be.
func (s *Store) Unfinished(ctx context.Context, p *Plan) (*Info, error) {
	list, err := s.infos(ctx, `WHERE runs.id = (SELECT max(runs.id) FROM runs JOIN configurations ON configurations.id = configuration
		WHERE hash = ? AND shard = ? AND shards = ? AND name = ? AND NOT pruned)`, p.hash(), p.Shard, p.Shards, p.Name)
	if err != nil || len(list) == 0 || list[0].Finished {
		return nil, err
	}
	x := list[0]
	if x.Working {
		running := &RunningError{Run: x.Run, Process: x.process}
		if elsewhere(x.process) {
			running.Until = x.Ended.Add(silence)
		}
		return nil, s.failed(running)
	}
	return x, nil
}
