package translators

import (
	"context"
	"fmt"
	"math/rand/v2"
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

	"github.com/xcheck-ltl/xcheck/internal/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// runAll runs n calls, of each command in turn.
func runAll(t *testing.T, r *Runner, n int, commands ...string) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c, err := ParseCommand(commands[i%len(commands)], Spawn)
			if err != nil {
				t.Error(err)
				return
			}
			_, err = r.Run(context.Background(), c, func(ltl.Syntax) (string, error) { return "a", nil }, Limits{Timeout: 20 * time.Second}, nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestLeaks: many calls leave no file descriptor, goroutine, file or process.
func TestLeaks(t *testing.T) {
	r := NewTestRunner(t, 4)
	count := func() (fds, files int) {
		list, _ := os.ReadDir("/proc/self/fd")
		filepath.WalkDir(r.dir, func(string, os.DirEntry, error) error { files++; return nil })
		return len(list), files
	}
	runAll(t, r, 1, "cat %F > %O")
	fds, files := count()
	goroutines := runtime.NumGoroutine()
	runAll(t, r, 1000, "cat %F > %O", "exit 1 # %f", "sleep 100 & # %f", "(sleep 0.001 &) ; echo %f",
		"setsid sleep 100 & # %f", "setsid true & echo %f", "set -m; sleep 100 & # %f", "no-such-program %f")
	for range 50 { // goroutines may take a moment to end
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	// Each core keeps an empty folder.
	if a, b := count(); a > fds || b > files+3 || runtime.NumGoroutine() > goroutines {
		t.Errorf("%d file descriptors, %d files, %d goroutines; before %d, %d, %d", a, b, runtime.NumGoroutine(), fds, files, goroutines)
	}
	if left := allChildren(); !slices.Equal(left, []int{r.guard.cmd.Process.Pid}) {
		t.Errorf("children left: %v", left)
	}
}

// TestDescendants: when the calls have ended, nothing is left, whatever the calls
// have started and wherever that has gone, while others still run.
func TestDescendants(t *testing.T) {
	r := NewTestRunner(t, 8)
	marker := fmt.Sprintf("986.%07d", os.Getpid()) // so long sleeps nobody else
	sleep := "sleep " + marker
	runAll(t, r, 120,
		"(sh -c 'setsid "+sleep+" & wait') & sleep 0.01; echo %f",
		"setsid sh -c 'setsid sh -c \""+sleep+" & wait\" & wait' & sleep 0.01; echo %f",
		"for i in 1 2 3 4 5; do (setsid "+sleep+" &); done; echo %f",
		"sh -c 'set -m; (setsid "+sleep+" & "+sleep+") & wait' & sleep 0.01; echo %f",
	)
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
	r := NewTestRunner(t, 4)
	var others sync.WaitGroup
	others.Go(func() {
		for range 20 {
			runAll(t, r, 2, "setsid sleep 100 & echo %f")
		}
	})
	c, _ := ParseCommand("(setsid sh -c 'sleep 0.2; echo a' &); (sh -c 'sleep 0.2; echo a' &); (env -i setsid sh -c 'sleep 0.2; echo a' &); sleep 0.4; # %f", Spawn)
	o, err := r.Run(context.Background(), c, func(ltl.Syntax) (string, error) { return "a", nil }, Limits{}, nil)
	if err != nil || string(o.Output) != "a\na\na\n" {
		t.Errorf("%s: %s, %q, %v", o.Status, o.Detail, o.Output, err)
	}
	others.Wait()
}

// TestMark: what has left its session and emptied its environment is known by its
// mark, and does not outlive its call.
func TestMark(t *testing.T) {
	r := NewTestRunner(t, 3)
	marker := fmt.Sprintf("984.%07d", os.Getpid()) // so long sleeps nobody else
	stop := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runAll(t, r, 2, "sleep 0.05; echo %f")
			}
		}
	})
	runAll(t, r, 20, "env -i setsid sleep "+marker+" > /dev/null 2>&1 & sleep 0.05; echo %f")
	if found := sleeping(marker); found != nil {
		t.Errorf("left: %v", found)
	}
	close(stop)
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
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("needs prlimit, to take the mark off a process")
	}
	r := NewTestRunner(t, 3)
	marker := fmt.Sprintf("985.%07d", os.Getpid())
	// This one runs when the stray is left, and until it is told to end.
	flag := filepath.Join(t.TempDir(), "go on")
	var first, others sync.WaitGroup
	first.Go(func() { runAll(t, r, 1, "while ! [ -e "+flag+" ]; do sleep 0.01; done; echo %f") })
	time.Sleep(50 * time.Millisecond)
	runAll(t, r, 1, "prlimit --rttime=5:5 env -i setsid sleep "+marker+" > /dev/null 2>&1 & sleep 0.2; echo %f")
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
					runAll(t, r, 1, "sleep 0.2; echo %f")
				}
			}
		})
	}
	if err := os.WriteFile(flag, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	within(t, "the process that was left behind to be killed", func() bool { return sleeping(marker) == nil })
	close(ended)
	others.Wait()
}

