package omega

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseCondition reads a condition in HOA syntax: t, f, Inf(i), Fin(i), &, | and parentheses.
// It does not accept Inf(!i) and Fin(!i); package hoa handles these, because they need new
// marks. The error gives the byte offset and what was expected there.
func ParseCondition(text string) (*Condition, error) {
	p := &condParser{text: text}
	c, err := p.or()
	if err == nil && p.space() < len(text) {
		err = p.expected("'&', '|' or the end")
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

type condParser struct {
	text  string
	at    int
	depth int
}

func (p *condParser) expected(what string) error {
	found := "the end"
	if p.space() < len(p.text) {
		found = strconv.Quote(p.text[p.at : p.at+1])
	}
	return fmt.Errorf("acceptance condition %q: at %d: expected %s, found %s", p.text, p.at+1, what, found)
}

func (p *condParser) space() int {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.at
}

func (p *condParser) take(s string) bool {
	if !strings.HasPrefix(p.text[p.space():], s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *condParser) or() (*Condition, error) {
	return p.chain("|", AnyOf, func() (*Condition, error) { return p.chain("&", AllOf, p.atom) })
}

func (p *condParser) chain(op string, join func(...*Condition) *Condition, arg func() (*Condition, error)) (*Condition, error) {
	var args []*Condition
	for {
		c, err := arg()
		if err != nil {
			return nil, err
		}
		args = append(args, c)
		if !p.take(op) {
			return join(args...), nil
		}
	}
}

func (p *condParser) atom() (*Condition, error) {
	if p.depth++; p.depth > 10000 { // each level is a recursive call
		return nil, fmt.Errorf("acceptance condition: nested deeper than 10000")
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("("):
		c, err := p.or()
		if err == nil && !p.take(")") {
			err = p.expected("')'")
		}
		return c, err
	case p.take("Inf"):
		return p.leaf(Inf)
	case p.take("Fin"):
		return p.leaf(Fin)
	case p.take("t"):
		return condTrue, nil
	case p.take("f"):
		return condFalse, nil
	}
	return nil, p.expected("Inf(…), Fin(…), t, f or '('")
}

func (p *condParser) leaf(make func(int) *Condition) (*Condition, error) {
	if !p.take("(") {
		return nil, p.expected("'('")
	}
	start := p.space()
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	i, err := strconv.Atoi(p.text[start:p.at])
	if err != nil || i > MaxMarks {
		p.at = start // the error points to the number
		return nil, p.expected(fmt.Sprintf("the number of a mark, at most %d", MaxMarks))
	}
	if !p.take(")") {
		return nil, p.expected("')'")
	}
	return make(i), nil
}

// MaxMarks is the greatest mark that is accepted. It stops a mistyped number from taking
// gigabytes.
const MaxMarks = 1 << 16
