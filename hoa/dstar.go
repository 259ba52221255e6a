package hoa

import "github.com/xcheck-ltl/xcheck/omega"

// dstarFormat is that of ltl2dstar (Klein and Baier 2006).
var dstarFormat = &Format{
	Name: "dstar",
	input: &input{
		title:  "DSTAR",
		starts: "D",
		opens:  dstarOpens,
		scan:   func() scanner { return &dstarScan{} },
		read: func(p *parser) (*omega.Automaton, error) {
			p.plain = true
			return p.dstar()
		},
	},
}

// dstarOpens looks for DRA or DSA, and a version.
func dstarOpens(l *look, _ bool) bool {
	return l.word("D") && (l.word("R") || l.word("S")) && l.word("A") && l.run(isBlank) && l.word("v") && l.run(isDigit)
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

func (d *dstarScan) reset() { *d = dstarScan{} }

func (d *dstarScan) scan(s *Splitter, text []byte) answer {
	for {
		if s.quoted {
			if a := s.quote(text); a != yes {
				return a
			}
		}
		if a := s.toToken(text); a != yes {
			return a
		}
		token := s.token(text)
		if token == nil {
			return wait
		}
		s.at += len(token)
		if token[0] == '"' {
			s.quoted = true
		} else if d.take(token) {
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
