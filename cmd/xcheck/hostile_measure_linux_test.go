package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// left says what a command has left in its temporary folder; a guard may take a moment.
func left(dir string) string {
	for range 50 {
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

// firstBytes keeps the start of what is written.
type firstBytes struct {
	kept bytes.Buffer
	most int
}

func (b *firstBytes) Write(p []byte) (int, error) {
	b.kept.Write(p[:min(len(p), b.most-b.kept.Len())])
	return len(p), nil
}
