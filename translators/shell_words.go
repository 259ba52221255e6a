package translators

import (
	"bytes"
	"strings"
)

// A shellLine is a template in the words and operators of the shell, as far as they can be told
// without one.
type shellLine struct {
	tokens    []token
	places    []place // of the placeholders that are not in comments
	open      []byte  // what is not closed, innermost last: ' " ` or ( for $( and (
	cut       bool    // it ends with a backslash
	undecided bool    // only a shell knows where its quotes end
}

// A token is a word, or an operator.
type token struct {
	op      string // such as | && >> ( or a newline, # for a comment; "" for a word
	fd      string // of a redirection: the digits before it
	pieces  word   // of a word, without quotes and backslashes
	quoted  bool   // a part of it was in quotes or behind a backslash
	expands bool   // the shell makes something else of it: $x, *
	odd     bool   // it has a character with a meaning for some shell, or a placeholder in quotes
	glued   bool   // there is no blank before it
}

// A word is its pieces put together, all of them literal.
type word []part

// A place is where a placeholder stands.
type place struct {
	part
	inside byte // the innermost of what is open, or 0
	blank  bool // there is a blank between the opening quote and it
}

// text returns the letters of a word, without its placeholders.
func (t *token) text() string {
	text := ""
	for _, p := range t.pieces {
		text += p.text
	}
	return text
}

// bare reports whether a token is a word without quotes and placeholders.
func (t *token) bare() bool { return len(t.pieces) == 1 && !t.quoted }

// redirects reports whether a token is < or > or starts so.
func (t *token) redirects() bool { return t.op != "" && (t.op[0] == '<' || t.op[0] == '>') }

// plainLetters have no meaning for any shell.
const plainLetters = programLetters + "=,:@%#"

// readShell reads a template:
//
//	x -f '%s' 2>&1 | grep "$y"    the words x, -f and %s, 2>&, the word 1, |, the words grep and $y
//
// The words of substitutions are words too: x $(y) is x, $, (, y and ). Where it is undecided, the
// rest is read roughly.
func readShell(parts []part) *shellLine {
	r := &shellReader{}
	for _, p := range parts {
		r.text(p.text)
		if p.placeholder != 0 {
			r.placeholder(p)
		}
	}
	r.endWord()
	r.cut = r.escaped
	return &r.shellLine
}

// A shellReader is the state between two characters.
type shellReader struct {
	shellLine
	word    token  // that is read
	literal []byte // its end: behind what is in pieces
	started bool   // there is a word, though it may be empty
	glued   bool   // there was no blank since the last token
	before  byte   // the character before, if it is of the same word and quotes
	blank   bool   // there was a blank since the innermost quote
	comment bool
	escaped bool
}

// innermost returns what is open, or 0.
func (r *shellReader) innermost() byte {
	if len(r.open) == 0 {
		return 0
	}
	return r.open[len(r.open)-1]
}

func (r *shellReader) text(text string) {
	for i := 0; i < len(text); i++ {
		switch c, in, rest := text[i], r.innermost(), text[i+1:]; {
		case r.comment:
			if r.comment = c != '\n'; !r.comment {
				r.operator("\n")
			}
		case in == '\'' && c != '\'':
			r.add(c)
		case r.escaped:
			r.unescape(c)
		case c == '\\':
			r.escaped = true
			r.undecided = r.undecided || bytes.IndexByte(r.open, '`') >= 0
		case c == '`':
			r.backquote()
		case c == '$' && strings.HasPrefix(rest, "{"):
			r.undecided = true // quotes mean something else in ${x:-'…'}
			r.add(c)
		case c == '(' && (in != '"' || r.before == '$'):
			r.operator("(")
			r.push('(')
		case c == in && (c == '\'' || c == '"'):
			r.pop()
		case in == '"':
			r.blank = r.blank || strings.IndexByte(blanks, c) >= 0
			r.add(c)
		case c == '\'' || c == '"':
			r.undecided = r.undecided || c == '\'' && r.before == '$' // $'…'
			r.started, r.word.quoted = true, true
			r.push(c)
		case c == '#' && !r.started:
			r.operator("#")
			r.comment, r.undecided = true, r.undecided || len(r.open) > 0
		case c == ' ' || c == '\t':
			r.endWord()
			r.glued, r.before = false, 0
		case strings.IndexByte("\n;&|<>)", c) >= 0:
			op := operatorAt(text[i:])
			r.operator(op)
			r.undecided = r.undecided || strings.HasPrefix(op, "<<") // a here-document
			if c == ')' && in == '(' {
				r.pop()
			}
			i += len(op) - 1
		default:
			r.add(c)
		}
	}
}

