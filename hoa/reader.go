package hoa

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Warning reports a part of the text that was read, but may mean something else.
type Warning struct {
	Line, Column int
	Class        WarningClass
	Text         string
}

// A WarningClass says what a warning is about.
type WarningClass string

const (
	OddHeader   WarningClass = "header"       // it may change the semantics of the automaton
	TwoReadings WarningClass = "two-readings" // Spot reads another automaton than Spin
)

func (w Warning) String() string { return fmt.Sprintf("%d:%d: %s", w.Line, w.Column, w.Text) }

// ErrAborted reports an automaton that ends with --ABORT--: its producer gave up. The stream
// continues after it.
var ErrAborted = errors.New("automaton ended by --ABORT--")

// A LimitError reports an automaton that takes too much memory to read, and where reading
// stopped. It wraps an omega.LimitError.
type LimitError struct {
	Line, Column int
	Err          error
}

func (e *LimitError) Error() string {
	advice := ""
	var limit *omega.LimitError
	if errors.As(e.Err, &limit) && limit.What != "memory" {
		advice = ": reorder the propositions (AP) so that those in the same labels are adjacent"
	}
	return fmt.Sprintf("%d:%d: too large: %v%s", e.Line, e.Column, e.Err, advice)
}

func (e *LimitError) Unwrap() error { return e.Err }

// A MissingStateError reports states without a State: line. The format requires a line for
// each state, so a tool that leaves one out has probably lost its edges too. The position is
// at --END--.
type MissingStateError struct {
	ltl.SyntaxError
	State int // the first one
	Count int
}

// Unwrap returns the SyntaxError.
func (e *MissingStateError) Unwrap() error { return &e.SyntaxError }

// A Reader reads a stream of automata.
type Reader struct {
	// MaxText limits the length in bytes of an automaton, or of a line of other text; 0 means
	// no limit. A longer one ends the stream.
	MaxText int64

	r        io.Reader
	err      error // of r
	pieces   Splitter
	piece    Piece
	warnings []Warning
}

// NewReader returns a Reader of the automata in r.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next returns the next automaton, with an alphabet of its own, and io.EOF after the last one.
// After an ltl.SyntaxError or ErrAborted, the next call continues after the automaton, or line of
// other text, with the error, unless that was too long. Next stops at the end of the automaton; only one call of the
// underlying Read may read further. It fails when ctx is done.
func (r *Reader) Next(ctx context.Context) (*omega.Automaton, error) {
	r.warnings = nil
	for {
		if p, ok := r.pieces.next(); ok {
			a, warnings, err := p.Automaton(ctx)
			r.piece, r.warnings = p, warnings
			return a, err
		}
		switch {
		case r.pieces.closed:
			return nil, io.EOF
		case r.err == io.EOF:
			r.pieces.Close()
		case r.err != nil:
			return nil, r.err
		case r.MaxText > 0 && r.pieces.Held() > r.MaxText:
			err := &ltl.SyntaxError{Line: r.pieces.line + 1, Column: r.pieces.column + 1, Reason: fmt.Sprintf("expected the end of an automaton within %d bytes", r.MaxText)}
			r.pieces = Splitter{closed: true} // nothing more is read
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		default:
			r.err = r.pieces.read(r.r)
		}
	}
}

// Piece returns the part of the stream that Next read last. Its text is valid until the next
// call.
func (r *Reader) Piece() *Piece { return &r.piece }

// Warnings returns the warnings about the automaton that Next returned last.
func (r *Reader) Warnings() []Warning { return r.warnings }

// ReadOne reads a text with exactly one automaton. It fails when ctx is done.
func ReadOne(ctx context.Context, data []byte) (*omega.Automaton, []Warning, error) {
	s := &Splitter{buf: data[:len(data):len(data)], closed: true}
	p, ok := s.next()
	if !ok {
		return nil, nil, &ltl.SyntaxError{Line: 1, Column: 1, Reason: "expected an automaton, found nothing"}
	}
	a, warnings, err := p.Automaton(ctx)
	if err != nil {
		return nil, nil, err
	}
	if p, ok = s.next(); ok && p.Format == nil { // other text, which is an error
		_, _, err = p.Automaton(ctx)
		return nil, nil, err
	} else if ok {
		return nil, nil, &ltl.SyntaxError{Line: p.Line, Column: p.Column, Reason: "expected one automaton, found a second"}
	}
	return a, warnings, nil
}
