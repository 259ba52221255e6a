package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestSecondSignal: a run that can't end, since nobody reads its report, ends at once with the
// second signal, with all that its translators have started, and with all temporary files.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	times, seed := campaign.Seeded(t, 2, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for i := range times {
		k := &killed{T: t, dir: t.TempDir(), marker: fmt.Sprintf("second-%d-%d", os.Getpid(), time.Now().UnixNano())}
		tmp := filepath.Join(k.dir, "run", "tmp")
		must.Do(os.MkdirAll(tmp, 0o777))
		self := program()
		// The translator leaves its group, ignores signals and leaves files.
		cmd := exec.Command(self, "run", "-n", "3", "--no-builtin", "-t", `trap "" TERM; touch $TMPDIR/x; setsid sleep 1000 & sleep 1000; echo %f`)
		cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "XCHECK_TEST_MARKER="+k.marker, "TMPDIR="+tmp)
		cmd.Dir = k.dir
		nobody, full, err := os.Pipe()
		must.Do(err)
		must.Get(full.Write(make([]byte, must.Get(unix.FcntlInt(full.Fd(), unix.F_GETPIPE_SZ, 0)))))
		cmd.Stdout = full
		must.Do(cmd.Start())
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		waitForFile(t, filepath.Join(tmp, "*", "*", "x")) // then the translator runs
		time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
		first, second := signals[random.IntN(len(signals))], signals[random.IntN(len(signals))]
		gap := sameRequest + time.Duration(500+random.IntN(200))*time.Millisecond
		cmd.Process.Signal(first)
		time.Sleep(gap)
		select {
		case <-ended:
			t.Errorf("%d: ended with the first signal, though nobody reads its report: %v", i, cmd.ProcessState)
		default:
		}
		sent := time.Now()
		for goesOn := true; goesOn; { // it may take signals that it gets late for one request, and then the next is the second
			cmd.Process.Signal(second)
			select {
			case <-ended:
				goesOn = false
			case <-time.After(gap):
				if time.Since(sent) > time.Minute {
					t.Errorf("%d: %v, and %v %v later: goes on", i, first, second, gap)
					cmd.Process.Kill()
				}
			}
		}
		if took := time.Since(sent); campaign.Long() && took > hostileStop {
			t.Errorf("%d: took %v to end with the second signal", i, took)
		}
		if code := cmd.ProcessState.ExitCode(); code != int(outcome.ExitInterrupted) {
			t.Errorf("%d: ended with %v, want status 130", i, cmd.ProcessState)
		}
		k.nothingLeft("run")
		full.Close()
		nobody.Close()
	}
}

// waitForFile waits until a file is there whose name matches a pattern.
func waitForFile(t *testing.T, pattern string) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if names, _ := filepath.Glob(pattern); len(names) > 0 {
			return
		}
	}
	t.Fatalf("no file %s after a minute", pattern)
}
