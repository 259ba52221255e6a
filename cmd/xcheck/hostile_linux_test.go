package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Bars of TestHostile. Those of time hold in a campaign.
const (
	hostileTime   = 500 * time.Millisecond // limit of an answer, or of a check
	hostileCall   = time.Second            // of a call of a translator
	hostileMore   = time.Second            // beyond the limits
	hostileStop   = 200 * time.Millisecond // from SIGINT to the end
	hostileMemory = 200 << 20
	hostileExtra  = 100 << 20 // beyond the limit of memory
)

// TestHostile runs the commands on inputs that are made to hang them: each ends, with one of the
// documented statuses and within its memory and 100 MiB, and obeys SIGINT whenever it comes. One in 32
// inputs is given to one of the commands that read such a thing; with XCHECK_CAMPAIGN set to a number,
// all are, to so many of them. Such a campaign needs a quiet machine: each command then ends within its
// limits and a second, or 200 ms after SIGINT.
func TestHostile(t *testing.T) {
	t.Parallel()
	commands, seed := campaign.Seeded(t, 1, 1)
	h := newHostile(t)
	inputs := hostileInputs()
	if len(inputs) < 60 {
		t.Errorf("%d inputs, want 60", len(inputs))
	}
	i := 0
	for input := range campaign.Sample(slices.Values(inputs), 32) {
		i++
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		t.Run(input.name, func(t *testing.T) {
			if !campaign.Long() {
				t.Parallel()
			}
			h.input(t, input, commands, random)
		})
	}
}

// hostile is what the tests of all inputs share.
type hostile struct {
	self  string
	dir   string
	small string // an automaton that is none of the hostile ones
	room  *semaphore.Weighted
}

func newHostile(t *testing.T) *hostile {
	self := program()
	h := &hostile{self: self, dir: t.TempDir(), room: semaphore.NewWeighted(int64(max(1, runtime.GOMAXPROCS(0)/2)))}
	h.small = filepath.Join(h.dir, "small.hoa")
	small := "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0\n--END--\n"
	must.Do(os.WriteFile(h.small, []byte(small), 0o666))
	return h
}

// A hostileCommand is one that reads an input.
type hostileCommand struct {
	args  []string
	run   bool          // several checks may run at a time
	limit time.Duration // in which it ends by itself; 0: it need not
}

// The limits that commands are given.
var (
	answerLimits = []string{"--max-time", hostileTime.String(), "--max-memory", fmt.Sprint(hostileMemory)}
	runLimits    = append([]string{"-T", hostileCall.String(), "--max-case-time", (2 * hostileTime).String(), "-j", "2"}, answerLimits...)
)

// runLimit bounds a run on one formula: two calls of a translator, one after the other, and a case.
const runLimit = 2*hostileCall + 2*hostileTime

// answering is a command that gives one answer.
func answering(args ...string) hostileCommand {
	return hostileCommand{args: append(args, answerLimits...), limit: hostileTime}
}

// running is run, or a command like it; calls says how many formulas there are.
func running(formulas int, args ...string) hostileCommand {
	return hostileCommand{args: append(args, runLimits...), run: true, limit: time.Duration(formulas) * runLimit}
}

