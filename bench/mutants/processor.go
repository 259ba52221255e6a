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
const tick = 100 * time.Millisecond

// watch calls stop when the processes of a group have used the processor for as long as the limit,
// or longer by a tick of each processor. It returns when ctx is done.
func watch(ctx context.Context, group int, limit time.Duration, stop func()) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if used(group) >= limit {
				stop()
				return
			}
		}
	}
}

// used is the processor time of a group of processes that run, and of those that ended and were
// waited for by one of these.
func used(group int) (sum time.Duration) {
	const second = 100 // in units of the files, on all architectures
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// A name in parentheses, which may have any characters, is the second field.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < 15 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		for _, field := range fields[11:15] { // user and system time, its own and of its children
			n, _ := strconv.Atoi(string(field))
			sum += time.Duration(n) * time.Second / second
		}
	}
	return sum
}
