package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// left says what a command has left in its temporary folder; a guard may take a moment.
func left(dir string) string {
	for range 300 {
		files, err := os.ReadDir(dir)
		if err == nil && len(files) == 0 {
			return ""
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "left temporary files"
}

// slowness returns how much longer everything takes now than on a machine that has nothing else
// to do: the time that a short computation takes, by the processor time that it needs, or how
// many want each core, if that is more.
func slowness() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpu := func() time.Duration {
		var usage unix.Rusage
		unix.Getrusage(unix.RUSAGE_THREAD, &usage)
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	begin, before := time.Now(), cpu()
	for cpu()-before < 40*time.Millisecond {
	}
	load := 0.0 // processes that run or wait, in the last minute
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(text), &load)
	}
	return max(1, float64(time.Since(begin))/float64(40*time.Millisecond), load/float64(runtime.NumCPU()))
}

// leniency is how much longer than the bars of a campaign things may take in the tests that run
// beside others: these look for what does not end, and campaigns for what ends too late.
const leniency = 5

// hostileWorst is what came nearest to the bars, or went beyond them.
type hostileWorst struct {
	late   []hostileMeasured // time beyond the limit, in nanoseconds
	stop   []hostileMeasured // from SIGINT to the end
	memory []hostileMeasured // beyond the limit, in bytes
}

type hostileMeasured struct {
	value int64
	what  string
}

// add takes note of a command. A limit of 0 is none.
func (w *hostileWorst) add(what string, limit time.Duration, signal bool, took time.Duration, memory int64) {
	switch {
	case signal:
		w.stop = append(w.stop, hostileMeasured{int64(took), what})
	case limit > 0:
		w.late = append(w.late, hostileMeasured{int64(took - limit), what})
	}
	w.memory = append(w.memory, hostileMeasured{memory, what})
}

// String returns the eight greatest values of each kind.
func (w *hostileWorst) String() string {
	var b strings.Builder
	for _, kind := range []struct {
		name  string
		list  []hostileMeasured
		write func(n int64) string
	}{
		{"time beyond the limit", w.late, func(n int64) string { return time.Duration(n).Round(time.Millisecond).String() }},
		{"time from SIGINT to the end", w.stop, func(n int64) string { return time.Duration(n).Round(time.Millisecond).String() }},
		{"memory beyond the limit", w.memory, func(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }},
	} {
		slices.SortFunc(kind.list, func(a, b hostileMeasured) int { return cmp.Compare(b.value, a.value) })
		fmt.Fprintf(&b, "worst %s, of %d:\n", kind.name, len(kind.list))
		for _, m := range kind.list[:min(8, len(kind.list))] {
			fmt.Fprintf(&b, "\t%s  %.100s\n", kind.write(m.value), m.what)
		}
	}
	return b.String()
}
