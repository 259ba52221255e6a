package hoa

import "github.com/xcheck-ltl/xcheck/omega"

// neverFormat is that of never claims in Promela (Spin's manual, page never).
var neverFormat = &Format{
	Name:  "never",
	Write: WriteNever,
	input: &input{
		title:   "never claim",
		starts:  "n",
		opens:   neverOpens,
		follows: neverFollows,
		scan:    func() scanner { return &neverScan{} },
		read: func(p *parser) (*omega.Automaton, error) {
			p.flat = true
			return p.never()
		},
	},
}

func init() { classify("\"\\/*\n{}", inNever) }

// neverOpens looks for the word, and for a name or none, and a brace, perhaps with a comment
// before it.
func neverOpens(l *look, _ bool) bool {
	if !l.word("never") {
		return false
	}
	if l.run(isSpace) && l.run(isLetter) {
		l.run(isSpace)
	}
	return l.next() == '{' || l.word("/*")
}

// neverFollows reports whether the text is a never claim up to its brace, and perhaps a
// comment, on the rest of a line, and a label on the next.
func neverFollows(l *look) bool {
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

// neverScan finds the closing brace of a never claim.
type neverScan struct {
	braces int // that are open
}

func (n *neverScan) reset() { *n = neverScan{} }

func (n *neverScan) scan(s *Splitter, text []byte) answer {
	for {
		for s.at < len(text) && classes[text[s.at]]&(interrupts|inNever) == 0 {
			s.at++
		}
		if s.at == len(text) {
			return wait
		}
		switch b := text[s.at]; {
		case b == '\n':
			s.slashes = false
		case s.slashes:
		case classes[b]&interrupts != 0:
			if a := s.opens(text); a != yes {
				return a
			}
		case s.quoted || s.comment > 0 || b != '{' && b != '}':
			if !s.inside(text, false) {
				return wait
			}
			continue
		case b == '{':
			n.braces++
		default:
			if n.braces--; n.braces <= 0 {
				s.at++
				return yes
			}
		}
		s.at++
	}
}
