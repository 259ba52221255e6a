package hoa

import (
	"bytes"
	"slices"
	"strings"
)

// baFormat is the format of RABIT and Reduce (Clemente and Mayr 2019); GOAL, FORKLIFT and BAIT read
// it too. Its automata have no end of their own: a file holds one.
var baFormat = &Format{
	Name:  "ba",
	Write: WriteBA,
	input: &input{title: "BA", whole: isBA, read: (*parser).ba},
}

// An Unlisted says which states accept in a file in BA that lists no accepting state. Tools differ
// there.
type Unlisted uint8

const (
	AskUnlisted  Unlisted = iota // such a file is an error
	AllUnlisted                  // all states accept, as in RABIT
	NoneUnlisted                 // no state accepts
)

var unlistedNames = [...]string{AskUnlisted: "ask", AllUnlisted: "all", NoneUnlisted: "none"}

// String returns the name: "ask", "all" or "none".
func (u Unlisted) String() string { return unlistedNames[u] }

// ParseUnlisted returns the Unlisted of a name.
func ParseUnlisted(name string) (u Unlisted, ok bool) {
	i := slices.Index(unlistedNames[:], name)
	return Unlisted(max(i, 0)), i >= 0
}

// NamedBA reports whether the file with a name is in BA: its suffix is .ba.
func NamedBA(name string) bool { return strings.HasSuffix(name, ".ba") }

// expectBA makes a stream that has just begun an automaton in BA.
func (s *Splitter) expectBA() { s.sniffs, s.begun, s.format = false, true, baFormat }

// isBA reports whether a stream is an automaton in BA: its first line is an edge, or its first line
// is a state and the second one an edge. Cost: linear in the length of the two lines, bounded.
func isBA(text []byte, closed bool) answer {
	const most = 1 << 16
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	for first := true; ; first = false {
		text = bytes.TrimLeft(text, blanks)
		if len(text) == 0 && !closed {
			return wait
		}
		// What opens an automaton of another format is not BA.
		if first && len(text) > 0 && len(starting[text[0]]) > 0 {
			s := Splitter{closed: closed}
			if l := s.ahead(text); l.opening(false) != nil {
				return no
			}
		}
		n := bytes.IndexByte(text, '\n')
		switch {
		case n >= 0:
		case len(text) > most:
			return no // no edge is so long
		case closed:
			n = len(text)
		case strings.Contains(string(text), "HOA:"):
			return no // after a prompt, perhaps; whoever writes it may wait for an answer
		default:
			return wait
		}
		line := bytes.TrimSpace(text[:n])
		if e, fault := cutEdge(line); fault == "" {
			return yes
		} else if e.found || !first || len(line) == 0 || bytes.ContainsAny(line, ",;:{}\"") {
			// Only the initial state may stand before the first edge, on a line of its own.
			return no
		}
		text = text[n:]
	}
}

// A baLine is a line of BA that has an arrow: the parts of an edge.
type baLine struct {
	label, src, dst []byte
	found           bool // there is an arrow
}

// cutEdge takes an edge apart: "label,source->destination". If the line is none, fault says why.
func cutEdge(line []byte) (e baLine, fault string) {
	left, dst, ok := bytes.Cut(line, []byte("->"))
	if !ok {
		return e, "no arrow"
	}
	e.found = true
	label, src, ok := bytes.Cut(left, []byte(","))
	e.label, e.src, e.dst = bytes.TrimSpace(label), bytes.TrimSpace(src), bytes.TrimSpace(dst)
	switch {
	case !ok:
		return e, "expected an edge, label,source->destination: no comma before the arrow"
	case bytes.IndexByte(e.src, ',') >= 0 || bytes.IndexByte(e.dst, ',') >= 0:
		return e, "expected an edge, label,source->destination: a second comma, which no name can have"
	case bytes.Contains(e.dst, []byte("->")):
		return e, "expected an edge, label,source->destination: a second arrow, which no name can have"
	case len(e.label) == 0:
		return e, "expected an edge, label,source->destination: the label is empty"
	case len(e.src) == 0:
		return e, "expected an edge, label,source->destination: the source is empty"
	case len(e.dst) == 0:
		return e, "expected an edge, label,source->destination: the destination is empty"
	}
	return e, ""
}
