package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestFaults runs a translator that misbehaves in every way beside one that does
// not, in each mode. Every fault must be in its class at its formula, nobody else
// be blamed for anything, and nothing be left: no process, no file, no memory.
// By default, streams have a third of the faults, and those that depend on what came before, but none
// that a limit on time ends, which is out of reach; with XCHECK_CAMPAIGN=x1 each mode has all of
// them. With XCHECK_CAMPAIGN=10000 there are so many formulas,
// with a new seed.
func TestFaults(t *testing.T) {
	t.Parallel()
	number, seed := campaign.Seeded(t, 0, 1)
	for _, mode := range translators.Modes() {
		for _, names := range []bool{true, false} {
			if number == 0 && !campaign.Whole() && mode != translators.Stream {
				continue // package translators has these modes
			}
			if !names && (mode != translators.Stream || number == 0 && !campaign.Whole()) {
				continue // names are there for the kept-alive processes
			}
			name := mode.String()
			if !names {
				name += ", no names"
			}
			t.Run(name, func(t *testing.T) {
				if number == 0 {
					t.Parallel()
				}
				f := &faults{T: t, mode: mode, dir: t.TempDir(), timeout: 4}
				// The slow faults are what takes the time: some of each are enough.
				f.options = faultOptions{Seed: seed, Every: max(8, uint64(number)/400), Names: names, Big: 1 << 30, Log: filepath.Join(f.dir, "log"),
					Marker: fmt.Sprintf("86400.%d%02d%d", os.Getpid(), mode, time.Now().UnixNano())}
				switch {
				case !campaign.Whole():
					f.options.Big, f.timeout = 32<<20, 600
				case number == 0:
					f.options.Big, f.timeout = 32<<20, 10
				}
				f.choose(number)
				f.run()
				f.compare()
			})
		}
	}
}

// faults is one run.
type faults struct {
	*testing.T
	mode     translators.Mode
	options  faultOptions
	dir      string
	timeout  int // of a translation, in seconds
	formulas []*ltl.Formula
	result   faultsReport
	shown    map[string]bool // fault and formula, for faults that depend on earlier formulas
}

// faultsReport is what the test reads of the JSON of a run.
type faultsReport struct {
	Cases []struct {
		Index   int
		Formula string
		Results []struct {
			faultsSubject
			Status, Detail, Stderr string
			CPU                    float64 `json:"cpu_time"`
		}
		Findings []struct {
			faultsSubject
			Class, Text string
		}
		Disagreements []struct {
			Word   string
			Blamed []faultsSubject
		}
		Undecided []struct{ Check, Why string }
		Errors    []string
	}
}

type faultsSubject struct {
	Translator string
	Negated    bool
}

// choose takes as many random formulas as number says. If that is 0, it takes few:
// some that are healthy, and for each fault one that has it, but for most of the slow
// ones where they take several times the limit on time.
func (f *faults) choose(number int) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: f.options.Seed, Props: []string{"p0", "p1", "p2"}, MinSize: 1, MaxSize: 12})
	if err != nil {
		f.Fatal(err)
	}
	missing := map[*fault]int{noFault: 12}
	for i, x := range allFaults {
		switch {
		case number == 0 && !campaign.Whole() && (x.Slow || !x.Stateful && i%3 != int(f.mode)%3):
		case x.Slow && f.mode != translators.Spawn && x.Name != "hang later":
		case x.Stateful:
			missing[x] = 4
		default:
			missing[x] = 1
		}
	}
	have := map[*fault]int{}
	for number > 0 && len(f.formulas) < number || number == 0 && len(missing) > 0 {
		formula, err := g.Next()
		if err != nil {
			f.Fatal(err)
		}
		both := []*fault{f.options.fault(formula.String()), f.options.fault(negation(formula))}
		if number == 0 && (missing[both[0]]+missing[both[1]] == 0 || slices.ContainsFunc(both, func(x *fault) bool { return x != noFault && missing[x] == 0 })) {
			continue
		}
		f.formulas = append(f.formulas, formula)
		for _, x := range both {
			have[x]++
			if missing[x]--; missing[x] <= 0 {
				delete(missing, x)
			}
		}
	}
	for _, x := range allFaults {
		if have[x] == 0 && number >= 10000 {
			f.Errorf("no formula with the fault %q", x.Name)
		}
	}
}

// negation returns the text of the negation.
func negation(f *ltl.Formula) string {
	s := ltl.NewStore()
	return s.Not(s.Import(f)).String()
}

