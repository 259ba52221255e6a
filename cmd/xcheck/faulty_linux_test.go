package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
)

// This file is a misbehaving translator. It hangs, crashes, floods its output, forks, and prints broken,
// wrong or additional automata.
//
// Its behaviour on a formula depends only on the formula and a seed. So a test knows what a run must report:
// fault is the oracle. Formulas without a fault are translated correctly, into HOA.
//
// The test binary becomes the translator if faultyVariable is set. It then takes these arguments:
//
//	test FORMULA     translate one formula
//	test -           translate the formulas of standard input, one at a time

// faultyVariable is the environment variable that makes a test binary the translator. It has faultOptions in JSON.
const faultyVariable = "XCHECK_TEST_FAULTY"

// faultOptions say what goes wrong how often.
type faultOptions struct {
	Seed uint64
	// Every is how many formulas there are for one with a fault, on average; with 0 there are no faults.
	Every uint64
	// Names tells whether automata are named after their formulas.
	Names bool
	// Marker is a number of seconds so odd that a sleep of that length is ours: all
	// children have it in their command line.
	Marker string
	// Big is how many bytes a flood of output has.
	Big int64
	// Log is a file that gets a line for each fault that depends on what the process was given before,
	// whenever it really shows: the name of the fault, a tab, and the formula.
	Log string
}

// String returns the value of faultyVariable.
func (o faultOptions) String() string {
	return string(must.Get(json.Marshal(o)))
}

// A fault is one way to misbehave.
type fault struct {
	Name    string
	Status  outcome.Status       // of a call that ends so
	Finding outcome.FindingClass // that there must be, or ""
	Blamed  bool                 // for a disagreement
	Slow    bool                 // it ends with a limit on time: a test has to wait for that
	// Stateful says that it shows only after other formulas. Asked alone, the process is right: at
	// most it is unstable.
	Stateful bool
	act      func(*call)
}

// noFault is no fault.
var noFault = &fault{Name: "none", Status: outcome.OK, act: (*call).answer}

// fault returns the fault of a formula in Spot's syntax, as package ltl prints it: one of
// allFaults, those that are not slow four times as often, and mostly noFault.
func (o faultOptions) fault(formula string) *fault {
	if o.Every == 0 {
		return noFault
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", o.Seed, formula)
	// The low bits of this hash of similar strings are similar.
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	if x%o.Every != 0 {
		return noFault
	}
	var weighted []*fault // quick faults are more likely
	for _, f := range allFaults {
		if weighted = append(weighted, f); !f.Slow {
			weighted = append(weighted, f, f, f)
		}
	}
	return weighted[x/o.Every%uint64(len(weighted))]
}

// init makes this process the translator if faultyVariable is set. The faults are filled in here, as their
// functions lead back to them.
func init() {
	allFaults = faultTable()
	text := os.Getenv(faultyVariable)
	if text == "" {
		return
	}
	t := &translator{}
	seeded.Must(json.Unmarshal([]byte(text), &t.faultOptions))
	seeded.Must(t.run(os.Args[1:]))
	os.Exit(0)
}

// translator is one process.
type translator struct {
	faultOptions
	before   int    // formulas that it had
	previous []byte // its right answer to the last one
}

func (t *translator) run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "-":
		return seeded.EachLine(os.Stdin, t.translate)
	case len(args) == 1:
		return t.translate(args[0])
	}
	return fmt.Errorf("arguments %q: expected FORMULA, or - for standard input", args)
}

// translate answers one formula.
func (t *translator) translate(text string) error {
	c := &call{translator: t, store: ltl.NewStore()}
	var err error
	if c.formula, err = c.store.Parse(text, ltl.Spot); err != nil {
		return err
	}
	c.right = c.automaton(c.formula)
	t.fault(c.formula.String()).act(c)
	t.before++
	t.previous = c.right
	return nil
}

// call is the work on one formula.
type call struct {
	*translator
	store   *ltl.Store
	formula *ltl.Formula
	right   []byte // its automaton
}

// automaton returns the text of an automaton of f, with the name of the formula of the call, if it has one.
func (c *call) automaton(f *ltl.Formula) []byte {
	a, err := translate.With(context.Background(), translate.Default, c.store, f)
	seeded.Must(err)
	a.Name = ""
	if c.Names {
		a.Name = c.formula.String()
	}
	var text bytes.Buffer
	hoa.Write(context.Background(), &text, a) // such a writer has no errors
	return text.Bytes()
}

