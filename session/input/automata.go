package input

import (
	"errors"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Part of a file of automata is an automaton, or says why none could be read.
type Part struct {
	*hoa.Piece
	Number    int // in the file, from 1
	Automaton *omega.Automaton
	Warnings  []hoa.Warning
	Err       error // without the name of the file
}

// Automata reads automata from a file.
type Automata struct {
	Name   string
	Parts  int // that were read
	reader *hoa.Reader
}

// NewAutomata returns the automata of a file with a name.
func NewAutomata(name string, r *hoa.Reader) *Automata { return &Automata{Name: name, reader: r} }

// Next returns the next part, and io.EOF at the end. Any other error means that the file
// can't be read any further.
func (s *Automata) Next() (*Part, error) {
	x, err := s.reader.Next()
	if err != nil && !hasPlace(err) && !errors.Is(err, hoa.ErrAborted) {
		if err != io.EOF {
			err = s.At(nil, err)
		}
		return nil, err
	}
	s.Parts++
	return &Part{Piece: s.reader.Piece(), Number: s.Parts, Automaton: x, Warnings: s.reader.Warnings(), Err: err}, nil
}

// At adds to an error the file and the place of a part, unless it has a place itself.
func (s *Automata) At(p *Part, err error) error {
	switch {
	case err == nil:
		return nil
	case hasPlace(err):
		return fmt.Errorf("%s:%w", s.Name, err)
	case p == nil:
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return fmt.Errorf("%s:%d:%d: %w", s.Name, p.Line, p.Column, err)
}

// hasPlace reports whether an error is about one automaton and says where it is.
func hasPlace(err error) bool {
	var syntax *hoa.SyntaxError
	var limit *hoa.LimitError
	return errors.As(err, &syntax) || errors.As(err, &limit)
}