// config is the configuration of the run.
func (f *faults) config() string {
	self := program()
	arguments := map[translators.Mode]string{translators.Spawn: " %f", translators.Stream: " -", translators.Batch: " -"}[f.mode]
	tool := func(name string, o faultOptions) string {
		return fmt.Sprintf(`
[[translators]]
name       = %q
mode       = %q
command    = %q
env        = { %s = '%s', GORACE = "atexit_sleep_ms=0" }
timeout    = "%ds"
cpu-time   = "1s"
memory     = "128MiB"
max-output = "1MiB"
`, name, f.mode, translators.Quote(self)+arguments, faultyVariable, o, f.timeout)
	}
	good := f.options
	good.Every = 0
	return tool("faulty", f.options) + tool("good", good) + `
[formulas]
files = ["formulas"]

[limits]
jobs = 6
`
}

// run runs xcheck, and looks at what it leaves. It has a terminal, as it would have
// with a user.
func (f *faults) run() {
	var text strings.Builder
	for _, formula := range f.formulas {
		fmt.Fprintln(&text, formula)
	}
	temporary := filepath.Join(f.dir, "tmp")
	for _, err := range []error{
		os.Mkdir(temporary, 0o700),
		os.WriteFile(filepath.Join(f.dir, "formulas"), []byte(text.String()), 0o600),
		os.WriteFile(filepath.Join(f.dir, "config.toml"), []byte(f.config()), 0o600),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	self := program()
	terminal, screen := newTerminal(f.T)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute+time.Duration(len(f.formulas))*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "run", "-c", "config.toml", "--json=result.json", "--quiet", "--allow-dups", "--progress=never")
	var stdout, stderr strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, &stdout, &stderr
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "TMPDIR="+temporary)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	watched := watch(cmd.Process.Pid)
	err := cmd.Wait()
	peak, zombies := watched()
	terminal.Close()
	if got := screen(); got != "" {
		f.Errorf("on the terminal: %q", got)
	}
	if code := cmd.ProcessState.ExitCode(); code != int(outcome.ExitFailed) {
		f.Errorf("exit status %d (%v), want %d: there are disagreements\n%s", code, err, outcome.ExitFailed, stderr.String())
	}
	f.Logf("peak of resident memory: %d MiB", peak>>20)
	if peak > 400<<20 {
		f.Errorf("%d MiB of resident memory", peak>>20)
	}
	if zombies > 0 {
		f.Errorf("%d processes that have ended stayed for seconds", zombies)
	}
	f.left(temporary)
	data, err := os.ReadFile(filepath.Join(f.dir, "result.json"))
	if err == nil {
		err = json.Unmarshal(data, &f.result)
	}
	if err != nil {
		f.Fatalf("the report: %v\n%s", err, stderr.String())
	}
}

// left looks for processes and files.
func (f *faults) left(temporary string) {
	list, err := os.ReadDir(temporary)
	if err != nil || len(list) > 0 {
		f.Errorf("left in the temporary folder: %v, %v", list, err)
	}
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if name == fmt.Sprintf("/proc/%d", os.Getpid()) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(name, "cmdline"))
		environment, _ := os.ReadFile(filepath.Join(name, "environ"))
		if strings.Contains(string(line)+string(environment), f.options.Marker) {
			f.Errorf("left: process %s, %q", filepath.Base(name), line)
		}
	}
}

