package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/session/input"
)

// A stream reads automata from a file. All commands that read automata use it.
type stream struct {
	*input.Automata
	in    *clocked
	close func() error
}

// stream opens a file of automata.
func (a *app) stream(name string) (*stream, error) {
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	in := &clocked{Reader: file, app: a, name: name}
	return &stream{input.NewAutomata(name, a.reader(name, in)), in, file.Close}, nil
}

// Next returns the next part, within the time limit.
func (s *stream) Next() (*input.Part, error) {
	defer s.in.stop()
	return s.Automata.Next()
}

// parts calls f for each part of a file. An error of f is about that part: it is printed
// with the place, and f is called for the next one. Then parts returns status 2 in the
// end. Of successive lines that are no automaton, only the first is printed.
func (a *app) parts(name string, f func(*input.Part) error) error {
	s, err := a.stream(name)
	if err != nil {
		return err
	}
	defer s.close()
	text := false // the part before was a line that is no automaton
	for {
		p, err := s.Next()
		switch {
		case err == io.EOF && s.Parts == 0:
			return fmt.Errorf("%s: contains no automaton", name)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		err = a.each(func() error { return f(p) })
		switch {
		case a.ends(err):
			return err
		case err != nil && !(text && p.Format == nil):
			fmt.Fprintf(a.err, "xcheck: %v\n", s.At(p, err))
		}
		if err != nil {
			a.undecided()
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
	return a.parts(name, func(p *input.Part) error {
		a.warn(name, p)
		if p.Err != nil {
			return p.Err
		}
		return f(p.Automaton)
	})
}

// warn prints what was odd about a part of a file.
func (a *app) warn(name string, p *input.Part) {
	for _, w := range p.Warnings {
		fmt.Fprintf(a.err, "xcheck: %s:%v\n", name, w)
	}
}

// collect returns the automata of a file, nil where one can't be read. Other text between
// them counts for nothing. The error is a status if all of the file was read.
func (a *app) collect(name string) (list []*omega.Automaton, err error) {
	err = a.parts(name, func(p *input.Part) error {
		a.warn(name, p)
		if p.Format != nil {
			list = append(list, p.Automaton)
		}
		return p.Err
	})
	return list, err
}

// pairs calls f for each automaton of one file with the automaton of the other file in the same
// place. It leaves out a pair if one of them can't be read; then the status is 2.
func (a *app) pairs(left, right string, f func(x, y *omega.Automaton) error) error {
	if left == "-" && right == "-" {
		return errors.New("cannot read both automata from standard input")
	}
	first, err := a.collect(left)
	if err != nil {
		return err
	}
	second, err := a.collect(right)
	if err != nil {
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
		err := a.each(func() (err error) {
			if x, y, err = a.paired(x, y); err != nil {
				return err
			}
			return f(x, y)
		})
		if a.ends(err) {
			return err
		}
		if err != nil {
			fmt.Fprintf(a.err, "xcheck: pair %d of %s and %s: %v\n", i+1, left, right, err)
			a.undecided()
		}
	}
	return nil
}
