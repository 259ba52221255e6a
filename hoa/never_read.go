package hoa

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/promela"
	"github.com/xcheck-ltl/xcheck/omega"
)

// claim is a never claim while it is read: a Büchi automaton with marks on its
// states, the accepting ones being those with a label that starts with "accept".
//
//	never { /* formula */
//		do
//		:: true
//		:: p && !q -> break
//		od;
//	accept:
//		do
//		:: !q
//		od
//	}
//
// It is read as Spin does:
//
//   - The initial state is the first one.
//   - An expression is a step to the next statement: in an option, to what follows the if, or back to
//     the do. skip is such a step, too.
//   - goto and break take no step, unless an option starts with them or their label is an accepting one.
//   - atomic is one step: all of its expressions hold for the same letter.
//   - The end of the claim accepts everything. An assertion that fails leads there, and so does
//     skip as the last statement.
//   - else holds if no other option of the state can start.
//   - Boolean operators of a guard join propositions: expressions of Promela.
//
// Where Spot reads another automaton, there is a warning.
type claim struct {
	*parser
	seenProps
	source   string                    // the text
	spelled  map[string]string         // names of propositions, by the expressions they are
	guards   map[string]*certify.Label // by their texts
	labels   map[string]*point
	gotos    []*point // the labels that they name
	states   []*point
	end      *point // of the claim
	depth    int    // of the sequence
	atomic   bool
	onlySpin bool // Spot does not read the claim
}

// A point is where a statement starts. It is a state, unless it leads to another point without a step.
type point struct {
	accept bool
	number int    // of the state, from 1
	to     *point // where it leads without a step
	edges  []claimEdge
	loops  []*point // loops that options of the state start with
	others bool     // the state has an else
	// Of a label, a point that leads to its statement:
	name   string
	usedAt int
}

type claimEdge struct {
	dst      *point
	guard    *certify.Label
	first    *certify.Label // the guard's first expression, by which the option can start
	others   bool           // it is an else, besides the guard
	asserted bool           // some letters of the guard are left to an assertion, perhaps none
	targetAt int
}

// and returns the edge with one more expression in its guard. The first one is kept.
func (e claimEdge) and(guard *certify.Label) claimEdge {
	if e.guard == nil {
		e.guard, e.first = guard, guard
	} else {
		e.guard = allOf(e.guard, guard)
	}
	return e
}

const maxNesting = 1000 // of statements

// never reads a never claim.
func (p *parser) never() (*omega.Automaton, error) {
	p.flat = true // comments of C
	c := &claim{parser: p, source: string(p.text), spelled: map[string]string{}, guards: map[string]*certify.Label{}, labels: map[string]*point{}, end: &point{accept: true}}
	p.skip()
	p.keyword("never")
	if p.peek() != '{' { // a claim may have a name
		if _, err := c.label("a name or '{'"); err != nil {
			return nil, err
		}
	}
	if !p.take('{') {
		return nil, p.expected("'{'")
	}
	start := &point{}
	if err := c.sequence(start, c.end, nil, false, claimEdge{}); err != nil {
		return nil, err
	}
	if !p.take('}') {
		return nil, p.expected("';' or '}'")
	}
	if p.skip(); p.at < len(p.text) {
		return nil, p.expected("the end")
	}
	return c.finish(start)
}

// name reads an identifier of Promela, or a number; "" if neither comes next.
func (c *claim) name() string {
	c.skip()
	start := c.at
	in := isLetter
	if start < len(c.text) && isDigit(c.text[start]) {
		in = isDigit
	}
	for c.at < len(c.text) && in(c.text[c.at]) {
		c.at++
	}
	return string(c.text[start:c.at])
}

// label reads the label of a state, or the name of the claim.
func (c *claim) label(what string) (string, error) {
	c.skip()
	at := c.at
	name := c.name()
	if !identifier(name) {
		return "", c.expectedAt(at, what)
	}
	return name, nil
}

// identifier reports whether a name is neither a number nor a reserved word.
func identifier(name string) bool { return name != "" && !isDigit(name[0]) && !promela.Reserved(name) }

