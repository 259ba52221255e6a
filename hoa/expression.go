package hoa

import "github.com/xcheck-ltl/xcheck/certify"

// A grammar is that of expressions: labels, guards, acceptance conditions.
type grammar[T any] struct {
	name      string   // in errors
	operators []string // the loosest first: of disjunctions and conjunctions in turn
	after     string   // what may come after an operand in parentheses
	operand   func(negated bool) (T, error)
	join      func(or bool, args []T) T // for several
	not       func(T) T                 // nil if there is no negation
}

// maxDepth bounds the nesting of an expression.
const maxDepth = 10000

// ofLabels returns the grammar of expressions that are labels.
func ofLabels(name, after string, operators []string, operand func(negated bool) (*certify.Label, error)) *grammar[*certify.Label] {
	return &grammar[*certify.Label]{name, operators, after, operand, joined, negated}
}

// expression reads operands and, between them, the operators of a level. Those of higher levels
// bind tighter.
func expression[T any](p *parser, g *grammar[T], level, depth int) (t T, err error) {
	if depth > maxDepth {
		return t, p.errorAt(p.at, "%s nested deeper than %d", g.name, maxDepth)
	}
	var args []T
	for {
		if level+1 < len(g.operators) {
			t, err = expression(p, g, level+1, depth)
		} else {
			t, err = operand(p, g, depth)
		}
		if err != nil {
			return t, err
		}
		if p.operator(g.operators, level) {
			args = append(args, t)
		} else if args == nil {
			return t, nil
		} else {
			return g.join(level%2 == 0, append(args, t)), nil
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
			err = p.expected(g.after)
		}
	} else {
		t, err = g.operand(negations > 0)
	}
	if err == nil && negations%2 == 1 {
		t = g.not(t)
	}
	return t, err
}

// operator takes the operator of a level if it comes next. Where || is one, it is not two times |.
func (p *parser) operator(operators []string, level int) bool {
	op := operators[level]
	if p.peek() != op[0] {
		return false
	}
	twice := p.at+1 < len(p.text) && p.text[p.at+1] == op[0]
	if len(operators[0]) == 2 && twice != (len(op) == 2) {
		return false
	}
	p.at += len(op)
	return true
}
