package translators_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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
	"github.com/xcheck-ltl/xcheck/translators"
)

// answering is a tool in the shell's language: for each line f that it reads it does
// what the script says, which may call answer to print an automaton named $1 (for all
// words; that does not matter here). n counts the lines; the file log has a line when it has read
// one, and when it is done with it.
const answering = `
echo $$ >> started
answer() {
	printf 'HOA: v1\nname: "%s"\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n' "$1"
}
n=0
old=none
while read -r f; do
	n=$((n+1))
	echo $$ reads >> log
	SCRIPT
	echo $$ done >> log
	old=$f
done
`

// answerer returns a tool that does what the script says.
func answerer(t *testing.T, mode translators.Mode, script string) *translators.Tool {
	t.Helper()
	return scripted(t, mode, strings.Replace(answering, "SCRIPT", script, 1))
}

// scripted returns a tool that is a script.
func scripted(t *testing.T, mode translators.Mode, text string) *translators.Tool {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "tool")
	for _, name := range []string{"started", "log"} {
		text = strings.ReplaceAll(text, " >> "+name, " >> "+filepath.Join(dir, name))
	}
	must.Do(os.WriteFile(file, []byte(text), 0o600))
	c := must.Get(translators.ParseCommand("sh "+file, mode))
	tool := &translators.Tool{Name: "fake", Mode: mode, Command: c}
	tool.Limits = translators.Limits{Timeout: 20 * time.Second, MaxOutput: 100000, Memory: 24 << 20}
	return tool
}

// starts returns how many processes a tool has had.
func starts(t *testing.T, tool *translators.Tool) int {
	return strings.Count(written(t, tool, "started"), "\n")
}

// written returns what the processes of a tool have written to a file.
func written(t *testing.T, tool *translators.Tool, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(filepath.Dir(strings.Fields(tool.Command.Text())[1]), name)))
	return string(text)
}

// rest returns when each process of a tool has ended, or is done with what it has read.
func rest(t *testing.T, tool *translators.Tool) {
	t.Helper()
	if runtime.GOOS != "linux" {
		time.Sleep(time.Second)
		return
	}
	busy := func(pid string) bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		text := written(t, tool, "log")
		return err == nil && !bytes.Contains(stat, []byte(") Z ")) && strings.Count(text, pid+" reads\n") > strings.Count(text, pid+" done\n")
	}
	for end := time.Now().Add(time.Minute); slices.ContainsFunc(strings.Fields(written(t, tool, "started")), busy); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a process is not done with its formula")
		}
	}
	syscall.ForkLock.Lock() // no child that is being started has the end of its output any more
	syscall.ForkLock.Unlock()
	time.Sleep(100 * time.Millisecond) // the kernel closes it a moment later
}

// summary names the outcome of a formula in a word or two.
func summary(out *translators.Output) string {
	words := []string{string(out.Status)}
	for _, o := range out.Oddities {
		words = append(words, string(o.Class))
	}
	return strings.Join(words, " ")
}

// ask asks a tool for formulas, one after the other. For c it waits for this long, if that is not
// 0.
func ask(t *testing.T, r *translators.Runner, tool *translators.Tool, formulas string, forC time.Duration) (got []string) {
	t.Helper()
	for _, text := range strings.Fields(formulas) {
		f := must.Get(ltl.NewStore().Parse(text, ltl.Spot))
		timeout := time.Duration(0)
		if text == "c" {
			timeout = forC
		}
		out := must.Get(tool.Translate(t.Context(), r, f, timeout))
		if text == "c" {
			rest(t, tool) // what comes late has come
		}
		must.Do(out.Settle(t.Context()))
		got = append(got, summary(out))
	}
	return got
}

