// Command xcheck cross-checks translators of linear temporal logic (LTL) into ω-automata.
//
// To check a translator on 1000 random formulas against xcheck's own translation:
//
//	xcheck run -n 1000 -t 'mytranslator %f'
//
// Each formula and its negation go to every translator. xcheck compares the automata. For every
// disagreement it prints a word, and names the translators that are wrong on it.
//
// Other commands evaluate formulas (eval), compare, complement and convert automata (compare,
// complement, convert), shrink failing formulas (grind), and read earlier runs (history). Run
//
//	xcheck help
//
// for all commands, and xcheck COMMAND --help for the flags of one.
//
// The exit status is
//
//	0      success: no disagreement; equal; empty; true
//	1      a disagreement; different; non-empty; false
//	2      an error
//	3      xcheck run: a translator failed, or a check is undecided
//	130    interrupted
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

func main() {
	if self, err := os.Executable(); err == nil {
		version.Program = self
	}
	name, args := calledAs(os.Args)
	out := io.Writer(os.Stdout)
	if when("auto").wanted(out) {
		out = &screen.Writer{File: os.Stdout}
	}
	os.Exit(int(runAs(name, args, os.Stdin, out, &screen.Writer{File: os.Stderr})))
}

// prepare sets up the process, once, for a command that has work to do: not for help and mistakes.
var prepare = sync.OnceFunc(func() {
	memory.SpareSmallHeaps()
	// Or a reader of our output that ends early (| head) would kill us on the spot,
	// and leave translators running: so it is a write error like any other.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	translators.AdoptOrphans() // this program starts no other children in sessions of their own
})

// app is what the commands work with.
type app struct {
	name  string      // in messages
	files input.Files // that are read
	out   io.Writer
	err   io.Writer
	ctx   context.Context
	line  string          // of a shell, that started the command
	args  []string        // the arguments, in our words
	json  string          // value of --json: "" if not given, "-" for standard output
	file  *wholefile.File // of --json=FILE; nil for run, which has reports instead of answers

	status outcome.ExitStatus // unless there is an error
	limits omega.Limits       // of an answer; the limit of memory is for the command

	closed   <-chan error // tells when the translators of an interrupted run have ended; or nil
	orderly  atomic.Bool  // the command stores or reports what it has done when it is interrupted
	complete bool         // the run has come to its end, and reports say so: a signal comes too late
}

// open opens a file argument, where "-" is standard input.
func (a *app) open(name string) (io.ReadCloser, error) { return a.files.Open(a.ctx, name) }

// openAutomata opens a file of automata, or a column of CSV.
func (a *app) openAutomata(name string) (io.ReadCloser, error) {
	file := configs.NewFile(name, ltl.Spot)
	in, err := a.open(file.Path)
	if err != nil || file.Column == 0 {
		return in, err
	}
	return struct {
		io.Reader
		io.Closer
	}{input.NewColumn(file.Path, in, file.Column), in}, nil
}

// runAs executes one command line, with a name in messages, and returns its exit status.
func runAs(name string, args []string, in io.Reader, out, errw io.Writer) outcome.ExitStatus {
	a := &app{name: name, files: input.Files{Stdin: in, Note: errw}, out: out, err: errw}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a.ctx = history.Noting(ctx, a.note)
	a.line = commandLine(args)
	root := a.root(args)
	var err error
	a.args, err = pasted(root, args) // pflag knows our spellings only
	if err != nil {
		fmt.Fprintf(errw, "%s: %v\n", name, err)
		return outcome.ExitBroken
	}
	ignoreSignals := func() {}
	root.PersistentPreRun = func(c *cobra.Command, _ []string) {
		if c.Name() != "version" {
			prepare()
			ignoreSignals = a.obeySignals(cancel)
		}
	}
	root.SetArgs(a.args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errw)
	err = root.ExecuteContext(ctx)
	defer ignoreSignals()
	if a.closed != nil { // the translators of an interrupted run are about to end
		select {
		case <-a.closed:
		case <-time.After(closing): // some translator does not end
			process.Abandon()
		}
	}
	if a.file != nil {
		err = errors.Join(err, a.file.Close())
	}
	switch {
	case ctx.Err() != nil && !a.complete:
		// Whatever the command made of it.
		if err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintf(errw, "%s: %v\n", name, err)
		}
		fmt.Fprintln(errw, name+": interrupted")
		return outcome.ExitInterrupted
	case err == nil:
		return a.status
	case errors.Is(err, syscall.EPIPE):
		// Whoever reads the output has seen enough.
		return outcome.ExitBroken
	}
	for _, err := range apart(err) {
		fmt.Fprintf(errw, "%s: %v\n", name, err)
	}
	return outcome.ExitBroken
}

