package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/witness"
)

// printAutomaton prints an automaton in HOA, or as JSON with the HOA text, its
// sizes, and what else is known.
func (a *app) printAutomaton(x *omega.Automaton, more map[string]any) error {
	if a.json == "" {
		return hoa.Write(a.out, x)
	}
	var text bytes.Buffer
	if err := hoa.Write(&text, x); err != nil {
		return err
	}
	value := map[string]any{"hoa": text.String(), "states": x.NumStates(), "edges": x.NumEdges(),
		"transitions": x.Transitions(), "acc": x.Acceptance().Sets}
	for k, v := range more {
		value[k] = v
	}
	return a.answer("", value)
}

func (a *app) convertCommand() *cobra.Command {
	to := "hoa"
	var form formFlags
	c := &cobra.Command{
		Use:   "convert [--to hoa,never,dot] [--buchi] [--state-based] [--deterministic] [--complete] FILE",
		Short: "Print the automaton in another format or form",
		Long: `Reads automata in any format (HOA, never claims, LBTT, ltl2dstar's; found out from
the first token) and prints them in HOA, as never claims of Spin (Büchi acceptance only: see
--buchi), or as graphs for Graphviz.

` + formHelp + `
What is read may have any acceptance condition, and be alternating if it is weak.`,
		Example: `  spin -f '[]<>p' | xcheck convert -
  xcheck translate GFa | xcheck convert --to dot - | dot -Tsvg > a.svg
  xcheck convert --buchi --to never automaton.hoa
  xcheck convert --deterministic --state-based automaton.hoa`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			write, ok := map[string]func(io.Writer, *omega.Automaton) error{
				"hoa": hoa.Write, "never": hoa.WriteNever, "dot": hoa.WriteDot,
			}[to]
			if !ok {
				return fmt.Errorf("unknown format %q: expected hoa, never or dot", to)
			}
			return a.automata(args[0], func(x *omega.Automaton) error {
				x, err := a.form(x, &form)
				if err != nil {
					return err
				}
				if a.json == "" {
					return write(a.out, x)
				}
				var text bytes.Buffer
				if err := write(&text, x); err != nil {
					return err
				}
				return a.answer("", map[string]any{"format": to, "text": text.String()})
			})
		},
	}
	c.Flags().StringVar(&to, "to", to, "hoa, never or dot")
	form.add(c)
	return c
}

// lintFinding is the JSON of lint.
type lintFinding struct {
	File      string `json:"file"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	Automaton int    `json:"automaton"` // counted from 1
	Class     string `json:"class"`     // syntax, header, property, undecided
	Text      string `json:"text"`
}

func (f lintFinding) text() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s: %s", f.File, f.Line, f.Column, f.Class, f.Text)
	}
	return fmt.Sprintf("%s: automaton %d: %s: %s", f.File, f.Automaton, f.Class, f.Text)
}

func (a *app) lintCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lint FILE",
		Short: "Syntax errors and false declared properties of automata",
		Long: `Prints one finding a line: syntax errors (the rest of the file is not read then),
headers that are not understood, and declared properties that the automaton does
not have. Status 1 if there is any. Of the property "tight" a search with limits
decides; past these the finding is "undecided", status 2.`,
		Example: `  xcheck lint automata.hoa`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := a.open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			return a.lint(args[0], hoa.NewReader(file))
		},
	}
}

func (a *app) lint(name string, r *hoa.Reader) error {
	var all verdicts
	found := func(f lintFinding) error {
		all.add(false)
		f.File = name
		return a.answer(f.text(), f)
	}
	for n := 1; ; n++ {
		x, err := r.Next()
		var syntax *hoa.SyntaxError
		switch {
		case err == io.EOF && n == 1:
			return fmt.Errorf("%s: no automaton in it", name)
		case err == io.EOF:
			return all.err()
		case errors.As(err, &syntax):
			f := lintFinding{Line: syntax.Line, Column: syntax.Column, Automaton: n, Class: "syntax", Text: syntax.Text}
			return errors.Join(found(f), all.err())
		case errors.Is(err, hoa.ErrAborted):
			if err := found(lintFinding{Automaton: n, Class: "syntax", Text: err.Error()}); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		for _, w := range r.Warnings() {
			if err := found(lintFinding{Line: w.Line, Column: w.Column, Automaton: n, Class: w.Class, Text: w.Text}); err != nil {
				return err
			}
		}
		for _, p := range x.FalseProperties() {
			if err := found(lintFinding{Automaton: n, Class: "property", Text: p}); err != nil {
				return err
			}
		}
		lie, undecided, err := witness.CheckDeclared(a.ctx, x)
		switch {
		case err != nil:
			return err
		case undecided != nil:
			all.undecided()
			f := lintFinding{File: name, Automaton: n, Class: "undecided", Text: "declared tight: " + undecided.Error()}
			err = a.answer(f.text(), f)
		case lie != "":
			err = found(lintFinding{Automaton: n, Class: "property", Text: lie})
		}
		if err != nil {
			return err
		}
	}
}
