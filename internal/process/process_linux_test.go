package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// newSupervisor returns a Supervisor that has adopted orphans, and is closed at the end of the
// test.
func newSupervisor(t *testing.T, n int) *Supervisor {
	t.Helper()
	AdoptOrphans()
	s := must.Get(NewSupervisor(n, t.TempDir()))
	t.Cleanup(func() { closeSupervisor(t, s) })
	return s
}

// closeSupervisor closes it, once.
func closeSupervisor(t *testing.T, s *Supervisor) {
	if s.Stop() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// run runs a line of a shell, and returns what it prints. $IN is a file, and $OUT one for output.
func run(s *Supervisor, line string) (string, error) {
	if err := s.Enter(context.Background()); err != nil {
		return "", err
	}
	defer s.Leave()
	p, err := s.New(Limits{Timeout: 20 * time.Second, MaxOutput: 1 << 20}, nil, false)
	if err != nil {
		return "", err
	}
	defer p.Remove()
	in, out := filepath.Join(p.Folder, "in"), filepath.Join(p.Folder, "out")
	if err := errors.Join(p.WriteFile(in, "a\n"), p.WriteFile(out, "")); err != nil {
		return "", err
	}
	p.Command.Line = strings.NewReplacer("$IN", in, "$OUT", out).Replace(line)
	if err := p.Launch(context.Background(), ""); err != nil {
		return "", err
	}
	defer p.ClosePipes()
	err = p.Wait(context.Background(), out)
	err = errors.Join(err, p.End())
	return string(p.Stdout.Data), err
}

// runAll runs n calls, of each line in turn.
func runAll(t *testing.T, s *Supervisor, n int, lines ...string) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := run(s, lines[i%len(lines)]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestLeaks: many calls leave no file descriptor, goroutine, file or process.
func TestLeaks(t *testing.T) {
	r := newSupervisor(t, 4)
	count := func() (fds, files int) {
		list, _ := os.ReadDir("/proc/self/fd")
		filepath.WalkDir(r.dir, func(string, os.DirEntry, error) error { files++; return nil })
		return len(list), files
	}
	runAll(t, r, 1, "cat $IN > $OUT")
	fds, files := count()
	goroutines := runtime.NumGoroutine()
	runAll(t, r, campaign.Inputs(t, 1000), "cat $IN > $OUT", "exit 1", "sleep 100 &", "(sleep 0.001 &) ; echo a",
		"setsid sleep 100 &", "setsid true & echo a", "set -m; sleep 100 &", "no-such-program a")
	runAll(t, r, 1, "echo a") // it finds what the others may have overlooked, as they ended at the same time
	a, b, c := 0, 0, 0
	for range 6000 { // goroutines may take a moment to end
		a, b = count()
		// Each core keeps an empty folder.
		if c = runtime.NumGoroutine(); a <= fds && b <= files+3 && c <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a > fds || b > files+3 || c > goroutines {
		t.Errorf("%d file descriptors, %d files, %d goroutines; before %d, %d, %d", a, b, c, fds, files, goroutines)
	}
	if left := allChildren(); !slices.Equal(left, []int{r.guard.cmd.Process.Pid}) {
		t.Errorf("children left: %v", left)
	}
	must.Do(r.guard.cmd.Process.Signal(syscall.SIGSTOP)) // as a command can: Close ends it all the same
}

// TestFull: where the temporary folder is full, the command whose files take most is ended, and the
// others go on.
func TestFull(t *testing.T) {
	s := newSupervisor(t, 2)
	size := func() (size int64) { // of a disk that only we see to be full
		filepath.WalkDir(s.dir, func(_ string, entry os.DirEntry, _ error) error {
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
			return nil
		})
		return size
	}
	defer func() { writeFile = os.WriteFile }()
	writeFile = func(name string, data []byte, mode os.FileMode) error {
		if size() > 4<<20 {
			return &os.PathError{Op: "write", Path: name, Err: unix.ENOSPC}
		}
		return os.WriteFile(name, data, mode)
	}
	start := func(line string) *Process {
		p := must.Get(s.New(Limits{Timeout: time.Hour}, nil, false))
		p.Command.Line = line
		must.Do(p.Launch(t.Context(), ""))
		return p
	}
	end := func(p *Process, full, disturbed bool) {
		t.Helper()
		must.Do(errors.Join(p.Wait(t.Context(), ""), p.End()))
		if p.Full() != full || p.Disturbed() != disturbed {
			t.Errorf("%s: it is full by this command: %v, by another one: %v", p.Command.Line, !full, !disturbed)
		}
		p.ClosePipes()
		p.Remove()
	}
	small, large := start("head -c 2M /dev/zero >$TMPDIR/x; exec sleep 1000"), start("head -c 3M /dev/zero >$TMPDIR/x; exec sleep 1000")
	within(t, "both to write their files", func() bool { return size() >= 5<<20 })
	if text, err := run(s, "cat $IN"); text != "a\n" || err != nil { // it needs room
		t.Errorf("%q, %v", text, err)
	}
	end(large, true, false)
	small.signal(syscall.SIGKILL)
	end(small, false, true)
	end(start("head -c 5M /dev/zero >$TMPDIR/x"), true, false)
	end(start("exit 1"), false, false)
	seen := writeFile
	writeFile = func(name string, data []byte, mode os.FileMode) error { // another one makes room again
		writeFile = seen
		return unix.ENOSPC
	}
	end(start("head -c 2M /dev/zero >$TMPDIR/x; exit 1"), false, false)
	must.Do(os.WriteFile(filepath.Join(s.dir, "others"), make([]byte, 5<<20), 0o600))
	if _, err := run(s, "cat $IN"); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("nobody can make room: %v", err)
	}
}

// TestDescendants: when the calls have ended, nothing is left, whatever the calls
// have started and wherever that has gone, while others still run.
func TestDescendants(t *testing.T) {
	r := newSupervisor(t, 8)
	marker := fmt.Sprintf("986.%07d", os.Getpid()) // so long sleeps nobody else
	sleep := "sleep " + marker
	runAll(t, r, campaign.Inputs(t, 240),
		"(sh -c 'setsid "+sleep+" & wait') & sleep 0.01; echo a",
		"setsid sh -c 'setsid sh -c \""+sleep+" & wait\" & wait' & sleep 0.01; echo a",
		"for i in 1 2 3 4 5; do (setsid "+sleep+" &); done; echo a",
		"sh -c 'set -m; (setsid "+sleep+" & "+sleep+") & wait' & sleep 0.01; echo a",
		"env -i setsid "+sleep+" > /dev/null 2>&1 & sleep 0.05; echo a", // known by its mark alone
	)
	runAll(t, r, 1, "echo a") // it finds what the others may have overlooked, as they ended at the same time
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range found {
		if text, _ := os.ReadFile(name); strings.Contains(string(text), marker) {
			t.Errorf("left: %s, %q", name, text)
		}
	}
	if left := allChildren(); !slices.Equal(left, []int{r.guard.cmd.Process.Pid}) {
		t.Errorf("children left: %v", left)
	}
}

// TestOthers: what a call has left to us while it runs is not touched by the end
// of others.
func TestOthers(t *testing.T) {
	r, dir := newSupervisor(t, 4), t.TempDir()
	var others sync.WaitGroup
	others.Go(func() {
		for range 20 {
			runAll(t, r, 2, "setsid sleep 100 & echo a")
		}
	})
	said := func(n int) string { return fmt.Sprintf("'%s/said %d'", dir, n) }
	say := func(n int) string { return fmt.Sprintf(`sh -c "sleep 0.2; echo a; touch %s"`, said(n)) }
	out, err := run(r, "(setsid "+say(1)+" &); ("+say(2)+" &); (env -i setsid "+say(3)+" &); "+
		"for i in $(seq 3000); do [ -e "+said(1)+" ] && [ -e "+said(2)+" ] && [ -e "+said(3)+" ] && break; sleep 0.01; done")
	if err != nil || out != "a\na\na\n" {
		t.Errorf("%q, %v", out, err)
	}
	others.Wait()
}

// sleeping returns the processes that sleep for that long.
func sleeping(marker string) (found []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		if text, _ := os.ReadFile(name); strings.HasPrefix(string(text), "sleep\x00"+marker) {
			found = append(found, name)
		}
	}
	return found
}

// TestStrays: what has lost its mark too is not killed while a call runs that it may
// belong to, but does not stay for as long as any command runs.
func TestStrays(t *testing.T) {
	campaign.Needs(t, "prlimit") // it takes the mark off a process
	r := newSupervisor(t, 3)
	marker := fmt.Sprintf("985.%07d", os.Getpid())
	// This one runs when the stray is left, and until it is told to end.
	dir := t.TempDir()
	begun, flag, strayed := filepath.Join(dir, "begun"), filepath.Join(dir, "go on"), filepath.Join(dir, "strayed")
	wait := func(flag string) string { return "while ! [ -e '" + flag + "' ]; do sleep 0.01; done; echo a" }
	var first, second, others sync.WaitGroup
	first.Go(func() { runAll(t, r, 1, "touch '"+begun+"'; "+wait(flag)) })
	within(t, "the first command to begin", func() bool { _, err := os.Stat(begun); return err == nil })
	second.Go(func() {
		runAll(t, r, 1, "prlimit --rttime=5:5 env -i setsid sleep "+marker+" > /dev/null 2>&1 & "+wait(strayed))
	})
	within(t, "the stray to run", func() bool { return sleeping(marker) != nil })
	must.Do(os.WriteFile(strayed, nil, 0o600))
	second.Wait()
	if sleeping(marker) == nil {
		t.Error("nothing was left behind, or it was killed while a command ran that might have owned it")
	}
	// From now on, at any time one runs that can't own it.
	ended := make(chan struct{})
	for range 2 {
		others.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
					runAll(t, r, 1, "sleep 0.2; echo a")
				}
			}
		})
	}
	must.Do(os.WriteFile(flag, nil, 0o600))
	first.Wait()
	within(t, "the process that was left behind to be killed", func() bool { return sleeping(marker) == nil })
	close(ended)
	others.Wait()
}

