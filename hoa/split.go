package hoa

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Format is a text format that can be read.
type Format uint8

const (
	Unknown    Format = iota // text that is no automaton
	HOA                      // the Hanoi Omega-Automata format
	NeverClaim               // a never claim of Promela
	LBTT                     // what LBT and lbtt's translators write
	DSTAR                    // what ltl2dstar writes
)

func (f Format) String() string {
	return [...]string{"", "hoa", "never", "lbtt", "dstar"}[f]
}

// A Piece is a part of a stream: an automaton, or a line of other text.
type Piece struct {
	Text   []byte
	Format Format // Unknown: text that is no automaton
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
	r := &parser{budget: budget.New(ctx), text: p.Text, line: p.Line - 1, col: p.Column - 1}
	var a *omega.Automaton
	var err error
	switch p.Format {
	case HOA:
		a, err = r.hoa()
		if err != nil && p.Complete && bytes.HasSuffix(p.Text, []byte(abortToken)) {
			err = ErrAborted // wherever it stands
		}
	case NeverClaim:
		r.flat = true
		a, err = r.never()
	case LBTT:
		r.plain = true
		a, err = r.lbtt()
	case DSTAR:
		r.plain = true
		a, err = r.dstar()
	default:
		if r.skip(); bytes.HasPrefix(r.text[r.at:], []byte("/*")) {
			err = r.errorAt(r.at, "comment without an end")
		} else {
			err = r.expected("an automaton (HOA, never claim, LBTT or DSTAR)")
		}
	}
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
// White space, C comments and byte-order marks between pieces are skipped. Any other line is a
// piece of its own. The start of another automaton ends one that is not complete, so the
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

	line, column int // of start, from 0

	// Of the piece that begins at start:
	begun   bool
	format  Format
	comment int  // nesting of comments; between pieces too
	slashes bool // in a comment that ends with the line
	quoted  bool // in a string
	named   bool // in an identifier of HOA, in which --END-- means nothing
	braces  int
	lbtt    lbttScan
	dstar   dstarScan
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

// room returns the buffer, with space for n more bytes if that needs no copy of
// much more than was passed over since the last one.
func (s *Splitter) room(n int) []byte {
	switch {
	case s.start == len(s.buf) && cap(s.buf) > 1<<20:
		s.buf, s.start = nil, 0 // what a large piece needed
	case s.start >= len(s.buf)-s.start && (s.start == len(s.buf) || n > cap(s.buf)-len(s.buf)):
		s.buf = s.buf[:copy(s.buf, s.buf[s.start:])]
		s.start = 0
	}
	return s.buf
}

// read adds what one call of r's Read brings.
func (s *Splitter) read(r io.Reader) error {
	const most = 1 << 16
	s.buf = grow.By(s.room(most), most)
	n, err := r.Read(s.buf[len(s.buf) : len(s.buf)+most])
	s.buf = s.buf[:len(s.buf)+n]
	return err
}

// Close marks the end of the stream. The rest is returned as incomplete pieces.
func (s *Splitter) Close() { s.closed = true }

// Pending reports whether bytes other than white space were fed but not returned. (Next skips
// comments between pieces.)
func (s *Splitter) Pending() bool {
	for _, b := range s.buf[s.start:] {
		if !space[b] {
			return true
		}
	}
	return false
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
	switch s.format {
	case HOA:
		found = s.scanHOA(text)
	case NeverClaim:
		found = s.scanNever(text)
	case LBTT:
		found = s.scanLBTT(text)
	case DSTAR:
		found = s.scanDSTAR(text)
	default:
		found = s.scanLine(text)
	}
	if found == wait {
		if !s.closed {
			return Piece{}, false
		}
		s.at = len(text)
	}
	if s.format == LBTT && !s.lbtt.begun && (found == no || found == wait && !s.lbtt.numbered) {
		s.format = Unknown // just two numbers
	}
	p = Piece{Text: text[:s.at:s.at], Format: s.format, Complete: found == yes && s.format != Unknown, Line: s.line + 1, Column: s.column + 1}
	if p.Format == Unknown {
		p.Text = bytes.TrimRight(p.Text, blanks)
	}
	s.pass(s.at)
	s.begun, s.format, s.comment, s.slashes, s.quoted, s.named, s.braces = false, Unknown, 0, false, false, false, 0
	s.lbtt, s.dstar = lbttScan{}, dstarScan{}
	return p, true
}

// pass is done with the first n bytes.
func (s *Splitter) pass(n int) {
	text := s.buf[s.start : s.start+n]
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		s.line += bytes.Count(text, []byte{'\n'})
		s.column = 0
		text = text[i+1:]
	}
	s.column += utf8.RuneCount(text)
	s.start += n
	s.at = 0
}