// compare compares the report with what the faults are.
func (f *faults) compare() {
	f.shown = map[string]bool{}
	log, _ := os.ReadFile(f.options.Log) // none if no fault has shown
	for line := range strings.Lines(string(log)) {
		f.shown[strings.TrimSpace(line)] = true
	}
	if len(f.result.Cases) != len(f.formulas) {
		f.Errorf("%d cases, want %d", len(f.result.Cases), len(f.formulas))
	}
	// On a slow machine, cases may have overtaken others.
	sort.Slice(f.result.Cases, func(i, j int) bool { return f.result.Cases[i].Index < f.result.Cases[j].Index })
	count, unstable := map[string]int{}, 0
	for i, c := range f.result.Cases[:min(len(f.result.Cases), len(f.formulas))] {
		if c.Formula != f.formulas[i].String() {
			f.Fatalf("case %d is of %s, want %s", i, c.Formula, f.formulas[i])
		}
		for _, e := range c.Errors {
			f.Errorf("%s: error of xcheck: %s", c.Formula, e)
		}
		for _, u := range c.Undecided {
			f.Errorf("%s: undecided: %+v", c.Formula, u)
		}
		if len(c.Results) != 4 {
			f.Errorf("%s: %d results", c.Formula, len(c.Results))
		}
		findings, blamed := map[faultsSubject][]string{}, map[faultsSubject]bool{}
		for _, x := range c.Findings {
			findings[x.faultsSubject] = append(findings[x.faultsSubject], x.Class)
		}
		for _, d := range c.Disagreements {
			for _, s := range d.Blamed {
				blamed[s] = true
			}
		}
		for _, r := range c.Results {
			text := c.Formula
			if r.Negated {
				text = negation(f.formulas[i])
			}
			expected := noFault
			if r.Translator == "faulty" {
				expected = f.options.fault(text)
			}
			where := fmt.Sprintf("case %d, %s on %s (%s)", c.Index, r.Translator, text, expected.Name)
			count[expected.Name]++
			// On a busy machine, a process may reach the timeout before its limit of CPU
			// time, or before xcheck sees that.
			if r.Status != string(expected.Status) && !(r.Status == "timeout" && string(expected.Status) == "cpu-time" && r.CPU < 1.3) {
				f.Errorf("%s: %s, want %s: %s (CPU %.2f s) %.200s", where, r.Status, expected.Status, r.Detail, r.CPU, r.Stderr)
			}
			got := findings[r.faultsSubject]
			delete(findings, r.faultsSubject)
			var want []string
			if expected.Finding != "" {
				want = []string{string(expected.Finding)}
			}
			got = slices.DeleteFunc(slices.Clone(got), func(class string) bool {
				if class != "unstable" || !(expected.Stateful && f.shown[expected.Name+"\t"+text]) {
					return false
				}
				unstable++
				return true
			})
			if !slices.Equal(slices.Compact(got), want) {
				f.Errorf("%s: findings %q, want %q: %+v", where, got, want, c.Findings)
			}
			if blamed[r.faultsSubject] != expected.Blamed {
				f.Errorf("%s: blamed: %v", where, blamed[r.faultsSubject])
			}
			delete(blamed, r.faultsSubject)
		}
		if len(findings)+len(blamed) > 0 {
			f.Errorf("%s: findings %v, blamed %v: of whom?", c.Formula, findings, blamed)
		}
	}
	// A report gives a process one finding at most. So some faults may have none.
	f.Logf("faults that depend on what came before have shown for %d formulas; %d findings of the class unstable", len(f.shown), unstable)
	if unstable > len(f.shown) || unstable == 0 && f.mode == translators.Stream {
		f.Errorf("%d findings of the class unstable, for %d formulas", unstable, len(f.shown))
	}
	if f.mode != translators.Stream && len(f.shown) > 0 {
		f.Errorf("some process had more than one formula: %v", f.shown)
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		f.Logf("%5d %s", count[name], name)
	}
}

// watch looks at a process ten times a second, until the function that it returns
// is called: that returns the peak of its resident memory in bytes, and how many
// children of it had ended for seconds and were still there.
func watch(pid int) func() (peak, zombies int) {
	stop, done := make(chan bool), make(chan bool)
	peak, zombies := 0, 0
	go func() {
		defer close(done)
		seen := map[string]int{}
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
				kB := 0
				fmt.Sscan(rest, &kB)
				peak = max(peak, kB<<10)
			}
			now := map[string]int{}
			tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
			for _, task := range tasks {
				list, _ := os.ReadFile(task)
				for child := range strings.FieldsSeq(string(list)) {
					stat, _ := os.ReadFile("/proc/" + child + "/stat")
					if strings.Contains(string(stat), ") Z ") {
						if now[child] = seen[child] + 1; now[child] == 50 {
							zombies++
						}
					}
				}
			}
			seen = now
		}
	}()
	return func() (int, int) {
		close(stop)
		<-done
		return peak, zombies
	}
}

// newTerminal returns a terminal, and a function that returns what has been written
// to it, to be called when all have closed it.
func newTerminal(t *testing.T) (terminal *os.File, screen func() string) {
	t.Helper()
	master := must.Get(os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0))
	t.Cleanup(func() { master.Close() })
	must.Do(unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n := must.Get(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))
	terminal = must.Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))
	text := make(chan string)
	go func() {
		var all strings.Builder
		buf := make([]byte, 4096)
		for {
			k, err := master.Read(buf)
			all.Write(buf[:k])
			if err != nil { // EIO when the other side is closed
				text <- all.String()
				return
			}
		}
	}()
	return terminal, func() string {
		select {
		case s := <-text:
			return s
		case <-time.After(time.Minute):
			return "(it was not closed by all)"
		}
	}
}
