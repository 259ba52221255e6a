package hoa

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// parser reads one automaton.
type parser struct {
	budget   *budget.Budget
	text     []byte
	complete bool // the text has its own end: see Piece
	at       int
	ended    int      // where the budget did, if that is not 0
	labelAt  int      // where the label is written that was evaluated last
	last     landmark // the last one that place was asked for
	start    position
	flat     bool // comments don't nest, and // is one up to the end of the line
	plain    bool // no comments unless flat; in strings, only quotes and backslashes are escaped
	draft    bool // version 1.1 of HOA, which is a draft
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

// A position is a place in a text, counted from 0.
type position struct{ line, column int }

// goOver goes on to the end of a text that begins here.
func (m *position) goOver(text []byte) {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		m.line += bytes.Count(text, []byte{'\n'})
		m.column = 0
		text = text[i+1:]
	}
	m.column += utf8.RuneCount(text)
}

// A landmark is an offset of which the place is known.
type landmark struct {
	at int
	position
}

// place returns the line and column of an offset. Most that are asked for come in order, and
// each byte between them is looked at once.
func (p *parser) place(at int) (line, column int) {
	m := &p.last
	if at < m.at || *m == (landmark{}) { // passed already, or the first call
		*m = landmark{0, p.start}
	}
	m.goOver(p.text[m.at:at])
	m.at = at
	return m.line + 1, m.column + 1
}

func (p *parser) errorAt(at int, format string, args ...any) error {
	line, column := p.place(at)
	return &ltl.SyntaxError{Line: line, Column: column, Reason: fmt.Sprintf(format, args...)}
}

// expected returns an error that says what should have come next.
func (p *parser) expected(what string) error {
	p.skip()
	return p.errorAt(p.at, "expected %s, found %s", what, p.found())
}

// expectedAt is expected at an offset.
func (p *parser) expectedAt(at int, what string) error {
	p.at = at
	return p.expected(what)
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
		if bytes.HasPrefix(rest, []byte("--")) { // a token such as --END--
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

// skip goes over white space and comments: nested comments in HOA, C comments in never claims
// (flat) and DSTAR, none in LBTT (plain). It stops at a comment without an end, which is an error
// for the caller.
func (p *parser) skip() {
	for p.at < len(p.text) {
		b := p.text[p.at]
		if space[b] {
			p.at++
			continue
		}
		if b != '/' || p.plain && !p.flat || p.at+1 == len(p.text) {
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
			case p.text[i] == '/' && p.text[i+1] == '*' && (depth == 0 || !p.flat): // flat comments don't nest
				depth++
				i++ // the * of /*/ ends nothing
			case p.text[i] == '*' && p.text[i+1] == '/':
				depth--
				i++
			}
			if depth == 0 {
				break
			}
		}
		if depth != 0 { // no end
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
	if p.at < len(p.text) && p.text[p.at] > ' ' && p.text[p.at] != '/' { // the common case
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
	case p.text[start] == '0' && p.at > start+1 && !p.plain: // LBTT and DSTAR allow leading zeros
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

// integer reads a number of LBTT or DSTAR, such as 007. White space, a string or the end follows it.
func (p *parser) integer(what string, limit int) (int, error) {
	p.skip()
	start := p.at
	n, err := p.number(what, limit)
	// With many leading zeros, a number would be longer than a look at the start of an automaton.
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
	// Most strings have no escape, and are cut out as they are.
	if n := bytes.IndexAny(p.text[start+1:], `"\\`); n > maxString {
		return tooLong()
	} else if n >= 0 && p.text[start+1+n] == '"' {
		p.at += n + 2
		return string(p.text[start+1 : start+1+n]), nil
	}
	var s []byte // without the backslashes
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

// identifier reads an identifier of a header.
func (p *parser) identifier() []byte {
	w := p.word()
	if len(w) == 0 {
		return nil
	}
	from := p.at - len(w)
	p.dots(from)
	return p.text[from:p.at]
}

// dots goes over the rest of a name that starts at an offset, if there are dots in it. They need
// version 1.1, but Spot writes them with version 1.
func (p *parser) dots(from int) {
	at := p.at
	for p.at < len(p.text) && (p.text[p.at] == '.' || wordByte(p.text[p.at])) {
		p.at++
	}
	if p.at == at || p.draft {
		return
	}
	name := p.text[from:p.at]
	text := "the name " + strconv.Quote(string(name[:min(len(name), 40)])) + needsDraft
	if !slices.ContainsFunc(p.warnings, func(w Warning) bool { return w.Text == text }) {
		p.warn(OddHeader, from, text)
	}
}

const needsDraft = " needs version v1.1 of the format: change the first line to HOA: v1.1"

// word reads an identifier, which is empty if none comes next.
func (p *parser) word() []byte {
	p.skip()
	start := p.at
	if start < len(p.text) && (p.text[start] >= '0' && p.text[start] <= '9' || p.text[start] == '-') {
		return nil // no name begins like this
	}
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}
