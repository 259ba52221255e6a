package hoa

import (
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A valueKind is a set of kinds of tokens that a header item may have as values.
type valueKind uint8

const (
	identifiers valueKind = 1 << iota
	booleans              // t and f, which are no identifiers
	integers
	texts // in double quotes
)

// value reads the next value of a header item. It returns no text if none comes next, or one of
// another kind, which is then left. A value ends where another token starts: 1Start: is a number
// and a header name.
func (p *parser) value(kinds valueKind) (value string, err error) {
	p.skip()
	at := p.at
	if p.headerName() != "" || at == len(p.text) { // the next item
		p.at = at
		return "", nil
	}
	var kind valueKind
	switch c := p.text[at]; {
	case c == '"':
		kind = texts
		value, err = p.str("a string")
	case isDigit(c):
		kind = integers
		for p.at < len(p.text) && isDigit(p.text[p.at]) {
			p.at++
		}
		if c == '0' && p.at > at+1 {
			return "", p.leadingZero(at)
		}
		value = string(p.text[at:p.at])
	default:
		kind = identifiers
		if value = intern(p.identifier()); value == "t" || value == "f" {
			kind = booleans
		}
	}
	if kinds&kind == 0 {
		p.at = at
		return "", err
	}
	return value, err
}

// anyValues goes over the values of a header item that is not known.
func (p *parser) anyValues() error {
	for {
		start := p.at
		if _, err := p.value(identifiers | booleans | integers | texts); err != nil {
			return err
		}
		if p.skip(); p.at == start {
			return nil
		}
	}
}

// accName reads the name of an acceptance condition and its parameters.
func (p *parser) accName() (string, error) {
	name, err := p.value(identifiers)
	if err == nil && name == "" {
		err = p.expected("the name of an acceptance condition")
	}
	list := []string{name}
	for err == nil {
		if name, err = p.value(identifiers | booleans | integers); name == "" {
			return strings.Join(list, " "), err
		}
		list = append(list, name)
	}
	return "", err
}

// properties reads properties, some of which may be negated.
func (p *parser) properties(h *header) error {
	d := &h.declared
	if d.Properties == nil {
		d.Properties = make([]string, 0, 8)
	}
	for {
		p.skip()
		start := p.at
		negated := p.take('!')
		name, err := p.value(identifiers)
		switch {
		case err != nil:
			return err
		case name == "" && negated:
			return p.expected("a property")
		case name == "":
			return nil
		}
		if negated {
			name = "!" + name
			if !p.draft {
				p.warn(OddHeader, start, name+": version v1 of the format has no negated properties")
			}
		}
		d.Properties = append(d.Properties, name)
		d.PropertiesAt = append(d.PropertiesAt, p.here(start))
	}
}

// warn notes that something may mean something else.
func (p *parser) warn(class WarningClass, at int, text string) {
	if len(p.warnings) < maxWarnings {
		line, column := p.place(at)
		p.warnings = append(p.warnings, Warning{line, column, class, text})
	}
}

// here returns the place of an offset.
func (p *parser) here(at int) omega.Place {
	line, column := p.place(at)
	return omega.Place{Line: line, Column: column}
}