// sequence reads statements from a point to the end of the sequence, and break leads to exit. If
// the sequence is an option, its first statement belongs to the state of the if or do. In atomic,
// edge has what held so far.
func (c *claim) sequence(at, end, exit *point, option bool, edge claimEdge) error {
	if c.depth++; c.depth > maxNesting {
		return c.errorAt(c.at, "statements nested deeper than %d", maxNesting)
	}
	defer func() { c.depth-- }()
	for ; ; option = false {
		label, err := c.labelled(at, option)
		if err != nil {
			return err
		}
		empty := c.peek() == ';' || c.closes()
		if empty && label == "" {
			return c.expected("a statement")
		}
		from, next := c.at, &point{}
		var word string
		if !empty {
			word = c.name()
		}
		block := c.peek() == '{'
		c.reads(word, label, option)
		var guard *certify.Label
		what := "';' or '}'" // that ends the statement
		switch {
		case empty:
			guard = always // a label alone is skip
		case word == "else" && (at.others || edge.guard != nil):
			return c.errorAt(from, "second else of the state")
		case word == "else":
			guard, at.others, edge.others = always, true, true
		case word == "if":
			err = c.options(at, next, exit, edge, "fi")
		case word == "do" && c.atomic:
			return c.errorAt(from, "loop in atomic")
		case word == "do":
			head := at
			if option { // it goes round without the other options
				head = &point{}
				at.loops = append(at.loops, head)
				c.state(at)
			}
			err = c.options(head, head, next, claimEdge{}, "od")
		case block && (word == "" || word == "atomic"):
			c.take('{')
			outer := c.atomic
			c.atomic = outer || word != ""
			if err = c.sequence(at, next, exit, option, edge); err == nil && !c.take('}') {
				err = c.expected("';' or '}'")
			}
			c.atomic = outer
		case word == "goto" || word == "break":
			target := exit
			if edge.targetAt = from; word == "goto" {
				target, edge.targetAt, err = c.target()
			} else if exit == nil {
				return c.errorAt(from, "break outside a loop")
			}
			if option || at.accept || edge.guard != nil {
				// An accepting state takes a step, even if it only jumps: runs must pass it.
				c.step(at, target, edge)
			} else {
				at.to = target
			}
		case word == "assert" && c.peek() == '(':
			if guard, err = c.guard(promela.Unary); err == nil {
				if edge.asserted = true; edge.guard == nil {
					edge = edge.and(always) // it can always start
				}
				c.step(at, c.end, edge.and(negated(guard)))
			}
		default:
			c.at = from
			guard, err = c.guard(promela.Boolean)
			what = "an operator or '->'"
		}
		if err != nil {
			return err
		}
		more, err := c.more(what)
		switch {
		case err != nil:
			return err
		case guard == nil && more && c.atomic:
			return c.expected("'}' behind this statement in atomic")
		case guard == nil: // no expression
		case c.atomic && more:
			edge = edge.and(guard)
			continue
		case word == "skip" && !more && end == c.end && !c.atomic && c.depth == 1: // the end of the claim
			if !at.accept {
				c.differs(from, label+": skip at the end accepts, as for Spin; for Spot, it rejects")
			}
			at.to = c.end
			c.state(c.end)
		default:
			if guard != never || edge.guard != nil { // Spin writes false for a state without edges
				c.step(at, next, edge.and(guard))
			}
			c.state(at)
			switch {
			case guard == never:
			case word == "skip" && c.depth == 1:
				c.differs(from, label+": skip goes on to the next state, as for Spin; for Spot, it stays")
			case option && !more && end == at:
				c.differs(from, "a guard without goto in a loop stays in the state, as for Spin; for Spot, it is no edge")
			case option && !more:
				c.differs(from, "a guard without goto goes on to the next state, as for Spin; for Spot, it is no edge")
			}
		}
		if !more {
			next.to = end
			return nil
		}
		at, edge = next, claimEdge{}
	}
}

// reads notes whether Spot reads the statement: labelled states, with one expression in each option,
// and goto behind it.
func (c *claim) reads(word, label string, option bool) {
	spot := option && !slices.Contains([]string{"if", "do", "break", "goto", "assert"}, word) || word == "goto" || word == "assert"
	if c.depth == 1 {
		spot = label != "" && slices.Contains([]string{"if", "do", "skip", "false", "0"}, word)
	}
	c.onlySpin = c.onlySpin || !spot
}

// labelled reads the labels of a statement, and returns the first.
func (c *claim) labelled(at *point, option bool) (first string, err error) {
	for {
		c.skip()
		from := c.at
		name := c.name()
		// "::" is no label's end, and an option may start with a variable of a process: P:x.
		if !identifier(name) || c.peek() != ':' || bytes.HasPrefix(c.text[c.at:], []byte("::")) || option && c.at+1 < len(c.text) && !space[c.text[c.at+1]] {
			c.at = from
			return first, nil
		}
		c.at++
		label := c.point(name)
		switch {
		case label.to != nil:
			return "", c.errorAt(from, "label %s occurs twice", name)
		case option || c.atomic:
			return "", c.errorAt(from, "label %s at the start of an option or in atomic: Spin wants it before if, do or atomic", name)
		case strings.HasSuffix(name, "_init") && len(c.states) > 0:
			c.differs(from, name+": Spin and Spot start in the first state, whatever its label is")
		}
		label.to = at
		at.accept = at.accept || strings.HasPrefix(name, "accept")
		first = cmp.Or(first, name)
	}
}

