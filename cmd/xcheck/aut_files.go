package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// automataSource gives the automata of a file. What is none, or can't be read, is an
// input that says so, and the next one follows.
func (a *app) automataSource(name string) (inputs, error) {
	s, err := a.stream(name)
	if err != nil {
		return nil, err
	}
	closed := false
	return func() (cross.Input, error) {
		if closed {
			return cross.Input{}, io.EOF
		}
		p, err := s.next()
		if err == nil {
			return given(s, p), nil
		}
		closed = true
		s.close()
		if err == io.EOF {
			return cross.Input{}, io.EOF
		}
		return cross.Input{Source: name, Err: err}, nil
	}, nil
}

// given makes an input of a part of a file.
func given(s *stream, p *part) cross.Input {
	input := cross.Input{Automaton: p.automaton, Source: fmt.Sprintf("%s:%d", s.name, p.Line)}
	if p.err != nil {
		input.Text, input.Err = start(string(p.Text)), s.at(p, p.err)
	}
	return input
}

// failures collects the ways in which tools fail or are wrong.
type failures struct {
	list  []*failing
	known map[string]*failing // by failure
}

// failing is a way in which tools fail, with the smallest automaton that shows it.
type failing struct {
	outcome.Failure
	first *outcome.Case
}

// mostGround is how many ways to fail are ground: a tool may fail in ever new ones.
const mostGround = 50

// add takes the failures of a case.
func (l *failures) add(c *outcome.Case) {
	size := func(c *outcome.Case) int { return c.Automaton.States + c.Automaton.Edges }
	for _, f := range c.Failures() {
		key := fmt.Sprintf("%s %q", f.Class, f.Translators)
		if x := l.known[key]; x != nil {
			if size(c) < size(x.first) {
				x.first = c // it takes fewer steps from there
			}
		} else if len(l.list) < mostGround {
			l.known[key] = &failing{f, c}
			l.list = append(l.list, l.known[key])
		}
	}
}

// writeGround writes what was ground, with a comment that says what it shows.
func writeGround(ctx context.Context, w io.Writer, from *failing, g *cross.GroundAutomaton) error {
	var b strings.Builder
	start := from.first.Automaton
	fmt.Fprintf(&b, "%s: %s", strings.Join(from.Translators, ", "), report.ClassName(from.Class))
	how := "interrupted while it was "
	if g.Case != nil {
		how = ""
		for _, d := range g.Case.Disagreements {
			if d.Kind == from.Class {
				fmt.Fprintf(&b, " word %s", d.Word)
				break
			}
		}
	}
	fmt.Fprintf(&b, " (%sshrunk from %s, %d states and %d edges)", how, start.Source, start.States, start.Edges)
	// A text may end the comment.
	if _, err := fmt.Fprintf(w, "\n/* %s */\n", strings.ReplaceAll(b.String(), "*/", "* /")); err != nil {
		return err
	}
	return hoa.Write(ctx, w, g.Automaton)
}
