package hoa

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Splitter cuts a stream of bytes into pieces. It returns an automaton as soon as its last
// byte has been fed. The zero value is ready to use.
//
// An automaton starts at the beginning of a line, or directly after a complete automaton, with
// one of
//
//   - HOA:
//   - never and a brace
//   - the two numbers of LBTT, followed by the end of the line or the first state
//   - DRA or DSA, and a version
//
// HOA: and never may also follow other text, such as a prompt, if the rest is unambiguous. Two
// numbers without a state after them are other text.
//
// White space, C comments and byte-order marks between pieces are skipped, and #line directives say
// where the next line is. Any other line is a piece of its own. The start of another automaton ends one that is not complete, so the
// Splitter recovers after a crash of the producer. These rules avoid false starts:
//
//   - Strings and comments in an automaton may quote anything. Only a start of the same format
//     counts there. So a string cut off by a crash does not hide the rest of the stream.
//   - A comment between automata ends only with its own end, because it may contain automata.
//   - In LBTT and DSTAR, a line of two numbers is ambiguous. Only LBTT headers with s or t end an
//     automaton.
//
// The Splitter examines each byte a bounded number of times, however the stream is cut. It
// keeps one piece and the bytes fed after it.
type Splitter struct {
	buf    []byte
	start  int  // the part of buf before is done with
	at     int  // how far the rest was looked at, from start
	closed bool // no more comes

	position        // of start
	file     string // of the last #line directive

	// Of the piece that begins at start:
	begun   bool
	format  *Format
	nesting // between pieces, too

	// What looks for the end of the last automaton, and its format.
	scanner scanner
	scans   *Format

	look look // the last one
}

// nesting says which comments and strings the text is in.
type nesting struct {
	comment int  // how deep comments are nested
	slashes bool // in a comment that ends with the line
	quoted  bool // in a string
}

// Split returns the pieces of a complete stream. Their texts are parts of data.
func Split(data []byte) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		s := &Splitter{buf: data[:len(data):len(data)], closed: true}
		for p, ok := s.next(); ok && yield(p); p, ok = s.next() {
		}
	}
}

// Feed adds a copy of data to the stream.
func (s *Splitter) Feed(data []byte) {
	s.buf = append(grow.By(s.room(len(data)), len(data)), data...)
}

// room drops what was passed over, if that moves no more bytes than it drops, and a large buffer that is done
// with. What it returns may still be too short for n more bytes.
func (s *Splitter) room(n int) []byte {
	switch {
	case s.start == len(s.buf) && cap(s.buf) > 1<<20:
		s.buf, s.start, s.look = nil, 0, look{} // what a large piece needed; look refers to it, too
	case s.start >= len(s.buf)-s.start && (s.start == len(s.buf) || n > cap(s.buf)-len(s.buf)):
		s.buf = s.buf[:copy(s.buf, s.buf[s.start:])]
		s.start = 0
	}
	return s.buf
}

// read adds what one call of r's Read brings.
func (s *Splitter) read(r io.Reader) error {
	const chunk = 1 << 16
	s.buf = grow.By(s.room(chunk), chunk)
	n, err := r.Read(s.buf[len(s.buf) : len(s.buf)+chunk])
	s.buf = s.buf[:len(s.buf)+n]
	return err
}

// Close marks the end of the stream. The rest is returned as incomplete pieces.
func (s *Splitter) Close() { s.closed = true }

// Pending reports whether bytes other than white space were fed but not returned. (Next skips
// comments between pieces.)
func (s *Splitter) Pending() bool {
	return slices.ContainsFunc(s.buf[s.start:], func(b byte) bool { return !space[b] })
}

// Held returns the number of bytes that were fed but not returned.
func (s *Splitter) Held() int64 { return int64(len(s.buf) - s.start) }

// Next returns the next piece, if all of it has been fed. Its text has memory of its own.
func (s *Splitter) Next() (p Piece, ok bool) {
	p, ok = s.next()
	p.Text = bytes.Clone(p.Text)
	return p, ok
}

// next is Next, but the text is valid only until more is fed.
func (s *Splitter) next() (p Piece, ok bool) {
	if !s.begun && !s.begin() {
		return Piece{}, false
	}
	text := s.buf[s.start:]
	var found answer
	if s.format == nil {
		found = s.scanLine(text)
	} else {
		found = s.scanner.scan(s, text)
	}
	if found == wait {
		if !s.closed {
			return Piece{}, false
		}
		s.at = len(text)
	}
	p = Piece{Text: text[:s.at:s.at], Format: s.format, Complete: found == yes && s.format != nil, Line: s.line + 1, Column: s.column + 1, File: s.file}
	if found == other || p.Format == nil {
		p.Text, p.Format = bytes.TrimRight(p.Text, blanks), nil
	}
	s.pass(s.at)
	s.begun, s.format, s.nesting = false, nil, nesting{}
	return p, true
}

// pass is done with the first n bytes.
func (s *Splitter) pass(n int) {
	s.goOver(s.buf[s.start : s.start+n])
	s.start += n
	s.at = 0
}

const (
	blanks        = " \t\r\n\f\v"
	digits        = "0123456789"
	byteOrderMark = "\uFEFF"
)

// space has the bytes of white space; letters has the bytes of a name.
var space, letters [256]bool