// TestForeign: children that other parts of the program have started are not
// touched, neither while they run nor before they are waited for.
func TestForeign(t *testing.T) {
	r := NewTestRunner(t, 2)
	lives := exec.Command("sleep", "986.1")
	grouped := exec.Command("sleep", "986.1")
	grouped.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	ended := exec.Command("sh", "-c", "exit 7")
	for _, cmd := range []*exec.Cmd{lives, grouped, ended} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	// Whether a child is looked at at all depends on the thread that started it.
	for _, cmd := range []*exec.Cmd{lives, grouped, ended} {
		if orphan(cmd.Process.Pid, nil) {
			t.Errorf("taken for an orphan: %v", cmd)
		}
	}
	runAll(t, r, 20, "setsid sleep 100 & echo %f")
	if err := r.Close(); err != nil {
		t.Error(err)
	}
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
}

// TestChildren: the quick way to find adopted children finds all of them.
func TestChildren(t *testing.T) {
	adoptOrphans()
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
	time.Sleep(50 * time.Millisecond)
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

// TestKilled: if xcheck is killed, so is the command, with all that it has
// started, and the files go.
func TestKilled(t *testing.T) {
	const variable = "XCHECK_TEST_KILLED"
	if script := os.Getenv(variable); script != "" {
		// We are the one to be killed.
		r, err := NewRunner(1, filepath.Dir(script))
		if err != nil {
			t.Fatal(err)
		}
		c, _ := ParseCommand("setsid "+Quote(script)+" %F & wait", Spawn)
		r.Run(context.Background(), c, func(ltl.Syntax) (string, error) { return "a", nil }, Limits{}, nil)
		return
	}
	dir := t.TempDir()
	script, note := filepath.Join(dir, "script"), filepath.Join(dir, "note")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nenv -i setsid sh -c 'echo $$ > "+note+"; exec sleep 986.3' &\nexec sleep 986.4\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), variable+"="+script)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	for end := time.Now().Add(30 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s in vain", what)
		}
	}
}

