package session

import (
	"context"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/session/input"
)

// AutomataFile returns the automata that a reader has, of a file with a name, which is closed after
// the last. What is no automaton, or can't be read, is an input that says so, and the next one
// follows.
func AutomataFile(name string, file io.Closer, r *hoa.Reader) Inputs {
	s, closed := input.NewAutomata(name, r), false
	return func(context.Context) (cross.Input, error) {
		if closed {
			return cross.Input{}, io.EOF
		}
		p, err := s.Next()
		if err == nil {
			in := cross.Input{Automaton: p.Automaton, Source: fmt.Sprintf("%s:%d", name, p.Line)}
			if p.Err != nil {
				in.Text, in.Err = input.Start(string(p.Text)), s.At(p, p.Err)
			}
			return in, nil
		}
		closed = true
		file.Close()
		if err == io.EOF {
			return cross.Input{}, io.EOF
		}
		return cross.Input{Source: name, Err: err}, nil
	}
}
