package hoa

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
)

// dstarFormat is the format of ltl2dstar (Klein and Baier 2006).
var dstarFormat = &Format{
	Name: "dstar",
	input: &input{
		title:  "DSTAR",
		starts: "D",
		opens:  dstarOpens,
		scan:   func() scanner { return &dstarScan{} },
		read:   (*parser).dstar,
	},
}

// dstarOpens looks for DRA or DSA, and a version.
func dstarOpens(l *look, _ bool) bool {
	return l.word("D") && (l.word("R") || l.word("S")) && l.word("A") && l.run(isBlank) && l.word("v") && l.run(isDigit)
}

// dstarScan finds the end of an automaton in ltl2dstar's format: the end of its last state, which
// has a number for each letter.
type dstarScan struct {
	body    bool   // behind ---
	name    string // of the header item; in the body, State: until its number
	states  int    // that are still to come
	letters int
	left    int // edges of the state
	broken  bool
}

func (d *dstarScan) reset() { *d = dstarScan{} }

// scan goes through the tokens that are new since the last call, and past comments and strings, which
// may quote anything. It has found the end when take has counted the last state.
func (d *dstarScan) scan(s *Splitter, text []byte) answer {
	for {
		if s.quoted {
			if a := s.quote(text); a != yes {
				return a
			}
		}
		for s.at < len(text) && (s.slashes || s.comment > 0) {
			switch b := text[s.at]; {
			case s.slashes:
				s.slashes = b != '\n'
				s.at++
			case len(starting[b]) > 0:
				if a := s.goesOn(text); a != yes {
					return a
				}
				s.at++
			case !s.inside(text, false):
				return wait
			}
		}
		if a := s.toToken(text); a != yes {
			return a
		}
		if rest := text[s.at:]; rest[0] == '/' && (len(rest) == 1 || rest[1] == '/' || rest[1] == '*') { // a comment
			if !s.inside(text, false) {
				return wait
			}
			continue
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
	word, n := string(token), count(token)
	name := d.name
	d.name = ""
	switch {
	case d.broken: // only the start of another automaton helps
	case name == "States:" && n >= 0:
		d.states = n
	case name == "AP:" && n >= 0 && n <= maxDstarProps:
		d.letters = 1 << n
	case name == "State:" && n >= 0:
		d.left = max(1, d.letters) // without AP: there is one letter
	case name != "": // no number follows it, or too large a one
		d.broken = true
	case !d.body && (word == "States:" || word == "AP:"), d.body && d.left == 0 && word == "State:":
		d.name = word
	case !d.body && word == "---":
		d.body = true
		return d.states == 0 // without states, this is the end
	case !d.body, d.left > 0 && (word == "Acc-Sig:" || token[0] == '+' || token[0] == '-'): // passed over: the reader checks it
	case d.left > 0 && n >= 0:
		if d.left--; d.left == 0 {
			d.states--
		}
		return d.states == 0
	default:
		d.broken = true
	}
	return false
}

// maxDstarProps bounds the propositions of an automaton that has an edge for each
// letter.
const maxDstarProps = 20

// deterministic is an automaton in ltl2dstar's format while it is read (Klein, Baier:
// "Experiments with deterministic ω-automata for formulas of linear temporal logic",
// 2006; the documentation of ltl2dstar 0.5, section "Output format"):
//
//	DRA v2 explicit       // or DSA: Streett
//	Comment: "Safra[NBA=2]"
//	States: 2
//	Acceptance-Pairs: 1
//	Start: 0
//	AP: 1 "a"
//	---
//	State: 0
//	Acc-Sig: +0           // in L of pair 0; -0: in U of it
//	0                     // the destination for the letter in which no bit is set
//	1                     // the destination for letter 1: bit 0 is the first proposition
//	…
//
// A run is accepted by a Rabin automaton if for some pair, states of L are seen again
// and again and states of U are not; by a Streett automaton if for all pairs, states
// of L are not, or states of U are. So L is what has to be seen (Inf) in a DRA and
// what obliges (Fin) in a DSA. In both, omega's marks of pair i are 2i and 2i+1, of
// which the first is that in Fin.
type deterministic struct {
	*parser
	streett       bool
	states, pairs int
	start         int
	startAt       int
	props         []string
	defined       []bool
	targets       []int // by letter
	*recorder
}

// dstar reads an automaton in ltl2dstar's format.
func (p *parser) dstar() (_ *omega.Automaton, err error) {
	p.plain, p.flat = true, true
	d := &deterministic{parser: p, states: -1, pairs: -1, start: -1}
	if err := d.header(); err != nil {
		return nil, err
	}
	name := "Rabin"
	if d.streett {
		name = "Streett"
	}
	acceptance, err := omega.NamedAcceptance(fmt.Sprintf("%s %d", name, d.pairs))
	if err != nil {
		return nil, err
	}
	d.recorder = p.record(d.props, acceptance, acceptance.Condition.Plain())
	defer d.release(&err)
	d.defined = make([]bool, d.states)
	for range d.states {
		if err := d.state(); err != nil {
			return nil, err
		}
	}
	if p.skip(); p.at < len(p.text) {
		return nil, p.expected("the end: all " + plural.Of(d.states, "state") + " have been read")
	}
	if d.states > 0 {
		d.recorder.start(d.start)
	}
	a := d.automaton(d.states)
	a.StateMarks = true
	return a, nil
}

// header reads all up to and with the three dashes.
func (d *deterministic) header() error {
	d.skip()
	switch word := d.word(); string(word) {
	case "DRA":
	case "DSA":
		d.streett = true
	default:
		d.at -= len(word)
		return d.expected("DRA or DSA")
	}
	for _, word := range []string{"v2", "explicit"} {
		d.skip()
		if at := d.at; string(d.word()) != word {
			return d.expectedAt(at, "DRA v2 explicit or DSA v2 explicit")
		}
	}
	var seen []string
	for {
		d.skip()
		at := d.at
		if d.keyword("---") {
			if err := d.delimited(); err != nil {
				return err
			}
			break
		}
		name := d.headerName()
		if slices.Contains(seen, name) {
			return d.errorAt(at, "second %s", name)
		}
		seen = append(seen, name)
		if err := d.headerItem(name, at); err != nil {
			return err
		}
	}
	for _, name := range []string{"States:", "Acceptance-Pairs:", "Start:"} {
		if !slices.Contains(seen, name) {
			return d.errorAt(d.at, "the header has no %s", name)
		}
	}
	if d.start >= d.states && d.states > 0 { // without states, Start: means nothing
		return d.errorAt(d.startAt, "state %d, but there %s", d.start, only(d.states, "state"))
	}
	return nil
}

func (d *deterministic) headerItem(name string, at int) (err error) {
	switch name {
	case "Comment:":
		_, err = d.str("a comment in double quotes")
	case "States:":
		d.states, err = d.integer("a number of states", maxStates)
	case "Acceptance-Pairs:":
		d.pairs, err = d.integer("a number of pairs", omega.MaxMarks/2)
	case "Start:":
		d.skip()
		d.startAt = d.at
		d.start, err = d.integer("the number of the initial state", maxStates)
	case "AP:":
		d.props, err = d.namesOf("proposition", "propositions", maxDstarProps)
	default:
		d.at = at
		err = d.expected("Comment:, States:, Acceptance-Pairs:, Start:, AP: or ---")
	}
	return err
}

// state reads a state and its edges.
func (d *deterministic) state() error {
	if d.headerName() != "State:" {
		return d.expected("State:")
	}
	d.skip()
	at := d.at
	s, err := d.integer("the number of a state", maxStates)
	switch {
	case err != nil:
		return err
	case s >= d.states:
		return d.errorAt(at, "state %d, but there %s", s, only(d.states, "state"))
	case d.defined[s]:
		return d.errorAt(at, "state %d occurs twice", s)
	}
	d.defined[s] = true
	if d.peek() == '"' {
		if _, err := d.str("a comment"); err != nil {
			return err
		}
	}
	marks, err := d.signature()
	if err != nil {
		return err
	}
	d.targets = d.targets[:0]
	for range 1 << len(d.props) { // the letters in the order of their numbers
		d.skip()
		at := d.at
		t, err := d.integer("a destination for each letter", maxStates)
		if err != nil {
			return err
		}
		if t >= d.states {
			return d.errorAt(at, "edge to state %d, but there %s", t, only(d.states, "state"))
		}
		d.targets = append(d.targets, t)
	}
	for _, e := range d.merge(d.targets, len(d.props)) {
		d.edge(s, label{e.text, e.set}, d.builder.Marks().Of(marks...), marks, e.to)
	}
	return nil
}

// signature reads the pairs of a state.
func (d *deterministic) signature() ([]int, error) {
	at := d.at
	if d.headerName() != "Acc-Sig:" {
		return nil, d.expectedAt(at, "Acc-Sig:")
	}
	var marks []int
	for {
		sign := d.peek()
		if sign != '+' && sign != '-' {
			return marks, nil
		}
		d.at++
		if d.at < len(d.text) && space[d.text[d.at]] { // the sign belongs to the number
			return nil, d.expected("the number of a pair after its sign")
		}
		at := d.at
		i, err := d.integer("the number of a pair", omega.MaxMarks)
		if err != nil {
			return nil, err
		}
		if i >= d.pairs {
			return nil, d.errorAt(at, "pair %d, but there %s", i, only(d.pairs, "pair"))
		}
		if inf := (sign == '+') != d.streett; inf { // L of a Rabin pair, U of a Streett pair
			marks = append(marks, 2*i+1)
		} else {
			marks = append(marks, 2*i)
		}
	}
}

// A letterEdge is an edge on several letters.
type letterEdge struct {
	label
	to int
}

// merge returns an edge to each destination of the letters over the first n propositions, in the
// order of the destinations. Over a and b, the targets 0 1 0 1 (of !a&!b, a&!b, !a&b and a&b) make
// an edge on !a to 0, and one on a to 1.
func (d *deterministic) merge(targets []int, n int) []letterEdge {
	same := true
	for _, t := range targets[1:] {
		same = same && t == targets[0]
	}
	if same {
		return []letterEdge{{label{always, d.alphabet.True()}, targets[0]}}
	}
	half := len(targets) / 2
	lo, hi := d.merge(targets[:half], n-1), d.merge(targets[half:], n-1)
	prop, not := &d.atoms[2*n-2], &d.atoms[2*n-1] // the last proposition is the highest bit: false in the first half
	var both []letterEdge
	// Both lists are sorted by destination, and are merged.
	for len(lo) > 0 || len(hi) > 0 {
		switch {
		case len(hi) == 0 || len(lo) > 0 && lo[0].to < hi[0].to:
			both = append(both, letterEdge{d.both(not, lo[0].label), lo[0].to})
			lo = lo[1:]
		case len(lo) == 0 || hi[0].to < lo[0].to:
			both = append(both, letterEdge{d.both(prop, hi[0].label), hi[0].to})
			hi = hi[1:]
		default:
			l := lo[0].label
			if l.set != hi[0].set { // otherwise the proposition makes no difference
				without, with := d.both(not, l), d.both(prop, hi[0].label)
				l = label{anyOf(without.text, with.text), d.alphabet.Or(without.set, with.set)}
			}
			both = append(both, letterEdge{l, lo[0].to})
			lo, hi = lo[1:], hi[1:]
		}
	}
	return both
}

// both returns the conjunction of a literal and a label.
func (d *deterministic) both(literal *certify.Label, l label) label {
	return label{allOf(literal, l.text), d.alphabet.And(d.set(literal), l.set)}
}
