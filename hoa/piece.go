package hoa

import (
	"bytes"
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Piece is a part of a stream: an automaton, or a line of other text.
type Piece struct {
	Text   []byte
	Format *Format // nil: text that is no automaton
	// Complete is set if the automaton has its own end (--END--, --ABORT--, the closing brace,
	// the last state). It is not set if another automaton or the end of the stream cut it off,
	// or for other text.
	Complete     bool
	Line, Column int // where Text starts in the stream, from 1
}

// Automaton reads the piece. It also returns warnings. Positions in errors and warnings count
// from the start of the stream. For an automaton that ends with --ABORT--, the error is
// ErrAborted; past a limit it is a LimitError; otherwise it is a SyntaxError, or ctx is done.
func (p *Piece) Automaton(ctx context.Context) (*omega.Automaton, []Warning, error) {
	r := &parser{budget: budget.New(ctx), text: p.Text, complete: p.Complete, line: p.Line - 1, col: p.Column - 1}
	a, err := r.piece(p.Format)
	if r.budget.Err() != nil {
		err = r.budget.Err()
	}
	var over *omega.LimitError
	if errors.As(err, &over) {
		at := r.at
		switch {
		case r.ended > 0:
			at = r.ended
		case r.labelAt > 0:
			at = r.labelAt
		}
		line, column := r.place(at)
		err = &LimitError{line, column, over}
	}
	if err != nil {
		return nil, r.warnings, err
	}
	return a, r.warnings, nil
}

// piece reads an automaton in a format. If that is nil, the error says so.
func (p *parser) piece(f *Format) (*omega.Automaton, error) {
	if f != nil {
		return f.input.read(p)
	}
	if p.skip(); bytes.HasPrefix(p.text[p.at:], []byte("/*")) {
		return nil, p.errorAt(p.at, "comment without an end")
	}
	return nil, p.expected("an automaton (" + titles() + ")")
}
