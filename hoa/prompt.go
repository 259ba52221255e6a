package hoa

import "slices"

// behind returns where an automaton starts on a line that begins with something else,
// such as a prompt or a message without an end of line; 0 if none does. It wants more
// than at the start of a line, for messages speak of automata too: the version and a
// header item, or a brace at the end of the line and a label on the next. short says
// that more text is needed to know. Cost: bounded, whatever the line's length.
func behind(line []byte, text []byte, closed bool) (at int, short bool) {
	for i := 1; i < min(len(line), farthest); i++ {
		if b := line[i]; b != 'H' && b != 'n' || isLetter(line[i-1]) || line[i-1] == '"' || line[i-1] == '\'' {
			continue
		}
		l := look{text: text[i:], closed: closed}
		found := l.headed() || l.claimed()
		if l.short {
			return 0, true
		}
		if found {
			return i, false
		}
	}
	return 0, false
}

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

// firstItems are the header items that a header may well begin with.
var firstItems = append([]string{"Start:", "properties:", "Alias:"}, once[1:]...)

// headed reports whether the text is HOA:, a version and a header item that is known. If
// not, it takes nothing.
func (l *look) headed() bool {
	start := l.at
	if l.word("HOA:") {
		l.run(isBlank)
		if l.word("v") && l.run(isDigit) && l.run(isSpace) {
			from := l.at
			l.run(func(b byte) bool { return isLetter(b) || b == '-' })
			if l.next() == ':' && slices.Contains(firstItems, string(l.text[from:l.at+1])) {
				return true
			}
		}
	}
	l.at = start
	return false
}

// claimed reports whether the text is a never claim up to its brace, and perhaps a
// comment, on the rest of a line, and a label on the next.
func (l *look) claimed() bool {
	if !l.word("never") {
		return false
	}
	if l.run(isBlank) && l.run(isLetter) {
		l.run(isBlank)
	}
	if !l.word("{") {
		return false
	}
	l.run(isBlank)
	if l.word("/*") {
		for star := false; l.next() != 0 && !(star && l.next() == '/'); l.at++ {
			star = l.next() == '*'
		}
		if l.at >= farthest {
			return true // a long formula
		}
		if !l.word("/") {
			return false
		}
	}
	if !l.newLine() {
		return false
	}
	from := l.at
	return l.run(isLetter) && string(l.text[from:l.at]) != "HOA" && l.next() == ':'
}
