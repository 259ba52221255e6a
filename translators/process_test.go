package translators_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// run runs a command on the formula G(a -> Fb).
func run(t testing.TB, r *translators.Runner, command string, limits translators.Limits) translators.Outcome {
	t.Helper()
	c := must.Get(translators.ParseCommand(command, translators.Spawn))
	return must.Get(r.Run(context.Background(), c, formula("G(a -> Fb)"), limits, nil))
}

func formula(text string) translators.Input {
	return func(syn ltl.Syntax) (string, error) {
		return ltl.NewStore().Prop(fmt.Sprintf("%v: %s", syn, text)).Name(), nil
	}
}

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
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: it looks for processes in /proc")
	}
	r := translators.NewTestRunner(t, 4)
	marker := fmt.Sprintf("987.%07d", os.Getpid()) // a time to sleep for, which identifies the processes of this test
	sleep := "sleep " + marker
	bare := filepath.Join(t.TempDir(), "bare")
	must.Do(os.WriteFile(bare, []byte("echo out \"$1\"\n"), 0o700))
	for _, c := range []struct {
		name, command, status, detail string
		output                        string
	}{
		{"good", "printf '%%s' %f; printf err >&2", "ok", "", "spot: G(a -> Fb)"},
		{"all syntaxes", "echo %f %s %l %w", "ok", "", "spot: G(a -> Fb) spin: G(a -> Fb) lbt: G(a -> Fb) wring: G(a -> Fb)\n"},
		{"files", "cat %F %L > %O; echo not the output", "ok", "", "spot: G(a -> Fb)\nlbt: G(a -> Fb)\n"},
		{"a script without an interpreter, which takes a shell", bare + " %f > %O", "ok", "", "out spot: G(a -> Fb)\n"},
		{"standard input is empty", "cat; echo done %f", "ok", "", "done spot: G(a -> Fb)\n"},
		{"hangs", ": %f; " + sleep, "timeout", "killed after 100ms", ""},
		{"hangs and ignores SIGTERM", "trap '' TERM; : %f; " + sleep + "; " + sleep, "timeout", "killed after 100ms", ""},
		{"hangs in a child of a child", ": %f; (" + sleep + " & wait) & wait", "timeout", "killed after 100ms", ""},
		{"leaves a child with the pipe open", sleep + " & echo out %f", "ok", "", "out spot: G(a -> Fb)\n"},
		{"leaves a child in a session of its own", "setsid " + sleep + " & echo out %f", "ok", "", "out spot: G(a -> Fb)\n"},
		{"is killed together with those that left", "(sh -c 'setsid " + sleep + " & wait') & setsid " + sleep + " & " + sleep + " # %f", "timeout", "killed after 100ms", ""},
		{"leaves a child that has cleaned its environment", "env -i setsid " + sleep + " & sleep 0.1; echo out %f", "ok", "", "out spot: G(a -> Fb)\n"},
		{"leaves a group of the same session", "set -m; " + sleep + " & echo out %f", "ok", "", "out spot: G(a -> Fb)\n"},
		{"leaves a grandchild in a session of its own", "(setsid sh -c '" + sleep + " & " + sleep + "' &) ; echo out %f; sleep 0.1", "ok", "", "out spot: G(a -> Fb)\n"},
		{"prints for ever", "yes %f", "too-big", "more than 100000 bytes of output", ""},
		{"prints for ever into its file", ": %f; yes > %O", "too-big", "more than 100000 bytes of output", ""},
		{"prints too much and ends", "yes %f | head -c 100001", "too-big", "more than 100000 bytes of output", ""},
		{"prints too much beside its file", "echo x > %O; yes %f", "too-big", "more than 100000 bytes of output", ""},
		{"prints errors for ever", ": %f; yes >&2", "timeout", "killed after 100ms", ""},
		{"dies in the middle", "echo HOA: %f; kill -SEGV $$", "crash", "killed by SIGSEGV", ""},
		{"a child of the shell dies", "sh -c 'kill -ABRT $$'; exit $? # %f", "crash", "killed by SIGABRT (exit status 134 of the shell)", ""},
		{"a program dies", "sh -c 'kill -ABRT $$' %f", "crash", "killed by SIGABRT", ""},
		{"a high exit status", "exit 200 # %f", "exit", "exit status 200", ""},
		{"the status of an interrupted program", "exit 130 # %f", "exit", "exit status 130", ""},
		{"an error for a terminal", "printf '\\033[31mbad\\007 %%0300d\\n' 7 >&2; exit 1 # %f", "exit", "exit status 1: bad  " + strings.Repeat("0", 195) + "…", ""},
		{"exit status", "echo oops >&2; echo; exit 3 # %f", "exit", "exit status 3: oops", ""},
		{"an error with a caret", "printf 'at 3: unexpected )\\na )\\n  ^\\n' >&2; exit 1 # %f", "exit", "exit status 1: at 3: unexpected )", ""},
		{"an error of xcheck", "printf 'note\\nxcheck: 1:3: expected b\\na c\\n  ^\\n' >&2; exit 2 # %f", "exit", "exit status 2: xcheck: 1:3: expected b", ""},
		{"a crash of Go", "printf 'panic: no\\n\\ngoroutine 1 [running]:\\n\\tmain.go:3\\n' >&2; exit 2 # %f", "exit", "exit status 2: panic: no", ""},
		{"not found", "no-such-translator %f", "exit", "exit status 127: /bin/sh: 1: exec: no-such-translator: not found", ""},
		{"no output", ": %f", "no-output", "exit status 0, but no output", ""},
		{"white space", "echo; echo '  ' # %f", "no-output", "exit status 0, but no output", ""},
		{"makes a folder of its file", "rm %O; mkdir %O # %f", "no-output", "exit status 0, but the output file is no longer a regular file", ""},
		{"makes a pipe of its file", "rm %O; mkfifo %O # %f", "no-output", "exit status 0, but the output file is no longer a regular file", ""},
		{"makes a device of its file", "ln -sf /dev/zero %O # %f", "no-output", "exit status 0, but the output file is no longer a regular file", ""},
		{"makes memory of its file", "ln -sf /proc/self/mem %O # %f", "no-output", "exit status 0, but cannot read the output file: input/output error", ""},
		{"takes its file away", "rm %O # %f", "no-output", "exit status 0, but the output file was removed", ""},
		{"a file with a hole", "truncate -s 1T %O # %f", "too-big", "more than 100000 bytes of output", ""},
	} {
		timeout := 30 * time.Second
		if c.status == "timeout" {
			timeout = 100 * time.Millisecond
		}
		o := run(t, r, c.command, translators.Limits{Timeout: timeout, MaxOutput: 100000})
		if string(o.Status) != c.status || o.Detail != c.detail || string(o.Output) != c.output {
			t.Errorf("%s: %s: %q, output %q; want %s: %q, output %q", c.name, o.Status, o.Detail, o.Output, c.status, c.detail, c.output)
		}
		if left := alive(marker); left != nil {
			t.Errorf("%s: left behind: %v", c.name, left)
		}
	}
}

