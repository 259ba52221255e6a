package translators

import (
	"context"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Tool is a configured translator.
type Tool struct {
	Name    string
	Version string // for reports; "" if it is not known
	Origin  string // who asks for it: "nightly.toml:12", "-t 'mytool %f'"; "" if nobody does
	Mode    Mode
	Command *Command
	// Syntax is that of formulas on standard input: of Stream, and of Batch if
	// Command has no place for a file.
	Syntax ltl.Syntax
	// Relabel gives the tool p0, p1, … instead of the formula's propositions, even
	// where it could have these. Its automata have the formula's own all the same.
	Relabel bool
	// Processes is how many are kept alive at most (Stream), or have a batch at a time
	// (Batch); 0 stands for as many as the Runner has cores.
	Processes int
	// ByFile, if there is one, is used for formulas that can't be on the line of
	// Command, as they are too long (Spawn). It takes them from a file, in the same
	// syntaxes.
	ByFile *Command
	// Format is what the tool prints: the name of one of hoa's formats, or "" if that
	// is to be found out from the output.
	Format string
	Limits Limits
	Env    []string // "KEY=value", added to the environment
	// CleanEnv gives the tool nothing of our own environment but PATH, HOME and LANG.
	CleanEnv bool
	// Without are operators that the translator can't take. Formulas are
	// rewritten without them, and skipped where that is impossible.
	Without ltl.OpSet
	// Reference automata are the first choice for what others are compared with.
	Reference bool
}

// Translate runs the tool on f, and reads its output. The error is xcheck's own
// trouble (or that ctx is done); whatever the tool does wrong is in the Output.
func (t *Tool) Translate(ctx context.Context, r *Runner, f *ltl.Formula) (*Output, error) {
	return t.TranslateWithin(ctx, r, f, 0)
}

// TranslateWithin is Translate with a shorter timeout; 0 stands for the tool's own. A tool that
// answers in batches has its own all the same.
func (t *Tool) TranslateWithin(ctx context.Context, r *Runner, f *ltl.Formula, timeout time.Duration) (*Output, error) {
	q, err := t.question(f)
	if err != nil {
		return skipped(err), nil
	}
	q.timeout = timeout
	return t.ask(ctx, r, q)
}

func (t *Tool) ask(ctx context.Context, r *Runner, q *question) (*Output, error) {
	switch t.Mode {
	case Stream:
		return r.pool(t).translate(ctx, q)
	case Batch:
		return r.queue(t).translate(ctx, q)
	}
	return t.alone(ctx, r, q)
}

// Alone is Translate by a process that gets no other formula, whatever the mode.
func (t *Tool) Alone(ctx context.Context, r *Runner, f *ltl.Formula) (*Output, error) {
	return t.AloneWithin(ctx, r, f, 0)
}

// AloneWithin is Alone with a shorter timeout; 0 stands for the tool's own.
func (t *Tool) AloneWithin(ctx context.Context, r *Runner, f *ltl.Formula, timeout time.Duration) (*Output, error) {
	q, err := t.question(f)
	if err != nil {
		return skipped(err), nil
	}
	q.timeout = timeout
	return t.alone(ctx, r, q)
}

func skipped(err error) *Output {
	return &Output{Outcome: Outcome{Status: Skipped, Detail: err.Error()}, Alone: true}
}

// alone starts a process for one formula.
func (t *Tool) alone(ctx context.Context, r *Runner, q *question) (*Output, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	defer r.leave()
	return t.spawn(ctx, r, q)
}

// spawn is alone for one who has a core.
func (t *Tool) spawn(ctx context.Context, r *Runner, q *question) (*Output, error) {
	defer r.cores.Begin(t.Name, q.String)()
	c, err := t.call(q.in)
	if err != nil {
		return nil, err
	}
	c.limits = q.bound(c.limits)
	o, err := r.run(ctx, c)
	if err == nil && (o.Status == TooLong || o.Status == Skipped) && t.ByFile != nil {
		c.command = t.ByFile
		o, err = r.run(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	out := &Output{Outcome: o, Alone: true}
	if out.Status == OK {
		out.read(ctx, split(o.Output, 2), q, t.Format) // a second one is one too many
	}
	return out, nil
}

// call returns a call with what in gives: a formula or an automaton, or many of them.
func (t *Tool) call(in input) (call, error) {
	c := call{command: t.Command, in: in, limits: t.Limits, env: t.Env, clean: t.CleanEnv}
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
