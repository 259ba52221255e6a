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
	others   bool // else: its label is what the other edges of the state leave
	from, to int  // the guard's text; none if to is 0: true
}

// never reads a never claim.
func (p *parser) never() (*omega.Automaton, error) {
	c := &claim{parser: p, states: map[string]int{}, init: -1, all: -1}
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
		c.at = at
		return c.expected(":: or " + end)
	}
}

// option reads an edge of a state, behind its colons; in a loop, it may have no
// goto.
func (c *claim) option(s int, loop bool) error {
	c.skip()
	at := c.at
	e := claimEdge{src: s, dst: s}
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
		if err := c.guard(&e); err != nil {
			return err
		}
	}
	switch c.skip(); {
	case c.keyword("->"):
		return c.jump(e)
	case c.keyword(";") && c.peek() == 'g':
		return c.jump(e)
	}
	if text := strings.Trim(string(c.text[e.from:e.to]), blanks+"()"); text == "false" || text == "0" {
		return nil // as Spin writes a state without edges
	}
	if !loop {
		return c.expected("an operator or '->'")
	}
	c.edges = append(c.edges, e)
	return nil
}

// jump reads where an edge goes.
func (c *claim) jump(e claimEdge) error {
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

// assertion reads an edge to the end of the claim, behind "atomic {". What is
// asserted is that the guard does not hold.
func (c *claim) assertion(s int) error {
	e := claimEdge{src: s, ends: true}
	if err := c.guard(&e); err != nil {
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
	if _, err := c.guardAtom(nil, 0); err != nil {
		return err
	}
	c.take(';')
	if !c.take('}') {
		return c.expected("'}'")
	}
	c.edges = append(c.edges, e)
	return nil
}

// guard goes over a guard, to know its propositions; the label is made when all
// of them are known.
func (c *claim) guard(e *claimEdge) error {
	c.skip()
	e.from = c.at
	if _, err := c.guardOf(0, nil, 0); err != nil {
		return err
	}
	e.to = c.at
	return nil
}

// reserved are words that are no propositions.
var reserved = map[string]bool{"else": true, "if": true, "fi": true, "do": true, "od": true, "goto": true,
	"atomic": true, "assert": true, "never": true, "timeout": true, "break": true}

// operators of guards, the loosest first. (Unlike in Spin's formulas, && binds
// tighter than ||, and like in C, both bind looser than | and &.)
var operators = []string{"||", "&&", "|", "&"}

// operator takes the operator of a level if it comes next.
func (c *claim) operator(level int) bool {
	op := operators[level]
	if c.peek() != op[0] || !bytes.HasPrefix(c.text[c.at:], []byte(op)) {
		return false
	}
	if len(op) == 1 && c.at+1 < len(c.text) && c.text[c.at+1] == op[0] {
		return false
	}
	c.at += len(op)
	return true
}

// guardOf reads operands and the operators of a level between them.
func (c *claim) guardOf(level int, alphabet *omega.Alphabet, depth int) (omega.Label, error) {
	if depth > maxLabelDepth {
		return omega.False, c.errorAt(c.at, "guard nested deeper than %d", maxLabelDepth)
	}
	all := omega.False
	for first := true; ; first = false {
		var label omega.Label
		var err error
		if level+1 < len(operators) {
			label, err = c.guardOf(level+1, alphabet, depth)
		} else {
			label, err = c.guardAtom(alphabet, depth)
		}
		switch {
		case err != nil:
			return omega.False, err
		case alphabet == nil:
		case first:
			all = label
		case level%2 == 0:
			all = alphabet.Or(all, label)
		default:
			all = alphabet.And(all, label)
		}
		if !c.operator(level) {
			return all, nil
		}
	}
}

func (c *claim) guardAtom(alphabet *omega.Alphabet, depth int) (label omega.Label, err error) {
	const what = "a proposition, '!' or '('"
	negations := 0
	for c.take('!') {
		negations++
	}
	c.skip()
	at := c.at
	if c.take('(') {
		if label, err = c.guardOf(0, alphabet, depth+1); err == nil && !c.take(')') {
			err = c.expected("'&&', '||' or ')'")
		}
	} else {
		name := c.operand()
		comparison, err := c.comparison()
		switch {
		case err != nil:
			return omega.False, err
		case name == "" || reserved[name]:
			c.at = at
			return omega.False, c.expected(what)
		case comparison != "" && negations > 0:
			// In Promela, ! binds tighter: hardly what is meant.
			return omega.False, c.errorAt(at, "expected '(' between '!' and a comparison")
		case comparison != "":
			label = c.prop(alphabet, name+comparison)
		case name == "1" || name == "true" || name == "skip":
			if alphabet != nil {
				label = alphabet.True()
			}
		case name == "0" || name == "false":
		case isDigit(name[0]):
			c.at = at
			return omega.False, c.expected(what)
		default:
			label = c.prop(alphabet, name)
		}
	}
	if err == nil && alphabet != nil && negations%2 == 1 {
		label = alphabet.Not(label)
	}
	return label, err
}

// operand reads a name or a number, with an index (x[1]) and a label (p@l) if it has
// them.
func (c *claim) operand() string {
	name := c.name()
	if name != "" && c.peek() == '[' {
		if n := bytes.IndexFunc(c.text[c.at+1:], func(r rune) bool { return r > 127 || !letters[r] }); n > 0 && c.text[c.at+1+n] == ']' {
			name += string(c.text[c.at : c.at+n+2])
			c.at += n + 2
			name += c.name() // of a field
		}
	}
	if name != "" && c.take('@') {
		name += "@" + c.name()
	}
	return name
}

// comparison reads an operator that compares and its right operand, if they come
// next.
func (c *claim) comparison() (string, error) {
	c.skip()
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if c.keyword(op) {
			c.skip()
			at := c.at
			if c.take('-') {
				op += "-"
			}
			right := c.operand()
			if right == "" || reserved[right] {
				c.at = at
				return "", c.expected("a name or a number")
			}
			return op + right, nil
		}
	}
	return "", nil
}

func (c *claim) finish() (_ *omega.Automaton, err error) {
	if c.count == 0 {
		return nil, c.errorAt(c.at-1, "expected a label and ':', found \"}\": the claim has no state")
	}
	if c.all < 0 && slices.ContainsFunc(c.edges, func(e claimEdge) bool { return e.ends }) {
		c.all = c.count
		c.count++
		c.accept = append(c.accept, true)
		c.edges = append(c.edges, claimEdge{src: c.all, dst: c.all})
	}
	alphabet, err := c.alphabet(c.parser)
	if err != nil {
		return nil, err
	}
	defer c.bind(alphabet).Release(&err)
	b := c.build(alphabet, omega.Buchi())
	b.AddStates(c.count)
	b.AddStart(omega.State(max(0, c.init)))
	labels, err := c.labels(alphabet)
	if err != nil {
		return nil, err
	}
	for k, e := range c.edges {
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
		var marks omega.Marks
		if c.accept[e.src] {
			marks = b.Marks().Of(0)
		}
		b.AddEdge(omega.State(e.src), labels[k], marks, omega.State(e.dst))
	}
	a := b.Automaton()
	a.StateMarks = true
	return a, nil
}

// labels returns the labels of the edges.
func (c *claim) labels(alphabet *omega.Alphabet) ([]omega.Label, error) {
	labels := make([]omega.Label, len(c.edges))
	for k, e := range c.edges {
		if e.others {
			continue
		}
		labels[k] = alphabet.True()
		if e.to > 0 {
			c.at = e.from
			var err error
			if labels[k], err = c.guardOf(0, alphabet, 0); err != nil {
				return nil, err
			}
		}
	}
	for k, e := range c.edges {
		if !e.others {
			continue
		}
		// The edges of a state stand side by side.
		taken := omega.False
		for i := k - 1; i >= 0 && c.edges[i].src == e.src; i-- {
			taken = alphabet.Or(taken, labels[i])
		}
		for i := k + 1; i < len(c.edges) && c.edges[i].src == e.src; i++ {
			taken = alphabet.Or(taken, labels[i])
		}
		labels[k] = alphabet.Not(taken)
	}
	return labels, nil
}