// TestSimple: what is one simple command does the same with "exec" before it.
func TestSimple(t *testing.T) {
	for line, want := range map[string]bool{
		"ltl2tgba -H 'a'":              true,
		"  ltl2tgba 'a;b' > /tmp/x":    true,
		"'/a b/c' x":                   false, // a program with a space in its name
		"'/opt/x' translate 'G a' ":    true,
		"spin -f '!(a)' 2>&1":          true,
		`x "a;b|c" \; \&`:              true,
		`x "$HOME/y"`:                  true,
		`x "$(y)"`:                     false,
		"x `y`":                        false,
		"x 'a'; y":                     false,
		"x 'a' & y":                    false,
		"x 'a' && y":                   false,
		"x | y":                        false,
		"(x)":                          false,
		"x\ny":                         false,
		"A=b x":                        false,
		"> /tmp/x y":                   false,
		"cd /tmp":                      false,
		"/bin/echo":                    true,
		"echo a":                       false,
		"! x":                          false,
		"{ x; }":                       false,
		"if x":                         false,
		"'cd' x":                       false,
		"":                             false,
		"''":                           false,
		"x 'a":                         false,
		`x "a'`:                        false,
		"$HOME/x y":                    false,
		"x 'it'\\''s' 'a' \"b\" c\\'d": true,
	} {
		if got := simple(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}

	dir := t.TempDir()
	script := filepath.Join(dir, "show")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor a; do echo \"<$a>\"; done\necho err >&2\nexit $#\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	words := []string{script, Quote(script), "'a b'", "b", "''", "\"x y\"", "\"$PWD\"", "'", "\"", "2>&1", ">&2", "> " + dir + "/out",
		"< /dev/null", ";", "&", "&&", "|", "(", ")", "`echo c`", "$(echo d)", "# e", "\\;", "\\ ", "\\'", "\\\\", "*", "!", "{", "}", "a=b", "\n", "exit", "echo"}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	tried := 0
	for tried < 100 {
		line := words[random.IntN(2)]
		for range random.IntN(8) {
			if random.IntN(4) > 0 {
				line += " "
			}
			line += words[random.IntN(len(words))]
		}
		if !simple(line) {
			continue
		}
		tried++
		one, oneErr := exec.Command("/bin/sh", "-c", line).CombinedOutput()
		two, twoErr := exec.Command("/bin/sh", "-c", "exec "+line).CombinedOutput()
		if strings.ReplaceAll(string(two), "exec: ", "") != string(one) || fmt.Sprint(oneErr) != fmt.Sprint(twoErr) {
			t.Fatalf("seed %d: %q: %q, %v; with exec %q, %v", seed, line, one, oneErr, two, twoErr)
		}
	}
}

// TestSharedMemory: what processes share after a fork is counted once, what each has of
// its own as often as it is there.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	r := NewTestRunner(t, 1)
	const take = `x=$(head -c 25M /dev/zero | tr '\0' x)`
	for _, c := range []struct {
		script string
		want   outcome.Status
	}{
		{take + `; for i in 1 2 3 4 5 6 7 8; do (sleep 1; :) & done; wait; echo %f`, outcome.OK},
		{`for i in 1 2 3 4 5 6 7 8; do (` + take + `; sleep 100; :) & done; wait; echo %f`, outcome.Memory},
	} {
		command, err := ParseCommand(c.script, Spawn)
		if err != nil {
			t.Fatal(err)
		}
		o, err := r.Run(t.Context(), command, func(ltl.Syntax) (string, error) { return "a", nil }, Limits{Memory: 150 << 20}, nil)
		if err != nil || o.Status != c.want {
			t.Errorf("%s: %v: %s, %v; want %v", c.script, o.Status, o.Detail, err, c.want)
		}
	}
}

