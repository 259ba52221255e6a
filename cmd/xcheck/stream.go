package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A part of a stream of automata is an automaton, or says why none could be read.
type part struct {
	*hoa.Piece
	number    int // in the stream, from 1
	automaton *omega.Automaton
	warnings  []hoa.Warning
	err       error // without the name of the file
}

// A stream reads automata from a file. All commands that read automata use it.
type stream struct {
	name   string
	in     *clocked
	reader *hoa.Reader
	close  func() error
	parts  int
}

// stream opens a file of automata.
func (a *app) stream(name string) (*stream, error) {
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	in := &clocked{Reader: file, app: a, name: name}
	return &stream{name: name, in: in, reader: a.reader(in), close: file.Close}, nil
}

// next returns the next part, and io.EOF at the end. Any other error means that the file
// can't be read any further.
func (s *stream) next() (*part, error) {
	x, err := s.reader.Next()
	s.in.stop()
	if err != nil && !hasPlace(err) && !errors.Is(err, hoa.ErrAborted) {
		if err != io.EOF {
			err = s.at(nil, err)
		}
		return nil, err
	}
	s.parts++
	return &part{Piece: s.reader.Piece(), number: s.parts, automaton: x, warnings: s.reader.Warnings(), err: err}, nil
}

// at adds to an error the file and the place of a part, unless it has a place itself.
func (s *stream) at(p *part, err error) error {
	switch {
	case hasPlace(err):
		return fmt.Errorf("%s:%w", s.name, err)
	case p == nil:
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return fmt.Errorf("%s:%d:%d: %w", s.name, p.Line, p.Column, err)
}

// hasPlace reports whether an error is about one automaton and says where it is.
func hasPlace(err error) bool {
	var syntax *hoa.SyntaxError
	var limit *hoa.LimitError
	return errors.As(err, &syntax) || errors.As(err, &limit)
}

// parts calls f for each part of a file. An error of f is about that part: it is printed
// with the place, and f is called for the next one. Then parts returns status 2 in the
// end. Of successive lines that are no automaton, only the first is printed.
func (a *app) parts(name string, f func(*part) error) error {
	s, err := a.stream(name)
	if err != nil {
		return err
	}
	defer s.close()
	var all verdicts
	text := false // the part before was a line that is no automaton
	for {
		p, err := s.next()
		switch {
		case err == io.EOF && s.parts == 0:
			return fmt.Errorf("%s: contains no automaton", name)
		case err == io.EOF:
			return all.err()
		case err != nil:
			return err
		}
		err = a.each(func() error { return f(p) })
		switch {
		case a.ends(err):
			return err
		case err != nil && !(text && p.Format == nil):
			fmt.Fprintf(a.err, "xcheck: %v\n", s.at(p, err))
		}
		if err != nil {
			all.undecided()
		}
		text = p.Format == nil
	}
}

// ends reports whether an error is about the command and not about one automaton: an
// interruption, or output that can't be written.
func (a *app) ends(err error) bool {
	var system syscall.Errno
	return err != nil && (a.ctx.Err() != nil || errors.As(err, &system))
}

// automata calls f for each automaton of a file. What can't be read, and what f can't do,
// is printed, and the next automaton follows: see parts.
func (a *app) automata(name string, f func(*omega.Automaton) error) error {
	return a.parts(name, func(p *part) error {
		a.warn(name, p)
		if p.err != nil {
			return p.err
		}
		return f(p.automaton)
	})
}

// warn prints what was odd about a part of a file.
func (a *app) warn(name string, p *part) {
	for _, w := range p.warnings {
		fmt.Fprintf(a.err, "xcheck: %s:%v\n", name, w)
	}
}

// collect returns the automata of a file, nil where one can't be read. Other text between
// them counts for nothing. The error is a status if all of the file was read.
func (a *app) collect(name string) (list []*omega.Automaton, err error) {
	err = a.parts(name, func(p *part) error {
		a.warn(name, p)
		if p.Format != nil {
			list = append(list, p.automaton)
		}
		return p.err
	})
	return list, err
}

// pairs calls f for each automaton of one file with that of the other file in the same
// place. Pairs of which one can't be read are left out; then the status is 2.
func (a *app) pairs(left, right string, f func(x, y *omega.Automaton) error) error {
	if left == "-" && right == "-" {
		return errors.New("cannot read both automata from standard input")
	}
	var trouble status
	first, err := a.collect(left)
	if err != nil && !errors.As(err, &trouble) {
		return err
	}
	second, err := a.collect(right)
	if err != nil && !errors.As(err, &trouble) {
		return err
	}
	if len(first) != len(second) {
		return fmt.Errorf("cannot pair automata: %q has %d, but %q has %d", left, len(first), right, len(second))
	}
	for i, x := range first {
		y := second[i]
		if x == nil || y == nil {
			continue
		}
		err := a.each(func() error { return f(x, y) })
		if a.ends(err) {
			return err
		}
		if err != nil {
			fmt.Fprintf(a.err, "xcheck: pair %d of %s and %s: %v\n", i+1, left, right, err)
			trouble = statusTrouble
		}
	}
	return trouble.err()
}