// commands returns those that read an input, which is in the file.
func (h *hostile) commands(x hostileInput, file string) []hostileCommand {
	var list []hostileCommand
	each := func(command func(...string) hostileCommand, lines ...string) {
		for _, line := range lines {
			var args []string
			for _, word := range strings.Fields(line) {
				args = append(args, strings.NewReplacer("SMALLCAT", "cat "+h.small+"; : %F", "CAT", "cat "+file+"; : %F", "FILE", file, "SMALL", h.small).Replace(word))
			}
			list = append(list, command(args...))
		}
	}
	one := func(args ...string) hostileCommand { return running(1, args...) }
	endless := func(args ...string) hostileCommand { return running(0, args...) }
	switch x.kind {
	case hostileAutomaton:
		each(answering, "accepts FILE cycle{1}", "accepts --run FILE a;cycle{a;!a}", "empty FILE", "intersect FILE SMALL", "compare FILE SMALL", "compare SMALL FILE",
			"complement FILE", "convert FILE", "convert --to dot FILE", "convert --to never FILE", "convert --to lbtt FILE", "convert --deterministic FILE",
			"convert --state-based --buchi FILE", "convert --complete FILE", "lint FILE", "lint --properties FILE")
		each(endless, "aut -F FILE -t cat")
		if !x.pipe {
			each(answering, "compare FILE FILE")
			each(one, "run --no-builtin -f GFa -t CAT", "run --no-builtin -f GFa -t CAT --all-pairs --strength --ambiguous --csv --automata",
				"run --no-builtin -f GFa -t CAT --no-reference --products 2 --no-complement")
			each(endless, "grind --no-builtin -f GFa -t CAT", "run --no-builtin -f GFa -t CAT --grind")
		}
	case hostileFormulas:
		each(answering, "translate -F FILE", "translate --deterministic -F FILE", "translate --algorithm gpvw -F FILE")
		each(endless, "run --no-builtin -F FILE -t SMALLCAT", "run -F FILE", "grind --no-builtin -F FILE -t SMALLCAT", "run --no-builtin --no-reference -F FILE -t SMALLCAT --products 1")
	case hostileConfig:
		each(endless, "run -c FILE", "grind -f a -c FILE")
	case hostileReport:
		each(answering, "report FILE", "report --format html FILE", "report --format csv FILE", "report --json FILE")
	case hostileHistory:
		each(answering, "history list --history FILE", "history show --history FILE 1", "report --history FILE", "merge --into FILE.new FILE")
		each(one, "run --no-builtin -f GFa -t SMALLCAT --history=FILE")
	case hostileCSV:
		each(endless, "run --no-builtin -F FILE/1 -t SMALLCAT", "run --no-builtin -F FILE/-1 -t SMALLCAT")
	}
	return list
}

// input tries the commands that read an input, as many as are wanted.
func (h *hostile) input(t *testing.T, x hostileInput, wanted int, random *rand.Rand) {
	sum := fnv.New64a()
	io.WriteString(sum, x.name)
	file := filepath.Join(h.dir, fmt.Sprintf("%x", sum.Sum64()))
	var list []hostileCommand
	switch {
	case x.kind == hostileWord:
		var b strings.Builder
		x.write(&b)
		list = []hostileCommand{answering("accepts", h.small, b.String()), answering("accepts", "--run", h.small, b.String()),
			answering("eval", "GFa", b.String()), answering("eval", "--table", "GFa U p101", b.String())}
	case x.kind == hostileArguments:
		var b strings.Builder
		x.write(&b)
		if args := strings.Split(b.String(), "\n"); args[0] == "run" {
			list = []hostileCommand{running(0, args...)}
		} else {
			list = []hostileCommand{answering(args...)}
		}
	case x.pipe:
		list = h.commands(x, "-")
	default:
		f := must.Get(os.Create(file))
		b := bufio.NewWriter(f)
		x.write(b)
		must.Do(b.Flush())
		f.Close()
		t.Cleanup(func() { os.Remove(file) })
		list = h.commands(x, file)
	}
	for i := range list {
		if x.many {
			list[i].limit = 0 // limits are for each answer
		}
	}
	h.all(t, x, list, wanted, random)
}

// all tries as many of the commands as are wanted.
func (h *hostile) all(t *testing.T, x hostileInput, list []hostileCommand, wanted int, random *rand.Rand) {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, c := range list[:min(wanted, len(list))] {
		h.try(t, x, c, random)
	}
}

