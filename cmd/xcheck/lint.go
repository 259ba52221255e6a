package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// lintFinding is the JSON of lint.
type lintFinding struct {
	File      string `json:"file"`             // name of the file
	Line      int    `json:"line,omitempty"`   // line, from 1
	Column    int    `json:"column,omitempty"` // column, from 1
	Automaton int    `json:"automaton"`        // number of the automaton in the file, from 1
	// "syntax", "missing-state", "header", "two-readings", "property" or "undecided"
	Class    string   `json:"class"`
	Property string   `json:"property,omitempty"` // the property that is false or undecided
	Text     string   `json:"text"`               // what is wrong, and what shows it
	Words    []string `json:"words,omitempty"`    // the words that the text names
}

func (f lintFinding) text() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s: %s", f.File, f.Line, f.Column, f.Class, f.Text)
	}
	return fmt.Sprintf("%s: automaton %d: %s: %s", f.File, f.Automaton, f.Class, f.Text)
}

// lintProperties is the JSON of lint --properties, of an automaton.
type lintProperties struct {
	File       string   `json:"file"`       // name of the file
	Automaton  int      `json:"automaton"`  // number of the automaton in the file, from 1
	Properties []string `json:"properties"` // properties that the automaton has
	// properties that could not be decided, with the limit
	Undecided []string `json:"undecided,omitempty"`
}

func (l lintProperties) text() string {
	lines := []string{strings.Join(append([]string{"properties:"}, l.Properties...), " ")}
	for _, u := range l.Undecided {
		lines = append(lines, "undecided: "+u)
	}
	return strings.Join(lines, "\n")
}

func (a *app) lintCommand() *cobra.Command {
	var flags checkFlags
	all := false
	c := &cobra.Command{
		Use: "lint [flags] FILE",
		Long: `Prints one finding per line, with its place: syntax errors, unknown headers, and
false declared properties. Prints nothing if all is well. A property that hits a limit is "undecided" (exit status 2).

With --properties, it prints the true properties of each automaton instead.`,
		Example: `  xcheck lint automata.hoa
  xcheck lint --properties automaton.hoa
  mytool 'GFa' | xcheck lint --json -`,
		Args: arguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := flags.decider(a)
			if err != nil {
				return err
			}
			l := &linter{app: a, decider: d, name: args[0], all: all}
			return a.parts(args[0], l.part)
		},
	}
	c.Flags().BoolVar(&all, "properties", false, "print the properties of each automaton")
	flags.add(c, limitFlags)
	return c
}

// linter is a run of lint.
type linter struct {
	*app
	decider *productcheck.Decider
	name    string // of the file
	file    string // of the part, by #line
	all     bool   // print all properties
	n       int    // of the automaton
}

// part prints the findings on a part of the file.
func (l *linter) part(p *input.Part) error {
	l.n, l.file = p.Number, cmp.Or(p.Piece.File, l.name)
	var missing *hoa.MissingStateError
	var syntax *ltl.SyntaxError
	switch {
	case p.Err == nil:
		return l.automaton(p.Automaton, p.Warnings)
	case errors.As(p.Err, &missing):
		return l.found(lintFinding{Line: missing.Line, Column: missing.Column, Class: "missing-state", Text: missing.Reason})
	case errors.As(p.Err, &syntax):
		return l.found(lintFinding{Line: syntax.Line, Column: syntax.Column, Class: "syntax", Text: syntax.Reason})
	}
	return l.found(lintFinding{Line: p.Line, Column: p.Column, Class: "syntax", Text: p.Err.Error()})
}

// found prints a finding. What is undecided is no answer, and all else a bad one.
func (l *linter) found(f lintFinding) error {
	if f.Class == "undecided" {
		l.undecided()
	} else {
		l.answered(false)
	}
	f.File, f.Automaton = l.file, l.n
	return l.answer(f.text(), f)
}

func (l *linter) automaton(x *omega.Automaton, warnings []hoa.Warning) error {
	for _, w := range warnings {
		if err := l.found(lintFinding{Line: w.Line, Column: w.Column, Class: string(w.Class), Text: w.Text}); err != nil {
			return err
		}
	}
	if l.all {
		return l.list(x)
	}
	answers, err := (&properties.Checker{Decider: l.decider}).CheckDeclared(l.ctx, x)
	late := l.outOfTime() // the answers so far are printed
	if err != nil && !late {
		return err
	}
	// From the first to the last in the text.
	slices.SortStableFunc(answers, func(a, b *properties.Answer) int {
		p, q := a.Place(x), b.Place(x)
		return slices.Compare([]int{p.Line, p.Column}, []int{q.Line, q.Column})
	})
	for _, answer := range answers {
		at := answer.Place(x)
		f := lintFinding{Line: at.Line, Column: at.Column, Class: "property", Property: answer.Property}
		if answer.Undecided != nil {
			f.Class, f.Text = "undecided", "declared "+answer.Property+": "+answer.Undecided.Error()
		} else {
			f.Text = answer.Message()
			for _, w := range answer.Words {
				f.Words = append(f.Words, w.String())
			}
		}
		if err := l.found(f); err != nil {
			return err
		}
	}
	if late {
		return l.found(lintFinding{Class: "undecided", Text: "other declared properties: " + l.timeLimit().Error()})
	}
	return nil
}

// list prints the properties that an automaton has.
func (l *linter) list(x *omega.Automaton) error {
	list := lintProperties{File: l.file, Automaton: l.n, Properties: []string{}}
	// Several properties share what is known of the language.
	c := &properties.Checker{Decider: l.decider, Language: productcheck.NewLanguage(x)}
	for _, name := range properties.Names() {
		if !written(name, x.Written) || name == "semi-deterministic" && slices.Contains(list.Properties, "deterministic") {
			continue
		}
		answer, err := c.Decide(l.ctx, x, name)
		if l.outOfTime() {
			answer, err = &properties.Answer{Undecided: l.timeLimit()}, nil
		}
		switch {
		case err != nil:
			return err
		case answer.Undecided != nil:
			l.undecided()
			list.Undecided = append(list.Undecided, name+": "+answer.Undecided.Error())
		case answer.Holds:
			list.Properties = append(list.Properties, name)
		}
	}
	return l.answer(list.text(), list)
}

// written reports whether a property of the text is about something that is in the text: that
// there are only labels of a kind is not worth saying where there are none.
func written(name string, w omega.Written) bool {
	switch name {
	case "state-labels":
		return w.StateLabels > 0
	case "implicit-labels":
		return w.ImplicitLabels > 0
	case "state-acc", "trans-acc":
		return name == "trans-acc" == (w.EdgeMarks > 0)
	}
	return true
}
