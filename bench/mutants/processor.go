//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// tick is how often the time of a trial is read.
const tick = time.Second / 2

// watch calls stop when the processes of a group have used the processor for longer than the limit,
// by a tick of each processor at most. It returns when ctx is done.
func watch(ctx context.Context, group int, limit time.Duration, stop func()) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if used(group) > limit {
				stop()
				return
			}
		}
	}
}

// used is the processor time of the processes of a group that run, and of those that have ended and
// were waited for by one of these.
func used(group int) (sum time.Duration) {
	const second = 100 // in the units of the files, on all architectures
	processes, _ := os.ReadDir("/proc")
	for _, process := range processes {
		if name := process.Name(); name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", process.Name(), "stat"))
		if err != nil {
			continue // it has ended
		}
		// The second field is a name in parentheses, which may have any characters.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 15 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		for _, field := range fields[11:15] { // user and system time, its own and of its children
			n, _ := strconv.Atoi(string(field)) // always a number
			sum += time.Duration(n) * time.Second / second
		}
	}
	return sum
}
