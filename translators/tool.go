// Package translators runs external programs that translate LTL formulas into ω-automata.
//
// A [Tool] is a program and how to call it. A [Runner] runs it within limits:
//
//	command, err := translators.ParseCommand("ltl2ba -f %s", translators.Spawn)
//	tool := &translators.Tool{Name: "ltl2ba", Command: command}
//	runner, err := translators.NewRunner(4, "")
//	out, err := tool.Translate(ctx, runner, formula, 0)
//
// A translator may hang, ignore signals, start other processes, print without end, or crash. The
// Runner confines all of that to the [Output] for one formula.
//
// # Processes
//
//   - A command runs in its own session and process group, without a terminal. A simple command
//     runs without a shell.
//   - At the timeout, the group gets SIGTERM, and SIGKILL soon after. The Runner samples memory and
//     CPU time, and kills processes that exceed the limit. The kernel limits address space and open
//     files, and writes no core dumps.
//   - Output beyond the limit is dropped, and the command is killed.
//   - When a command ends, its whole group is killed before the command is reaped. A child left in
//     the background can't survive or hold the output open.
//   - Files, TMPDIR included, are in a private folder that is removed at the end.
//   - If xcheck itself is killed, a guard process ends the commands and removes the files.
//
// On Linux, processes can't escape by leaving the group or the session if the program calls
// [AdoptOrphans] first. It then inherits and kills descendants whose parents have ended. It
// recognizes them by their session, by an inherited resource limit, or by an environment variable.
// A process that has shed all three survives until the commands end that ran when it was found.
//
// Without AdoptOrphans, and on other systems, a process that leaves the group survives. On other
// systems, there are no limits on memory and CPU time.
//
// # Modes
//
// Starting a program takes longer than most translations. So a Tool can be kept alive ([Stream]).
// A formula can then suffer from earlier ones: after one automaton too many, every answer belongs to
// the wrong formula. So xcheck repeats every suspicious answer in a fresh process. If the fresh
// process behaves, its output counts, and the tool gets the note "unstable".
//
// # Automata as input
//
// A tool can also take an automaton and print another one. Make its command with
// [ParseAutomatonCommand], and call [Tool.Transform] instead of [Tool.Translate].
//
// # Cores
//
// The cores of a Runner bound how many commands compute at the same time. Checks take the same
// cores and go first.
package translators

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Tool is a configured translator.
type Tool struct {
	Name    string
	Version string // for reports; "" if it is not known
	// VersionFlag makes the program print its version. If it is "", the flag of a known program
	// applies.
	VersionFlag string
	Origin      string // who asks for it: "nightly.toml:12", "-t 'mytool %f'"; "" if nobody does
	Mode        Mode
	Command     *Command
	// Builtin, if set, is the tool, within this process. Command then says how a user runs it. It reads a
	// formula in Spot's syntax, or an automaton in HOA, and writes an automaton in HOA. It must return soon
	// after ctx is done, and obey the limit of memory that ctx carries (see budget.WithMemory).
	Builtin func(ctx context.Context, in string, out io.Writer) error
	// Syntax is the syntax of formulas on standard input, where Command has no placeholder.
	Syntax ltl.Syntax
	// Relabel gives the tool the propositions p0, p1, … instead of the formula's own. The
	// automata still have the formula's own.
	Relabel bool
	// Words are words of the tool's grammar. If it is not nil, propositions are called p0, p1, … as
	// soon as the name of one is such a word, or does not look like goOn_2.
	Words []string
	// Started, if set, is called when a command of Spawn starts, with the line of Outcome.Ran.
	Started func(ran string)
	// Sparse gives the tool the fewest parentheses that the syntax needs, not one around each operand.
	Sparse bool
	// Processes limits the number of live processes (Stream). 0 means the number of cores of the
	// Runner.
	Processes int
	// Format is the name of the format of hoa that the tool prints, or "" to recognize it from
	// the output.
	Format string
	// WithState gives an automaton that the tool prints without states one; see the function.
	WithState bool
	Limits    Limits
	Env       []string // "KEY=value", added to the environment
	// CleanEnv removes all of xcheck's own environment except PATH, HOME and LANG.
	CleanEnv bool
	// Without are operators that the translator does not support. Formulas are rewritten
	// without them, or skipped if that is impossible.
	Without ltl.OpSet
	// Options are groups of options, of which each formula gets others: see Draw. Drawn are the
	// options that Command has of them.
	Options []OptionGroup
	Drawn   []string
	// Reference makes the automata of this tool the first choice to compare others with.
	Reference bool

	single bool // With has replaced the groups of options, and each formula gets a process of its own
}

// A Mode says how a tool gets its formulas.
type Mode uint8

