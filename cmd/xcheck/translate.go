package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/session/input"
	"github.com/xcheck-ltl/xcheck/translate"
)

func (a *app) translateCommand() *cobra.Command {
	algorithm := translate.Default
	file, syntaxName := "", "spot"
	var form formFlags
	c := &cobra.Command{
		Use: "translate [flags] FORMULA…",
		Long: `Prints an automaton for each formula, in HOA. With -F -, it answers each line of
standard input before it reads the next.

` + formHelp + `

Algorithms:` + described(14, translate.Algorithms(),
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
				if err == nil || a.ctx.Err() != nil || errors.Is(err, syscall.EPIPE) {
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
	file, err := a.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for r := input.NewLines(name, file); ; {
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