// TestCancelAnytime: whenever contexts are done, or the Runner is closed, in whichever
// mode, calls return, and nothing is left. XCHECK_CAMPAIGN is how many Runners there are.
func TestCancelAnytime(t *testing.T) {
	rounds := campaign.Inputs(t, 12)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	marker := fmt.Sprintf("985.%07d", os.Getpid())
	script := `while read -r f; do case $f in
		s) exec sleep ` + marker + `;;
		f) setsid sleep ` + marker + ` &;;
		c) kill -9 $$;;
		p) yes;;
		h) printf 'HOA: v1\n'; sleep ` + marker + `;;
		t) trap '' TERM;;
		l) sleep 0.02;;
		esac
		printf 'HOA: v1\nname: "%s"\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n' "$f"
		[ $f != d ] || printf late
	done`
	dir := t.TempDir()
	file := filepath.Join(dir, "tool")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	files := func() int {
		list, _ := filepath.Glob("/proc/self/fd/*")
		return len(list)
	}
	// The first process opens descriptors, and starts goroutines, that stay.
	first := NewTestRunner(t, 1)
	runAll(t, first, 1, "echo %f")
	first.Close()
	starter()
	fds, goroutines := files(), runtime.NumGoroutine()
	for round := range rounds {
		r, err := NewRunner(1+random.IntN(4), dir)
		if err != nil {
			t.Fatal(err)
		}
		var tools []*Tool
		for _, mode := range Modes() {
			text := "sh " + file
			if mode == Spawn {
				text += " < %F"
			}
			c, err := ParseCommand(text, mode)
			if err != nil {
				t.Fatal(err)
			}
			tools = append(tools, &Tool{Name: "fake", Mode: mode, Command: c, Processes: random.IntN(3),
				Limits: Limits{Timeout: time.Duration(20+random.IntN(2000)) * time.Millisecond, Memory: 1 << 30, CPU: time.Duration(random.IntN(2)) * time.Second}})
		}
		var wg sync.WaitGroup
		for range 30 {
			tool, f := tools[random.IntN(len(tools))], string("sfcphtlabdabab"[random.IntN(14)])
			after, distrust := time.Duration(random.IntN(300))*time.Millisecond, random.IntN(4) == 0
			wg.Go(func() {
				ctx, cancel := context.WithCancel(t.Context())
				timer := time.AfterFunc(after, cancel)
				defer timer.Stop()
				defer cancel()
				out, err := tool.Translate(ctx, r, ltl.NewStore().Prop(f))
				if err == nil && distrust {
					out.Distrust()
				}
				if err == nil {
					err = out.Settle(ctx)
				}
				if err == nil && out.Status == outcome.OK && out.Automaton == nil {
					t.Errorf("round %d: %v, %s: no automaton", round, tool.Mode, f)
				}
			})
		}
		closing := make(chan error)
		after := time.Duration(random.IntN(600)) * time.Millisecond
		go func() {
			time.Sleep(after)
			closing <- r.Close()
		}()
		done := make(chan bool)
		go func() {
			wg.Wait()
			if err := <-closing; err != nil {
				t.Error(err)
			}
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			stacks := make([]byte, 1<<20)
			t.Fatalf("round %d: calls do not return\n%s", round, stacks[:runtime.Stack(stacks, true)])
		}
	}
	for range 1000 { // goroutines may be about to end
		if runtime.NumGoroutine() <= goroutines && files() <= fds {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a, b := files(), runtime.NumGoroutine(); a > fds || b > goroutines {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d file descriptors, %d goroutines; before %d, %d\n%s", a, b, fds, goroutines, stacks[:runtime.Stack(stacks, true)])
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "xcheck-*")); len(list) > 0 {
		t.Errorf("left: %s", list)
	}
	if left := allChildren(); len(left) > 0 {
		t.Errorf("children left: %v", left)
	}
}

// TestFewFiles: processes that are kept alive and idle don't keep others from being
// started.
func TestFewFiles(t *testing.T) {
	r := NewTestRunner(t, 1)
	translate := func() {
		c, err := ParseCommand(`while read -r f; do echo HOA: v1 States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--; done`, Stream)
		if err != nil {
			t.Fatal(err)
		}
		out, err := (&Tool{Mode: Stream, Command: c}).Translate(t.Context(), r, ltl.NewStore().Prop("a"))
		if err != nil || out.Status != outcome.OK {
			t.Errorf("%v: %v", out, err)
		}
	}
	for range 8 {
		translate()
	}
	limit := uint64(0)
	for free := 0; free < 5; limit++ {
		if _, err := os.Lstat(fmt.Sprintf("/proc/self/fd/%d", limit)); err != nil {
			free++
		}
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was)
	for range 3 {
		translate()
	}
}

// TestMemoryOfChildren: what a script that is kept alive has started may have no more
// memory than the script, though each answer comes at once.
func TestMemoryOfChildren(t *testing.T) {
	// It does not get through all formulas that a process is given before there is enough.
	script := `n=0; while read -r f; do n=$((n+1)); if test $n = 3; then { head -c 300M /dev/zero; sleep 1000; } | tail -c 300M > /dev/null & fi
sleep 0.005
printf 'HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n'; done`
	c, err := ParseCommand(script, Stream)
	if err != nil {
		t.Fatal(err)
	}
	tool := &Tool{Name: "fake", Mode: Stream, Command: c, Limits: Limits{Timeout: 20 * time.Second, Memory: 100 << 20}}
	r, err := NewRunner(1, "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 10000 {
		out, err := tool.Translate(t.Context(), r, ltl.NewStore().Prop("a"))
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Oddities) > 0 {
			if o := out.Oddities[0]; o.Class != "unstable" || !strings.Contains(o.Text, "memory: more than 100 MiB of memory") {
				t.Errorf("%s: %s", o.Class, o.Text)
			}
			return
		}
	}
	t.Error("nothing was found in 10000 formulas")
}
