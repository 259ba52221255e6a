package hoa

import "bytes"

// What the scanners of several formats have in common.

// goesOn finds out whether another automaton starts at s.at, the answer being no
// if so, and yes if this one goes on.
func (s *Splitter) goesOn(text []byte) answer {
	// Only white space is before a start on its line, and not much of it.
	for i := s.at - 1; ; i-- {
		if i < 0 || i < s.at-farthest || !space[text[i]] {
			return yes
		}
		if text[i] == '\n' {
			break
		}
	}
	l := s.ahead(text[s.at:])
	format := l.opening(true)
	switch {
	case l.short:
		return wait
	case format == nil || (s.quoted || s.comment > 0) && (format != s.format || !l.sure):
		return yes // no start, or one that may be quoted: see Splitter
	}
	return no
}

// overComment goes over the rest of a comment between automata, and reports whether its end is
// there.
func (s *Splitter) overComment(text []byte) bool {
	for s.comment > 0 {
		i := bytes.IndexAny(text[s.at:], "*/")
		if i < 0 {
			s.at = len(text)
			return false
		}
		if s.at += i; !s.inside(text, true) {
			return false
		}
	}
	return true
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
	if pair && s.at+1 == len(text) { // it takes the next byte to know
		return false
	}
	switch {
	case s.quoted:
		if b == '\\' {
			s.at++ // the escaped character
		}
		s.quoted = b != '"'
	case b == '*' && next == '/' && s.comment > 0:
		s.comment--
		s.at++
	case b == '/' && next == '*':
		if s.comment == 0 || nests { // comments of C don't nest
			s.comment++
		}
		s.at++
	case s.comment > 0: // quotes mean nothing in a comment
	case b == '/' && next == '/' && !nests:
		s.slashes = true
	case b == '"':
		s.quoted = true
	}
	s.at++
	return true
}

// token returns the token that is here: a word, a number with its sign, a keyword with its colon,
// or a quote. It is nil if more bytes are needed (the last token of all is one at the end of the
// stream).
func (s *Splitter) token(text []byte) []byte {
	i := s.at + 1
	if text[s.at] == '"' {
		return text[s.at:i]
	}
	for ; i < len(text) && i < s.at+farthest; i++ {
		if b := text[i]; b == ':' {
			return text[s.at : i+1]
		} else if space[b] || b == '"' {
			return text[s.at:i]
		}
	}
	if i == len(text) && !s.closed && i < s.at+farthest { // the token may go on
		return nil
	}
	return text[s.at:i]
}

// quote goes over the rest of a string, in which only quotes and backslashes can be
// escaped. It reports yes at its end, and no at the start of another automaton.
func (s *Splitter) quote(text []byte) answer {
	for s.at < len(text) {
		switch b := text[s.at]; {
		case b == '"':
			s.at++
			s.quoted = false
			return yes
		case b == '\\' && s.at+1 == len(text): // the escaped character is still to come
			return wait
		case b == '\\' && (text[s.at+1] == '"' || text[s.at+1] == '\\'):
			s.at++
		case len(starting[b]) > 0:
			if a := s.goesOn(text); a != yes {
				return a
			}
		}
		s.at++
	}
	return wait
}

// count returns the number that a token is, or -1 for another token, and for a number far above maxStates.
func count(token []byte) int {
	n := 0
	for _, b := range token {
		if !isDigit(b) || n > maxStates {
			return -1
		}
		n = 10*n + int(b-'0')
	}
	return n
}

// toToken goes on to the next token, if it is this automaton's: only a token can be the start of
// another automaton.
func (s *Splitter) toToken(text []byte) answer {
	for s.at < len(text) && space[text[s.at]] {
		s.at++
	}
	if s.at == len(text) {
		return wait
	}
	if s.at > 0 && len(starting[text[s.at]]) > 0 { // at 0, this automaton itself starts
		return s.goesOn(text)
	}
	return yes
}

// farthest is how far a start is looked for: back to the start of its line, and
// ahead to its end.
const farthest = 256

// look looks ahead, not too far.
type look struct {
	text   []byte
	at     int
	closed bool
	short  bool // the text ends where more of it would tell
	sure   bool // what was found is hardly ever something else
}

// ahead returns one at the start of the text. It is valid until the next call.
func (s *Splitter) ahead(text []byte) *look {
	s.look = look{text: text, closed: s.closed}
	return &s.look
}

// next returns the next byte without taking it, 0 at the end.
func (l *look) next() byte {
	if l.at < len(l.text) && l.at < farthest {
		return l.text[l.at]
	}
	l.short = l.short || !l.closed && l.at < farthest
	return 0
}

// word takes a word if it is there, or else as much of it as is. It notes if the text ends within it.
func (l *look) word(w string) bool {
	if end := l.at + len(w); end <= min(len(l.text), farthest) && string(l.text[l.at:end]) == w { // the common case
		l.at = end
		return true
	}
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

// opening returns the format of the automaton that starts here, nil if none does. Within
// another automaton, some formats want more.
func (l *look) opening(within bool) *Format {
	for _, f := range starting[l.next()] {
		l.at, l.sure = 0, true
		if f.input.opens(l, within) {
			return f
		}
	}
	return nil
}

// behind returns where an automaton starts on a line that begins with something else,
// such as a prompt or a message without an end of line; 0 if none does. short says
// that more text is needed to know. Cost: bounded, whatever the line's length.
func (s *Splitter) behind(line []byte, text []byte) (at int, short bool) {
	for i := 1; i < min(len(line), farthest); i++ {
		if classes[line[i]]&prompted == 0 || isLetter(line[i-1]) || line[i-1] == '"' || line[i-1] == '\'' {
			continue // within a word, or quoted
		}
		for _, f := range starting[line[i]] {
			if f.input.follows == nil {
				continue
			}
			l := s.ahead(text[i:])
			found := f.input.follows(l)
			if l.short {
				return 0, true
			}
			if found {
				return i, false
			}
		}
	}
	return 0, false
}