// apart returns the errors that errors.Join has joined. Each is printed on a line of its own.
func apart(err error) []error {
	list, ok := err.(interface{ Unwrap() []error })
	if !ok || err.Error() != errors.Join(list.Unwrap()...).Error() { // such as an error from fmt.Errorf
		return []error{err}
	}
	var parts []error
	for _, part := range list.Unwrap() {
		parts = append(parts, apart(part)...)
	}
	return parts
}

// findCommand returns the command that some arguments name.
func findCommand(root *cobra.Command, args []string) (*cobra.Command, error) {
	c, rest, err := root.Find(args)
	if err == nil && len(rest) > 0 {
		err = unknownCommand(c, rest[0])
	}
	return c, err
}

// group is the work of a command that has others below it and does nothing itself.
func group(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(c, args[0])
	}
	return c.Help()
}

// spaced adds to the error of wrong arguments that one of them was meant as the value of a flag such
// as --csv, which can't stand behind a space as it may be missing.
func (a *app) spaced(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err == nil {
			return nil
		}
		// Each argument behind a flag may be its value, if the line is right without it.
		line := a.args
		for i, arg := range line[:len(line)-1] {
			at := slices.Index(args, line[i+1])
			f := c.Flags().Lookup(strings.TrimPrefix(arg, "--"))
			if f == nil || f.NoOptDefVal == "" || f.Value.Type() == "bool" || at < 0 || check(c, slices.Delete(slices.Clone(args), at, at+1)) != nil {
				continue
			}
			why := "to give " + arg + " that value"
			if name, _ := pflag.UnquoteUsage(f); name == "FILE" {
				why = "to write to that file"
			}
			return fmt.Errorf("unexpected argument %q; %s, use %s=%[1]s", line[i+1], why, arg)
		}
		return err
	}
}

// commands are the commands of xcheck. Building one takes about a tenth of a millisecond, as it has
// dozens of flags, so only those are built that a command line names.
var commands = []struct {
	name, short string
	build       func(*app) *cobra.Command
}{
	{"run", "Cross-check translators on formulas", (*app).runCommand},
	{"translate", "Translate formulas into automata", (*app).translateCommand},
	{"random", "Print random formulas or automata", (*app).randomCommand},
	{"patterns", "Print published formulas", (*app).patternsCommand},
	{"eval", "Evaluate a formula on a word", (*app).evalCommand},
	{"accepts", "Test whether an automaton accepts a word", (*app).acceptsCommand},
	{"empty", "Test whether an automaton accepts no word", (*app).emptyCommand},
	{"intersect", "Find a word that two automata accept", (*app).intersectCommand},
	{"compare", "Compare the languages of two automata", (*app).compareCommand},
	{"complement", "Complement an automaton", (*app).complementCommand},
	{"prove", "Prove that an automaton fits a formula", (*app).proveCommand},
	{"verify", "Check a proof", (*app).verifyCommand},
	{"convert", "Convert automata to another format or form", (*app).convertCommand},
	{"lint", "Find syntax errors and false declared properties", (*app).lintCommand},
	{"report", "Show results again, or compare translators", (*app).reportCommand},
	{"grind", "Shrink formulas on which translators fail", (*app).grindCommand},
	{"aut", "Cross-check tools that transform automata", (*app).autCommand},
	{"ltlcross", "Cross-check translators as ltlcross does", (*app).ltlcrossCommand},
	{"autcross", "Cross-check tools as autcross does", (*app).autcrossCommand},
	{"merge", "Merge histories, and the shards of runs", (*app).mergeCommand},
	{"history", "List, compare and prune stored runs", (*app).historyCommand},
	{"version", "Print the version", (*app).versionCommand},
	{"completion", "Print a script that completes command lines", (*app).completionCommand},
	{"man", "Print the manual page of a command", (*app).manCommand},
}

