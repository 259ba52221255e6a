package hoa

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// lbttFormat is the format of the testbench LBTT (Tauriainen 1999).
var lbttFormat = &Format{
	Name:  "lbtt",
	Write: WriteLBTT,
	input: &input{
		title:  "LBTT",
		starts: digits,
		opens:  lbttOpens,
		scan:   func() scanner { return &lbttScan{} },
		read:   (*parser).lbtt,
	},
}

// lbttOpens looks for the numbers of states and acceptance sets. The line ends after them, or goes on
// with the first state: its number, and 1 if it is initial.
//
//	2 1t
//	2 1 0 1
//
// The letters t and s say where the sets are. Within another automaton, numbers alone may be a part
// of it, such as the line of a state. So a letter is needed.
func lbttOpens(l *look, within bool) bool {
	if !(l.run(isDigit) && l.run(isBlank) && l.run(isDigit)) {
		return false
	}
	if !l.run(func(b byte) bool { return b == 's' || b == 't' }) && within {
		return false
	}
	end := func() bool {
		l.run(isBlank)
		return l.next() == '\n' || l.at >= len(l.text) && l.closed
	}
	at := l.at
	if end() || l.short {
		return true // if the text is short, the caller waits for more
	}
	return l.at > at && l.run(isDigit) && l.run(isBlank) && (l.word("0") || l.word("1")) && !isLetter(l.next())
}

// lbttScan finds the end of an automaton in LBTT format: the end of its last state, which
// has numbers, and guards in prefix notation.
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

func (l *lbttScan) reset() { *l = lbttScan{} }

func (l *lbttScan) scan(s *Splitter, text []byte) answer {
	found := l.find(s, text)
	if !l.begun && (found == no || found == wait && s.closed && !l.numbered) { // so far, there were only numbers
		if found == wait {
			s.at = len(text)
		}
		return other // just two numbers
	}
	return found
}

func (l *lbttScan) find(s *Splitter, text []byte) answer {
	for {
		if s.quoted {
			if a := s.quote(text); a != yes {
				return a
			}
			l.operand()
		}
		if a := s.toToken(text); a != yes {
			return a
		}
		if l.next == lbttGuard {
			if !l.guardToken(s, text) {
				return wait
			}
			continue
		}
		if bytes.HasPrefix(text[s.at:], []byte("-1")) && (l.next == lbttOfState || l.next == lbttTarget || l.next == lbttOfEdge) {
			s.at += len("-1") // known without what follows: it may be the end
			if l.next != lbttTarget {
				l.next++ // after the sets of a state come edges: each has sets, then a guard
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
			s.at = i
			return other // just two numbers; what follows may be anything
		}
	}
}

// take takes a token other than -1, and reports whether it is the last one.
func (l *lbttScan) take(token []byte) (last bool) {
	if l.next == lbttSets {
		digits := bytes.TrimRight(token, "st") // 2st means two sets, on states and on edges
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
		return l.left == 0 // without states, this is the end
	case lbttState:
		l.numbered = true
		l.next = lbttInitial
	case lbttInitial:
		l.begun = true
		if l.next = lbttOfState; !l.onStates {
			l.next = lbttTarget
		}
	case lbttTarget:
		l.need = 1 // the guard is one operand
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
func (l *lbttScan) guardToken(s *Splitter, text []byte) bool {
	end := s.at + 1
	switch b := text[s.at]; {
	case b == '!':
	case b == '&' || b == '|' || b == '^':
		l.need++
	case b == '"':
		s.quoted = true
	case !isLetter(b):
		l.next = lbttBroken
	default:
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if end == len(text) && !s.closed && end < s.at+farthest {
			return false // the word may go on
		}
		switch w := text[s.at:end]; {
		case len(w) >= farthest:
			l.next = lbttBroken
		case len(w) == 1 && (b == 'i' || b == 'e'): // i and e have two operands; other words have none
			l.need++
		default:
			l.operand()
		}
	}
	s.at = end
	return true
}

// WriteLBTT writes an automaton in LBTT's format. It must have generalized Büchi acceptance; see
// [AcceptanceError]. If its marks are on states, so are the acceptance sets; otherwise
// they are on edges (t). A proposition that is not one of LBTT's p0, p1, … is written in
// quotes, as Spot does. The automaton of GF a, with marks on edges:
//
//	1 1t
//	0 1
//	0 -1 ! "a"
//	0 0 -1 "a"
//	-1
//
// WriteLBTT fails when ctx is done, and for labels that only HOA can write.
func WriteLBTT(ctx context.Context, w io.Writer, a *omega.Automaton) (err error) {
	if a, err = inBuchi(ctx, a, "an LBTT automaton has generalized Büchi acceptance", omega.MaxMarks); err != nil {
		return err
	}
	l := &lbttWriter{Writer: bufio.NewWriter(guard.Writer(w)), a: a, store: ltl.NewStore(), guards: map[omega.Label]string{},
		onStates: a.StateMarks && a.HasStateMarks()}
	b := budget.New(ctx)
	defer a.Alphabet().Bind(b).Release(&err)
	kind := "t"
	if l.onStates {
		kind = ""
	}
	fmt.Fprintf(l, "%d %d%s\n", a.NumStates(), a.Acceptance().Sets, kind)
	for s := range omega.State(a.NumStates()) {
		if b.Spend(1 + len(a.Edges(s))) {
			return b.Err()
		}
		if err := l.state(s); err != nil {
			return err
		}
	}
	return l.Flush()
}

type lbttWriter struct {
	*bufio.Writer
	a        *omega.Automaton
	onStates bool
	store    *ltl.Store
	guards   map[omega.Label]string // each is made once
	marks    []int
}

func (l *lbttWriter) state(s omega.State) error {
	initial := 0
	if l.a.Initial()[0] == s {
		initial = 1
	}
	fmt.Fprintf(l, "%d %d", s, initial)
	edges := l.a.Edges(s)
	if l.onStates {
		m := omega.Marks(0)
		if len(edges) > 0 {
			m = edges[0].Marks
		}
		l.sets(m)
	}
	fmt.Fprintln(l)
	for _, e := range edges {
		guard, err := l.guard(e.Label)
		if err != nil {
			return err
		}
		fmt.Fprintf(l, "%d", e.Dst)
		if !l.onStates {
			l.sets(e.Marks)
		}
		fmt.Fprintf(l, " %s\n", guard)
	}
	_, err := fmt.Fprintln(l, "-1")
	return err
}

// sets writes the numbers of sets and the -1 behind them.
func (l *lbttWriter) sets(m omega.Marks) {
	l.marks = l.a.Marks().AppendTo(l.marks[:0], m)
	for _, i := range l.marks {
		fmt.Fprintf(l, " %d", i)
	}
	fmt.Fprint(l, " -1")
}

// guard returns a label in prefix notation.
func (l *lbttWriter) guard(label omega.Label) (string, error) {
	text, ok := l.guards[label]
	if ok {
		return text, nil
	}
	props := l.a.Alphabet().Props()
	// Package ltl knows the notation, so the guard goes there as a formula.
	infix, err := l.a.Alphabet().Expression(label, &omega.Operators{Not: "!", And: "&", Or: " | ", Name: func(i int) string {
		return ltl.PropText(props[i])
	}})
	if err != nil {
		return "", err
	}
	f, err := l.store.Parse(infix, ltl.Spot)
	if err == nil {
		text, err = f.Format(ltl.LBT)
	}
	l.guards[label] = text
	return text, err
}