// An answer says what a scan found in the bytes that are there.
type answer uint8

const (
	wait answer = iota // more bytes are needed to know
	yes                // the end of the piece, at s.at
	no                 // the start of another, at s.at
)

const (
	blanks = " \t\r\n\f\v"
	mark   = "\uFEFF" // byte-order mark
)

// space are the bytes of white space; letters, those of a name.
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
			if !s.goOver(text, true) {
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
		case bytes.HasPrefix(text, []byte(mark)):
			if s.pass(len(mark)); s.line == 0 && s.column == 1 {
				s.column = 0 // at the start of the stream it is not seen
			}
			continue
		case bytes.HasPrefix(text, []byte("/*")):
			s.comment, s.at = 1, 2
			continue
		case !s.closed && (text[0] == '/' && len(text) == 1 || len(text) < len(mark) && bytes.HasPrefix([]byte(mark), text)):
			return false
		}
		l := look{text: text, closed: s.closed}
		format := l.opening(false)
		if l.short {
			return false
		}
		s.begun, s.format = true, format
		return true
	}
}

// goOver goes over the rest of a comment, and reports whether its end is there.
func (s *Splitter) goOver(text []byte, nests bool) bool {
	for ; s.at+1 < len(text); s.at++ {
		switch {
		case text[s.at] == '*' && text[s.at+1] == '/':
			s.at++
			if s.comment--; s.comment == 0 {
				s.at++
				return true
			}
		case nests && text[s.at] == '/' && text[s.at+1] == '*':
			s.at++
			s.comment++
		}
	}
	return false
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
	if s.at += i; i < 0 {
		s.at = len(text)
	}
	switch at, short := behind(text[:s.at], text, s.closed); {
	case short:
		return wait
	case at > 0:
		s.at = at
	}
	return yes
}

// special are the bytes at which something may begin or end that matters: strings,
// comments, the end of an automaton, or the start of another. There are few of
// them in the body of an automaton in HOA.
var hoaSpecial, neverSpecial [256]bool

func init() {
	for _, b := range []byte(`"\/*-HDn`) {
		hoaSpecial[b] = true
	}
	for _, b := range []byte("\"\\/*\n{}HDn") {
		neverSpecial[b] = true
	}
}

// The tokens of HOA with dashes.
const (
	bodyToken  = "--BODY--"
	endToken   = "--END--"
	abortToken = "--ABORT--"
)

// dashed returns the token with dashes that the text starts with, or "". It is not known
// if the text is too short.
func dashed(text []byte) (token string, known bool) {
	for _, token := range []string{bodyToken, endToken, abortToken} {
		if bytes.HasPrefix(text, []byte(token)) {
			return token, true
		}
		if bytes.HasPrefix([]byte(token), text) {
			return "", false
		}
	}
	return "", true
}

func (s *Splitter) scanHOA(text []byte) answer {
	for {
		for s.at < len(text) && (s.named && wordByte(text[s.at]) || !s.named && !hoaSpecial[text[s.at]]) {
			s.at++
		}
		if s.at == len(text) {
			return wait
		}
		if s.named {
			s.named = false
			continue
		}
		switch b := text[s.at]; {
		case b == 'H' || b == 'D' || b == 'n':
			if a := s.opens(text); a != yes {
				return a
			}
		case s.quoted || s.comment > 0 || b != '-':
			if !s.inside(text, true) {
				return wait
			}
			continue
		case inIdentifier(text[:s.at]):
			s.named = true
			continue
		default:
			token, known := dashed(text[s.at:])
			if !known {
				return wait
			}
			s.at += max(1, len(token))
			if token == endToken || token == abortToken {
				return yes
			}
			continue
		}
		s.at++
	}
}

// inIdentifier reports whether a dash behind the text belongs to an identifier, or to the
// name of an alias, that the text ends with: foo--END-- is one, 0--END-- is a number and
// the end.
func inIdentifier(text []byte) bool {
	i := len(text)
	for i > 0 && isLetter(text[i-1]) {
		i--
	}
	if i > 0 && text[i-1] == '@' {
		return true
	}
	return len(bytes.TrimLeft(text[i:], "0123456789")) > 0
}

func (s *Splitter) scanNever(text []byte) answer {
	for {
		for s.at < len(text) && !neverSpecial[text[s.at]] {
			s.at++
		}
		if s.at == len(text) {
			return wait
		}
		switch b := text[s.at]; {
		case b == '\n':
			s.slashes = false
		case s.slashes:
		case b == 'H' || b == 'D' || b == 'n':
			if a := s.opens(text); a != yes {
				return a
			}
		case s.quoted || s.comment > 0 || b != '{' && b != '}':
			if !s.inside(text, false) {
				return wait
			}
			continue
		case b == '{':
			s.braces++
		default:
			if s.braces--; s.braces <= 0 {
				s.at++
				return yes
			}
		}
		s.at++
	}
}