const (
	// Spawn starts the tool once for each formula.
	Spawn Mode = iota
	// Stream keeps the tool alive. It gets formulas on standard input, one per line, and
	// answers each with an automaton.
	Stream
	// Batch is Spawn, but a tool whose command has no placeholder reads the formula on standard
	// input.
	Batch
)

var modeNames = []string{"spawn", "stream", "batch"}

// String returns the name that configurations use.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Modes returns all modes.
func Modes() []Mode { return []Mode{Spawn, Stream, Batch} }

// Limits limit a call. Zero means the default, or no limit if there is no default.
type Limits struct {
	Timeout time.Duration // from the start to the end, or from a question to its answer
	CPU     time.Duration // of all its processes together
	// MaxOutput limits standard output, or the file of %O, in bytes.
	MaxOutput int64
	// Memory limits the resident memory of all processes together, in bytes. AddressSpace
	// limits the mapped memory of each process.
	Memory, AddressSpace int64
	OpenFiles            int // of each process
}

// Defaults of Limits.
const (
	DefaultTimeout   = 60 * time.Second
	DefaultMaxOutput = 64 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Timeout <= 0 {
		l.Timeout = DefaultTimeout
	}
	if l.MaxOutput <= 0 {
		l.MaxOutput = DefaultMaxOutput
	}
	l.MaxOutput = min(l.MaxOutput, math.MaxInt/2)
	return l
}

// Translate runs the tool on f, and reads its output. A timeout shorter than the tool's own limits
// the call; 0 means none. The error is xcheck's own, or ctx is done; what the tool does wrong is in
// the Output.
func (t *Tool) Translate(ctx context.Context, r *Runner, f *ltl.Formula, timeout time.Duration) (*Output, error) {
	q, err := t.question(ctx, f, timeout)
	return t.ask(ctx, r, q, err)
}

// ask gives the tool a question, unless it can't be given that, as unfit says.
func (t *Tool) ask(ctx context.Context, r *Runner, q *question, unfit error) (*Output, error) {
	// A built-in tool keeps nothing from one formula to the next. Where options are drawn, processes for all
	// their combinations would be too many.
	if unfit == nil && t.Builtin == nil && t.Mode == Stream && !t.single {
		return r.pool(t).translate(ctx, q)
	}
	return t.alone(ctx, r, q, unfit)
}

// Alone is Translate with a process that gets no other formula, in any mode.
func (t *Tool) Alone(ctx context.Context, r *Runner, f *ltl.Formula, timeout time.Duration) (*Output, error) {
	q, err := t.question(ctx, f, timeout)
	return t.alone(ctx, r, q, err)
}

// alone is ask with a process for one formula.
func (t *Tool) alone(ctx context.Context, r *Runner, q *question, unfit error) (*Output, error) {
	if unfit != nil {
		return &Output{Outcome: Outcome{Status: outcome.Skipped, Detail: unfit.Error()}, Alone: true}, ctx.Err()
	}
	if t.Builtin != nil {
		return t.builtin(ctx, r, q)
	}
	if err := r.host.Enter(ctx); err != nil {
		return nil, err
	}
	defer r.host.Leave()
	return t.spawn(ctx, r, q)
}

// spawn is alone for one who has a core.
func (t *Tool) spawn(ctx context.Context, r *Runner, q *question) (*Output, error) {
	defer r.Cores().Begin(t.Name, q.String)()
	c, err := t.call(q.in)
	if err != nil {
		return nil, err
	}
	c.limits = q.bound(c.limits)
	o, err := r.run(ctx, c)
	if err != nil {
		return nil, err
	}
	out := &Output{Outcome: o, Alone: true}
	if out.Status == outcome.OK {
		out.read(ctx, split(o.Output, 2), q, t) // a second one is one too many
	}
	return out, nil
}

// call returns a call with what in gives: a formula or an automaton.
func (t *Tool) call(in input) (call, error) {
	c := call{command: t.Command, in: in, limits: t.Limits, env: t.Env, clean: t.CleanEnv, started: t.Started}
	if len(t.Command.inputs()) > 0 {
		return c, nil
	}
	text, err := in(t.onStdin())
	c.stdin = text + "\n"
	return c, err
}

// inputs returns the placeholders, in lower case, that say how the tool takes formulas,
// or automata.
func (t *Tool) inputs() []byte {
	if list := t.Command.inputs(); len(list) > 0 {
		return list
	}
	return []byte{t.onStdin()}
}

// onStdin is the placeholder that would stand for what is on standard input.
func (t *Tool) onStdin() byte {
	if t.Command.automata {
		return 'h'
	}
	return placeholderOf[t.Syntax]
}
