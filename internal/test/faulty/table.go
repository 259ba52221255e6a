package faulty

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Faults are all of them. They are filled in by init as their functions lead back to them.
var Faults []*Fault

func init() {
	Faults = []*Fault{
		// Those that never end.
		{Name: "hang", Status: "timeout", Slow: true, act: hang},
		{Name: "hang, deaf to SIGTERM", Status: "timeout", Slow: true, act: func(*call) {
			signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
			forever()
		}},
		{Name: "answer to SIGTERM", Status: "timeout", Slow: true, act: func(c *call) {
			// It has an answer, but only when it is too late.
			signals := make(chan os.Signal, 1)
			signal.Notify(signals, syscall.SIGTERM)
			<-signals
			c.answer()
			os.Exit(0)
		}},
		{Name: "stop", Status: "timeout", Slow: true, act: stop},
		{Name: "drip", Status: "timeout", Slow: true, act: drip},
		{Name: "close output and hang", Status: "timeout", Slow: true, act: func(*call) { os.Stdout.Close(); forever() }},
		{Name: "spin", Status: "cpu-time", Slow: true, act: spin},
		{Name: "children spin", Status: "cpu-time", Slow: true, act: func(c *call) {
			// It takes little time itself.
			c.child(nil, "/bin/sh", "-c", "while :; do :; done #"+c.Marker)
			forever()
		}},

		// Those that take too much.
		{Name: "flood of output", Status: "too-big", act: func(c *call) { flood(os.Stdout, c.Big) }},
		{Name: "flood of errors", Status: "ok", act: func(c *call) {
			flood(os.Stderr, c.Big/16) // less, as it has to be over in time
			c.answer()
		}},
		{Name: "allocate", Status: "memory", act: allocate},
		{Name: "open files", Status: "exit", act: func(*call) {
			var kept []*os.File
			for {
				file, err := os.Open(os.DevNull)
				if err != nil {
					fmt.Fprintf(os.Stderr, "file %d: %v\n", len(kept), err)
					os.Exit(1)
				}
				kept = append(kept, file)
			}
		}},
		{Name: "litter", Status: "ok", act: litter},

		// Those that leave processes.
		{Name: "child that holds the output", Status: "ok", act: func(c *call) {
			c.child(nil, "/bin/sleep", c.Marker)
			c.answer()
		}},
		{Name: "child that escapes", Status: "ok", act: func(c *call) { c.escape(); c.answer() }},
		{Name: "child that escapes, and crash", Status: "crash", act: func(c *call) { c.escape(); die("SEGV") }},

		// Those that end too early.
		{Name: "SIGSEGV", Status: "crash", act: func(*call) { die("SEGV") }},
		{Name: "SIGABRT", Status: "crash", act: abort},
		{Name: "exit 3", Status: "exit", act: func(c *call) {
			// It says where it was, in numbers that are others each time.
			fmt.Fprintf(os.Stderr, "internal error 17 at %p: term %d of size %d\n", c, os.Getpid(), c.formula.Size())
			os.Exit(3)
		}},
		{Name: "crash in the middle", Status: "crash", act: crashInTheMiddle},
		{Name: "end in the middle", Status: "syntax", act: func(c *call) {
			c.print(c.right[:len(c.right)*2/3])
			os.Exit(0)
		}},
		{Name: "close output and end", Status: "no-output", act: func(*call) { os.Stdout.Close(); os.Exit(0) }},
		{Name: "garbage", Status: "syntax", act: garbage},

		// Those that say too much or too little.
		{Name: "silence", Status: "no-output", Slow: true, act: func(*call) {}},
		{Name: "two automata", Status: "ok", Finding: "second-automaton", act: func(c *call) {
			c.print(bytes.Repeat(c.right, 2))
		}},
		{Name: "text before", Status: "ok", Finding: "text-before", act: around("warning: what follows is right\n", "")},
		{Name: "text after", Status: "ok", Finding: "text-after", act: around("", "that was right\n")},
		{Name: "abort", Status: "aborted", act: func(c *call) { c.print([]byte("HOA: v1\nStates: 7\n--ABORT--\n")) }},
		{Name: "missing state", Status: "missing-state", act: func(c *call) {
			// It leaves the last state out, with its edges.
			state, end := bytes.LastIndex(c.right, []byte("\nState: ")), bytes.LastIndex(c.right, []byte("\n--END--"))
			c.print(slices.Concat(c.right[:state], c.right[end:]))
		}},
		{Name: "terminal", Status: "ok", act: terminal},

		// Those that print odd automata.
		{Name: "CRLF", Status: "ok", act: func(c *call) { c.print(bytes.ReplaceAll(c.right, []byte("\n"), []byte("\r\n"))) }},
		{Name: "byte-order mark", Status: "ok", act: around("\ufeff", "")},
		{Name: "name of bytes", Status: "ok", act: func(c *call) {
			text := nameLine.ReplaceAll(c.right, nil)
			c.print(firstLine.ReplaceAll(text, []byte("HOA: v1\nname: \"f\xfcr \xe4lle\"\n")))
		}},
		{Name: "false acc-name", Status: "ok", Finding: "property", act: func(c *call) {
			// It names an acceptance of four sets, which no automaton of ours has.
			text := accNameLine.ReplaceAll(c.right, nil)
			c.print(bytes.Replace(text, []byte("\nAcceptance: "), []byte("\nacc-name: Rabin 2\nAcceptance: "), 1))
		}},
		{Name: "unknown header", Status: "ok", Finding: "header", act: func(c *call) {
			c.print(firstLine.ReplaceAll(c.right, []byte("HOA: v1\nStrange: 7 \"seven\"\n")))
		}},
		{Name: "other case", Status: "ok", Finding: "proposition-case", Blame: Maybe, act: func(c *call) {
			// It is what a translator does that takes names of propositions for keywords.
			c.print(apLine.ReplaceAllFunc(c.right, func(line []byte) []byte {
				return append([]byte("AP:"), bytes.ToUpper(line[len("AP:"):])...)
			}))
		}},
		{Name: "foreign proposition", Status: "ok", Finding: "proposition", act: func(c *call) {
			// It has a proposition more, which each label allows to be true or false.
			n := len(c.formula.Props())
			text := apLine.ReplaceAllFunc(c.right, func(line []byte) []byte {
				_, names, _ := strings.Cut(string(line[len("AP: "):]), " ")
				return fmt.Appendf(nil, "AP: %d %s \"foreign\"", n+1, names)
			})
			c.print(label.ReplaceAll(text, fmt.Appendf(nil, "[($1)&%d | ($1)&!%d]", n, n)))
		}},

		// Those that are wrong.
		{Name: "wrong", Status: "ok", Blame: Always, act: wrong},
		{Name: "another formula", Status: "ok", Finding: "name", Blame: Always, act: another},

		// Those that are right when asked alone.
		{Name: "previous answer", Status: "ok", Stateful: true, act: afterSome("previous answer", func(c *call) { c.print(c.previous) })},
		{Name: "wrong later", Status: "ok", Stateful: true, act: afterSome("wrong later", wrong)},
		{Name: "crash later", Status: "ok", Stateful: true, act: afterSome("crash later", crashInTheMiddle)},
		{Name: "hang later", Status: "ok", Stateful: true, Slow: true, act: afterSome("hang later", hang)},
	}
}