// TestReaped: what a command has left to us is reaped when it ends, also while the command runs, and
// its time counts.
func TestReaped(t *testing.T) {
	s, fifo := newSupervisor(t, 1), filepath.Join(t.TempDir(), "fifo")
	must.Do(unix.Mkfifo(fifo, 0o600))
	p := must.Get(s.New(Limits{Timeout: time.Hour}, nil, false))
	defer p.Remove()
	p.Command.Line = "for i in 1 2 3; do (true &); (env -i setsid true &); done; (sh -c 'i=0; while [ $i -lt 9999 ]; do i=$((i+1)); done' &); read line <'" + fifo + "'"
	must.Do(p.Launch(t.Context(), ""))
	defer p.ClosePipes()
	until := must.Get(os.OpenFile(fifo, os.O_WRONLY, 0)) // when the command reads it, all others are ours
	within(t, "all to be reaped but the guard and the command", func() bool { return len(allChildren()) == 2 })
	must.Do(errors.Join(until.Close(), p.Wait(t.Context(), ""), p.End()))
	if p.CPU <= p.State.UserTime()+p.State.SystemTime() {
		t.Errorf("%v in all, and %v of the command itself", p.CPU, p.State.UserTime()+p.State.SystemTime())
	}
}

// TestForeign: children that other parts of the program have started are not
// touched, neither while they run nor before they are waited for.
func TestForeign(t *testing.T) {
	r := newSupervisor(t, 2)
	lives := exec.Command("sleep", "986.1")
	grouped := exec.Command("sleep", "986.1")
	grouped.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	ended := exec.Command("sh", "-c", "exit 7")
	for _, cmd := range []*exec.Cmd{lives, grouped, ended} {
		must.Do(cmd.Start())
	}
	// Whether a child is looked at at all depends on the thread that started it.
	for _, cmd := range []*exec.Cmd{lives, grouped, ended} {
		if orphan(cmd.Process.Pid, nil) {
			t.Errorf("taken for an orphan: %v", cmd)
		}
	}
	runAll(t, r, 20, "setsid sleep 100 & echo a")
	closeSupervisor(t, r)
	if err := ended.Wait(); err == nil || ended.ProcessState.ExitCode() != 7 {
		t.Errorf("a child that had ended: %v", err)
	}
	for _, cmd := range []*exec.Cmd{lives, grouped} {
		if state, _ := stat(cmd.Process.Pid); state == "" || state == "Z" {
			t.Errorf("a child was killed: %v", cmd)
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	left := exec.Command("sleep", "986.1") // by a command that has ended, as its environment says
	left.Env, left.SysProcAttr = append(os.Environ(), callVariable+"=ended"), &syscall.SysProcAttr{Setsid: true}
	must.Do(left.Start())
	if !orphan(left.Process.Pid, nil) {
		t.Error("what an ended command has left is not taken for an orphan")
	}
	left.Process.Kill()
	left.Wait()
}

// TestChildren: the quick way to find adopted children finds all of them.
func TestChildren(t *testing.T) {
	AdoptOrphans()
	var wg sync.WaitGroup
	for range 8 { // from several threads
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if err := exec.Command("sh", "-c", "sleep 986.2 & sleep 0.001 &").Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// Those that sleep only for a moment stay, as nobody waits for them.
	within(t, "all to be ours", func() bool { return len(allChildren()) == 16 })
	quick, all := children(), allChildren()
	slices.Sort(quick)
	slices.Sort(all)
	if len(all) != 16 || !slices.Equal(quick, all) {
		t.Errorf("children %v, among all processes %v", quick, all)
	}
	for _, pid := range all {
		syscall.Kill(pid, syscall.SIGKILL)
		syscall.Wait4(pid, nil, 0, nil)
	}
}

// TestNotAdopted: unless orphans are adopted, children that other parts of the program have
// started in sessions of their own are not touched.
func TestNotAdopted(t *testing.T) {
	const variable = "XCHECK_TEST_NOT_ADOPTED"
	if os.Getenv(variable) == "" { // a process that has not called AdoptOrphans
		cmd := exec.Command(os.Args[0], "-test.run=^TestNotAdopted$")
		cmd.Env = append(os.Environ(), variable+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	other := exec.Command("sleep", "986.5")
	other.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	must.Do(other.Start())
	s := must.Get(NewSupervisor(1, t.TempDir()))
	runAll(t, s, 3, "echo a")
	closeSupervisor(t, s)
	if state, _ := stat(other.Process.Pid); state == "" || state == "Z" {
		t.Error("a child was killed")
	}
	other.Process.Kill()
	other.Wait()
}

// TestKilled: if xcheck is killed, so is the command, with all that it has
// started, and the files go.
func TestKilled(t *testing.T) {
	const variable = "XCHECK_TEST_KILLED"
	if script := os.Getenv(variable); script != "" {
		// We are the one to be killed.
		AdoptOrphans()
		s := must.Get(NewSupervisor(1, filepath.Dir(script)))
		run(s, "setsid '"+script+"' $IN & wait")
		return
	}
	dir := t.TempDir()
	script, note := filepath.Join(dir, "script"), filepath.Join(dir, "note")
	must.Do(os.WriteFile(script, []byte("#!/bin/sh\nmkdir -p $TMPDIR/a/b\nchmod 0 $TMPDIR/a\nenv -i setsid sh -c 'echo $$ > "+note+"; exec sleep 986.3' &\nexec sleep 986.4\n"), 0o700))
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), variable+"="+script)
	must.Do(cmd.Start())
	var pid int
	within(t, "the command to start", func() bool {
		text, _ := os.ReadFile(note)
		fmt.Sscan(string(text), &pid)
		return pid != 0
	})
	cmd.Process.Kill()
	cmd.Wait()
	within(t, "the command to be killed", func() bool {
		state, _ := stat(pid)
		return state == "" || state == "Z"
	})
	within(t, "the temporary folder to be removed", func() bool {
		left, _ := filepath.Glob(filepath.Join(dir, "xcheck-*"))
		return left == nil
	})
	// We have adopted what the killed one has left, its guard too.
	within(t, "the guard to end", func() bool {
		for _, pid := range allChildren() {
			syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
		return allChildren() == nil
	})
}

// within waits for something to become true.
func within(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s in vain", what)
		}
	}
}