func init() {
	for _, b := range []byte(blanks) {
		space[b] = true
	}
	for b := range 256 {
		letters[b] = wordByte(byte(b)) && b != '-'
	}
}

// begin goes over what is between pieces, and reports whether one begins there.
func (s *Splitter) begin() bool {
	for {
		text := s.buf[s.start:]
		if s.comment > 0 {
			if !s.overComment(text) {
				s.begun = s.closed // a comment without an end
				return s.begun
			}
			s.pass(s.at)
			continue
		}
		n := 0
		for n < len(text) && space[text[n]] {
			n++
		}
		s.pass(n)
		text = text[n:]
		switch {
		case len(text) == 0:
			return false
		case bytes.HasPrefix(text, []byte(byteOrderMark)):
			if s.pass(len(byteOrderMark)); s.line == 0 && s.column == 1 {
				s.column = 0 // at the start of the stream it is not seen
			}
			continue
		case bytes.HasPrefix(text, []byte("/*")):
			s.comment, s.at = 1, 2
			continue
		case bytes.HasPrefix(text, []byte("//")) && s.scans != nil && s.scans.Name == "dstar": // after its last edge; it has no end
			n := bytes.IndexByte(text, '\n')
			if n < 0 && !s.closed && len(text) < farthest {
				return false
			}
			if n >= 0 {
				s.pass(n)
				continue
			}
		case !s.closed && (text[0] == '/' && len(text) == 1 || len(text) < len(byteOrderMark) && bytes.HasPrefix([]byte(byteOrderMark), text)):
			return false // a comment or a byte-order mark may begin here
		case text[0] == '#':
			switch n, line, file, known := lineDirective(text); {
			case !known && !s.closed:
				return false
			case n > 0:
				s.pass(n)
				s.line, s.file = line-2, file // the number is that of the next line
				continue
			}
		}
		if len(starting[text[0]]) > 0 {
			l := s.ahead(text)
			if s.format = l.opening(false); l.short {
				s.format = nil
				return false
			}
		}
		switch s.begun = true; s.format {
		case nil:
		case s.scans: // the last automaton's format: its scanner serves again
			s.scanner.reset()
		default:
			s.scanner, s.scans = s.format.input.scan(), s.format
		}
		return true
	}
}

// lineDirective returns the directive that the text starts with, #line 3 "file", and its length. That
// is 0 if there is none, and not known if the text is too short.
func lineDirective(text []byte) (n, line int, name string, known bool) {
	const longest = 1 << 13 // bytes
	text = text[:min(len(text), longest)]
	end := bytes.IndexByte(text, '\n')
	directive, file, quoted := bytes.Cut(text[:max(end, 0)], []byte(` "`))
	switch {
	case end < 0:
		return 0, 0, "", len(text) == longest || !bytes.HasPrefix(text, []byte("#line ")[:min(len(text), 6)])
	case !bytes.HasPrefix(directive, []byte("#line ")) || !quoted || !bytes.Contains(file, []byte{'"'}):
		return 0, 0, "", true
	}
	line, err := strconv.Atoi(string(bytes.TrimSpace(directive[6:])))
	if err != nil || line < 0 {
		return 0, 0, "", true
	}
	file = file[:bytes.IndexByte(file, '"')]
	return len(directive) + 3 + len(file), line, string(file), true
}

// scanLine finds the end of a line that belongs to no automaton, or the start of an
// automaton on it. A comment without an end takes all.
func (s *Splitter) scanLine(text []byte) answer {
	if s.comment > 0 {
		return wait
	}
	i := bytes.IndexByte(text[s.at:], '\n')
	if i < 0 && !s.closed {
		s.at = len(text)
		return wait
	}
	if s.at += i; i < 0 { // then the line ends with the stream
		s.at = len(text)
	}
	switch at, short := s.behind(text[:s.at], text); {
	case short:
		return wait
	case at > 0:
		s.at = at
	}
	return yes
}

// A Piece is a part of a stream: an automaton, or a line of other text.
type Piece struct {
	Text   []byte
	Format *Format // nil: text that is no automaton
	// Complete is set if the automaton has its own end (--END--, --ABORT--, the closing brace,
	// the last state). It is not set if another automaton or the end of the stream cut it off,
	// or for other text.
	Complete     bool
	Line, Column int    // where Text starts in the stream, from 1, or by #line
	File         string // that #line names, or ""
}

// Automaton reads the piece. It also returns warnings. Positions in errors and warnings count
// from the start of the stream. For an automaton that ends with --ABORT--, the error is
// ErrAborted; past a limit it is a LimitError; otherwise it is an ltl.SyntaxError, or ctx is done.
func (p *Piece) Automaton(ctx context.Context) (*omega.Automaton, []Warning, error) {
	r := &parser{budget: budget.New(ctx), text: p.Text, complete: p.Complete, start: position{p.Line - 1, p.Column - 1}}
	a, err := r.piece(p.Format)
	if r.budget.Err() != nil { // the reader fails where the budget makes it stop
		err = r.budget.Err()
	}
	var over *omega.LimitError
	if errors.As(err, &over) {
		at := r.at
		switch {
		case r.ended > 0:
			at = r.ended // the reader has skipped the rest of the text
		case r.labelAt > 0:
			at = r.labelAt // the letters of a label may exceed the limit after its text was read
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
