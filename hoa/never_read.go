package hoa

import (
	"bytes"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/promela"
	"github.com/xcheck-ltl/xcheck/omega"
)

// claim is a never claim while it is read: a Büchi automaton with marks on its
// states, the accepting ones being those with a label that starts with "accept".
//
//	never { /* formula */
//	T0_init:
//		if
//		:: (guard) -> goto accept_S1
//		:: atomic { (guard) -> assert(!(guard)) }
//		fi;
//	accept_S1:
//		skip
//	}
//
// It is read as Spin does:
//
//   - The initial state is the first one.
//   - The end of the claim accepts everything. An assertion that fails leads there, and so does
//     skip in the last state. Elsewhere, skip is a step to the next state.
//   - A state that only jumps takes no step and is no state, unless it is an accepting one.
//   - A guard without a goto stays in a loop (do), and goes on to the next state otherwise (if), as
//     break does.
//   - else holds if no other guard of the state does.
//   - Boolean operators of a guard join propositions: expressions of Promela.
//
// Where Spot reads another automaton, there is a warning.
type claim struct {
	*parser
	seenProps
	source  string            // the text
	spelled map[string]string // names of propositions, by the expressions they are
	states  map[string]int    // by label
	accept  []bool
	edges   []claimEdge
	jumps   map[int]claimEdge // of the states that only jump
	all     int               // the state that is the end of the claim, or -1
}

type claimEdge struct {
	src, dst int
	target   string // label of the destination, to be found at the end
	targetAt int
	ends     bool // leads to the end of the claim
	falls    bool // leads to the next state
	others   bool // else: its guard is what the other edges of the state leave
	guard    *certify.Label
	asserted *certify.Label // the negation of the guard; nil if nothing is asserted
	place    int            // of the assertion
}