// print writes all of it at once. When nobody reads any more, we end as others do: by SIGPIPE.
func (c *call) print(text []byte) { os.Stdout.Write(text) }

// answer is what there should be.
func (c *call) answer() { c.print(c.right) }

// note says that a fault shows that depends on what came before.
func (c *call) note(f string) {
	file, err := os.OpenFile(c.Log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	seeded.Must(err)
	_, err = fmt.Fprintf(file, "%s\t%s\n", f, c.formula)
	seeded.Must(err)
	seeded.Must(file.Close())
}

var allFaults []*fault

func faultTable() []*fault {
	return []*fault{
		// Those that never end.
		{Name: "hang", Status: "timeout", Slow: true, act: hang},
		{Name: "spin", Status: "cpu-time", Slow: true, act: spin},

		// Those that take too much.
		{Name: "flood of output", Status: "too-big", act: func(c *call) { flood(os.Stdout, c.Big) }},
		{Name: "flood of errors", Status: "ok", act: func(c *call) {
			flood(os.Stderr, c.Big/16) // less, as it has to be over in time
			c.answer()
		}},
		{Name: "allocate", Status: "memory", act: allocate},

		// Those that leave processes.
		{Name: "child that holds the output", Status: "ok", act: func(c *call) {
			c.child(nil, "/bin/sleep", c.Marker)
			c.answer()
		}},
		{Name: "child that escapes", Status: "ok", act: func(c *call) { c.escape(); c.answer() }},
		{Name: "child that escapes, and crash", Status: "crash", act: func(c *call) { c.escape(); die("SEGV") }},

		// Those that end too early.
		{Name: "SIGSEGV", Status: "crash", act: func(*call) { die("SEGV") }},
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
		{Name: "unknown header", Status: "ok", Finding: "header", act: func(c *call) {
			c.print(bytes.Replace(c.right, []byte("HOA: v1\n"), []byte("HOA: v1\nStrange: 7 \"seven\"\n"), 1))
		}},

		// Those that are wrong.
		{Name: "wrong", Status: "ok", Blamed: true, act: wrong},
		{Name: "another formula", Status: "ok", Finding: "name", Blamed: true, act: another},

		// Those that are right when asked alone.
		{Name: "previous answer", Status: "ok", Stateful: true, act: afterSome("previous answer", func(c *call) { c.print(c.previous) })},
		{Name: "wrong later", Status: "ok", Stateful: true, act: afterSome("wrong later", wrong)},
		{Name: "crash later", Status: "ok", Stateful: true, act: afterSome("crash later", crashInTheMiddle)},
		{Name: "hang later", Status: "ok", Stateful: true, Slow: true, act: afterSome("hang later", hang)},
	}
}

func hang(*call) { sleepOn() }

// sleepOn sleeps. The runtime takes it for an error if all goroutines wait for each other.
func sleepOn() {
	for {
		time.Sleep(time.Hour)
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

// child starts a process that outlives this one.
func (c *call) child(attributes *syscall.SysProcAttr, command string, args ...string) {
	cmd := exec.Command(command, args...)
	cmd.Env = []string{} // it has nothing of ours that it could be known by
	cmd.SysProcAttr = attributes
	cmd.Stdout = os.Stdout
	if attributes != nil {
		cmd.Stdout = nil
	}
	seeded.Must(cmd.Start())
}

func (c *call) escape() {
	c.child(&syscall.SysProcAttr{Setsid: true}, "/bin/sh", "-c", "trap '' TERM HUP; sleep "+c.Marker+" & wait")
}

// die ends this process by a signal. The runtime of Go handles the signals of crashes, and
// another program does not.
func die(signal string) {
	seeded.Must(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + signal + " $$"}, os.Environ()))
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

func garbage(c *call) {
	fmt.Printf("sorry, %s is too hard\n", c.formula)
	os.Exit(0)
}

// around returns what prints text before and after the automaton.
func around(before, after string) func(*call) {
	return func(c *call) { c.print(slices.Concat([]byte(before), c.right, []byte(after))) }
}

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