// needed reports whether a command line needs the flags of a command.
func needed(name string, args []string) bool {
	switch {
	case args == nil:
		return true
	case len(args) == 0 || slices.Contains([]string{"--help", "-h", "--help-all", "--version", "-v"}, args[0]):
		return false
	case strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) || args[0] == "man":
		return true // a flag may belong to any command
	}
	return slices.Contains(args, name)
}

// root returns the command xcheck, for the given command line, or with all flags of all commands if
// args is nil.
func (a *app) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "xcheck",
		Short: "Cross-check translators of LTL into ω-automata",
		Long: `xcheck finds bugs in programs that translate LTL into ω-automata: it compares
their automata on many formulas and explains each disagreement.`,
		Example: `  xcheck run                               check the built-in translators
  xcheck run -t 'mytool %f' -n 1000        check your own on random formulas
  genltl --dac | xcheck run -t 'ltl3ba'    check a known one on given formulas
  xcheck eval 'G(a -> Fb)' 'a; cycle{b}'   evaluate a formula on a word
  xcheck compare a.hoa b.hoa               compare two automata`,
		Version:       version.Own(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          group,
	}
	root.Flags().BoolP("version", "v", false, "print the version")
	root.CompletionOptions.DisableDefaultCmd = true // the command completion is our own
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(&cobra.Command{ // cobra's own, but that an unknown command is an error
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",

		ValidArgsFunction: namesOfCommands,
		RunE: func(c *cobra.Command, args []string) error {
			about, err := findCommand(c.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	})
	for _, x := range commands {
		if !needed(x.name, args) { // help lists the name, and nobody reads its flags
			root.AddCommand(&cobra.Command{Use: x.name, Short: x.short, Run: func(*cobra.Command, []string) {}})
			continue
		}
		c := x.build(a)
		c.Short = x.short
		root.AddCommand(c)
		if !slices.Contains([]string{"autcross", "completion", "man"}, x.name) { // they have no JSON
			a.extend(c)
			for _, sub := range c.Commands() {
				a.extend(sub)
			}
		}
	}
	helpPages().Add(root)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeFlags(root, completions())
	}
	return root
}

// extend adds to a command what all commands have.
func (a *app) extend(c *cobra.Command) {
	// Others have limits for each of their answers, or checks.
	if of := strings.Fields(c.CommandPath())[1]; c.Runnable() && slices.Contains([]string{"random", "patterns", "report", "merge", "history"}, of) {
		work := c.RunE
		c.RunE = func(c *cobra.Command, args []string) error {
			return a.each(func() error { return work(c, args) })
		}
		a.bounded(c)
	}
	c.Flags().StringVar(&a.json, "json", "", report.FormatOf("json").Help)
	c.Flags().Lookup("json").NoOptDefVal = "-"
	if c.Args != nil {
		c.Args = a.spaced(c.Args)
	}
	if c.RunE == nil {
		c.RunE = group
	}
	if work := c.RunE; c.Name() != "run" && c.Name() != "aut" && c.Name() != "ltlcross" { // they open --json=FILE themselves
		c.RunE = func(c *cobra.Command, args []string) error {
			if err := a.create(); err != nil {
				return err
			}
			return work(c, args)
		}
	}
}

// sameRequest is the time in which signals are one request to stop: timeout(1) sends its own
// twice, to the command and to its group.
const sameRequest = 50 * time.Millisecond

// obeySignals calls cancel, which ends a.ctx, at the first signal that asks the command to stop,
// until end is called. A second signal ends the process at once, with all that it has started. So does the
// first one where nothing is lost.
func (a *app) obeySignals(cancel context.CancelFunc) (end func()) {
	signals := make(chan os.Signal, 8) // a full channel would lose signals
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ended := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-ended:
			return
		}
		first := time.Now()
		if !a.orderly.Load() { // nothing is lost: the command neither stores nor reports what it has done
			a.abandon(outcome.ExitInterrupted, "interrupted")
		}
		cancel()
		for {
			select {
			case <-ended:
				return
			case <-signals:
				if time.Since(first) > sameRequest {
					a.abandon(outcome.ExitInterrupted, "interrupted")
				}
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
	}
}

