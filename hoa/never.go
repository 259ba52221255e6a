package hoa

import (
	"bytes"
	"slices"
	"strings"

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
// of the claim, which Spin reaches when an assertion fails: it is accepting.
type claim struct {
	*parser
	props  []string
	index  map[string]int
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
	from, to int  // the guard's text; none if to is 0: true
}

// never reads a never claim.
func (p *parser) never() (*omega.Automaton, error) {
	c := &claim{parser: p, index: map[string]int{}, states: map[string]int{}, init: -1, all: -1}
	p.skip()
	p.keyword("never")
	if p.peek() != '{' { // a claim may have a name
		c.name()
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

// name reads an identifier of Promela.
func (c *claim) name() string {
	c.skip()
	start := c.at
	for c.at < len(c.text) && c.text[c.at] != '-' && (wordByte(c.text[c.at]) || c.text[c.at] == '.') {
		c.at++
	}
	return string(c.text[start:c.at])
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
		if label == "" || c.peek() != ':' || bytes.HasPrefix(c.text[c.at:], []byte("::")) {
			c.at = at
			break
		}
		c.at++
		if _, ok := c.states[label]; ok {
			return c.errorAt(at, "label %s is there twice", label)
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
		c.edges = append(c.edges, claimEdge{src: s, dst: s})
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
		c.skip()
		e := claimEdge{src: s, targetAt: c.at}
		e.target = c.name()
		c.edges = append(c.edges, e)
	default:
		c.at = at
		return c.expected("if, do, skip, false or goto")
	}
	c.take(';')
	return nil
}

// options reads the edges of a state, and the word that closes them.
func (c *claim) options(s int, end string) error {
	for {
		c.skip()
		if c.keyword("::") {
			if err := c.option(s); err != nil {
				return err
			}
			c.take(';')
			continue
		}
		at := c.at
		if c.name() == end {
			return nil
		}
		c.at = at
		return c.expected(":: or " + end)
	}
}

func (c *claim) option(s int) error {
	c.skip()
	at := c.at
	if c.name() == "atomic" && c.take('{') {
		e := claimEdge{src: s, ends: true}
		if err := c.guard(&e); err != nil {
			return err
		}
		// What is asserted is that the guard does not hold.
		if !c.keyword("->") {
			return c.expected("'->'")
		}
		c.skip()
		if !c.keyword("assert") {
			return c.expected("assert")
		}
		for c.at < len(c.text) && c.text[c.at] != '}' {
			c.at++
		}
		if !c.take('}') {
			return c.expected("'}'")
		}
		c.edges = append(c.edges, e)
		return nil
	}
	c.at = at
	e := claimEdge{src: s}
	if c.name() != "goto" {
		c.at = at
		if err := c.guard(&e); err != nil {
			return err
		}
		if c.skip(); !c.keyword("->") && !c.keyword(";") {
			if text := strings.Trim(string(c.text[e.from:e.to]), " \t\n()"); text == "false" || text == "0" {
				return nil // as Spin writes a state without edges
			}
			return c.expected("an operator or '->'")
		}
	} else {
		c.at = at // no guard
	}
	if c.skip(); !c.keyword("goto") {
		return c.expected("goto")
	}
	c.skip()
	e.targetAt = c.at
	if e.target = c.name(); e.target == "" {
		return c.expected("a label")
	}
	c.edges = append(c.edges, e)
	return nil
}

// guard goes over a guard, to know its propositions; the label is made when all
// of them are known.
func (c *claim) guard(e *claimEdge) error {
	c.skip()
	e.from = c.at
	if _, err := c.guardOr(nil, 0); err != nil {
		return err
	}
	e.to = c.at
	return nil
}

// reserved are words that are no propositions.
var reserved = map[string]bool{"else": true, "if": true, "fi": true, "do": true, "od": true, "goto": true,
	"atomic": true, "assert": true, "never": true, "timeout": true, "break": true}

// A guard is an expression of Promela, in which && binds tighter than ||, unlike
// in Spin's formulas.
func (c *claim) guardOr(alphabet *omega.Alphabet, depth int) (omega.Label, error) {
	if depth > maxLabelDepth {
		return omega.False, c.errorAt(c.at, "guard nested deeper than %d", maxLabelDepth)
	}
	or := omega.False
	for {
		and, err := c.guardAnd(alphabet, depth)
		if err != nil {
			return omega.False, err
		}
		if alphabet != nil {
			or = alphabet.Or(or, and)
		}
		if c.skip(); !c.keyword("||") {
			return or, nil
		}
	}
}

func (c *claim) guardAnd(alphabet *omega.Alphabet, depth int) (omega.Label, error) {
	and := omega.False
	for first := true; ; first = false {
		atom, err := c.guardAtom(alphabet, depth)
		if err != nil {
			return omega.False, err
		}
		if alphabet != nil {
			if first {
				and = atom
			} else {
				and = alphabet.And(and, atom)
			}
		}
		if c.skip(); !c.keyword("&&") {
			return and, nil
		}
	}
}

func (c *claim) guardAtom(alphabet *omega.Alphabet, depth int) (omega.Label, error) {
	negations := 0
	for c.take('!') {
		negations++
	}
	var label omega.Label
	var err error
	c.skip()
	at := c.at
	if c.take('(') {
		if label, err = c.guardOr(alphabet, depth+1); err == nil && !c.take(')') {
			err = c.expected("'&&', '||' or ')'")
		}
	} else {
		switch name := c.name(); {
		case name == "":
			err = c.expected("a proposition, '!' or '('")
		case reserved[name]:
			c.at = at
			err = c.expected("a proposition, '!' or '('")
		case name == "1" || name == "true" || name == "skip":
			if alphabet != nil {
				label = alphabet.True()
			}
		case name == "0" || name == "false":
		case '0' <= name[0] && name[0] <= '9':
			c.at = at
			err = c.expected("a proposition, '!' or '('")
		default:
			i, ok := c.index[name]
			if !ok {
				i = len(c.props)
				c.index[name] = i
				c.props = append(c.props, name)
			}
			if alphabet != nil {
				label = alphabet.Prop(i)
			}
		}
	}
	if err == nil && alphabet != nil && negations%2 == 1 {
		label = alphabet.Not(label)
	}
	return label, err
}

func (c *claim) finish() (*omega.Automaton, error) {
	if c.count == 0 {
		return nil, c.errorAt(c.at-1, "expected a label and ':', found \"}\": the claim has no state")
	}
	if c.all < 0 && slices.ContainsFunc(c.edges, func(e claimEdge) bool { return e.ends }) {
		c.all = c.count
		c.count++
		c.accept = append(c.accept, true)
		c.edges = append(c.edges, claimEdge{src: c.all, dst: c.all})
	}
	alphabet := omega.NewAlphabet(c.props...)
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(c.count)
	b.AddStart(omega.State(max(0, c.init)))
	for _, e := range c.edges {
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
		label := alphabet.True()
		if e.to > 0 {
			c.at = e.from
			var err error
			if label, err = c.guardOr(alphabet, 0); err != nil {
				return nil, err
			}
		}
		var marks omega.Marks
		if c.accept[e.src] {
			marks = b.Marks().Of(0)
		}
		b.AddEdge(omega.State(e.src), label, marks, omega.State(e.dst))
	}
	a := b.Automaton()
	a.StateMarks = true
	return a, nil
}
