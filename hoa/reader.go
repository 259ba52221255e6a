package hoa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A SyntaxError reports what is wrong with a text, and where.
type SyntaxError struct {
	Line, Column int // from 1; columns count characters
	Text         string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// A Warning reports a part of the text that was read, but may mean something else.
type Warning struct {
	Line, Column int
	Class        string // "header": an unknown header that starts with a capital
	Text         string
}

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

// A Reader reads a stream of automata.
type Reader struct {
	// MaxText limits the length in bytes of an automaton, or of a line of other text; 0 means
	// no limit. A longer one ends the stream.
	MaxText int64

	ctx      context.Context
	r        io.Reader
	err      error // of r
	pieces   Splitter
	piece    Piece
	warnings []Warning
}

// NewReader returns a Reader of the automata in r. It fails when ctx is done.
func NewReader(ctx context.Context, r io.Reader) *Reader { return &Reader{ctx: ctx, r: r} }

// Next returns the next automaton, with an alphabet of its own, and io.EOF after the last one.
// After a SyntaxError or ErrAborted, the next call continues after the automaton, or line of
// other text, with the error. Next stops at the end of the automaton; only one call of the
// underlying Read may read further.
func (r *Reader) Next() (*omega.Automaton, error) {
	r.warnings = nil
	for {
		if p, ok := r.pieces.next(); ok {
			a, warnings, err := p.Automaton(r.ctx)
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
			err := &SyntaxError{r.pieces.line + 1, r.pieces.column + 1, fmt.Sprintf("expected the end of an automaton within %d bytes", r.MaxText)}
			r.pieces = Splitter{closed: true}
			return nil, err
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
		return nil, nil, &SyntaxError{1, 1, "expected an automaton, found nothing"}
	}
	a, warnings, err := p.Automaton(ctx)
	if err != nil {
		return nil, nil, err
	}
	if p, ok = s.next(); ok && p.Format == Unknown {
		_, _, err = p.Automaton(ctx)
		return nil, nil, err
	} else if ok {
		return nil, nil, &SyntaxError{p.Line, p.Column, "expected one automaton, found a second"}
	}
	return a, warnings, nil
}

// parser reads one automaton.
type parser struct {
	budget   *budget.Budget
	text     []byte
	at       int
	ended    int // where the budget did, if that is not 0
	labelAt  int // where the label is written that was evaluated last
	mark     landmark
	line     int  // lines before text
	col      int  // characters before it in its line
	flat     bool // comments don't nest, and // is one up to the end of the line
	plain    bool // no comments; in strings, only quotes and backslashes are escaped
	dots     bool // names of header items may have dots
	warnings []Warning
}

// Limits of what reading an automaton may take.
const (
	// maxNodes is the number of nodes of the labels' decision diagrams, besides one for
	// each byte of the text.
	maxNodes = 1 << 18
	// maxMemory is the number of bytes, if the context has no limit.
	maxMemory = 1 << 30
)

// A landmark is an offset of which the place is known, counted from 0.
type landmark struct{ at, line, column int }

// place returns the line and column of an offset. Most that are asked for come in order, and
// each byte between them is looked at once.
func (p *parser) place(at int) (line, column int) {
	m := &p.mark
	if at < m.at || *m == (landmark{}) {
		*m = landmark{0, p.line, p.col}
	}
	between := p.text[m.at:at]
	if i := bytes.LastIndexByte(between, '\n'); i >= 0 {
		m.line += bytes.Count(between, []byte{'\n'})
		m.column = 0
		between = between[i+1:]
	}
	m.column += utf8.RuneCount(between)
	m.at = at
	return m.line + 1, m.column + 1
}

func (p *parser) errorAt(at int, format string, args ...any) error {
	line, column := p.place(at)
	return &SyntaxError{line, column, fmt.Sprintf(format, args...)}
}

// expected returns an error that says what should have come next.
func (p *parser) expected(what string) error {
	p.skip()
	return p.errorAt(p.at, "expected %s, found %s", what, p.found())
}

// found describes what comes next.
func (p *parser) found() string {
	rest := p.text[p.at:]
	if len(rest) == 0 {
		return "the end"
	}
	n := 0
	for n < len(rest) && n < 40 && (wordByte(rest[n]) || rest[n] == ':') {
		n++
	}
	if n == 0 {
		if bytes.HasPrefix(rest, []byte("--")) {
			for n = 2; n < len(rest) && n < 12 && wordByte(rest[n]); {
				n++
			}
		} else {
			_, n = utf8.DecodeRune(rest)
		}
	}
	return strconv.Quote(string(rest[:n]))
}

func wordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '-'
}

// skip goes over white space and comments. A comment without an end is left.
func (p *parser) skip() {
	for p.at < len(p.text) {
		b := p.text[p.at]
		if space[b] {
			p.at++
			continue
		}
		if b != '/' || p.plain || p.at+1 == len(p.text) {
			return
		}
		if p.flat && p.text[p.at+1] == '/' {
			if n := bytes.IndexByte(p.text[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.text)
			}
			continue
		}
		if p.text[p.at+1] != '*' {
			return
		}
		depth, i := 0, p.at
		for ; i+1 < len(p.text); i++ {
			switch {
			case p.text[i] == '/' && p.text[i+1] == '*' && (depth == 0 || !p.flat):
				depth++
				i++
			case p.text[i] == '*' && p.text[i+1] == '/':
				depth--
				i++
			}
			if depth == 0 {
				break
			}
		}
		if depth != 0 {
			return
		}
		p.at = i + 1
	}
}

// peek returns the next character, or 0 at the end. When the budget has ended, so has the
// text: whoever reads stops, and what it returns is not looked at.
func (p *parser) peek() byte {
	if p.budget.Stop() && p.at < len(p.text) {
		p.ended = p.at
		p.at = len(p.text)
	}
	if p.at < len(p.text) && p.text[p.at] > ' ' && p.text[p.at] != '/' {
		return p.text[p.at]
	}
	if p.skip(); p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// take takes a character if it comes next.
func (p *parser) take(b byte) bool {
	if p.peek() == b && p.at < len(p.text) {
		p.at++
		return true
	}
	return false
}

// keyword takes a word if it comes next.
func (p *parser) keyword(word string) bool {
	p.skip()
	if !bytes.HasPrefix(p.text[p.at:], []byte(word)) {
		return false
	}
	p.at += len(word)
	return true
}

// number reads a number from 0 to limit.
func (p *parser) number(what string, limit int) (int, error) {
	p.peek()
	n, start := 0, p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		if n = 10*n + int(p.text[p.at]-'0'); n > limit {
			p.at = start
			return 0, p.errorAt(start, "%s is greater than %d", what, limit)
		}
		p.at++
	}
	switch {
	case p.at == start:
		return 0, p.expected(what)
	case p.text[start] == '0' && p.at > start+1 && !p.plain:
		return 0, p.leadingZero(start)
	}
	return n, nil
}

// leadingZero returns the error for a number such as 01 in HOA. By the format's grammar
// that is two numbers, {01} the marks 0 and 1, which nobody means.
func (p *parser) leadingZero(at int) error {
	p.at = at
	return p.errorAt(at, "number %s starts with a 0: the format has no leading zeros", p.found())
}

// integer reads a number that white space, a string or the end follows.
func (p *parser) integer(what string, limit int) (int, error) {
	p.skip()
	start := p.at
	n, err := p.number(what, limit)
	if err == nil && p.at-start >= farthest {
		err = p.errorAt(start, "number of %d digits", p.at-start)
	}
	if err == nil {
		err = p.delimited()
	}
	return n, err
}

// delimited fails if what was read goes on with something else.
func (p *parser) delimited() error {
	if p.at < len(p.text) && !space[p.text[p.at]] && p.text[p.at] != '"' {
		return p.expected("white space")
	}
	return nil
}

// maxString is the length of the longest string that is read, in bytes.
const maxString = 1 << 20

// str reads a string in double quotes.
func (p *parser) str(what string) (string, error) {
	if p.peek() != '"' || p.at == len(p.text) {
		return "", p.expected(what)
	}
	start := p.at
	tooLong := func() (string, error) {
		return "", p.errorAt(start, "expected a string of at most %d bytes", maxString)
	}
	if n := bytes.IndexAny(p.text[start+1:], `"\\`); n > maxString {
		return tooLong()
	} else if n >= 0 && p.text[start+1+n] == '"' {
		p.at += n + 2
		return string(p.text[start+1 : start+1+n]), nil
	}
	var s []byte
	for i := p.at + 1; i < len(p.text); i++ {
		switch b := p.text[i]; {
		case len(s) > maxString:
			return tooLong()
		case b == '"':
			p.at = i + 1
			return string(s), nil
		case b == '\\' && i+1 < len(p.text) && (!p.plain || p.text[i+1] == '"' || p.text[i+1] == '\\'):
			i++
			s = append(s, p.text[i])
		default:
			s = append(s, b)
		}
	}
	return "", p.errorAt(start, "string without an end")
}

// word reads an identifier, which is empty if none comes next.
func (p *parser) word() []byte {
	p.skip()
	start := p.at
	if start < len(p.text) && (p.text[start] >= '0' && p.text[start] <= '9' || p.text[start] == '-') {
		return nil
	}
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}
