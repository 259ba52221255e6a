package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
)

// printAutomaton prints an automaton in HOA, or as JSON with the HOA text, its
// sizes, and what the answer has already.
func (a *app) printAutomaton(x *omega.Automaton, answer automatonAnswer) error {
	if a.json == "" {
		return hoa.Write(a.ctx, a.out, x)
	}
	var text bytes.Buffer
	if err := hoa.Write(a.ctx, &text, x); err != nil {
		return err
	}
	answer.HOA, answer.States, answer.Edges = text.String(), x.NumStates(), x.NumEdges()
	answer.Transitions, answer.Sets = x.Transitions(), x.Acceptance().Sets
	return a.answer("", answer)
}

// formatsWith returns the names of the formats that fit.
func formatsWith(fits func(*hoa.Format) bool) []string {
	list := slices.DeleteFunc(hoa.Formats(), func(f *hoa.Format) bool { return !fits(f) })
	return cli.Names(list, func(f *hoa.Format) string { return f.Name })
}

// writableNames are the formats that writer knows.
func writableNames() []string { return formatsWith(func(f *hoa.Format) bool { return f.Write != nil }) }

func formatNames() string { return listed(writableNames(), "or") }

// listed returns "a, b or c".
func listed(names []string, last string) string {
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

type automatonWriter = func(context.Context, io.Writer, *omega.Automaton) error

// writer returns what writes automata in a format.
func (a *app) writer(format string) (automatonWriter, error) {
	for _, f := range hoa.Formats() {
		if f.Name == format && f.Write != nil {
			return f.Write, nil
		}
	}
	return nil, fmt.Errorf("unknown format %q%s", format, spelling.Of(format, writableNames()))
}

// printIn prints an automaton in a format of writer, or in HOA with its sizes if write is nil.
func (a *app) printIn(format string, write automatonWriter, x *omega.Automaton, answer automatonAnswer) error {
	if write == nil {
		return a.printAutomaton(x, answer)
	}
	var text bytes.Buffer // all of it or nothing: others follow
	if err := write(a.ctx, &text, x); err != nil {
		return err
	}
	if a.json == "" {
		_, err := text.WriteTo(a.out)
		return err
	}
	return a.answer("", formatAnswer{format, text.String()})
}

func (a *app) convertCommand() *cobra.Command {
	to := "hoa"
	var form formFlags
	c := &cobra.Command{
		Use: "convert [flags] FILE",
		Long: `Reads automata in any known format (` + strings.Join(formatsWith((*hoa.Format).Readable), ", ") + `), and prints them
in another format or form.

` + formHelp,
		Example: `  xcheck convert --to never automaton.hoa
  spin -f '[]<>p' | xcheck convert -
  xcheck convert --deterministic --complete automaton.hoa
  xcheck translate GFa | xcheck convert --to dot - | dot -Tsvg > a.svg`,
		Args: arguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			write, err := a.writer(to)
			if err != nil {
				return err
			}
			return a.automata(args[0], func(x *omega.Automaton) error {
				x, err := a.form(x, &form)
				if err != nil {
					return err
				}
				return a.printIn(to, write, x, automatonAnswer{})
			})
		},
	}
	c.Flags().StringVar(&to, "to", to, "print `FORMAT`: "+formatNames())
	form.add(c)
	return a.bounded(c)
}

// formFlags are the flags of the form that automata are printed in.
type formFlags struct{ complement.Form }

// formHelp explains them to those who ask for help.
const formHelp = `The flags --buchi, --state-based, --deterministic and --complete combine, except --buchi
with --deterministic: some automata have no equivalent that is both.`

func (f *formFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.Buchi, "buchi", false, "use Büchi acceptance")
	c.Flags().BoolVar(&f.StateBased, "state-based", false, "put marks on states instead of edges")
	c.Flags().BoolVar(&f.Deterministic, "deterministic", false, "make it deterministic, with parity acceptance")
	c.Flags().BoolVar(&f.Complete, "complete", false, "add missing edges to a rejecting sink")
	c.PreRunE = func(*cobra.Command, []string) error { return f.Check() }
}

