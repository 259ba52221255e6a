package hoa

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A SyntaxError says where a text is not as it should be, and how.
type SyntaxError struct {
	Line, Column int // from 1; columns count characters
	Text         string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// A Warning is about something that was read but may not mean what we think.
type Warning struct {
	Line, Column int
	Text         string
}

func (w Warning) String() string { return fmt.Sprintf("%d:%d: %s", w.Line, w.Column, w.Text) }

// ErrAborted is returned for an automaton that ends with --ABORT--: its producer
// gave up. The stream goes on after it.
var ErrAborted = errors.New("automaton ended by --ABORT--")

// A Reader reads a stream of automata.
type Reader struct {
	r    io.Reader
	err  error // of r
	buf  []byte
	line int // of buf[0], from 0
	col  int // characters before it in its line

	warnings []Warning
}

// NewReader returns a Reader of the automata in r.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next returns the next automaton, with an alphabet of its own; io.EOF after the
// last. After a SyntaxError or ErrAborted, the next call goes on behind the
// automaton at fault.
func (r *Reader) Next() (*omega.Automaton, error) {
	r.warnings = nil
	text, format, err := r.cut()
	if err != nil {
		return nil, err
	}
	p := &parser{text: text, line: r.line, col: r.col}
	defer func() {
		line, column := p.place(len(text))
		r.line, r.col = line-1, column-1
		r.warnings = p.warnings
	}()
	switch format {
	case formatHOA:
		a, err := p.hoa()
		if err != nil && bytes.HasSuffix(text, []byte("--ABORT--")) {
			return nil, ErrAborted // wherever it stands
		}
		return a, err
	case formatNever:
		p.flat = true
		return p.never()
	}
	p.skip()
	return nil, p.expected("HOA: or never")
}

// Warnings returns what was odd about the automaton that Next returned last.
func (r *Reader) Warnings() []Warning { return r.warnings }

// ReadOne reads a text that must hold exactly one automaton.
func ReadOne(data []byte) (*omega.Automaton, []Warning, error) {
	r := &Reader{buf: data, err: io.EOF}
	a, err := r.Next()
	warnings := r.Warnings()
	if err == io.EOF {
		return nil, nil, &SyntaxError{1, 1, "expected an automaton, found nothing"}
	}
	if err != nil {
		return nil, nil, err
	}
	p := &parser{text: r.buf, line: r.line, col: r.col}
	switch _, err = r.Next(); err {
	case io.EOF:
		return a, warnings, nil
	case nil:
		p.skip()
		return nil, nil, p.errorAt(p.at, "expected one automaton, found a second")
	}
	return nil, nil, err
}

type format uint8

const (
	formatUnknown format = iota
	formatHOA
	formatNever
)

// cutter finds the end of the first automaton in a text that comes in pieces.
type cutter struct {
	at      int
	format  format
	comment int  // nesting of comments
	quoted  bool // in a string
	braces  int
}

// cut takes the text of one automaton from the stream. It reads no further than
// its end, but for what one call of the underlying Read brings.
func (r *Reader) cut() ([]byte, format, error) {
	var c cutter
	for {
		if end := c.scan(r.buf, r.err != nil); end > 0 {
			text := r.buf[:end:end]
			r.buf = r.buf[end:]
			return text, c.format, nil
		}
		if r.err != nil {
			// All that is left: white space, or an automaton without an end.
			text := r.buf
			r.buf = nil
			p := &parser{text: text}
			if p.skip(); p.at == len(text) && c.comment == 0 {
				return nil, 0, r.err
			}
			if r.err != io.EOF {
				return nil, 0, r.err
			}
			return text, c.format, nil
		}
		// A fresh buffer, unless there is room: texts that were cut are still used.
		if len(r.buf) == cap(r.buf) {
			grown := make([]byte, len(r.buf), 2*cap(r.buf)+1<<16)
			copy(grown, r.buf)
			r.buf = grown
		}
		n, err := r.r.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf, r.err = r.buf[:len(r.buf)+n], err
	}
}

// special are the characters with which a string, a comment or a keyword begins.
var special = [256]bool{'"': true, '/': true, '-': true}

// scan goes on through buf and returns the end of the automaton, or 0 if it
// needs more text. At the end of the stream, last, no more will come.
func (c *cutter) scan(buf []byte, last bool) int {
	for c.at < len(buf) {
		if c.format == formatHOA && c.comment == 0 && !c.quoted {
			// Most of a text is of no interest here.
			for c.at < len(buf)-len("--ABORT--") && !special[buf[c.at]] {
				c.at++
			}
		}
		if len(buf)-c.at < len("--ABORT--") && !last && !c.quoted {
			// A word that matters may be cut in two; but what ends the automaton
			// must not wait for what comes behind it.
			if c.format == formatHOA && bytes.HasPrefix(buf[c.at:], []byte("--END--")) && c.comment == 0 {
				return c.at + len("--END--")
			}
			if c.waits(buf[c.at:]) {
				return 0
			}
		}
		switch b := buf[c.at]; {
		case c.comment > 0 && b == '*' && c.next(buf) == '/':
			c.comment--
			c.at++
		case b == '/' && !c.quoted && c.next(buf) == '*':
			if c.comment == 0 || c.format != formatNever { // C comments don't nest
				c.comment++
			}
			c.at++
		case c.comment > 0:
		case c.quoted && b == '\\':
			c.at++
		case b == '"':
			c.quoted = !c.quoted
		case c.quoted:
		case c.format == formatUnknown && b > ' ':
			rest := buf[c.at:]
			switch {
			case bytes.HasPrefix(rest, []byte("HOA:")):
				c.format = formatHOA
			case bytes.HasPrefix(rest, []byte("never")):
				c.format = formatNever
			default:
				c.at = len(buf) // not an automaton: all the rest is the error
				if last {
					return len(buf)
				}
				continue
			}
		case c.format == formatNever && b == '{':
			c.braces++
		case c.format == formatNever && b == '}':
			if c.braces--; c.braces == 0 {
				return c.at + 1
			}
		case c.format == formatHOA && b == '-':
			for _, word := range []string{"--END--", "--ABORT--"} {
				if bytes.HasPrefix(buf[c.at:], []byte(word)) {
					return c.at + len(word)
				}
			}
		}
		c.at++
	}
	return 0
}

func (c *cutter) next(buf []byte) byte {
	if c.at+1 < len(buf) {
		return buf[c.at+1]
	}
	return 0
}

// waits reports whether the end of the text may be the start of a word (or of a
// comment's beginning or end) that matters.
func (c *cutter) waits(tail []byte) bool {
	for _, word := range []string{"--END--", "--ABORT--", "HOA:", "never", "/*", "*/"} {
		if len(tail) < len(word) && bytes.HasPrefix([]byte(word), tail) {
			return true
		}
	}
	return false
}

// parser reads one automaton.
type parser struct {
	text     []byte
	at       int
	line     int  // lines before text
	col      int  // characters before it in its line
	flat     bool // comments don't nest
	warnings []Warning
}

// place returns the line and column of an offset.
func (p *parser) place(at int) (line, column int) {
	before := p.text[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	column = 1 + utf8.RuneCount(before[start:])
	if start == 0 {
		column += p.col
	}
	return p.line + 1 + bytes.Count(before, []byte{'\n'}), column
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
		if b == ' ' || b == '\n' || b == '\t' || b == '\r' {
			p.at++
			continue
		}
		if b != '/' || p.at+1 == len(p.text) || p.text[p.at+1] != '*' {
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

// peek returns the next character, or 0 at the end.
func (p *parser) peek() byte {
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
	if p.at == start {
		return 0, p.expected(what)
	}
	return n, nil
}

// str reads a string in double quotes.
func (p *parser) str(what string) (string, error) {
	if p.peek() != '"' || p.at == len(p.text) {
		return "", p.expected(what)
	}
	start := p.at
	var s []byte
	for i := p.at + 1; i < len(p.text); i++ {
		switch b := p.text[i]; {
		case b == '"':
			p.at = i + 1
			return string(s), nil
		case b == '\\' && i+1 < len(p.text):
			i++
			s = append(s, p.text[i])
		default:
			s = append(s, b)
		}
	}
	return "", p.errorAt(start, "string without an end")
}

// word reads an identifier, "" if none comes next.
func (p *parser) word() string {
	p.skip()
	start := p.at
	if start < len(p.text) && (p.text[start] >= '0' && p.text[start] <= '9' || p.text[start] == '-') {
		return ""
	}
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	return string(p.text[start:p.at])
}