// never reads a never claim.
func (p *parser) never() (*omega.Automaton, error) {
	p.flat = true // comments of C
	c := &claim{parser: p, source: string(p.text), spelled: map[string]string{}, states: map[string]int{}, jumps: map[int]claimEdge{}, all: -1}
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
	for !p.take('}') {
		if err := c.state(); err != nil {
			return nil, err
		}
	}
	if p.skip(); p.at < len(p.text) {
		return nil, p.expected("the end")
	}
	return c.finish()
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

// state reads the labels of a state, and what it does.
func (c *claim) state() error {
	s := len(c.accept)
	first, labels := "", 0
	for {
		c.skip()
		at := c.at
		label := c.name()
		// "::" is no label's end.
		if !identifier(label) || c.peek() != ':' || bytes.HasPrefix(c.text[c.at:], []byte("::")) {
			c.at = at
			break
		}
		c.at++
		if _, ok := c.states[label]; ok {
			return c.errorAt(at, "label %s occurs twice", label)
		}
		if labels++; labels == 1 {
			first = label
			c.accept = append(c.accept, false)
		}
		c.states[label] = s
		if strings.HasPrefix(label, "accept") {
			c.accept[s] = true
		}
		if strings.HasSuffix(label, "_init") && s > 0 {
			c.differs(at, label+": Spin and Spot start in the first state, whatever its label is")
		}
	}
	if labels == 0 {
		return c.expected("a label and ':', or '}'")
	}
	return c.statement(s, first)
}

// differs warns that another program may read another automaton.
func (c *claim) differs(at int, text string) { c.warn(TwoReadings, at, text) }

func (c *claim) statement(s int, label string) error {
	c.skip()
	at := c.at
	switch word := c.name(); word {
	case "skip":
		if err := c.separator(); err != nil {
			return err
		}
		last := c.peek() == '}' // the end of the claim
		switch {
		case !last:
			c.differs(at, label+": skip goes on to the next state, as for Spin; for Spot, it stays")
		case !c.accept[s]:
			c.differs(at, label+": skip at the end accepts, as for Spin; for Spot, it rejects")
		}
		if last {
			c.all, c.accept[s] = s, true // then the state is the end, which accepts everything
		}
		c.edges = append(c.edges, claimEdge{src: s, dst: s, guard: always, falls: !last})
		return nil
	case "false", "0":
		// no edge
	case "if", "do":
		if err := c.options(s, map[string]string{"if": "fi", "do": "od"}[word]); err != nil {
			return err
		}
	case "goto":
		c.at = at
		jump, err := c.jump(claimEdge{src: s, guard: always})
		if err != nil {
			return err
		}
		if c.accept[s] {
			// An accepting state takes a step, even if it only jumps: runs must pass it.
			c.edges = append(c.edges, jump)
		} else {
			c.jumps[s] = jump
		}
	default:
		return c.expectedAt(at, "if, do, skip, false or goto")
	}
	return c.separator()
}

// separator goes over what ends a statement: a semicolon or, as for Spin, the end of the
// line. Behind the last one there may be none.
func (c *claim) separator() error {
	at := c.at
	if c.take(';') || c.peek() == '}' || bytes.IndexByte(c.text[at:c.at], '\n') >= 0 { // peek goes over the white space
		return nil
	}
	return c.expected("';' or '}'")
}

// options reads the edges of a state, and the word that closes them.
func (c *claim) options(s int, end string) error {
	for {
		c.skip()
		if c.keyword("::") {
			if err := c.option(s, end == "od"); err != nil {
				return err
			}
			c.take(';')
			continue
		}
		at := c.at
		if c.name() == end {
			return nil
		}
		return c.expectedAt(at, ":: or "+end)
	}
}

// option reads an edge of a state, behind its colons; in a loop, it may have no
// goto.
func (c *claim) option(s int, loop bool) error {
	c.skip()
	at := c.at
	e := claimEdge{src: s, dst: s, guard: always}
	switch c.name() {
	case "atomic":
		if c.take('{') {
			return c.assertion(s)
		}
		c.at = at
	case "else":
		for i := len(c.edges) - 1; i >= 0 && c.edges[i].src == s; i-- { // the options of the state so far
			if c.edges[i].others {
				return c.errorAt(at, "second else of the state")
			}
		}
		e.others = true
	case "goto":
		c.at = at
		return c.leads(e)
	default:
		c.at = at
	}
	if !e.others {
		var err error
		if e.guard, err = c.guard(promela.Boolean); err != nil {
			return err
		}
	}
	switch c.skip(); {
	case c.keyword("->"):
		return c.leads(e)
	case c.keyword(";") && (c.peek() == 'g' || c.peek() == 'b'): // goto or break
		return c.leads(e)
	case e.guard == never:
		return nil // as Spin writes a state without edges
	case c.keyword("::"), loop && c.keyword("od"), !loop && c.keyword("fi"):
		c.at -= 2 // the next option, or the end
	default:
		return c.expected("an operator or '->'")
	}
	if e.falls = !loop; loop {
		c.differs(at, "a guard without goto in a loop stays in the state, as for Spin; for Spot, it is no edge")
	} else {
		c.differs(at, "a guard without goto goes on to the next state, as for Spin; for Spot, it is no edge")
	}
	c.edges = append(c.edges, e)
	return nil
}

// leads reads where an edge goes, and adds it.
func (c *claim) leads(e claimEdge) (err error) {
	c.skip()
	at := c.at
	if c.name() == "break" {
		e.falls = true
	} else {
		c.at = at
		e, err = c.jump(e)
	}
	c.edges = append(grow.By(c.edges, 1), e)
	return err
}

// jump reads the destination of an edge.
func (c *claim) jump(e claimEdge) (_ claimEdge, err error) {
	c.skip()
	at := c.at
	if c.name() != "goto" {
		return e, c.expectedAt(at, "goto")
	}
	c.skip()
	e.targetAt = c.at
	e.target, err = c.label("a label")
	return e, err
}

// assertion reads an edge to the end of the claim, behind "atomic {". What is
// asserted is that the guard does not hold.
func (c *claim) assertion(s int) error {
	e := claimEdge{src: s, ends: true}
	var err error
	if e.guard, err = c.guard(promela.Boolean); err != nil {
		return err
	}
	if c.skip(); !c.keyword("->") && !c.keyword(";") {
		return c.expected("an operator or '->'")
	}
	if c.skip(); !c.keyword("assert") {
		return c.expected("assert")
	}
	if c.peek() != '(' {
		return c.expected("'('")
	}
	e.place = c.at
	if e.asserted, err = c.guard(promela.Unary); err != nil {
		return err
	}
	c.take(';')
	if !c.take('}') {
		return c.expected("'}'")
	}
	c.edges = append(c.edges, e)
	return nil
}

func (c *claim) finish() (_ *omega.Automaton, err error) {
	if len(c.accept) == 0 {
		return nil, c.errorAt(c.at-1, "expected a label and ':', found \"}\": the claim has no state")
	}
	last := len(c.accept) - 1
	// Some edge leads to the end of the claim, and no state is the end yet.
	if c.all < 0 && slices.ContainsFunc(c.edges, func(e claimEdge) bool { return e.ends || e.falls && e.src == last }) {
		c.all = last + 1
		c.accept = append(c.accept, true)
		c.edges = append(c.edges, claimEdge{src: c.all, dst: c.all, guard: always})
	}
	// The states that remain are numbered in their order.
	number, n := make([]int, len(c.accept)), 0
	for s := range number {
		number[s] = n
		if _, jumps := c.jumps[s]; !jumps { // a state that only jumps is none
			n++
		} else if _, err := c.target(claimEdge{dst: s}); err != nil { // it may jump in circles
			return nil, err
		}
	}
	r, err := c.recorder(c.parser, 1)
	if err != nil {
		return nil, err
	}
	defer r.binding.Release(&err)
	start, err := c.target(claimEdge{}) // state 0, or where it jumps
	if err != nil {
		return nil, err
	}
	r.start(number[start])
	for k, e := range c.edges {
		if e.others {
			e.guard = c.others(k)
		}
		dst, err := c.target(e)
		if err != nil {
			return nil, err
		}
		c.labelAt = e.targetAt
		var marks []int
		if c.accept[e.src] {
			marks = []int{0}
		}
		guard := r.evaluated(e.guard)
		// The assertion must fail whenever the guard holds.
		if e.asserted != nil && r.evaluated(e.asserted).set != r.builder.Alphabet().Not(guard.set) {
			return nil, c.errorAt(e.place, "expected the negation of the guard in the assertion")
		}
		r.edge(number[e.src], guard, r.builder.Marks().Of(marks...), marks, number[dst])
	}
	a := r.automaton(n)
	a.StateMarks = true
	return a, nil
}

// target returns the state to which an edge leads. Jumps on the way are followed, and then known.
func (c *claim) target(e claimEdge) (int, error) {
	s := e.dst
	switch {
	case e.ends || e.falls && e.src == c.all-1:
		return c.all, nil
	case e.falls:
		s = e.src + 1
	}
	var way []int
	for {
		if e.target != "" {
			var ok bool
			if s, ok = c.states[e.target]; !ok {
				return 0, c.errorAt(e.targetAt, "no state has the label %s", e.target)
			}
		}
		next, jumps := c.jumps[s]
		switch {
		case !jumps:
			for _, passed := range way {
				c.jumps[passed] = claimEdge{dst: s}
			}
			return s, nil
		case len(way) > len(c.jumps): // some state was passed twice
			return 0, c.errorAt(next.targetAt, "states only jump to each other")
		}
		way = append(way, s)
		if e = next; e.target == "" {
			s = e.dst
		}
	}
}

// others returns the guard of edge k, an else: no other guard of its state holds.
func (c *claim) others(k int) *certify.Label {
	taken := &certify.Label{Op: certify.Or}
	// The edges of a state stand side by side.
	first := k
	for first > 0 && c.edges[first-1].src == c.edges[k].src {
		first--
	}
	for i := first; i < len(c.edges) && c.edges[i].src == c.edges[k].src; i++ {
		if i != k {
			taken.Args = append(taken.Args, c.edges[i].guard)
		}
	}
	return negated(taken)
}
