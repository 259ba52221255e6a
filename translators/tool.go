package translators

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Tool is a configured translator.
type Tool struct {
	Name    string
	Version string // for reports; "" if it is not known
	Mode    Mode
	Command *Command
	// Syntax is that of formulas on standard input: of Stream, and of Batch if
	// Command has no place for a file.
	Syntax ltl.Syntax
	// Processes is how many are kept alive at most (Stream); 0 stands for as many as
	// the Runner runs at a time.
	Processes int
	// ByFile, if there is one, is used for formulas that can't be on the line of
	// Command, as they are too long. It takes them from a file, in the same
	// syntaxes.
	ByFile *Command
	// Format is what the tool prints: "hoa", "never", or "" if that is to be found
	// out from the output.
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

// An Output is what a Tool made of a formula: an automaton if Status is OK, over
// the propositions of the formula. An automaton that was read but that can't be
// checked (Unsupported) is there as well.
type Output struct {
	Outcome
	Automaton *omega.Automaton
	Oddities  []Oddity
	Size      int64 // of the text that the tool printed, in bytes; 0 after a failure of the process
	// Alone is set if the process had no other formula: then the tool, and not what
	// came before, is what the output shows.
	Alone bool
}

// An Oddity is something about an output that the tool's author would want to know,
// though there may be an automaton that can be checked.
type Oddity struct {
	Class string // "text-before", "text-after", "second-automaton", "header", "unstable", …
	Text  string
}

// Translate runs the tool on f, and reads its output. The error is xcheck's own
// trouble (or that ctx is done); whatever the tool does wrong is in the Output.
func (t *Tool) Translate(ctx context.Context, r *Runner, f *ltl.Formula) (*Output, error) {
	in, original, err := t.input(f)
	if err != nil {
		return &Output{Outcome: Outcome{Status: Skipped, Detail: err.Error()}}, nil
	}
	outcome, err := r.Run(ctx, t.Command, in, t.Limits, t.Env)
	if err == nil && (outcome.Status == TooLong || outcome.Status == Skipped) && t.ByFile != nil {
		outcome, err = r.Run(ctx, t.ByFile, in, t.Limits, t.Env)
	}
	if err != nil {
		return nil, err
	}
	out := &Output{Outcome: outcome, Size: int64(len(outcome.Output)), Alone: true}
	if out.Status == OK {
		out.parse(t.Format)
	}
	if out.Automaton != nil && original != nil {
		out.Automaton = out.Automaton.Renamed(func(p string) string {
			if name, ok := original[p]; ok {
				return name
			}
			return p
		})
	}
	// The text is not needed any more; a run keeps many outputs.
	out.Output = nil
	return out, nil
}

// Alone is Translate by a process that gets no other formula, whatever the mode.
func (t *Tool) Alone(ctx context.Context, r *Runner, f *ltl.Formula) (*Output, error) {
	return t.Translate(ctx, r, f)
}

// input returns the formula in each syntax that the command asks for. Operators
// that the tool or a syntax does not have are rewritten. If a proposition can't
// be written, all are renamed, and original maps the new names to the old ones.
// The error says why the tool can't be given the formula.
func (t *Tool) input(f *ltl.Formula) (in Input, original map[string]string, err error) {
	store := ltl.NewStore()
	f = store.Import(f)
	without := t.Without
	syntaxes := t.Command.Syntaxes()
	for _, syntax := range syntaxes {
		without |= syntax.Missing()
	}
	if f, err = store.Unabbreviate(f, without); err != nil {
		return nil, nil, err
	}
	write := func(f *ltl.Formula) (map[ltl.Syntax]string, error) {
		texts := make(map[ltl.Syntax]string)
		for _, syntax := range syntaxes {
			if texts[syntax], err = f.Format(syntax); err != nil {
				return nil, err
			}
		}
		return texts, nil
	}
	texts, err := write(f)
	if err != nil {
		f, original = store.Relabel(f)
		if texts, err = write(f); err != nil {
			return nil, nil, err
		}
	}
	return func(s ltl.Syntax) (string, error) {
		text, ok := texts[s]
		if !ok {
			return "", fmt.Errorf("internal error: syntax %v was not prepared", s)
		}
		return text, nil
	}, original, nil
}

// parse reads the automaton in a complete output.
func (out *Output) parse(format string) {
	a, warnings, err := hoa.ReadOne(out.Output)
	if never := bytes.HasPrefix(bytes.TrimSpace(out.Output), []byte("never")); err == nil && (format == "hoa" && never || format == "never" && !never) {
		err = fmt.Errorf("the format is not %s", format)
	}
	for _, w := range warnings {
		out.Oddities = append(out.Oddities, Oddity{"header", w.String()})
	}
	switch {
	case errors.Is(err, hoa.ErrAborted):
		out.Status, out.Detail = Aborted, "the translator gave up (--ABORT--)"
	case err != nil:
		out.Status, out.Detail = Syntax, err.Error()
		if line, _, _ := bytes.Cut(bytes.TrimSpace(out.Output), []byte{'\n'}); len(line) > 0 {
			out.Detail += fmt.Sprintf("; the output starts with %q", line[:min(len(line), 60)])
		}
	case a.Alternating() && !a.IsInherentlyWeak():
		out.Automaton = a
		out.Status, out.Detail = Unsupported, omega.ErrNotWeak.Error()
	default:
		out.Automaton = a
	}
}