// operatorAt returns the operator that text starts with.
func operatorAt(text string) string {
	more := ""
	switch c := text[0]; c {
	case '<', '>':
		more = "<>&|"
	case ';', '&', '|':
		more = text[:1]
	}
	return text[:1+len(text[1:])-len(strings.TrimLeft(text[1:], more))]
}

func (r *shellReader) push(c byte) { r.open, r.before, r.blank = append(r.open, c), 0, false }
func (r *shellReader) pop()        { r.open, r.before, r.blank = r.open[:len(r.open)-1], '.', false }

// backquote begins or ends a substitution.
func (r *shellReader) backquote() {
	r.operator("`")
	switch {
	case len(r.open) == 0:
		r.push('`')
	case r.innermost() == '`':
		r.pop()
	default:
		r.undecided = true
	}
}

// unescape reads the character behind a backslash.
func (r *shellReader) unescape(c byte) {
	r.escaped = false
	if c == '\n' {
		return // the line goes on
	}
	if r.innermost() == '"' && strings.IndexByte("$`\"\\", c) < 0 {
		r.literal = append(r.literal, '\\')
	}
	r.literal = append(r.literal, c)
	r.started, r.word.quoted, r.before = true, true, '.'
}

// add puts a character at the end of the word.
func (r *shellReader) add(c byte) {
	r.literal = append(r.literal, c)
	r.started, r.before = true, c
	switch in := r.innermost(); {
	case in == '\'' || in == '"':
		r.word.quoted = true
		r.word.expands = r.word.expands || in == '"' && c == '$'
	default:
		r.word.expands = r.word.expands || strings.IndexByte("$*?[~{", c) >= 0
		r.word.odd = r.word.odd || strings.IndexByte(plainLetters, c) < 0
	}
}

// placeholder puts a value at the end of the word.
func (r *shellReader) placeholder(p part) {
	in, escaped := r.innermost(), r.escaped
	if r.escaped = false; r.comment {
		return
	}
	r.places = append(r.places, place{p, in, r.blank})
	r.word.pieces = append(r.word.pieces, part{text: string(r.literal), placeholder: p.placeholder})
	r.word.odd = r.word.odd || escaped || in == '\'' || in == '"' // the quotes around the value close these
	r.literal, r.started, r.before = r.literal[:0], true, '.'
}

// operator ends the word, and puts an operator behind it.
func (r *shellReader) operator(op string) {
	t := token{op: op}
	if t.redirects() && r.started && !r.word.quoted && r.word.pieces == nil && len(bytes.Trim(r.literal, "0123456789")) == 0 {
		t.fd, r.literal, r.started = string(r.literal), r.literal[:0], false
	}
	r.endWord()
	t.glued = r.glued
	r.tokens = append(r.tokens, t)
	r.glued, r.before = true, 0
}

// endWord ends the word, if there is one.
func (r *shellReader) endWord() {
	if !r.started {
		return
	}
	w := r.word
	w.pieces, w.glued = append(w.pieces, part{text: string(r.literal)}), r.glued
	// In a substitution, the parentheses of case close nothing.
	r.undecided = r.undecided || len(r.open) > 0 && w.bare() && w.text() == "case"
	r.tokens = append(r.tokens, w)
	r.word, r.literal, r.started, r.glued = token{}, r.literal[:0], false, true
}