// misbehaviour are things that a tool does to the formula c, and what is to be said of
// that. If always is not set, it does not do so in a process of its own: then it is
// unstable.
var misbehaviour = []struct {
	name, script, always, once string
}{
	{"good", "answer $f", "ok", "ok"},
	{"crashes", "kill -SEGV $$", "crash", "ok unstable"},
	{"crashes in the middle", "echo 'HOA: v1 name: \"'; kill -SEGV $$", "crash", "ok unstable"},
	{"crashes behind its answer", "answer $f; kill -SEGV $$", "crash", "ok unstable"},
	{"ends", "exit 3", "exit", "ok unstable"},
	{"ends without a word", "exit 0", "no-output", "ok unstable"},
	{"stops answering", "exec sleep 100", "timeout", "ok unstable"},
	{"says nothing", ":", "no-output", "ok unstable"},
	{"prints garbage", "echo error: no", "syntax", "ok unstable"},
	{"prints garbage first", "echo note: yes; answer $f", "ok text-before", "ok unstable"},
	{"prints garbage behind", "answer $f; echo note: yes", "ok text-after", "ok unstable"},
	{"prints two", "answer $f; answer $f", "ok second-automaton", "ok unstable"},
	{"prints a second one late", "answer $f; sleep 0.002; answer $f", "ok second-automaton", "ok unstable"},
	{"answers the formula before", "answer $old", "ok", "ok"}, // its checks would show it: see cross.TestNoFalseBlame
	{"answers another one", "answer !$f", "ok name", "ok unstable"},
	{"gives up", "echo 'HOA: v1 --ABORT--'", "aborted", "ok unstable"},
	{"loses a state", "echo 'HOA: v1 States: 1 Start: 0 Acceptance: 0 t --BODY-- --END--'", "missing-state", "ok unstable"},
	{"prints for ever", "yes", "too-big", "ok unstable"},
	{"prints half of it", "echo 'HOA: v1'; answer $f", "syntax second-automaton", "ok unstable"},
	{"prints half of it and goes on", "echo 'HOA: v1'", "syntax", "ok unstable"},
	{"closes its output", "exec > /dev/null; sleep 100", "no-output", "ok unstable"},
	{"takes all memory", "{ head -c 36M /dev/zero; sleep 999; } | tail -c 36M", "memory", "ok unstable"},
	{"pauses", "sleep 3; answer $f", "ok", "ok"},
	{"leaves the session", "setsid sleep 999 & answer $f", "ok", "ok"},
	{"a program that it starts is killed", "sh -c 'kill -9 $$'; answer $f", "ok", "ok"},
}

// TestStream: whatever a kept-alive tool does to a formula is charged to it, and to no
// other, if it does so always; and if not, it is unstable.
func TestStream(t *testing.T) {
	t.Parallel()
	for _, c := range misbehaviour {
		for _, always := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s %v", c.name, always), func(t *testing.T) {
				t.Parallel()
				r := translators.NewTestRunner(t, 2)
				when, want := "[ $f = c ]", c.always
				if !always {
					when, want = when+" && [ $n = 3 ]", c.once
				}
				if c.name == "closes its output" && always {
					want = "timeout" // alone, it is not waited for an answer, but for the end
				}
				forC := time.Duration(0)
				if strings.Contains(c.script, "sleep 100") {
					if forC = 3 * time.Second; always {
						forC = 200 * time.Millisecond
					}
				}
				var got []string
				for again := true; again; forC *= 4 { // a busy machine: a fresh process gets more time for its answer
					tool := answerer(t, translators.Stream, "if "+when+"; then "+c.script+"; else answer $f; fi")
					got = ask(t, r, tool, "a b c d !d e", forC)
					again = !always && got[2] == "timeout" && forC < time.Minute
				}
				if fmt.Sprint(got) != fmt.Sprint([]string{"ok", "ok", want, "ok", "ok", "ok"}) {
					t.Errorf("got %q, want c: %s", got, want)
				}
			})
		}
	}
}

// TestKeptAlive: one process answers all formulas.
func TestKeptAlive(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 1)
	tool := answerer(t, translators.Stream, "answer $f")
	for i, got := range ask(t, r, tool, strings.Repeat("a !a ", 60), 0) {
		if got != "ok" {
			t.Errorf("%d: %s", i, got)
		}
	}
	if n := starts(t, tool); n != 1 {
		t.Errorf("%d processes", n)
	}
}