// This file has the faults of processes: of time, memory, files, signals, and of other processes.

func hang(*call) { forever() }

// forever sleeps. The runtime takes it for an error if all goroutines wait for each other.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// stop is a process that SIGTERM does not end as long as nobody continues it.
func stop(*call) {
	syscall.Kill(os.Getpid(), syscall.SIGSTOP) // until somebody continues it
	forever()
}

// drip always has a byte more to say.
func drip(c *call) {
	c.print([]byte("HOA: v1\n/*"))
	for {
		time.Sleep(50 * time.Millisecond)
		c.print([]byte("."))
	}
}

func spin(*call) {
	for {
	}
}

// line is what floods consist of.
var line = []byte(strings.Repeat("warning: this is not an automaton\n", 1000))

func flood(w io.Writer, size int64) {
	for n := int64(0); n < size; n += int64(len(line)) {
		w.Write(line)
	}
}

// allocate takes memory and uses it, at no more than 2 GiB a second: so a machine
// that has some survives it if nobody looks.
func allocate(*call) {
	var kept [][]byte
	for {
		block := bytes.Repeat([]byte{1}, 16<<20)
		kept = append(kept, block)
		time.Sleep(8 * time.Millisecond)
		runtime.KeepAlive(kept)
	}
}

// litter leaves files in the folder for such, also where nobody may look.
func litter(c *call) {
	dir, err := os.MkdirTemp("", "litter-*")
	Must(err)
	for name, mode := range map[string]os.FileMode{"open": 0o700, "closed": 0, "read-only": 0o500} {
		name = filepath.Join(dir, name)
		Must(os.Mkdir(name, 0o700))
		Must(os.WriteFile(filepath.Join(name, "file"), c.right, 0o600))
		Must(os.Chmod(name, mode))
	}
	c.answer()
}

