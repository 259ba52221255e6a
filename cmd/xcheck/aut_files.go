package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
)

// automataSource gives the automata of a file. What is none, or can't be read, is an
// input that says so, and the next one follows.
func (a *app) automataSource(name string) (inputs, error) {
	in, err := a.open(name)
	if err != nil {
		return nil, err
	}
	var splitter hoa.Splitter
	buf := make([]byte, 64<<10)
	var broken error // of a read
	return func() (cross.Input, error) {
		for {
			piece, ok := splitter.Next()
			if ok {
				return given(name, &piece), nil
			}
			switch {
			case broken == io.EOF:
				return cross.Input{}, io.EOF
			case broken != nil:
				err := broken
				broken = io.EOF
				return cross.Input{Source: name, Err: fmt.Errorf("%s: %w", name, err)}, nil
			}
			if most := a.limits.Memory / 4; most > 0 && splitter.Held() > most {
				broken = io.EOF
				in.Close()
				return cross.Input{Source: name, Err: fmt.Errorf("%s: a text of more than %d bytes without the end of an automaton", name, most)}, nil
			}
			var n int
			n, broken = in.Read(buf)
			splitter.Feed(buf[:n])
			if broken != nil {
				splitter.Close()
				in.Close()
			}
		}
	}, nil
}

// given makes an input of a part of a file.
func given(name string, p *hoa.Piece) cross.Input {
	x, _, err := p.Automaton()
	if err == nil {
		return cross.Input{Automaton: x, Source: fmt.Sprintf("%s:%d", name, p.Line)}
	}
	var syntax *hoa.SyntaxError
	if errors.As(err, &syntax) {
		err = fmt.Errorf("%s:%w", name, err)
	} else {
		err = fmt.Errorf("%s:%d: %w", name, p.Line, err)
	}
	return cross.Input{Source: fmt.Sprintf("%s:%d", name, p.Line), Text: start(string(p.Text)), Err: err}
}

// failures collects the ways in which tools fail or are wrong.
type failures struct {
	list  []*failing
	known map[string]*failing // by failure
}

// failing is a way in which tools fail, with the smallest automaton that shows it.
type failing struct {
	cross.Failure
	first *cross.Case
}

// mostGround is how many ways to fail are ground: a tool may fail in ever new ones.
const mostGround = 50

// add takes the failures of a case.
func (l *failures) add(c *cross.Case) {
	size := func(c *cross.Case) int { return c.Automaton.States + c.Automaton.Edges }
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
func writeGround(w io.Writer, from *failing, g *cross.GroundAutomaton) error {
	var b strings.Builder
	start := from.first.Automaton
	fmt.Fprintf(&b, "%s: %s", strings.Join(from.Translators, ", "), from.Class)
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
	fmt.Fprintf(&b, " (%sground from %s, %d states and %d edges)", how, start.Source, start.States, start.Edges)
	// A text may end the comment.
	if _, err := fmt.Fprintf(w, "\n/* %s */\n", strings.ReplaceAll(b.String(), "*/", "* /")); err != nil {
		return err
	}
	return hoa.Write(w, g.Automaton)
}