// TestLivesOn: what a tool always prints, and an answer that is slow, is no reason to end its process.
// A fresh process is asked once.
func TestLivesOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, want string }{
		{"echo 'HOA: v1 --ABORT--'", "aborted"},
		{"echo 'HOA: v1 States: 1 Start: 0 Acceptance: 0 t --BODY-- --END--'", "missing-state"},
		{"echo note: yes; answer $f", "ok text-before"},
		{`printf '%s\nnote: yes\n' "$(answer $f)"`, "ok text-after"}, // in one piece: text after it may be late
		{`sleep 1.2; until [ $(wc -l <"$(dirname "$0")/started") -gt 1 ]; do sleep 0.1; done; answer $f`, "ok"},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Parallel()
			r := translators.NewTestRunner(t, 2)
			tool := answerer(t, translators.Stream, "if [ $f = c ]; then "+c.script+"; else answer $f; fi")
			rounds := campaign.Inputs(t, 15)
			got := ask(t, r, tool, strings.Repeat("a c ", rounds), 0)
			if want := slices.Repeat([]string{"ok", c.want}, rounds); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", c.script, got, want)
			}
			// On a busy machine, an answer may be so late that one more process gets the question. But not
			// each question does.
			if n := starts(t, tool); n < 2 || n > rounds || len(r.Restarts()) > 0 {
				t.Errorf("%s: %d processes, want 2; %q", c.script, n, r.Restarts())
			}
		})
	}
	r := translators.NewTestRunner(t, 1)
	ask(t, r, answerer(t, translators.Stream, "[ $f = c ] && exit 3; answer $f"), "a c b c", 0)
	if got := fmt.Sprint(r.Restarts()); !strings.HasSuffix(got, ": 2 restarts (exit 2)]") {
		t.Errorf("got %s", got)
	}
}

// TestUnflushed: a tool whose answers come only when its input ends is told so, from the second on, and
// asked in processes of their own.
func TestUnflushed(t *testing.T) {
	t.Parallel()
	tool := answerer(t, translators.Stream, "all=$all$(answer $f)")
	text := must.Get(os.ReadFile(strings.Fields(tool.Command.Text())[1]))
	must.Do(os.WriteFile(strings.Fields(tool.Command.Text())[1], append(text, "printf %s \"$all\"\n"...), 0o600))
	tool.Limits.Timeout = 12 * time.Second // of which a quarter is waited for an answer
	got := ask(t, translators.NewTestRunner(t, 1), tool, "a b d e", 0)
	if want := []string{"ok", "ok unflushed", "ok unflushed", "ok unflushed"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := starts(t, tool); n != 6 { // two that were kept alive, and four fresh ones
		t.Errorf("%d processes", n)
	}
}

// TestDistrust: a process whose answer was found to be wrong is not asked again, idle
// or not.
func TestDistrust(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 2)
	tool := answerer(t, translators.Stream, "[ $f != b ] || sleep 0.3; answer $f")
	tool.Processes = 1
	s := ltl.NewStore()
	translate := func(f *ltl.Formula) *translators.Output {
		out, err := tool.Translate(t.Context(), r, f, 0)
		if err == nil {
			err = out.Settle(t.Context())
		}
		if err != nil || summary(out) != "ok" {
			t.Error(out, err) // in the main goroutine or another
		}
		return cmp.Or(out, &translators.Output{})
	}
	// readers returns who has read a formula since there were as many lines in the log.
	readers := func(since int) (pids []string) {
		for _, line := range strings.Split(strings.TrimSpace(written(t, tool, "log")), "\n")[since:] {
			if pid, ok := strings.CutSuffix(line, " reads"); ok {
				pids = append(pids, pid)
			}
		}
		return pids
	}
	lines := func() int { return strings.Count(written(t, tool, "log"), "\n") }
	a, b := s.Prop("a"), s.Prop("b")
	translate(a).Distrust()
	first, before := readers(0)[0], lines()
	out := translate(a)
	second := readers(before)[0]
	if second == first {
		t.Error("asked again while it was idle")
	}
	before = lines()
	done := make(chan bool)
	go func() {
		translate(b)
		close(done)
	}()
	for !slices.Contains(readers(before), second) {
		time.Sleep(time.Millisecond)
	}
	out.Distrust()
	<-done
	rest(t, tool)
	before = lines()
	translate(a)
	if slices.Contains(readers(before), second) {
		t.Error("asked again after it was at work")
	}
}

