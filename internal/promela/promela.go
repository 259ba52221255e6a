// Package promela reads expressions of Promela, the language of Spin: guards of never claims, and
// what stands for a proposition in Spin's formulas.
//
// The operators are C's, from the loosest to the tightest:
//
//	||   &&   |   ^   &   == !=   < <= > >=   << >>   + -   * / %   ! ~ -
//
// An operand is a number, or a name with what may follow it: x[i+1], s.field, len(q), q?[m],
// P[1]@label, P:x. In parentheses there may be (c -> x : y), in which x ends at the colon, and (x = 1), an
// assignment for Spin: translators write propositions of that name into claims.
package promela

import (
	"fmt"
	"strings"
)

// An Expr is an expression: a name or a number, or an operator with operands. The operators that
// follow a name are [ . ( ? ?? @ and a colon. That of (c -> x : y) is "->".
type Expr struct {
	Op      string
	Args    []*Expr
	Text    string // of a name or a number
	At, End int    // where it stands in the text, without the parentheses around it
}

// An Error says what was expected at an offset.
type Error struct {
	At       int
	Expected string
}

func (e *Error) Error() string { return fmt.Sprintf("offset %d: expected %s", e.At, e.Expected) }

// MaxDepth bounds the nesting of parentheses and prefix operators. Errors expect TooDeep behind it.
const (
	MaxDepth = 10000
	TooDeep  = "less nesting"
)

// Levels of operators that bind tighter the higher they are.
const (
	Boolean = 1 + iota // ||, &&
	_
	_ // |, ^, &
	_
	_
	Comparison // ==, <
	_
	_ // <<
	sum
	_
	Unary // only prefix operators, names and parentheses
)

var levels = map[string]int{"||": Boolean, "&&": 2, "|": 3, "^": 4, "&": 5, "==": Comparison, "!=": Comparison, "=": Comparison, "<": 7, "<=": 7,
	">": 7, ">=": 7, "<<": 8, ">>": 8, "+": sum, "-": sum, "*": 10, "/": 10, "%": 10}

// Reserved reports whether a word of Promela can't be a name in an expression.
func Reserved(word string) bool {
	switch word {
	case "else", "if", "fi", "do", "od", "goto", "atomic", "d_step", "assert", "never", "break", "unless":
		return true
	}
	return false
}

// Parse reads an expression at an offset. Its operators bind at least as tightly as level. It
// returns where the expression ends.
func Parse(text string, at, level, maxDepth int) (e *Expr, end int, err error) {
	p := &parser{text: text, at: at, depth: maxDepth}
	e = p.binary(level)
	if p.err != nil {
		return nil, p.err.At, p.err
	}
	return e, p.end, nil
}

// Name returns what two spellings of an expression have in common: the text with one blank around
// operators, and no needless parentheses. It returns the text itself if that is no expression.
func Name(text string) string {
	e, end, err := Parse(text, 0, Boolean, MaxDepth)
	if err != nil || Blank(text, end) < len(text) {
		return text
	}
	return e.String()
}

// String returns the expression as Name spells it.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b, 0)
	return b.String()
}

func (e *Expr) write(b *strings.Builder, least int) {
	level, binary := levels[e.Op]
	switch {
	case e.Op == "":
		b.WriteString(e.Text)
	case binary && len(e.Args) > 1:
		if level < least {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		// Operators associate to the left: only a right operand of the same level needs parentheses.
		for i, arg := range e.Args {
			if i > 0 {
				b.WriteString(" " + e.Op + " ")
			}
			arg.write(b, level+min(i, 1))
		}
	case e.Op == "->":
		yes := e.Args[1].String()
		if strings.ContainsAny(yes, "[:") { // P[1] : x would be one name
			yes = "(" + yes + ")"
		}
		b.WriteString("(" + e.Args[0].String() + " -> " + yes + " : " + e.Args[2].String() + ")")
	case len(e.Args) == 1 && e.Op != "(": // prefix
		b.WriteString(e.Op)
		e.Args[0].write(b, Unary)
	default:
		e.Args[0].write(b, Unary)
		b.WriteString(e.Op)
		if strings.HasPrefix(e.Op, "?") {
			b.WriteByte('[')
		}
		for i, arg := range e.Args[1:] {
			if i > 0 {
				b.WriteString(", ")
			}
			arg.write(b, 0)
		}
		b.WriteString(map[byte]string{'[': "]", '?': "]", '(': ")"}[e.Op[0]])
	}
}

type parser struct {
	text    string
	at, end int  // of the next token, and behind the last one
	depth   int  // that is left
	choice  bool // a colon ends the expression
	inside  bool // parentheses
	err     *Error
}

// Blank returns where white space and comments end that start at an offset.
func Blank(text string, at int) int {
	for at < len(text) {
		rest, n := text[at:], 0
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			n = 1
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			n = strings.Index(rest[2:], "*/") + 4
			if n == 3 {
				return at // it has no end
			}
		default:
			return at
		}
		at += n
	}
	return at
}

func (p *parser) fail(at int, expected string) *Expr {
	if p.err == nil {
		p.err = &Error{at, expected}
	}
	return nil
}

// take takes a token if it comes next.
func (p *parser) take(token string) bool {
	p.at = Blank(p.text, p.at)
	if !strings.HasPrefix(p.text[p.at:], token) {
		return false
	}
	p.at += len(token)
	p.end = p.at
	return true
}

