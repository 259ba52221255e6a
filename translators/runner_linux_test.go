package translators

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestSharedMemory: what processes share after a fork is counted once, what each has of
// its own as often as it is there.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	r := NewTestRunner(t, 1)
	const take = `x=$(head -c 4M /dev/zero | tr '\0' x)`
	for _, c := range []struct {
		script string
		want   outcome.Status
	}{
		{take + `; for i in 1 2 3 4 5 6 7 8; do (sleep 0.4; :) & done; wait; echo %f`, outcome.OK},
		{`for i in 1 2 3 4 5 6 7 8; do (` + take + `; sleep 100; :) & done; wait; echo %f`, outcome.Memory},
	} {
		command := must.Get(ParseCommand(c.script, Spawn))
		o, err := r.Run(t.Context(), command, func(ltl.Syntax) (string, error) { return "a", nil }, Limits{Timeout: 5 * time.Minute, Memory: 24 << 20}, nil)
		if err != nil || o.Status != c.want {
			t.Errorf("%s: %v: %s, %v; want %v", c.script, o.Status, o.Detail, err, c.want)
		}
	}
}

// TestCancelAnytime: whenever contexts are done, or the Runner is closed, in whichever
// mode, calls return, and nothing is left. XCHECK_CAMPAIGN is how many Runners there are.
func TestCancelAnytime(t *testing.T) {
	rounds, seed := campaign.Seeded(t, 5, 1)
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
	must.Do(os.WriteFile(file, []byte(script), 0o600))
	files := func() int {
		list, _ := filepath.Glob("/proc/self/fd/*")
		return len(list)
	}
	// The first process opens descriptors, and starts goroutines, that stay.
	first := NewTestRunner(t, 1)
	for _, mode := range []Mode{Spawn, Stream} {
		c := must.Get(ParseCommand(map[Mode]string{Spawn: "echo %f", Stream: "cat"}[mode], mode))
		if _, err := (&Tool{Mode: mode, Command: c}).Translate(t.Context(), first, ltl.NewStore().Prop("a"), 0); err != nil {
			t.Fatal(err)
		}
	}
	first.Close()
	fds, goroutines, before := files(), runtime.NumGoroutine(), children() // other tests may have left what we adopted
	for round := range rounds {
		r := must.Get(NewRunner(1+random.IntN(4), dir))
		var tools []*Tool
		for _, mode := range Modes() {
			text := "sh " + file
			if mode == Spawn {
				text += " < %F"
			}
			c := must.Get(ParseCommand(text, mode))
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
				out, err := tool.Translate(ctx, r, ltl.NewStore().Prop(f), 0)
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
	a, b := files(), runtime.NumGoroutine()
	for i := 0; i < 6000 && (a > fds || b > goroutines); i++ { // goroutines may be about to end
		time.Sleep(10 * time.Millisecond)
		a, b = files(), runtime.NumGoroutine()
	}
	if a > fds || b > goroutines {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d file descriptors, %d goroutines; before %d, %d\n%s", a, b, fds, goroutines, stacks[:runtime.Stack(stacks, true)])
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "xcheck-*")); len(list) > 0 {
		t.Errorf("left: %s", list)
	}
	for _, name := range children() {
		if text, _ := os.ReadFile(name); !slices.Contains(before, name) {
			t.Errorf("a child is left: %s", text)
		}
	}
}

// TestFewFiles: processes that are kept alive and idle don't keep others from being
// started.
func TestFewFiles(t *testing.T) {
	r := NewTestRunner(t, 1)
	translate := func() {
		c := must.Get(ParseCommand(`while read -r f; do echo HOA: v1 States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--; done`, Stream))
		out, err := (&Tool{Mode: Stream, Command: c}).Translate(t.Context(), r, ltl.NewStore().Prop("a"), 0)
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
	must.Do(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was))
	must.Do(syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: was.Max}))
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was)
	for range 3 {
		translate()
	}
}

// TestMemoryOfChildren: what a script that is kept alive has started may have no more
// memory than the script, though each answer comes at once.
func TestMemoryOfChildren(t *testing.T) {
	t.Parallel()
	// It does not get through all formulas that a process is given before there is enough.
	script := `n=0; while read -r f; do n=$((n+1)); if test $n = 3; then { head -c 50M /dev/zero; sleep 1000; } | tail -c 50M > /dev/null & fi
sleep 0.005
printf 'HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n'; done`
	c := must.Get(ParseCommand(script, Stream))
	tool := &Tool{Name: "fake", Mode: Stream, Command: c, Limits: Limits{Timeout: 20 * time.Second, Memory: 30 << 20}}
	r := must.Get(NewRunner(1, ""))
	defer r.Close()
	for range campaign.Inputs(t, 10000) {
		out := must.Get(tool.Translate(t.Context(), r, ltl.NewStore().Prop("a"), 0))
		if len(out.Oddities) > 0 {
			if o := out.Oddities[0]; o.Class != "unstable" || !strings.Contains(o.Text, "memory: more than 30 MiB of memory") {
				t.Errorf("%s: %s", o.Class, o.Text)
			}
			return
		}
	}
	t.Error("nothing was found in 10000 formulas")
}

// children returns the children of this process.
func children() (list []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, _ := os.ReadFile(name)
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) > 1 && fields[1] == fmt.Sprint(os.Getpid()) {
			list = append(list, name)
		}
	}
	return list
}
