package hoa

import "github.com/xcheck-ltl/xcheck/omega"

// labels reads labels over the propositions of an automaton.
type labels struct {
	alphabet *omega.Alphabet
	count    int // of propositions
	byName   map[string]omega.Label
	known    map[string]omega.Label // by the text between the brackets; nil if labels are made as quickly as they are found
}

// bracketed reads a label in brackets. A text that is known is not read again.
func (p *parser) bracketed(l *labels) (omega.Label, error) {
	p.at++ // the bracket
	start := p.at
	end := start
	plain := true // no comment, in which a bracket means nothing
	for end < len(p.text) && p.text[end] != ']' {
		plain = plain && p.text[end] != '/'
		end++
	}
	if plain && end < len(p.text) {
		if label, ok := l.known[string(p.text[start:end])]; ok {
			p.at = end + 1
			return label, nil
		}
		if label, ok := p.literals(l, start, end); ok {
			if l.known != nil {
				l.known[string(p.text[start:end])] = label
			}
			p.at = end + 1
			return label, nil
		}
	}
	label, err := p.label(l)
	if err != nil {
		return omega.False, err
	}
	if !p.take(']') {
		return omega.False, p.expected("'&', '|' or ']'")
	}
	if plain && l.known != nil {
		l.known[string(p.text[start:end])] = label
	}
	return label, nil
}

// literals reads a conjunction of literals of the first 64 propositions, the
// most common kind of label; it gives up on everything else.
func (p *parser) literals(l *labels, at, end int) (omega.Label, bool) {
	var pos, neg uint64
	for {
		for at < end && p.text[at] == ' ' {
			at++
		}
		negated := at < end && p.text[at] == '!'
		if negated {
			at++
		}
		n, digits := 0, 0
		for ; at < end && digits < 3 && '0' <= p.text[at] && p.text[at] <= '9'; digits++ {
			n = 10*n + int(p.text[at]-'0')
			at++
		}
		if digits == 0 || n >= l.count || n >= 64 {
			return omega.False, false
		}
		if negated {
			neg |= 1 << n
		} else {
			pos |= 1 << n
		}
		for at < end && p.text[at] == ' ' {
			at++
		}
		if at == end {
			return l.alphabet.Cube(pos, neg), true
		}
		if p.text[at] != '&' {
			return omega.False, false
		}
		at++
	}
}

// maxLabelDepth bounds the nesting of a label.
const maxLabelDepth = 10000

// label reads a label without its brackets. With l nil, it only goes over it.
func (p *parser) label(l *labels) (omega.Label, error) { return p.labelOr(l, 0) }

func (p *parser) labelOr(l *labels, depth int) (omega.Label, error) {
	if depth > maxLabelDepth {
		return omega.False, p.errorAt(p.at, "label nested deeper than %d", maxLabelDepth)
	}
	or := omega.False
	for {
		p.skip()
		start := p.at
		and, err := p.labelAnd(l, depth)
		if err != nil {
			return omega.False, err
		}
		if l != nil {
			p.labelAt = start
			or = l.alphabet.Or(or, and)
		}
		if !p.take('|') {
			return or, nil
		}
	}
}

func (p *parser) labelAnd(l *labels, depth int) (omega.Label, error) {
	and := omega.False
	for first := true; ; first = false {
		p.skip()
		start := p.at
		atom, err := p.labelAtom(l, depth)
		if err != nil {
			return omega.False, err
		}
		if l != nil {
			if first {
				and = atom
			} else {
				p.labelAt = start
				and = l.alphabet.And(and, atom)
			}
		}
		if !p.take('&') {
			return and, nil
		}
	}
}

func (p *parser) labelAtom(l *labels, depth int) (omega.Label, error) {
	negations := 0
	for p.take('!') {
		negations++
	}
	label, err := p.labelOperand(l, depth)
	if err == nil && l != nil && negations%2 == 1 {
		label = l.alphabet.Not(label)
	}
	return label, err
}

func (p *parser) labelOperand(l *labels, depth int) (omega.Label, error) {
	b := p.peek()
	at := p.at
	switch {
	case b == '(':
		p.at++
		label, err := p.labelOr(l, depth+1)
		if err == nil && !p.take(')') {
			err = p.expected("'&', '|' or ')'")
		}
		return label, err
	case b == '@':
		p.at++
		name := string(p.text[p.at:p.aliasEnd()])
		p.at = p.aliasEnd()
		if l == nil {
			return omega.False, nil
		}
		label, ok := l.byName[name]
		if !ok {
			return omega.False, p.errorAt(at, "unknown alias @%s", name)
		}
		return label, nil
	case '0' <= b && b <= '9':
		n, err := p.number("a proposition", maxProps)
		if err != nil || l == nil {
			return omega.False, err
		}
		if n >= l.count {
			return omega.False, p.errorAt(at, "proposition %d, but there %s", n, only(l.count, "proposition"))
		}
		return l.alphabet.Prop(n), nil
	case b == 't' || b == 'f':
		if w := p.word(); len(w) == 1 {
			if l == nil || b == 'f' {
				return omega.False, nil
			}
			return l.alphabet.True(), nil
		}
		p.at = at
	}
	return omega.False, p.expected("a proposition's number, t, f, @, '!' or '('")
}

// aliasEnd returns where the name of an alias ends that starts here.
func (p *parser) aliasEnd() int {
	i := p.at
	for i < len(p.text) && wordByte(p.text[i]) {
		i++
	}
	return i
}

// seenProps are the propositions that have occurred so far, in formats that don't announce
// them.
type seenProps struct {
	props []string
	index map[string]int
}

// prop returns the label of a proposition, or notes it while there is no alphabet.
func (f *seenProps) prop(alphabet *omega.Alphabet, name string) omega.Label {
	i, ok := f.index[name]
	if !ok {
		if f.index == nil {
			f.index = make(map[string]int)
		}
		i = len(f.props)
		f.index[name] = i
		f.props = append(f.props, name)
	}
	if alphabet == nil {
		return omega.False
	}
	return alphabet.Prop(i)
}

// alphabet returns that of all of them. It fails if they are too many.
func (f *seenProps) alphabet(p *parser) (*omega.Alphabet, error) {
	if len(f.props) > maxProps {
		return nil, p.errorAt(0, "%s, more than %d", plural(len(f.props), "proposition"), maxProps)
	}
	return omega.NewAlphabet(f.props...), nil
}
