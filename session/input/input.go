// Package input opens the input files of a command, and reads their formulas and automata one by
// one.
//
// Formulas stand on lines, or in a column of CSV. Each formula and automaton comes with its place.
// An error in one of them does not end the file.
//
// Standard input is a file called "-". A command finds out whether it has inputs before it reads
// them, and does not wait for a silent pipe without a message.
package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Files are the input files of a command.
type Files struct {
	Stdin   io.Reader     // nil is empty
	Note    io.Writer     // for what a user should know; may change
	Instead string        // what to do if nothing is to come on standard input
	Until   time.Time     // when reads end that wait; zero for never
	Regular []os.FileInfo // those that were opened, and are regular files

	stdin *bufio.Reader // Stdin, once it was asked for
	late  <-chan State  // tells of a silent pipe that was given up
}

// Open opens a file, where "-" is standard input. What may keep a reader waiting (standard input, a
// pipe, a terminal) can be interrupted while it does: reads end with ctx.
func (f *Files) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(f.OpenStdin(ctx)), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		f.Regular = append(f.Regular, info)
		return file, nil
	} else if err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("%s: expected a file, found a directory", name)
	}
	return struct {
		io.Reader
		io.Closer
	}{interruptible(f.reading(ctx), file), file}, nil
}

// reading returns the context of reads that may wait: they end with the command, or at the
// time limit for reading.
func (f *Files) reading(ctx context.Context) context.Context {
	if f.Until.IsZero() {
		return ctx
	}
	ctx, cancel := context.WithDeadline(ctx, f.Until)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// interruptible returns a reader of what r has, the reads of which end with the context's error
// when that is done, even if one of r goes on: a read of a file can't be ended in a portable way.
// It starts to read at once, and at most one buffer ahead.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	if r == nil {
		r = strings.NewReader("")
	}
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

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