// operator returns the binary operator that comes next, or "".
func (p *parser) operator() string {
	p.at = Blank(p.text, p.at)
	rest := p.text[p.at:]
	// The arrows of formulas begin like operators of expressions.
	for _, arrow := range []string{"->", "-->", "<->", "<-->", "<>", "<=>"} {
		if strings.HasPrefix(rest, arrow) {
			return ""
		}
	}
	for n := min(2, len(rest)); n > 0; n-- {
		if levels[rest[:n]] > 0 && (rest[:n] != "=" || p.inside && !strings.HasPrefix(rest, "=>")) {
			return rest[:n]
		}
	}
	return ""
}

func (p *parser) binary(least int) *Expr {
	if p.depth--; p.depth < 0 {
		return p.fail(p.at, TooDeep)
	}
	defer func() { p.depth++ }()
	at := Blank(p.text, p.at)
	e := p.prefix()
	for p.err == nil {
		op := p.operator()
		level := levels[op]
		if level == 0 || level < least {
			return e
		}
		p.take(op)
		right := p.binary(level + 1)
		if p.err != nil {
			return nil
		}
		if e.Op == op && level <= 5 { // long disjunctions are flat
			e.Args, e.End = append(e.Args, right), p.end
			continue
		}
		e = &Expr{Op: op, Args: []*Expr{e, right}, At: at, End: p.end}
	}
	return nil
}

func (p *parser) prefix() *Expr {
	at := Blank(p.text, p.at)
	for _, op := range []string{"!", "~", "-"} {
		if strings.HasPrefix(p.text[at:], "->") || !p.take(op) {
			continue
		}
		if p.depth--; p.depth < 0 {
			return p.fail(at, TooDeep)
		}
		defer func() { p.depth++ }()
		if arg := p.prefix(); p.err == nil {
			return &Expr{Op: op, Args: []*Expr{arg}, At: at, End: p.end}
		}
		return nil
	}
	if !p.take("(") {
		return p.name()
	}
	defer func(choice, inside bool) { p.choice, p.inside = choice, inside }(p.choice, p.inside)
	p.choice, p.inside = false, true
	e := p.binary(Boolean)
	// Inside parentheses -> is a choice: (a -> b : c). In a claim, it also ends a guard.
	if p.err == nil && p.take("->") {
		if arrow := p.at - 2; Reserved(word(p.text, Blank(p.text, p.at))) {
			return p.fail(arrow, "'&&', '||' or ')'") // the guard has ended
		}
		p.choice = true
		yes := p.binary(Boolean)
		p.choice = false
		if p.err == nil && !p.take(":") {
			return p.fail(p.at, "':'")
		}
		if no := p.binary(Boolean); p.err == nil {
			e = &Expr{Op: "->", Args: []*Expr{e, yes, no}, At: at, End: p.end + 1}
		}
	}
	if p.err == nil && !p.take(")") {
		return p.fail(p.at, "'&&', '||' or ')'")
	}
	return e
}

// word returns the name or the number that starts at an offset.
func word(text string, at int) string {
	end := at
	number := at < len(text) && '0' <= text[at] && text[at] <= '9'
	for end < len(text) {
		c := text[end]
		digit := '0' <= c && c <= '9'
		if !digit && (number || !('a' <= c|0x20 && c|0x20 <= 'z' || c == '_')) {
			break
		}
		end++
	}
	return text[at:end]
}

// name reads a name with what follows it, or a number.
func (p *parser) name() *Expr {
	p.at = Blank(p.text, p.at)
	at := p.at
	w := word(p.text, at)
	if w == "" || Reserved(w) {
		return p.fail(at, "a proposition, '!' or '('")
	}
	p.at += len(w)
	p.end = p.at
	e := &Expr{Text: w, At: at, End: p.at}
	if w[0] <= '9' {
		return e
	}
	// A name goes on with indices, fields, arguments, channels and labels: P[i].x, q?[m], P[1]@lab.
	for p.err == nil {
		next := Blank(p.text, p.at)
		rest := p.text[next:]
		op, closing := "", ""
		switch {
		case strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "::"): // G, or the next choice
		case strings.HasPrefix(rest, "["):
			op, closing = "[", "]"
		case strings.HasPrefix(rest, "(") && e.Op == "" && strings.IndexByte(p.text[p.at:next], '\n') < 0: // no call goes over lines
			op, closing = "(", ")"
		case strings.HasPrefix(rest, "?["):
			op, closing = "?", "]"
		case strings.HasPrefix(rest, "??["):
			op, closing = "??", "]"
		case strings.HasPrefix(rest, "@"), strings.HasPrefix(rest, ".") && next == p.at, strings.HasPrefix(rest, ":") && (e.Op == "[" || e.Op == "" && !p.choice):
			if name := word(rest, Blank(rest, 1)); name != "" && name[0] > '9' {
				op = rest[:1]
			}
		}
		if op == "" {
			return e
		}
		p.at = next + len(op)
		if op[0] == '?' {
			p.at++
		}
		args := []*Expr{e}
		switch {
		case closing == "":
			p.at = Blank(p.text, p.at)
			field := word(p.text, p.at)
			args = append(args, &Expr{Text: field, At: p.at, End: p.at + len(field)})
			p.at += len(field)
			p.end = p.at
		case op == "(" && p.take(closing): // no arguments
		default:
			choice := p.choice
			p.choice = false
			for more := true; more && p.err == nil; more = p.take(",") {
				args = append(args, p.binary(Boolean))
			}
			p.choice = choice
			if p.err == nil && !p.take(closing) {
				return p.fail(p.at, "'"+closing+"'")
			}
		}
		e = &Expr{Op: op, Args: args, At: at, End: p.end}
	}
	return nil
}
