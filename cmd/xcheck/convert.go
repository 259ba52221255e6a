package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
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

// writableNames are the formats that writer knows.
func writableNames() (names []string) {
	for _, f := range hoa.Formats() {
		if f.Write != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

func formatNames() string { return listed(writableNames(), "or") }

// readableNames are the formats that automata are read in.
func readableNames() (names []string) {
	for _, f := range hoa.Formats() {
		if f.Readable() {
			names = append(names, f.Name)
		}
	}
	return names
}

// listed returns "a, b or c".
func listed(names []string, last string) string {
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

type automatonWriter = func(context.Context, io.Writer, *omega.Automaton) error

// writer returns what writes automata in a format.
func (a *app) writer(format string) (automatonWriter, error) {
	if format == "ba" {
		return a.writeBA, nil
	}
	for _, f := range hoa.Formats() {
		if f.Name == format && f.Write != nil {
			return f.Write, nil
		}
	}
	return nil, fmt.Errorf("unknown format %q%s", format, spelling.Of(format, writableNames()))
}

func (a *app) printAs(format string, write automatonWriter, x *omega.Automaton) error {
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
		Long: `Reads automata in any known format (` + strings.Join(readableNames(), ", ") + `), and prints them
in another format or form.

` + formHelp + `

` + baHelp,
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
				return a.printAs(to, write, x)
			})
		},
	}
	c.Flags().StringVar(&to, "to", to, "print `FORMAT`: "+formatNames())
	form.add(c)
	return a.bounded(a.readsBA(c))
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
	limits := productcheck.DefaultLimits
	return f.Apply(a.ctx, x, limits.Macrostates, limits.Memory/2)
}
