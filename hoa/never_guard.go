package hoa

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/promela"
)

// guard reads an expression of Promela, whose operators bind at least as tightly as level. Guards with one text are
// one label: in large claims, most texts occur often.
func (c *claim) guard(level int) (*certify.Label, error) {
	c.peek()
	e, end, err := promela.Parse(c.source, c.at, level, promela.MaxDepth)
	var bad *promela.Error
	switch {
	case errors.As(err, &bad) && bad.Expected == promela.TooDeep:
		return nil, c.errorAt(bad.At, "guard nested deeper than %d", promela.MaxDepth)
	case errors.As(err, &bad):
		return nil, c.expectedAt(bad.At, bad.Expected)
	}
	text := c.source[c.at:end]
	c.at = end
	l, ok := c.guards[text]
	if !ok {
		l, err = c.labelOf(e)
		c.guards[text] = l // nil after an error, which ends the claim
	}
	return l, err
}

// labelOf returns the label of an expression: Boolean operators join propositions, which are the
// expressions without them.
func (c *claim) labelOf(e *promela.Expr) (*certify.Label, error) {
	boolean := slices.Contains([]string{"||", "&&", "!", "->"}, e.Op) || (e.Op == "|" || e.Op == "&") && !slices.ContainsFunc(e.Args, isNumber)
	if !boolean {
		return c.atom(e)
	}
	args := make([]*certify.Label, len(e.Args))
	for i, arg := range e.Args {
		var err error
		if args[i], err = c.labelOf(arg); err != nil {
			return nil, err
		}
	}
	switch e.Op {
	case "!":
		return negated(args[0]), nil
	case "->": // a -> b : c
		return anyOf(allOf(args[0], args[1]), allOf(negated(args[0]), args[2])), nil
	}
	return joined(e.Op[0] == '|', args), nil
}

// isNumber reports whether an expression has numbers as values, so that | and & join their bits.
func isNumber(e *promela.Expr) bool {
	switch e.Op {
	case "+", "-", "*", "/", "%", "^", "~", "<<", ">>":
		return true
	case "|", "&":
		return slices.ContainsFunc(e.Args, isNumber)
	}
	return e.Op == "" && isDigit(e.Text[0]) && e.Text != "0" && e.Text != "1"
}

// atom returns a constant, or the proposition that an expression stands for. Its name is the text,
// as it is spelled for the first time.
func (c *claim) atom(e *promela.Expr) (*certify.Label, error) {
	switch {
	case e.Op != "": // a comparison, or arithmetic
	case e.Text == "1" || e.Text == "true" || e.Text == "skip":
		return always, nil
	case e.Text == "0" || e.Text == "false":
		return never, nil
	case isDigit(e.Text[0]):
		return nil, c.expectedAt(e.At, "a proposition, '!' or '('")
	default:
		return c.prop(e.Text), nil
	}
	key := e.String()
	name, known := c.spelled[key]
	if !known {
		if name = c.source[e.At:e.End]; strings.ContainsAny(name, "\t\r\n\f\v") || strings.Contains(name, "/*") || strings.Contains(name, "  ") {
			name = key // on one line, and without comments
		}
		c.spelled[key] = name
	}
	return c.prop(name), nil
}

// operand returns a proposition as guards have it: in parentheses, unless it is a name. It must be an
// expression that guards read as one proposition, and not as another one.
func (n *neverWriter) operand(prop string) (string, error) {
	if text, ok := n.texts[prop]; ok {
		return text, nil
	}
	c := &claim{parser: &parser{text: []byte(prop)}, source: prop, spelled: map[string]string{}}
	const deeper = 4 // parentheses and negations that are written around it
	e, end, err := promela.Parse(prop, 0, promela.Boolean, promela.MaxDepth-deeper)
	var l *certify.Label
	if err == nil && promela.Blank(prop, end) == len(prop) {
		l, err = c.labelOf(e)
	}
	if err != nil || l == nil || l.Op != certify.Prop {
		return "", &PropositionError{fmt.Sprintf("%q is no proposition of Promela", prop)}
	}
	if other, ok := n.props[e.String()]; ok {
		return "", &PropositionError{fmt.Sprintf("%q and %q are the same in Promela", other, prop)}
	}
	text := c.names[0]
	if len(e.Args) > 0 {
		text = "(" + text + ")"
	}
	n.props[e.String()], n.texts[prop] = prop, text
	return text, nil
}