// form brings an automaton to the form that is asked for.
func (a *app) form(x *omega.Automaton, f *formFlags) (*omega.Automaton, error) {
	return f.Apply(a.ctx, x, omega.Limits{Memory: 256 << 20}) // and as much again for the automaton
}

func (a *app) translateCommand() *cobra.Command {
	algorithm := translate.Default
	file, syntaxName := "", "spot"
	var form formFlags
	c := &cobra.Command{
		Use: "translate [flags] FORMULA…",
		Long: `Prints an automaton for each formula, in HOA. With -F -, it answers each line of
standard input before it reads the next.

` + formHelp + `

Algorithms:` + cli.Described(14, translate.Algorithms(),
			func(x translate.Algorithm) (string, string) { return x.Name, x.Description }),
		Example: `  xcheck translate 'G(a -> Fb)'
  xcheck translate --buchi --state-based 'GFa & GFb'
  xcheck translate --deterministic --complete 'FGa'
  xcheck random -n 5 | xcheck translate --algorithm gpvw -F -`,
		RunE: func(_ *cobra.Command, args []string) error {
			syntax, err := ltl.ParseSyntax(syntaxName)
			if err != nil {
				return err
			}
			if _, err := translate.ParseAlgorithm(algorithm); err != nil {
				return err
			}
			if len(args) == 0 && file == "" {
				return errors.New("no formula: add one as an argument, or use -F FILE")
			}
			for _, text := range args {
				if err := a.each(func() error { return a.translate(algorithm, text, syntax, &form, formulaError) }); err != nil {
					return err
				}
			}
			if file == "" {
				return nil
			}
			return a.lines(file, func(where, line string) error {
				located := func(err error) error { return input.Excerpted(input.Located(where, err), err) }
				err := a.each(func() error { return a.translate(algorithm, line, syntax, &form, located) })
				if err == nil || a.ctx.Err() != nil || errors.Is(err, syscall.EPIPE) { // these errors end the command
					return err
				}
				if errors.As(err, new(*budget.TimeError)) {
					err = fmt.Errorf("%s: %s: %w", where, line, err)
				}
				a.note(err.Error()) // the others can be translated
				a.status = outcome.ExitBroken
				return nil
			})
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", algorithm, "translate with the algorithm `NAME`")
	c.Flags().StringVarP(&file, "file", "F", "", "translate each line of `FILE` (-: standard input)")
	c.Flags().StringVar(&syntaxName, "syntax", syntaxName, syntaxHelp)
	form.add(c)
	return a.bounded(c)
}

// translate prints the automaton of a formula. Wrong adds to an error which formula it is.
func (a *app) translate(algorithm, text string, syntax ltl.Syntax, form *formFlags, wrong func(error) error) error {
	store := ltl.NewStore()
	f, err := store.Parse(text, syntax)
	if err != nil {
		return wrong(err)
	}
	x, err := translate.With(a.ctx, algorithm, store, f)
	if err == nil {
		x, err = a.form(x, form)
	}
	if err != nil {
		return wrong(err)
	}
	return a.printAutomaton(x, automatonAnswer{Formula: f.String(), Algorithm: string(algorithm)})
}

// lines calls f for each line of a file that is neither empty nor a comment, as
// soon as it has been read.
func (a *app) lines(name string, f func(where, line string) error) error {
	formulas := configs.NewFile(name, ltl.Spot)
	file, err := a.open(formulas.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	var r input.Reader = input.NewLines(name, file)
	if formulas.Column != 0 {
		r = input.NewColumn(formulas.Path, file, formulas.Column)
	}
	for {
		where, text, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(where, text)
		}
		if err != nil {
			return err
		}
	}
}

// formulaError shows where a formula of the command line is wrong.
func formulaError(err error) error {
	return input.Excerpted(fmt.Errorf("formula: %w", err), err)
}