// inside goes over a byte that may begin or end a string or a comment; it reports
// whether the bytes for that are there.
func (s *Splitter) inside(text []byte, nests bool) bool {
	var next byte
	if s.at+1 < len(text) {
		next = text[s.at+1]
	}
	b := text[s.at]
	pair := s.quoted && b == '\\' || !s.quoted && (b == '/' || b == '*')
	if pair && s.at+1 == len(text) {
		return false
	}
	switch {
	case s.quoted:
		if b == '\\' {
			s.at++
		}
		s.quoted = b != '"'
	case b == '*' && next == '/' && s.comment > 0:
		s.comment--
		s.at++
	case b == '/' && next == '*':
		if s.comment == 0 || nests {
			s.comment++
		}
		s.at++
	case s.comment > 0:
	case b == '/' && next == '/' && !nests:
		s.slashes = true
	case b == '"':
		s.quoted = true
	}
	s.at++
	return true
}

// farthest is how far a start is looked for: back to the start of its line, and
// ahead to its end.
const farthest = 256

// opens finds out whether another automaton starts at s.at, the answer being no
// if so, and yes if this one goes on.
func (s *Splitter) opens(text []byte) answer {
	for i := s.at - 1; ; i-- {
		if i < 0 || i < s.at-farthest || !space[text[i]] {
			return yes
		}
		if text[i] == '\n' {
			break
		}
	}
	l := look{text: text[s.at:], closed: s.closed}
	format := l.opening(true)
	switch {
	case l.short:
		return wait
	case format == Unknown || (s.quoted || s.comment > 0) && (format != s.format || !l.sure):
		return yes
	}
	return no
}

// look looks ahead, not too far.
type look struct {
	text   []byte
	at     int
	closed bool
	short  bool // the text ends where more of it would tell
	sure   bool // what was found is hardly ever something else
}

// next returns the next byte without taking it, 0 at the end.
func (l *look) next() byte {
	if l.at < len(l.text) && l.at < farthest {
		return l.text[l.at]
	}
	l.short = l.short || !l.closed && l.at < farthest
	return 0
}

// word takes a word if it is there.
func (l *look) word(w string) bool {
	for i := range len(w) {
		if l.next() != w[i] {
			return false
		}
		l.at++
	}
	return true
}

// run goes over bytes of a kind, and reports whether there are some.
func (l *look) run(kind func(b byte) bool) bool {
	start := l.at
	for b := l.next(); b != 0 && kind(b); b = l.next() {
		l.at++
	}
	return l.at > start
}

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isBlank(b byte) bool  { return space[b] && b != '\n' }
func isSpace(b byte) bool  { return space[b] }
func isLetter(b byte) bool { return letters[b] }

// opening returns the format of the automaton that starts here, if one does.
// Within another automaton, two numbers do not suffice.
func (l *look) opening(within bool) Format {
	switch b := l.next(); {
	case b == 'H' && l.word("HOA:"):
		at := l.at
		l.run(isBlank)
		l.sure = l.next() == 'v'
		l.at, l.short = at, l.short && within // between pieces, there is no need to know
		return HOA
	case b == 'n' && l.word("never") && l.never():
		l.sure = true
		return NeverClaim
	case b == 'D' && l.word("D") && (l.word("R") || l.word("S")) && l.word("A") && l.run(isBlank) && l.word("v") && l.run(isDigit):
		l.sure = true
		return DSTAR
	case isDigit(b) && l.lbtt(within):
		l.sure = true
		return LBTT
	}
	return Unknown
}

// never goes over what follows the word: a name or none, and a brace, perhaps with
// a comment before it.
func (l *look) never() bool {
	named := l.run(isSpace) && l.run(isLetter)
	if named {
		l.run(isSpace)
	}
	return l.next() == '{' || l.word("/*")
}

// lbtt goes over the two numbers; behind them is the end of the line, or the first
// state's number and whether it is initial.
func (l *look) lbtt(within bool) bool {
	if !(l.run(isDigit) && l.run(isBlank) && l.run(isDigit)) {
		return false
	}
	if !l.run(func(b byte) bool { return b == 's' || b == 't' }) && within {
		return false
	}
	end := func() bool {
		l.run(isBlank)
		return l.next() == '\n' || l.at >= len(l.text) && l.closed
	}
	at := l.at
	if end() || l.short {
		return true
	}
	return l.at > at && l.run(isDigit) && l.run(isBlank) && (l.word("0") || l.word("1")) && !isLetter(l.next())
}