// abandon ends the process at once: it kills all commands that run, and removes temporary
// folders.
func (a *app) abandon(s outcome.ExitStatus, message string) {
	process.Abandon()
	// The message is lost if nobody reads standard error.
	printed := make(chan struct{})
	go func() {
		fmt.Fprintf(a.err, "%s: %s\n", a.name, message)
		close(printed)
	}()
	select {
	case <-printed:
	case <-time.After(20 * time.Millisecond):
	}
	os.Exit(int(s))
}

// bound bounds what the command takes from now on: the time of each answer, and memory in all.
func (a *app) bound(limits omega.Limits) {
	// Most of what takes long obeys these limits by itself, and can then say what was found until
	// then. What does not is abandoned, with the process.
	a.limits = limits
	memory.Bound(limits.Memory, 1)
	if limits.Memory > 0 {
		go memory.Watch(a.ctx, limits.Memory, func() {
			a.abandon(outcome.ExitBroken, fmt.Sprintf("memory limit of %s reached, work abandoned; raise --max-memory", memory.Size(limits.Memory)))
		})
	}
}

// bounded adds the flags of limits to a command that has no checks; it obeys them then.
func (a *app) bounded(c *cobra.Command) *cobra.Command {
	s := &settings{flags: c.Flags()}
	s.add(kind{}, "max-memory max-time")
	s.describe("max-memory", "4GiB", "stop when memory exceeds `SIZE`")
	s.describe("max-time", "no limit", "give up an answer after `DURATION`")
	work := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		config := &configs.Config{}
		config.Limits.Check.Memory = 4 << 30
		if err := s.override(config); err != nil {
			return err
		}
		a.bound(config.Limits.OfCheck())
		return work(c, args)
	}
	return c
}

// reader returns a reader of the automata of a file. A quarter of the memory is for the text of
// one.
func (a *app) reader(name string, in io.Reader) *hoa.Reader {
	r := hoa.NewReader(in)
	r.MaxText = a.limits.Memory / 4
	return r
}

// respite is the time after the limit of an answer in which it may end by itself.
const respite = 300 * time.Millisecond

// each calls f, which gives one answer. a.ctx ends with the time that it may take.
func (a *app) each(f func() error) error {
	limit := a.limits.Time
	if limit <= 0 {
		return f()
	}
	// The context ends a moment later, so that a limit of the same length which f has set can end it first.
	before := a.ctx
	ctx, cancel := context.WithTimeout(before, limit+respite/3)
	defer cancel()
	a.ctx = ctx
	defer func() { a.ctx = before }()
	defer a.deadline("").Stop() // for work that does not look at the context
	err := f()
	if errors.Is(err, context.DeadlineExceeded) && before.Err() == nil {
		err = fmt.Errorf("%w reached; raise --max-time", a.timeLimit())
	}
	return err
}

// timeLimit says that an answer has reached its time limit.
func (a *app) timeLimit() error { return &budget.TimeError{Limit: a.limits.Time} }

// outOfTime reports whether the answer has reached its time limit. If it is, err need not be more
// than that.
func (a *app) outOfTime() bool { return errors.Is(a.ctx.Err(), context.DeadlineExceeded) }

// deadline returns a timer that ends the process a moment after the time for an answer.
func (a *app) deadline(doing string) *time.Timer {
	return time.AfterFunc(a.limits.Time+respite, func() {
		a.abandon(outcome.ExitBroken, fmt.Sprintf("time limit of %v reached%s, work abandoned; raise --max-time", a.limits.Time, doing))
	})
}

// clocked is a reader of a command that has a limit of time: from one read to the next, and to
// stop, it may not take longer. How long it waits for what is read does not count.
type clocked struct {
	io.Reader
	app   *app
	name  string
	timer *time.Timer
}

func (c *clocked) Read(p []byte) (int, error) {
	c.stop()
	n, err := c.Reader.Read(p)
	if c.app.limits.Time > 0 {
		c.timer = c.app.deadline(" while reading " + c.name)
	}
	return n, err
}

func (c *clocked) stop() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}