// TestLongFormula: what the system can't pass as an argument is a failure of its
// own class, unless it is passed in a file.
func TestLongFormula(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	long := func(ltl.Syntax) (string, error) { return strings.Repeat("a", 1<<20), nil }
	c, _ := translators.ParseCommand("echo %f", translators.Spawn)
	if o, err := r.Run(context.Background(), c, long, translators.Limits{}, nil); err != nil || o.Status != outcome.TooLong {
		t.Errorf("as an argument: %s, %v", o.Status, err)
	}
	c, _ = translators.ParseCommand("wc -c < %F", translators.Spawn)
	if o, err := r.Run(context.Background(), c, long, translators.Limits{}, nil); err != nil || strings.TrimSpace(string(o.Output)) != "1048577" {
		t.Errorf("in a file: %q, %v", o.Output, err)
	}
}

// TestEnvironment: variables are added to the inherited ones.
func TestEnvironment(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	t.Setenv("INHERITED", "yes")
	c, _ := translators.ParseCommand("echo $INHERITED $ADDED # %f", translators.Spawn)
	o, err := r.Run(context.Background(), c, formula(""), translators.Limits{}, []string{"ADDED=too"})
	if err != nil || string(o.Output) != "yes too\n" {
		t.Errorf("got %q, %v", o.Output, err)
	}
}

