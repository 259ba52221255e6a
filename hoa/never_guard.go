package hoa

import (
	"bytes"

	"github.com/xcheck-ltl/xcheck/certify"
)

// reserved are words that are no propositions.
var reserved = map[string]bool{"else": true, "if": true, "fi": true, "do": true, "od": true, "goto": true,
	"atomic": true, "assert": true, "never": true, "timeout": true, "break": true}

// guards returns the grammar of guards. Unlike in Spin's formulas, && binds tighter than ||, and
// like in C, both bind looser than | and &.
func (c *claim) guards() *grammar[*certify.Label] {
	return ofLabels("guard", "'&&', '||' or ')'", []string{"||", "&&", "|", "&"}, c.guardOperand)
}

func (c *claim) guard() (*certify.Label, error) { return expression(c.parser, c.guards(), 0, 0) }

func (c *claim) guardOperand(negated bool) (*certify.Label, error) {
	const what = "a proposition, '!' or '('"
	c.skip()
	at := c.at
	name := c.operand()
	comparison, err := c.comparison()
	switch {
	case err != nil:
		return nil, err
	case name == "" || reserved[name]:
		return nil, c.expectedAt(at, what)
	case comparison != "" && negated:
		// In Promela, ! binds tighter: hardly what is meant.
		return nil, c.errorAt(at, "expected '(' between '!' and a comparison")
	case comparison != "":
		return c.prop(name + comparison), nil
	case name == "1" || name == "true" || name == "skip":
		return always, nil
	case name == "0" || name == "false":
		return never, nil
	case isDigit(name[0]):
		return nil, c.expectedAt(at, what)
	}
	return c.prop(name), nil
}

// operand reads a name or a number, with an index (x[1]) and a label (p@l) if it has
// them.
func (c *claim) operand() string {
	name := c.path()
	if name != "" && !isDigit(name[0]) && c.peek() == '[' {
		if n := bytes.IndexFunc(c.text[c.at+1:], func(r rune) bool { return r > 127 || !letters[r] }); n > 0 && c.text[c.at+1+n] == ']' {
			name += string(c.text[c.at : c.at+n+2])
			c.at += n + 2
			if c.at < len(c.text) && c.text[c.at] == '.' {
				c.at++
				name += "." + c.path()
			}
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
				return "", c.expectedAt(at, "a name or a number")
			}
			return op + right, nil
		}
	}
	return "", nil
}
