package hoa

import (
	"bytes"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/grow"
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
// The initial state is the first one, unless another has a label that ends with
// "_init". A state that just skips stays for ever on all letters; so does the end
// of the claim, which Spin reaches when an assertion fails: it is accepting. In a
// loop (do), a guard without a goto stays in the state; else is the guard that
// holds if no other guard of the state does. A comparison (x == 1) is a
// proposition, its name being its text without blanks.
type claim struct {
	*parser
	seenProps
	states map[string]int // by label
	count  int
	accept []bool
	init   int
	edges  []claimEdge
	all    int // the state accept_all, if it stays for ever on all letters, or -1
}

type claimEdge struct {
	src, dst int
	target   string // label of the destination, to be found at the end
	targetAt int
	ends     bool // leads to the end of the claim
	others   bool // else: its guard is what the other edges of the state leave
	guard    *certify.Label
	asserted *certify.Label // the negation of the guard; nil if nothing is asserted
	place    int            // of the assertion
}

// never reads a never claim.
func (p *parser) never() (*omega.Automaton, error) {
	p.flat = true
	c := &claim{parser: p, states: map[string]int{}, init: -1, all: -1}
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
func identifier(name string) bool { return name != "" && !isDigit(name[0]) && !reserved[name] }

// path reads an identifier and those of fields behind it (x.y), or a number.
func (c *claim) path() string {
	name := c.name()
	for c.at+1 < len(c.text) && c.text[c.at] == '.' && isLetter(c.text[c.at+1]) && !isDigit(c.text[c.at+1]) {
		c.at++
		name += "." + c.name()
	}
	return name
}

// state reads the labels of a state, and what it does.
func (c *claim) state() error {
	s := c.count
	labels := 0
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
			c.count++
			c.accept = append(c.accept, false)
		}
		c.states[label] = s
		if strings.HasPrefix(label, "accept") {
			c.accept[s] = true
		}
		if strings.HasSuffix(label, "_init") && c.init < 0 {
			c.init = s
		}
	}
	if labels == 0 {
		return c.expected("a label and ':', or '}'")
	}
	return c.statement(s)
}

func (c *claim) statement(s int) error {
	c.skip()
	at := c.at
	switch word := c.name(); word {
	case "skip":
		c.edges = append(c.edges, claimEdge{src: s, dst: s, guard: always})
		if c.states["accept_all"] == s && c.accept[s] {
			c.all = s
		}
	case "false", "0":
		// no edge
	case "if", "do":
		if err := c.options(s, map[string]string{"if": "fi", "do": "od"}[word]); err != nil {
			return err
		}
	case "goto":
		c.at = at
		if err := c.jump(claimEdge{src: s, guard: always}); err != nil {
			return err
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
	if c.take(';') || c.peek() == '}' || bytes.IndexByte(c.text[at:c.at], '\n') >= 0 {
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
		for i := len(c.edges) - 1; i >= 0 && c.edges[i].src == s; i-- {
			if c.edges[i].others {
				return c.errorAt(at, "second else of the state")
			}
		}
		e.others = true
	case "goto":
		c.at = at
		return c.jump(e)
	default:
		c.at = at
	}
	if !e.others {
		var err error
		if e.guard, err = c.guard(); err != nil {
			return err
		}
	}
	switch c.skip(); {
	case c.keyword("->"):
		return c.jump(e)
	case c.keyword(";") && c.peek() == 'g':
		return c.jump(e)
	}
	if e.guard == never {
		return nil // as Spin writes a state without edges
	}
	if !loop {
		return c.expected("an operator or '->'")
	}
	c.edges = append(c.edges, e)
	return nil
}

// jump reads where an edge goes.
func (c *claim) jump(e claimEdge) (err error) {
	c.skip()
	at := c.at
	if c.name() != "goto" {
		return c.expectedAt(at, "goto")
	}
	c.skip()
	e.targetAt = c.at
	if e.target, err = c.label("a label"); err == nil {
		c.edges = append(grow.By(c.edges, 1), e)
	}
	return err
}

// assertion reads an edge to the end of the claim, behind "atomic {". What is
// asserted is that the guard does not hold.
func (c *claim) assertion(s int) error {
	e := claimEdge{src: s, ends: true}
	var err error
	if e.guard, err = c.guard(); err != nil {
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
	if e.asserted, err = operand(c.parser, c.guards(), 0); err != nil {
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
	if c.count == 0 {
		return nil, c.errorAt(c.at-1, "expected a label and ':', found \"}\": the claim has no state")
	}
	if c.all < 0 && slices.ContainsFunc(c.edges, func(e claimEdge) bool { return e.ends }) {
		c.all = c.count
		c.count++
		c.accept = append(c.accept, true)
		c.edges = append(c.edges, claimEdge{src: c.all, dst: c.all, guard: always})
	}
	r, err := c.recorder(c.parser, 1)
	if err != nil {
		return nil, err
	}
	defer r.binding.Release(&err)
	r.start(max(0, c.init))
	for k, e := range c.edges {
		if e.others {
			e.guard = c.others(k)
		}
		if e.ends {
			e.dst = c.all
		}
		if e.target != "" {
			dst, ok := c.states[e.target]
			if !ok {
				return nil, c.errorAt(e.targetAt, "no state has the label %s", e.target)
			}
			e.dst = dst
		}
		c.labelAt = e.targetAt
		var marks []int
		if c.accept[e.src] {
			marks = []int{0}
		}
		guard := r.evaluated(e.guard)
		if e.asserted != nil && r.evaluated(e.asserted).set != r.builder.Alphabet().Not(guard.set) {
			return nil, c.errorAt(e.place, "expected the negation of the guard in the assertion")
		}
		r.edge(e.src, guard, r.builder.Marks().Of(marks...), marks, e.dst)
	}
	a := r.automaton(c.count)
	a.StateMarks = true
	return a, nil
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