// point returns the point of a label.
func (c *claim) point(label string) *point {
	p, ok := c.labels[label]
	if !ok {
		p = &point{name: label}
		c.labels[label] = p
	}
	return p
}

// target reads the label of a goto.
func (c *claim) target() (*point, int, error) {
	c.skip()
	at := c.at
	name, err := c.label("a label")
	if err != nil {
		return nil, at, err
	}
	label := c.point(name)
	if label.usedAt == 0 {
		label.usedAt = at
		c.gotos = append(c.gotos, label)
	}
	return label, at, nil
}

// differs warns that another program may read another automaton.
func (c *claim) differs(at int, text string) { c.warn(TwoReadings, at, text) }

// state makes a point a state.
func (c *claim) state(p *point) {
	if p.number == 0 {
		c.states = append(c.states, p)
		p.number = len(c.states)
	}
}

// step adds an edge.
func (c *claim) step(at, to *point, e claimEdge) {
	c.state(at)
	if e.dst = to; e.guard == nil {
		e.guard, e.first = always, always
	}
	at.edges = append(at.edges, e)
}

// more goes over what ends a statement: a semicolon, an arrow or, as for Spin, the end of the line.
// Behind the last one there may be none. It reports whether there is another statement.
func (c *claim) more(what string) (bool, error) {
	at := c.at
	c.skip()
	ended := bytes.IndexByte(c.text[at:c.at], '\n') >= 0
	for c.take(';') || c.keyword("->") {
		ended = true
	}
	if c.closes() {
		return false, nil
	}
	if !ended || c.at == len(c.text) {
		return false, c.expected(what)
	}
	return true, nil
}

// closes reports whether the sequence ends here.
func (c *claim) closes() bool {
	c.skip()
	at := c.at
	word := c.name()
	c.at = at
	return word == "fi" || word == "od" || bytes.HasPrefix(c.text[at:], []byte("}")) || bytes.HasPrefix(c.text[at:], []byte("::"))
}

// options reads the options of a state, and the word that closes them.
func (c *claim) options(at, next, exit *point, edge claimEdge, end string) error {
	c.state(at)
	for {
		if c.skip(); c.keyword("::") {
			if err := c.sequence(at, next, exit, true, edge); err != nil {
				return err
			}
			continue
		}
		from := c.at
		if c.name() == end {
			return nil
		}
		return c.expectedAt(from, ":: or "+end)
	}
}

func (c *claim) finish(start *point) (_ *omega.Automaton, err error) {
	for _, label := range c.gotos {
		if label.to == nil {
			return nil, c.errorAt(label.usedAt, "no state has the label %s", label.name)
		}
	}
	for _, label := range c.gotos { // all lead to a point
		if label.arrive() == nil {
			return nil, c.errorAt(label.usedAt, "states only jump to each other")
		}
	}
	for _, s := range c.states {
		for k := range s.edges {
			if s.edges[k].dst = s.edges[k].dst.arrive(); s.edges[k].dst == c.end {
				c.state(c.end)
			}
		}
	}
	if c.end.number > 0 {
		c.step(c.end, c.end, claimEdge{})
	}
	if c.onlySpin {
		c.warnings = nil
	}
	r, err := c.recorder(c.parser, 1)
	if err != nil {
		return nil, err
	}
	defer r.release(&err)
	r.start(start.arrive().number - 1)
	for _, s := range c.states {
		edges := s.edges
		for loops := s.loops; len(loops) > 0; loops = append(loops[1:], loops[0].loops...) {
			edges = append(edges[:len(edges):len(edges)], loops[0].edges...)
		}
		taken := &certify.Label{Op: certify.Or}
		for _, e := range edges {
			if !e.others {
				taken.Args = append(taken.Args, e.first)
			}
		}
		var marks []int
		if s.accept {
			marks = []int{0}
		}
		for _, e := range edges {
			if e.others {
				e.guard = allOf(negated(taken), e.guard)
			}
			c.labelAt = e.targetAt
			if guard := r.evaluated(e.guard); !e.asserted || guard.set != omega.False {
				r.edge(s.number-1, guard, r.builder.Marks().Of(marks...), marks, e.dst.number-1)
			}
		}
	}
	a := r.automaton(len(c.states))
	a.StateMarks = true
	return a, nil
}

// arrive returns the state to which a point leads without a step, nil if it leads in a circle. Points on
// the way lead there directly from then on.
func (p *point) arrive() *point {
	s, slow := p, p
	for even := false; s.to != nil; even = !even {
		if s = s.to; even {
			slow = slow.to
		}
		if s == slow {
			return nil
		}
	}
	for p != s {
		p.to, p = s, p.to
	}
	return s
}
