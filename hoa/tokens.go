package hoa

import "bytes"

// lbttScan finds the end of an automaton in LBTT format, which is that of its last
// state: numbers, and guards in prefix notation.
type lbttScan struct {
	next              lbttToken
	left              int // states
	need              int // operands that the guard still needs
	onStates, onEdges bool
	numbered          bool // the number of a state was seen
	begun             bool // and whether it is initial; or letters behind the number of sets
}

// lbttToken is what should come next.
type lbttToken uint8

const (
	lbttCount   lbttToken = iota // of states
	lbttSets                     // number of sets, and where they are
	lbttState                    // number of a state
	lbttInitial                  // whether it is initial
	lbttOfState                  // a set of a state, or -1
	lbttTarget                   // number of a destination, or -1
	lbttOfEdge                   // a set of an edge, or -1
	lbttGuard
	lbttBroken // this is no automaton, and has no end: only the start of another helps
)

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
		case b == 'D' || isDigit(b):
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
	switch b := text[s.at]; {
	case s.at > 0 && (b == 'H' || b == 'D' || b == 'n' || isDigit(b)):
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

// blanks goes on to the next token, if it is this automaton's.
func (s *Splitter) blanks(text []byte) answer {
	for s.at < len(text) && space[text[s.at]] {
		s.at++
	}
	if s.at == len(text) {
		return wait
	}
	return s.atStart(text)
}

func (s *Splitter) scanLBTT(text []byte) answer {
	l := &s.lbtt
	for {
		if s.quoted {
			if a := s.quote(text); a != yes {
				return a
			}
			l.operand()
		}
		if a := s.blanks(text); a != yes {
			return a
		}
		if l.next == lbttGuard {
			if !s.guardToken(text) {
				return wait
			}
			continue
		}
		if bytes.HasPrefix(text[s.at:], []byte("-1")) && (l.next == lbttOfState || l.next == lbttTarget || l.next == lbttOfEdge) {
			s.at += len("-1") // known without what follows: it may be the end
			if l.next != lbttTarget {
				l.next++ // behind the sets of a state come its edges, behind those of an edge its guard
				continue
			}
			if l.next = lbttState; l.left == 1 {
				return yes
			}
			l.left--
			continue
		}
		token := s.token(text)
		if token == nil {
			return wait
		}
		s.at += len(token)
		if l.take(token) {
			return yes
		}
		if i := bytes.IndexByte(text, '\n'); l.next == lbttBroken && !l.begun && !l.numbered && i >= 0 {
			s.format = Unknown // just two numbers; what follows may be anything
			s.at = i
			return yes
		}
	}
}

// take takes a token other than -1, and reports whether it is the last one.
func (l *lbttScan) take(token []byte) (last bool) {
	if l.next == lbttSets {
		digits := bytes.TrimRight(token, "st")
		l.onEdges = bytes.IndexByte(token, 't') >= 0
		l.onStates = !l.onEdges || bytes.IndexByte(token, 's') >= 0
		l.begun = len(digits) < len(token)
		token = digits
	}
	n := count(token)
	if n < 0 || n > 1 && l.next == lbttInitial {
		l.next = lbttBroken
	}
	switch l.next {
	case lbttCount:
		l.left = n
		l.next = lbttSets
	case lbttSets:
		l.next = lbttState
		return l.left == 0
	case lbttState:
		l.numbered = true
		l.next = lbttInitial
	case lbttInitial:
		l.begun = true
		if l.next = lbttOfState; !l.onStates {
			l.next = lbttTarget
		}
	case lbttTarget:
		l.need = 1
		if l.next = lbttOfEdge; !l.onEdges {
			l.next = lbttGuard
		}
	}
	return false
}

// operand notes that the guard has one more.
func (l *lbttScan) operand() {
	if l.need--; l.need == 0 {
		l.next = lbttTarget
	}
}

// guardToken goes over an operator, a proposition or a constant, and reports
// whether all of it is there.
func (s *Splitter) guardToken(text []byte) bool {
	end := s.at + 1
	switch b := text[s.at]; {
	case b == '!':
	case b == '&' || b == '|' || b == '^':
		s.lbtt.need++
	case b == '"':
		s.quoted = true
	case !isLetter(b):
		s.lbtt.next = lbttBroken
	default:
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if end == len(text) && !s.closed && end < s.at+farthest {
			return false
		}
		switch w := text[s.at:end]; {
		case len(w) >= farthest:
			s.lbtt.next = lbttBroken
		case len(w) == 1 && (b == 'i' || b == 'e'):
			s.lbtt.need++
		default:
			s.lbtt.operand()
		}
	}
	s.at = end
	return true
}

// dstarScan finds the end of an automaton in ltl2dstar's format, which is that of
// its last state: a number for each letter.
type dstarScan struct {
	next    dstarToken
	states  int // that are still to come
	letters int
	left    int // edges of the state
}

// dstarToken is what should come next.
type dstarToken uint8

const (
	dstarHeader dstarToken = iota // something of the header
	dstarStates                   // the number of states
	dstarProps                    // the number of propositions
	dstarState                    // State:
	dstarNumber                   // number of a state
	dstarEdges                    // its name, its sets and its edges
	dstarBroken
)

func (s *Splitter) scanDSTAR(text []byte) answer {
	for {
		if s.quoted {
			if a := s.quote(text); a != yes {
				return a
			}
		}
		if a := s.blanks(text); a != yes {
			return a
		}
		token := s.token(text)
		if token == nil {
			return wait
		}
		s.at += len(token)
		if token[0] == '"' {
			s.quoted = true
		} else if s.dstar.take(token) {
			return yes
		}
	}
}

// take takes a token other than a string, and reports whether it is the last one.
func (d *dstarScan) take(token []byte) (last bool) {
	switch word := string(token); {
	case d.next == dstarHeader && word == "States:":
		d.next = dstarStates
	case d.next == dstarHeader && word == "AP:":
		d.next = dstarProps
	case d.next == dstarHeader && word == "---":
		d.next = dstarState
		return d.states == 0
	case d.next == dstarHeader:
	case d.next == dstarStates && count(token) >= 0:
		d.states = count(token)
		d.next = dstarHeader
	case d.next == dstarProps && count(token) >= 0 && count(token) <= maxDstarProps:
		d.letters = 1 << count(token)
		d.next = dstarHeader
	case d.next == dstarState && word == "State:":
		d.next = dstarNumber
	case d.next == dstarNumber && count(token) >= 0:
		d.left = max(1, d.letters)
		d.next = dstarEdges
	case d.next == dstarEdges && (word == "Acc-Sig:" || token[0] == '+' || token[0] == '-'):
	case d.next == dstarEdges && count(token) >= 0:
		if d.left--; d.left == 0 {
			d.states--
			d.next = dstarState
			return d.states == 0
		}
	default:
		d.next = dstarBroken
	}
	return false
}