// TestEndsAfterAnswer: a tool that ends well after some answers is started again. If it
// has got the next formula already, it has not answered it.
func TestEndsAfterAnswer(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 1)
	tool := answerer(t, translators.Stream, "answer $f; [ $n = 3 ] && exit 0")
	for i, got := range ask(t, r, tool, strings.Repeat("a ", 12), 0) {
		if got != "ok" && got != "ok unstable" {
			t.Errorf("%d: %s", i, got)
		}
	}
}

// TestUnreadable: a panic while an output is read is that formula's.
func TestUnreadable(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	tool := answerer(t, translators.Stream, "answer \"$f & $f\"")
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() {
			f := ltl.NewStore().Prop("a")
			if i != 4 {
				if out, err := tool.Translate(t.Context(), r, f, 0); err != nil || summary(out) != "ok" {
					t.Error(out, err)
				}
			} else if out, panicked, err := tool.TranslateUnreadable(t.Context(), r, f); panicked == nil {
				t.Error(out, err)
			}
		})
	}
	wg.Wait()
}

// TestStreamCancel: a question that is not answered ends with its context, or with the
// Runner.
func TestStreamCancel(t *testing.T) {
	t.Parallel()
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		r := translators.NewTestRunner(t, 2)
		tool := answerer(t, mode, "exec sleep 100")
		for _, how := range []string{"context", "close"} {
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error)
			go func() {
				_, err := tool.Translate(ctx, r, ltl.NewStore().Prop("a"), 0)
				done <- err
			}()
			time.Sleep(50 * time.Millisecond)
			if how == "context" {
				cancel()
			} else if err := r.Close(); err != nil {
				t.Error(err)
			}
			if err := <-done; err == nil {
				t.Errorf("%v: no error", mode)
			}
			cancel()
		}
	}
}

// long returns a formula that is longer than what a pipe takes.
func long() *ltl.Formula {
	s := ltl.NewStore()
	f := s.True()
	for i := range 7 {
		f = s.And(f, s.Prop(fmt.Sprintf("p%d%s", i, strings.Repeat("x", 10000))))
	}
	return f
}

// TestLongQuestion: a formula that does not fit into the pipe is answered, is no reason
// to wait when nobody wants the answer any more, and is not believed to be answered
// before it has been read.
func TestLongQuestion(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 4)
	f := long()
	var wg sync.WaitGroup
	for _, c := range []struct{ script, want string }{
		{`n=0; while read -r f; do n=$((n+1)); [ $n != 2 ] || sleep 1; answer; done`, "ok"},
		{`head -c 90000 /dev/zero | tr '\0' ' '; while read -r f; do answer; done`, "ok"},
		{`answer; sleep 0.3; while read -r f; do answer; done`, "ok second-automaton"},
		{`n=0; while [ $n -lt 2 ] && read -r f; do n=$((n+1)); answer; done; answer; cat > /dev/null`, "ok second-automaton"},
	} {
		c.script = "answer() { echo 'HOA: v1 States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--'; }; " + c.script
		tool := scripted(t, translators.Stream, c.script)
		wg.Go(func() {
			for i := range 3 {
				out, err := tool.Translate(t.Context(), r, f, 0)
				if err != nil {
					t.Error(err)
				} else if got := summary(out); got != "ok" && got != c.want && got != c.want+" unstable" && got != "ok unflushed" { // mawk reads ahead
					t.Errorf("%s: answer %d: %s: %s, want %s", c.script, i, got, out.Detail, c.want)
				}
			}
		})
	}
	wg.Wait()
	tool := scripted(t, translators.Stream, "exec sleep 1000")
	tool.Limits.Timeout = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := tool.Translate(ctx, r, f, 0)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	cancel()
	select {
	case err := <-done:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(time.Minute):
		t.Error("a question that nobody reads is waited for though nobody wants its answer")
	}
}
