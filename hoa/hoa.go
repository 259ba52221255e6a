package hoa

import (
	"bytes"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// hoaFormat is the Hanoi Omega-Automata format (http://adl.github.io/hoaf/).
var hoaFormat = &Format{
	Name:  "hoa",
	Write: Write,
	input: &input{
		title:   "HOA",
		starts:  "H",
		opens:   hoaOpens,
		follows: hoaFollows,
		scan:    func() scanner { return &hoaScan{} },
		read:    readHOA,
	},
}

func init() { classify(`"\/*-`, inHOA) }

// readHOA reads an automaton in HOA. If it has --ABORT-- at its end, that is the error,
// whatever else is wrong.
func readHOA(p *parser) (*omega.Automaton, error) {
	a, err := p.hoa()
	if err != nil && p.complete && bytes.HasSuffix(p.text, []byte(abortToken)) {
		return nil, ErrAborted
	}
	return a, err
}

func hoaOpens(l *look, within bool) bool {
	if !l.word("HOA:") {
		return false
	}
	l.run(isBlank)
	l.sure = l.next() == 'v'
	l.short = l.short && within // between pieces, there is no need to know
	return true
}

// firstItems are the header items that a header may well begin with.
var firstItems = append([]string{"Start:", "properties:", "Alias:"}, once[1:]...)

// hoaFollows reports whether the text is HOA:, a version and a header item that is known.
func hoaFollows(l *look) bool {
	if !l.word("HOA:") {
		return false
	}
	l.run(isBlank)
	if !l.word("v") || !l.run(isDigit) || !l.run(isSpace) {
		return false
	}
	from := l.at
	l.run(func(b byte) bool { return isLetter(b) || b == '-' })
	return l.next() == ':' && slices.Contains(firstItems, string(l.text[from:l.at+1]))
}

// The tokens of HOA with dashes.
const (
	bodyToken  = "--BODY--"
	endToken   = "--END--"
	abortToken = "--ABORT--"
)

// dashed returns the token with dashes that the text starts with, or "". It is not known
// if the text is too short.
func dashed(text []byte) (token string, known bool) {
	for _, token := range []string{bodyToken, endToken, abortToken} {
		if bytes.HasPrefix(text, []byte(token)) {
			return token, true
		}
		if bytes.HasPrefix([]byte(token), text) {
			return "", false
		}
	}
	return "", true
}

// hoaScan finds the --END-- or --ABORT-- of an automaton in HOA.
type hoaScan struct {
	named bool // in an identifier, in which --END-- means nothing
}

func (h *hoaScan) reset() { *h = hoaScan{} }

func (h *hoaScan) scan(s *Splitter, text []byte) answer {
	for {
		for s.at < len(text) && (h.named && wordByte(text[s.at]) || !h.named && classes[text[s.at]]&(interrupts|inHOA) == 0) {
			s.at++
		}
		if s.at == len(text) {
			return wait
		}
		if h.named {
			h.named = false
			continue
		}
		switch b := text[s.at]; {
		case classes[b]&interrupts != 0:
			if a := s.opens(text); a != yes {
				return a
			}
		case s.quoted || s.comment > 0 || b != '-':
			if !s.inside(text, true) {
				return wait
			}
			continue
		case inIdentifier(text[:s.at]):
			h.named = true
			continue
		default:
			token, known := dashed(text[s.at:])
			if !known {
				return wait
			}
			s.at += max(1, len(token))
			if token == endToken || token == abortToken {
				return yes
			}
			continue
		}
		s.at++
	}
}

// inIdentifier reports whether a dash behind the text belongs to an identifier, or to the
// name of an alias, that the text ends with: foo--END-- is one, 0--END-- is a number and
// the end.
func inIdentifier(text []byte) bool {
	i := len(text)
	for i > 0 && isLetter(text[i-1]) {
		i--
	}
	if i > 0 && text[i-1] == '@' {
		return true
	}
	return len(bytes.TrimLeft(text[i:], "0123456789")) > 0
}
