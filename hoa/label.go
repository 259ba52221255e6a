package hoa

import (
	"bytes"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/omega"
)

// labels reads labels over the propositions of an automaton.
type labels struct {
	*recorder
	count  int // of propositions
	byName map[string]*certify.Label
	known  map[string]label // by the text between the brackets
}

// bracketed reads a label in brackets. A text that is known is not read again.
func (p *parser) bracketed(l *labels) (label, error) {
	p.at++ // the bracket
	start := p.at
	end := start
	plain := true // no comment, in which a bracket means nothing
	for end < len(p.text) && p.text[end] != ']' {
		plain = plain && p.text[end] != '/'
		end++
	}
	plain = plain && end < len(p.text)
	if plain {
		if known, ok := l.known[string(p.text[start:end])]; ok {
			p.at = end + 1
			return known, nil
		}
	}
	var read label
	if plain {
		read = p.literals(l, start, end)
	}
	if read.text != nil {
		p.at = end + 1
	} else {
		text, err := p.label(l)
		if err != nil {
			return label{}, err
		}
		if !p.take(']') {
			return label{}, p.expected("'&', '|' or ']'")
		}
		p.labelAt = start
		read = label{text, l.set(text)}
	}
	if plain {
		l.known[string(p.text[start:end])] = read
	}
	l.kept += labelSize * int64(p.at-start) / 2 // an operand has at least a character, and an operator
	return read, nil
}

// literals reads a conjunction of literals of the first 64 propositions, the
// most common kind of label; it returns nothing for everything else.
func (p *parser) literals(l *labels, at, end int) label {
	var pos, neg uint64
	args := make([]*certify.Label, 0, 1+bytes.Count(p.text[at:end], []byte{'&'}))
	for {
		for at < end && p.text[at] == ' ' {
			at++
		}
		negated := 0
		if at < end && p.text[at] == '!' {
			negated = 1
			at++
		}
		// Longer numbers, and those with leading zeros, are left to label.
		n, digits := 0, 0
		for ; at < end && digits < 3 && (digits == 0 || n > 0) && '0' <= p.text[at] && p.text[at] <= '9'; digits++ {
			n = 10*n + int(p.text[at]-'0')
			at++
		}
		if digits == 0 || n >= l.count || n >= 64 {
			return label{}
		}
		if negated == 1 {
			neg |= 1 << n
		} else {
			pos |= 1 << n
		}
		args = append(args, &l.atoms[2*n+negated])
		for at < end && p.text[at] == ' ' {
			at++
		}
		if at == end {
			return label{joined(false, args), l.alphabet.Cube(pos, neg)}
		}
		if p.text[at] != '&' {
			return label{}
		}
		at++
	}
}

// label reads a label without its brackets. With l nil, it only goes over it.
func (p *parser) label(l *labels) (*certify.Label, error) {
	operand := func() (*certify.Label, error) { return p.labelOperand(l) }
	return expression(p, &grammar[*certify.Label]{"label", operand, joined, negated}, 0, 0)
}

const labelOperators = "|&"

func (p *parser) labelOperand(l *labels) (*certify.Label, error) {
	b := p.peek()
	at := p.at
	switch {
	case b == '@':
		p.at++
		end := p.aliasEnd()
		name := string(p.text[p.at:end])
		p.at = end
		if l == nil {
			return never, nil
		}
		text, ok := l.byName[name]
		if !ok {
			return nil, p.errorAt(at, "unknown alias @%s", name)
		}
		return text, nil
	case '0' <= b && b <= '9':
		n, err := p.number("a proposition", maxProps)
		if err != nil || l == nil {
			return never, err
		}
		if n >= l.count {
			return nil, p.errorAt(at, "proposition %d, but there %s", n, only(l.count, "proposition"))
		}
		return &l.atoms[2*n], nil
	case b == 't' || b == 'f':
		if w := p.word(); len(w) == 1 {
			if b == 't' {
				return always, nil
			}
			return never, nil
		}
		p.at = at // a longer word
	}
	return nil, p.expected("a proposition's number, t, f, @, '!' or '('")
}

// aliasEnd returns where the name of an alias ends that starts here.
func (p *parser) aliasEnd() int {
	from := p.at
	defer func() { p.at = from }()
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	p.dots(from)
	return p.at
}

// seenProps are the propositions that have occurred so far, in formats that don't announce
// them.
type seenProps struct {
	names []string
	props map[string]*certify.Label
}

// prop returns a proposition, and notes it.
func (f *seenProps) prop(name string) *certify.Label {
	l, ok := f.props[name]
	if !ok {
		name = strings.Clone(name) // not the whole text
		if f.props == nil {
			f.props = make(map[string]*certify.Label)
		}
		l = &certify.Label{Op: certify.Prop, Prop: len(f.names)}
		f.props[name] = l
		f.names = append(f.names, name)
	}
	return l
}

// recorder returns one over all of them, with generalized Büchi acceptance. It fails if they
// are too many.
func (f *seenProps) recorder(p *parser, sets int) (*recorder, error) {
	if len(f.names) > maxProps {
		return nil, p.errorAt(0, "%s, more than %d", plural.Of(len(f.names), "proposition"), maxProps)
	}
	acceptance := omega.GeneralizedBuchi(sets)
	return p.record(slices.Clone(f.names), acceptance, acceptance.Condition.Plain()), nil
}

// A grammar is the grammar of expressions: labels, acceptance conditions.
type grammar[T any] struct {
	name    string // in errors
	operand func() (T, error)
	join    func(or bool, args []T) T // for several
	not     func(T) T                 // nil if there is no negation
}

// maxDepth bounds the nesting of an expression.
const maxDepth = 10000

// expression reads operands and, between them, the operator of a level: | or, as it binds tighter, &.
func expression[T any](p *parser, g *grammar[T], level, depth int) (t T, err error) {
	if depth > maxDepth {
		return t, p.errorAt(p.at, "%s nested deeper than %d", g.name, maxDepth)
	}
	var args []T
	for {
		if level == 0 {
			t, err = expression(p, g, 1, depth)
		} else {
			t, err = operand(p, g, depth)
		}
		if err != nil {
			return t, err
		}
		if p.take(labelOperators[level]) {
			args = append(args, t)
		} else if args == nil {
			return t, nil
		} else {
			return g.join(level == 0, append(args, t)), nil
		}
	}
}

// operand reads negations and what they negate.
func operand[T any](p *parser, g *grammar[T], depth int) (t T, err error) {
	negations := 0
	for g.not != nil && p.take('!') {
		negations++
	}
	if p.take('(') {
		if t, err = expression(p, g, 0, depth+1); err == nil && !p.take(')') {
			err = p.expected("'&', '|' or ')'")
		}
	} else {
		t, err = g.operand()
	}
	if err == nil && negations%2 == 1 {
		t = g.not(t)
	}
	return t, err
}

// most returns the number of letters, and false if they are too many to be listed.
func (l *labels) most() (n int, ok bool) { return 1 << min(l.count, 30), l.count < 30 }
