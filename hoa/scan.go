package hoa

// What the scanners of several formats have in common.

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
	l := s.ahead(text[s.at:])
	format := l.opening(true)
	switch {
	case l.short:
		return wait
	case format == nil || (s.quoted || s.comment > 0) && (format != s.format || !l.sure):
		return yes
	}
	return no
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

// token goes over white space and returns the next token: a word, a number with
// its sign or a keyword with its colon; or a quote. It is nil if more bytes are
// needed (the last token of all is one at the end of the stream).
func (s *Splitter) token(text []byte) []byte {
	for s.at < len(text) && space[text[s.at]] {
		s.at++
	}
	if s.at == len(text) {
		return nil
	}
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
	if i == len(text) && !s.closed && i < s.at+farthest {
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
		case b == '\\' && s.at+1 == len(text):
			return wait
		case b == '\\' && (text[s.at+1] == '"' || text[s.at+1] == '\\'):
			s.at++
		case len(starting[b]) > 0:
			if a := s.opens(text); a != yes {
				return a
			}
		}
		s.at++
	}
	return wait
}

// atStart finds out whether the start of another automaton comes next, which
// only a token can be.
func (s *Splitter) atStart(text []byte) answer {
	if s.at > 0 && len(starting[text[s.at]]) > 0 {
		return s.opens(text)
	}
	return yes
}

// count returns the number that a token is, or -1.
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

// toToken goes on to the next token, if it is this automaton's.
func (s *Splitter) toToken(text []byte) answer {
	for s.at < len(text) && space[text[s.at]] {
		s.at++
	}
	if s.at == len(text) {
		return wait
	}
	return s.atStart(text)
}
