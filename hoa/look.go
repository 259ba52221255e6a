package hoa

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

// word takes a word if it is there.
func (l *look) word(w string) bool {
	if end := l.at + len(w); end <= min(len(l.text), farthest) && string(l.text[l.at:end]) == w {
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

// newLine goes over the end of the line, and white space behind it. It reports whether
// the line ends there.
func (l *look) newLine() bool {
	l.run(isBlank)
	if !l.word("\n") {
		return false
	}
	l.run(isSpace)
	return true
}

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
			continue
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