// child starts a process that outlives this one.
func (c *call) child(attributes *syscall.SysProcAttr, command string, args ...string) {
	cmd := exec.Command(command, args...)
	cmd.Env = []string{} // it has nothing of ours that it could be known by
	cmd.SysProcAttr = attributes
	cmd.Stdout = os.Stdout
	if attributes != nil {
		cmd.Stdout = nil
	}
	Must(cmd.Start())
}

func (c *call) escape() {
	c.child(&syscall.SysProcAttr{Setsid: true}, "/bin/sh", "-c", "trap '' TERM HUP; sleep "+c.Marker+" & wait")
}

// die ends this process by a signal. The runtime of Go handles the signals of crashes, and
// another program does not.
func die(signal string) {
	Must(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + signal + " $$"}, os.Environ()))
}

func abort(c *call) {
	fmt.Fprintf(os.Stderr, "term.c:%d: assertion failed\n", c.formula.Size())
	die("ABRT")
}

func crashInTheMiddle(c *call) {
	c.print(c.right[:len(c.right)*2/3])
	die("SEGV")
}

// terminal writes to the terminal of whoever has started this.
func terminal(c *call) {
	if tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0); err == nil {
		fmt.Fprintf(tty, "written to the terminal: %s\n", c.Marker)
		tty.Close()
	}
	c.answer()
}

// This file has the faults of what is printed.

func garbage(c *call) {
	fmt.Printf("sorry, %s is too hard\n", c.formula)
	os.Exit(0)
}

// around returns what prints text before and after the automaton.
func around(before, after string) func(*call) {
	return func(c *call) { c.print(slices.Concat([]byte(before), c.right, []byte(after))) }
}

// headers of what package hoa writes.
var (
	nameLine    = regexp.MustCompile(`(?m)^name: .*\n`)
	accNameLine = regexp.MustCompile(`(?m)^acc-name: .*\n`)
	firstLine   = regexp.MustCompile(`^HOA: v1\n`)
	apLine      = regexp.MustCompile(`(?m)^AP: (\d+).*$`)
	label       = regexp.MustCompile(`(?m)^\[([^\]]*)\]`)
)

// wrong gives the automaton of a formula that differs from the right one on the
// words that have the first proposition in their first two letters.
func wrong(c *call) {
	p := c.first()
	c.print(c.automaton(c.store.Xor(c.formula, c.store.And(p, c.store.Next(p)))))
}

func (c *call) first() *ltl.Formula {
	if props := c.formula.Props(); len(props) > 0 {
		return c.store.Prop(props[0])
	}
	return c.store.True()
}

// another answers another formula, and says so.
func another(c *call) {
	t, other := *c.translator, *c
	t.Names = true
	other.translator, other.formula = &t, c.store.Xor(c.formula, c.first())
	c.print(other.automaton(other.formula))
}

// later is how many formulas a process has had when faults begin that depend on that.
const later = 2

// afterSome returns what does something else only when the process has had some formulas before.
func afterSome(note string, act func(*call)) func(*call) {
	return func(c *call) {
		if c.before < later {
			c.answer()
			return
		}
		c.note(note)
		act(c)
	}
}
