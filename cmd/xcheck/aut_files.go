package main

import (
	"context"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/lines"
	"github.com/xcheck-ltl/xcheck/session"
)

// automataSource gives the automata of a file. What is none, or can't be read, is an
// input that says so, and the next one follows.
func (a *app) automataSource(name string) (session.Inputs, error) {
	s, err := a.stream(name)
	if err != nil {
		return nil, err
	}
	closed := false
	return func(context.Context) (cross.Input, error) {
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
		input.Text, input.Err = lines.Start(string(p.Text)), s.at(p, p.err)
	}
	return input
}
