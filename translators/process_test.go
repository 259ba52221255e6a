package translators_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// run runs a command on the formula G(a -> Fb).
func run(t testing.TB, r *translators.Runner, command string, limits translators.Limits) translators.Outcome {
	t.Helper()
	c, err := translators.ParseCommand(command)
	if err != nil {
		t.Fatal(err)
	}
	o, err := r.Run(context.Background(), c, formula("G(a -> Fb)"), limits, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func formula(text string) translators.Input {
	return func(syn ltl.Syntax) (string, error) {
		return ltl.NewStore().Prop(fmt.Sprintf("%v: %s", syn, text)).Name(), nil
	}
}

func runner(t testing.TB, n int) *translators.Runner {
	t.Helper()
	r, err := translators.NewRunner(n, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// marker is a time to sleep for, by which processes of this test can be found
// again, and told from those of another one at the same time.
var marker = fmt.Sprintf("987.%07d", os.Getpid())

// alive returns the processes with marker in their command lines.
func alive(marker string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), marker) {
			found = append(found, filepath.Base(filepath.Dir(name))+" "+strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}

// TestStatus runs commands that end in every way, and looks for what they have
// left behind.
func TestStatus(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks for processes in /proc")
	}
	r := runner(t, 4)
	sleep := "sleep " + marker
	for _, c := range []struct {
		name, command, status, detail string
		output                        string
	}{
		{"good", "printf '%%s' %f; printf err >&2", "ok", "", "spot: G(a -> Fb)"},
		{"all syntaxes", "echo %f %s %l %w", "ok", "", "spot: G(a -> Fb) spin: G(a -> Fb) lbt: G(a -> Fb) wring: G(a -> Fb)\n"},
		{"files", "cat %F %L > %O; echo not the output", "ok", "", "spot: G(a -> Fb)\nlbt: G(a -> Fb)\n"},
		{"standard input is empty", "cat; echo done %f", "ok", "", "done spot: G(a -> Fb)\n"},
		{"hangs", ": %f; " + sleep, "timeout", "killed after 300ms", ""},
		{"hangs and ignores SIGTERM", "trap '' TERM; : %f; " + sleep + "; " + sleep, "timeout", "killed after 300ms", ""},
		{"hangs in a child of a child", ": %f; (" + sleep + " & wait) & wait", "timeout", "killed after 300ms", ""},
		{"leaves a child with the pipe open", sleep + " & echo out %f", "ok", "", "out spot: G(a -> Fb)\n"},
		{"leaves a child in a session of its own", "setsid " + sleep + " & echo out %f", "ok", "", "out spot: G(a -> Fb)\n"},
		{"leaves a grandchild in a session of its own", "(setsid sh -c '" + sleep + " & " + sleep + "' &) ; echo out %f; sleep 0.1", "ok", "", "out spot: G(a -> Fb)\n"},
		{"prints for ever", "yes %f", "too-big", "more than 100000 bytes of output", ""},
		{"prints for ever into its file", ": %f; yes > %O", "too-big", "more than 100000 bytes of output", ""},
		{"prints too much and ends", "yes %f | head -c 100001", "too-big", "more than 100000 bytes of output", ""},
		{"prints errors for ever", ": %f; yes >&2", "timeout", "killed after 300ms", ""},
		{"dies in the middle", "echo HOA: %f; kill -SEGV $$", "crash", "killed by SIGSEGV", ""},
		{"a child of the shell dies", "sh -c 'kill -ABRT $$'; exit $? # %f", "crash", "killed by SIGABRT (status 134 of the shell)", ""},
		{"exit status", "echo oops >&2; echo; exit 3 # %f", "exit", "exit status 3: oops", ""},
		{"not found", "no-such-translator %f", "exit", "exit status 127: /bin/sh: 1: no-such-translator: not found", ""},
		{"no output", ": %f", "no-output", "exit status 0, but no output", ""},
		{"white space", "echo; echo '  ' # %f", "no-output", "exit status 0, but no output", ""},
		{"makes a folder of its file", "rm %O; mkdir %O # %f", "no-output", "exit status 0, but no output", ""},
		{"makes a pipe of its file", "rm %O; mkfifo %O # %f", "no-output", "exit status 0, but no output", ""},
		{"takes its file away", "rm %O # %f", "no-output", "exit status 0, but no output", ""},
	} {
		timeout := 30 * time.Second
		if c.status == "timeout" {
			timeout = 300 * time.Millisecond
		}
		o := run(t, r, c.command, translators.Limits{Timeout: timeout, MaxOutput: 100000})
		if o.Status.String() != c.status || o.Detail != c.detail || string(o.Output) != c.output {
			t.Errorf("%s: %s: %q, output %q; want %s: %q, output %q", c.name, o.Status, o.Detail, o.Output, c.status, c.detail, c.output)
		}
		if left := alive(marker); left != nil {
			t.Errorf("%s: left behind: %v", c.name, left)
		}
	}
}

// TestQuotes: a formula is one argument, whatever is in it.
func TestQuotes(t *testing.T) {
	r := runner(t, 1)
	c, _ := translators.ParseCommand("printf '<%%s>' %f")
	for _, text := range []string{`'`, `"a" & 'b'`, "`id`", "$HOME $(id)", `\`, "a\nb", "*", "; exit 1 #", "%%f", "ü"} {
		o, err := r.Run(context.Background(), c, func(ltl.Syntax) (string, error) { return text, nil }, translators.Limits{}, nil)
		if err != nil || string(o.Output) != "<"+text+">" {
			t.Errorf("%q: got %q, %v", text, o.Output, err)
		}
	}
}

// TestLongFormula: what the system can't pass as an argument is not given to the
// command, which is no failure of anybody.
func TestLongFormula(t *testing.T) {
	r := runner(t, 1)
	long := func(ltl.Syntax) (string, error) { return strings.Repeat("a", 1<<20), nil }
	c, _ := translators.ParseCommand("echo %f")
	if o, err := r.Run(context.Background(), c, long, translators.Limits{}, nil); err != nil || o.Status != translators.Skipped {
		t.Errorf("as an argument: %s, %v", o.Status, err)
	}
	c, _ = translators.ParseCommand("wc -c < %F")
	if o, err := r.Run(context.Background(), c, long, translators.Limits{}, nil); err != nil || strings.TrimSpace(string(o.Output)) != "1048577" {
		t.Errorf("in a file: %q, %v", o.Output, err)
	}
}

// TestCleanedEnvironment: a process that has left its group and cleaned its
// environment ends with the Runner.
func TestCleanedEnvironment(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks for processes in /proc")
	}
	r, err := translators.NewRunner(1, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run(t, r, "env -i setsid sleep "+marker+" & sleep 0.1; echo %f", translators.Limits{})
	r.Close()
	if left := alive(marker); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestEnvironment: variables are added to the inherited ones.
func TestEnvironment(t *testing.T) {
	r := runner(t, 1)
	t.Setenv("INHERITED", "yes")
	c, _ := translators.ParseCommand("echo $INHERITED $ADDED # %f")
	o, err := r.Run(context.Background(), c, formula(""), translators.Limits{}, []string{"ADDED=too"})
	if err != nil || string(o.Output) != "yes too\n" {
		t.Errorf("got %q, %v", o.Output, err)
	}
}

// TestBound: no more commands run at the same time than allowed.
func TestBound(t *testing.T) {
	dir := t.TempDir()
	r := runner(t, 3)
	c, _ := translators.ParseCommand(fmt.Sprintf("mkdir %s/$$; ls %s | wc -l; sleep 0.05; rmdir %s/$$ # %%f", dir, dir, dir))
	var wg sync.WaitGroup
	for range 24 {
		wg.Go(func() {
			o, err := r.Run(context.Background(), c, formula(""), translators.Limits{}, nil)
			var n int
			if fmt.Sscan(string(o.Output), &n); err != nil || n < 1 || n > 3 {
				t.Errorf("%q commands at the same time, %v", o.Output, err)
			}
		})
	}
	wg.Wait()
}

// TestCancel: everything is over soon after the context is done, or the Runner
// is closed, and nothing is left.
func TestCancel(t *testing.T) {
	for _, how := range []string{"context", "close"} {
		dir := t.TempDir()
		r, err := translators.NewRunner(4, dir)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		c, _ := translators.ParseCommand("trap '' TERM; sleep " + marker + " & sleep " + marker + "; cat %F > %O")
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if _, err := r.Run(ctx, c, formula(""), translators.Limits{}, nil); err == nil {
					t.Error("no error")
				}
			})
		}
		time.Sleep(100 * time.Millisecond)
		start := time.Now()
		if how == "context" {
			cancel()
		} else if err := r.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if d := time.Since(start); d > time.Second {
			t.Errorf("%s: ended after %v", how, d)
		}
		cancel()
		r.Close()
		if left := alive(marker); left != nil {
			t.Errorf("%s: left behind: %v", how, left)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%s: left in the temporary folder: %v", how, files)
		}
		if _, err := r.Run(context.Background(), c, formula(""), translators.Limits{}, nil); err == nil {
			t.Errorf("%s: a closed Runner runs", how)
		}
	}
}

// TestLeaks: many calls leave no file descriptor, goroutine, file or zombie.
func TestLeaks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts in /proc")
	}
	dir := t.TempDir()
	r, err := translators.NewRunner(4, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	count := func() (fds, files int) {
		list, _ := os.ReadDir("/proc/self/fd")
		filepath.WalkDir(dir, func(string, os.DirEntry, error) error { files++; return nil })
		return len(list), files
	}
	run(t, r, "cat %F > %O", translators.Limits{})
	fds, files := count()
	goroutines := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			run(t, r, []string{"cat %F > %O", "exit 1 # %f", "sleep 100 & # %f", "(sleep 0.001 &) ; echo %f"}[i%4], translators.Limits{})
		})
	}
	wg.Wait()
	for range 50 { // goroutines may take a moment to end
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a, b := count(); a > fds || b > files || runtime.NumGoroutine() > goroutines {
		t.Errorf("%d file descriptors, %d files, %d goroutines; before %d, %d, %d", a, b, runtime.NumGoroutine(), fds, files, goroutines)
	}
	var left []string
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, name := range tasks {
		text, _ := os.ReadFile(name)
		left = append(left, strings.Fields(string(text))...)
	}
	if len(left) > 1 { // the Runner's guard
		t.Errorf("children left: %v", left)
	}
}

func TestParseCommand(t *testing.T) {
	for _, c := range []struct{ in, name, err string }{
		{"ltl2tgba -H %f", "ltl2tgba -H %f", ""},
		{" {my tool} ltl2ba -f %s > %O", "my tool", ""},
		{"{a{b}c} x %L", "a{b}c", ""},
		{"x %%%f", "x %%%f", ""},
		{"", "", `command "": at 1: expected a command`},
		{"{x}", "", `command "{x}": at 4: expected a command`},
		{"{x ltl2ba %f", "", `command "{x ltl2ba %f": at 1: the name's '{' is not closed`},
		{"ltl2ba", "", `command "ltl2ba": at 7: expected one of %f %s %l %w %F %S %L %W, where the formula goes`},
		{"ltl2ba %f > %x", "", `command "ltl2ba %f > %x": at 13: unknown placeholder %x: there are %f %s %l %w %F %S %L %W %O and %%`},
		{"ltl2ba %f %", "", `command "ltl2ba %f %": at 11: '%' at the end: write %% for a percent sign`},
	} {
		got, err := translators.ParseCommand(c.in)
		switch {
		case err != nil:
			if err.Error() != c.err {
				t.Errorf("%q: %v, want %s", c.in, err, c.err)
			}
		case c.err != "" || got.Name() != c.name || got.Text() != c.in:
			t.Errorf("%q: name %q, want %q, error %q", c.in, got.Name(), c.name, c.err)
		}
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{"{a} b %f %O", "%%", "{", "a %f%s%L"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := translators.ParseCommand(s)
		if err == nil && (c.Text() != s || len(c.Syntaxes()) == 0) {
			t.Errorf("%q is accepted, in the syntaxes %v", s, c.Syntaxes())
		}
	})
}

// BenchmarkRun compares running a command with starting a process alone.
func BenchmarkRun(b *testing.B) {
	r := runner(b, 2)
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			run(b, r, "echo %f", translators.Limits{})
		}
	})
	b.Run("exec alone", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/sh", "-c", "echo x").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