// TestHostileCommands: on inputs that are not hostile, no command of TestHostile is a mistake.
func TestHostileCommands(t *testing.T) {
	campaign.Only(t)
	h := newHostile(t)
	for kind, content := range map[hostileKind]string{
		hostileAutomaton: "",
		hostileFormulas:  "a U b\n",
		hostileConfig:    "[formulas]\ninline = ['a']\n[[translators]]\ncommand = 'cat small.hoa; : %f'\n",
		hostileReport:    "",
		hostileHistory:   "",
		hostileCSV:       "a U b,1\nGFa,2\n",
	} {
		file := filepath.Join(h.dir, fmt.Sprint("good", kind))
		var err error
		switch kind {
		case hostileAutomaton:
			file = h.small
		case hostileReport:
			_, _, err = h.good("run", "-n", "2", "--json="+file)
		case hostileHistory:
			_, _, err = h.good("run", "-n", "2", "--seed", "1", "--history="+file)
		default:
			err = os.WriteFile(file, []byte(content), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range h.commands(hostileInput{kind: kind}, file) {
			if code, text, err := h.good(c.args...); err != nil || code != 0 && code != 1 && code != 3 {
				t.Errorf("xcheck %s: status %d, %v\n%s", strings.Join(c.args, " "), code, err, text)
			}
		}
	}
}

// good runs a command and returns its status and what it has printed.
func (h *hostile) good(args ...string) (int, string, error) {
	cmd := exec.Command(h.self, args...)
	cmd.Env, cmd.Dir = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0"), h.dir
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = nil
	}
	return cmd.ProcessState.ExitCode(), string(text), err
}

// try runs a command undisturbed, and then interrupts it.
func (h *hostile) try(t *testing.T, x hostileInput, c hostileCommand, random *rand.Rand) {
	must.Do(h.room.Acquire(context.Background(), 1))
	defer h.room.Release(1)
	var took time.Duration
	attempt := func(signal bool) {
		moment := time.Duration(0)
		if signal {
			moment = time.Duration(random.Float64() * float64(min(took, c.limit+hostileMore)))
		}
		r := h.execute(t, x, c, signal, moment)
		if !signal {
			took = r.took
		}
		if r.wrong != "" {
			t.Errorf("xcheck %.300s: %s\n%.2000s", strings.Join(c.args, " "), r.wrong, r.stderr)
		}
	}
	if c.limit > 0 {
		attempt(false)
	} else {
		took = 2 * time.Second
	}
	attempt(true)
}

// hostileResult is the result of a command.
type hostileResult struct {
	took   time.Duration
	wrong  string // "" if all is as it should be
	stderr string
}

// crash is what Go prints when a program crashes.
var crash = lazy(`(?m)^(panic: |fatal error: |goroutine \d+ \[|runtime: |SIG[A-Z]+: )|internal error`)

// execute runs the command once. If it is to get a signal, that comes at the given moment.
func (h *hostile) execute(t *testing.T, x hostileInput, c hostileCommand, signal bool, moment time.Duration) (r hostileResult) {
	tmp := must.Get(os.MkdirTemp(h.dir, "tmp"))
	defer os.RemoveAll(tmp)
	cmd := exec.Command(h.self, c.args...)
	// A file, so that Wait does not wait for others who have it.
	stderr := must.Get(os.CreateTemp(h.dir, "stderr"))
	defer os.Remove(stderr.Name())
	defer stderr.Close()
	cmd.Stderr, cmd.Dir, cmd.WaitDelay = stderr, h.dir, time.Second
	cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "TMPDIR="+tmp)
	if x.pipe {
		in := must.Get(cmd.StdinPipe())
		go func() { x.write(in); in.Close() }()
	}
	start := time.Now()
	must.Do(cmd.Start())
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	bar := c.limit + hostileMore
	from := start
	if signal {
		select {
		case <-ended:
			signal = false // it was faster this time
		case <-time.After(moment):
			from = time.Now()
			bar = hostileStop
			cmd.Process.Signal(syscall.SIGINT)
		}
	}
	killed := false
	select {
	case <-ended:
	case <-time.After(bar + 2*time.Minute):
		killed = true
		cmd.Process.Kill()
		<-ended
	}
	r.took = time.Since(from)
	printed := make([]byte, 1<<16)
	n, _ := stderr.ReadAt(printed, 0)
	r.stderr = string(printed[:n])
	status := cmd.ProcessState.Sys().(syscall.WaitStatus) // SIGINT: it came when the command had hardly begun
	peak := peak(t, cmd.ProcessState)
	memory := int64(hostileMemory)
	if c.run {
		memory *= 2
	}
	code := cmd.ProcessState.ExitCode()
	switch {
	case killed:
		r.wrong = fmt.Sprintf("did not end in %v", r.took)
	case crash().MatchString(r.stderr):
		r.wrong = "crashed"
	case code < 0 && !(signal && status.Signal() == syscall.SIGINT), code > int(outcome.ExitIncomplete) && !(signal && code == int(outcome.ExitInterrupted)):
		r.wrong = fmt.Sprintf("ended with %v", cmd.ProcessState)
	case peak > memory+hostileExtra:
		r.wrong = fmt.Sprintf("took %d MiB", peak>>20)
	case campaign.Long() && r.took > bar:
		r.wrong = fmt.Sprintf("took %v, want %v (signal %v at %v)", r.took, bar, signal, moment)
	default:
		r.wrong = left(tmp)
	}
	return r
}

// peak returns the greatest memory of a process in bytes, or 0 if it is not known: a process inherits
// the peak of this one, which is small unless other tests have run before.
func peak(t *testing.T, state *os.ProcessState) int64 {
	t.Helper()
	var own syscall.Rusage
	must.Do(syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	if known := state.SysUsage().(*syscall.Rusage).Maxrss; known > own.Maxrss {
		return known << 10
	}
	return 0
}

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