// TestBound: no more commands run at the same time than allowed, and as many as
// that do.
func TestBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"now", "ever"} {
		must.Do(os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	const bound = 4
	r := translators.NewTestRunner(t, bound)
	// The first four wait for each other.
	c, _ := translators.ParseCommand(fmt.Sprintf(`cd %s; mkdir now/$$; touch ever/$$; until [ $(ls ever | wc -l) -ge %d ]; do sleep 0.01; done
		ls now | wc -l; sleep 0.05; rmdir now/$$ # %%f`, dir, bound), translators.Spawn)
	var wg sync.WaitGroup
	var most atomic.Int64
	for range 12 {
		wg.Go(func() {
			o, err := r.Run(context.Background(), c, formula(""), translators.Limits{}, nil)
			var n int64
			if fmt.Sscan(string(o.Output), &n); err != nil || n < 1 || n > bound {
				t.Errorf("%q commands at the same time, %v", o.Output, err)
			}
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
		})
	}
	wg.Wait()
	if most.Load() != bound {
		t.Errorf("never more than %d commands at the same time, of %d", most.Load(), bound)
	}
}

// TestExitCode: status, signal, or neither.
func TestExitCode(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	for command, want := range map[string]int{"echo %f": 0, "exit 3 # %f": 3, "kill -SEGV $$ # %f": 11, "exit 139 # %f": 11,
		"sh -c 'kill -ABRT $$'; exit $? # %f": 6, "exit 130 # %f": 130, "exit 128 # %f": 128, "exit 201 # %f": 201, "/bin/sleep 9 # %f": -1} {
		var limits translators.Limits
		if want == -1 {
			limits.Timeout = 100 * time.Millisecond
		}
		if o := run(t, r, command, limits); o.ExitCode != want {
			t.Errorf("%s: %d, want %d (%s)", command, o.ExitCode, want, o.Detail)
		}
	}
}

// TestStderr: the start and the end are kept, in whole characters.
func TestStderr(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	for _, c := range []struct{ command, want string }{
		{"printf 'a few words' >&2 # %f", "a few words"},
		{"head -c 4096 /dev/zero | tr '\\0' x >&2 # %f", strings.Repeat("x", 4096)},
		{"head -c 12288 /dev/zero | tr '\\0' x >&2 # %f", strings.Repeat("x", 12288)},
		{"(head -c 100001 /dev/zero | tr '\\0' x; echo end) >&2 # %f", strings.Repeat("x", 4096) + "\n…\n" + strings.Repeat("x", 8188) + "end\n"},
		{"(echo panic: oops; head -c 15000 /dev/zero | tr '\\0' x) >&2 # %f", "panic: oops\n" + strings.Repeat("x", 4084) + "\n…\n" + strings.Repeat("x", 8192)},
		{"(printf x; yes ü | tr -d '\\n' | head -c 40000; printf .) >&2 # %f", "x" + strings.Repeat("ü", 2047) + "\n…\n" + strings.Repeat("ü", 4095) + "."},
	} {
		if o := run(t, r, c.command, translators.Limits{}); o.Stderr != c.want {
			t.Errorf("%s: %d bytes, want %d; %.30q", c.command, len(o.Stderr), len(c.want), o.Stderr)
		}
	}
}

// TestSaid: what a command says on standard output of why it fails is told, if it says nothing
// on standard error.
func TestSaid(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	for command, want := range map[string]string{
		"echo 'tl_spin: expected a proposition'; exit 3 # %f":                "exit 3: tl_spin: expected … proposition",
		"echo 'KeyError: no'; echo 'tool: no memory' >&2; exit 3 # %f":       "exit 3: tool: no memory",
		"printf 'HOA: v1\\nStates: 5\\n'; exit 3 # %f":                       "exit 3",
		"echo 'error: no rule' > %O; echo 'fatal: no room'; exit 3 # %f":     "exit 3: fatal: no room",
		"(echo 'panic: oops'; yes | head -c 100000) >&2; kill -ABRT $$ # %f": "crash 6: panic: oops",
	} {
		o := run(t, r, command, translators.Limits{})
		if got := o.Signature("Ga").String(); got != want {
			t.Errorf("%s: %q, want %q (%s)", command, got, want, o.Detail)
		}
	}
}

// TestNoRoom: a command that has no room is called again, as another one may have taken it.
func TestNoRoom(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	command := fmt.Sprintf("echo >>%[1]s; [ $(wc -l <%[1]s) -lt 4 ] || exec echo done; echo 'x: No space left on device' >&2; exit 1 # %%f", calls)
	if o := run(t, translators.NewTestRunner(t, 1), command, translators.Limits{}); string(o.Output) != "done\n" {
		t.Errorf("%s: %s", o.Status, o.Detail)
	}
}

// TestTemporaryFiles: what commands leave in TMPDIR goes with the Runner, even
// from folders that nobody may enter.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	r := must.Get(translators.NewRunner(1, dir))
	for _, command := range []string{
		`mkdir "$TMPDIR/a"; echo > "$TMPDIR/a/b"; chmod 0 "$TMPDIR/a"; echo done # %f`,
		`d=$(dirname %O); mkdir -p $d/c/d; chmod 500 $d/c; cat %F > %O`,
	} {
		if o := run(t, r, command, translators.Limits{}); o.Status != outcome.OK {
			t.Errorf("%s: %s: %s", command, o.Status, o.Stderr)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("left: %v", files)
	}
}

// TestCancel: everything is over soon after the context is done, or the Runner
// is closed, and nothing is left.
func TestCancel(t *testing.T) {
	t.Parallel()
	marker := fmt.Sprintf("986.%07d", os.Getpid())
	for _, how := range []string{"context", "close"} {
		dir := t.TempDir()
		r := must.Get(translators.NewRunner(4, dir))
		ctx, cancel := context.WithCancel(context.Background())
		c, _ := translators.ParseCommand("trap '' TERM; sleep "+marker+" & sleep "+marker+"; cat %F > %O", translators.Spawn)
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
		if d := time.Since(start); d > time.Minute {
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
