package ltl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
)

// Syntax is a way to write formulas.
type Syntax uint8

const (
	Spot  Syntax = iota // !a & (b U Xc); the parser also takes most of Spin's and Wring's
	Spin                // !a && (b U (X c)), [] and <>
	LBT                 // prefix: & ! a U b X c
	Wring               // (!(a=1)) * ((b=1) U (X(c=1)))
	Auto                // whichever of these a formula is written in; for the parser only
)

var syntaxNames = []string{"spot", "spin", "lbt", "wring", "auto"}

// String returns the name that ParseSyntax takes.
func (syn Syntax) String() string { return syntaxNames[syn] }

// ParseSyntax returns the syntax with the given name: spot, spin, lbt, wring or auto.
func ParseSyntax(name string) (Syntax, error) {
	if i := slices.Index(syntaxNames, name); i >= 0 {
		return Syntax(i), nil
	}
	return 0, fmt.Errorf("unknown syntax %q%s", name, spelling.Of(name, syntaxNames))
}

// maxDepth bounds the nesting of operators, parentheses and right operands in a text. Each of the
// three counts.
const maxDepth = 200000

// nesting is the text of the error beyond maxDepth.
var nesting = fmt.Sprintf("nesting no deeper than %d", maxDepth)

// maxNodes bounds the operators, propositions and constants of a text. A formula with so many takes
// about 500 MB.
const maxNodes = 1 << 21

// Parse reads a formula. The error is a *SyntaxError.
//
// Spot's syntax has these operators, from the loosest to the tightest:
//
//	-> <->             to the right
//	|                  to the left
//	xor
//	&                  to the left
//	U R W M S T        to the right
//	! X F G Y Z O H    prefix
//
// Future operators need no space before their operand: GFa is G(F(a)). But X0 is a proposition,
// like any name of G, F or X before a digit. Past operators, which Spot does not have, need a
// space: Ya is a proposition. Y, Z, O, H, S and T alone are operators here and in LBT's syntax.
//
// There are other spellings:
//
//	&       && /\ *
//	|       || \/ +
//	!       ~
//	->      => -->
//	<->     <=> <-->
//	xor     ^
//	G       []
//	F       <>
//	R       V
//	1, 0    true, false
//
// X[n], X[!], F[n:m] and G[n:m] are unrolled. Formulas of PSL have a [SERE] in braces: {r}, {r}!,
// {r}[]->f, {r}<>->f, {r}[]=>f and {r}<>=>f, with |-> and |=> for the ones with []. The operators
// of expressions are, from the loosest to the tightest:
//
//	;
//	:
//	##n ##[i..j]
//	-> <->            of Boolean formulas
//	|
//	xor               of Boolean formulas
//	& &&
//	[*i..j] [+] [:*i..j] [:+] [->i..j] [=i..j]   postfix
//	!                 of a Boolean formula
//
// Parse also accepts the symbols of UTF8, and =0 and =1 after a proposition. A name in double
// quotes is a proposition; it has \ before " and \.
//
// In Spin's syntax && || -> and <-> bind equally and to the left, and U and V bind tighter. In parentheses
// or braces without temporal operators, -> or <->, && binds tighter than ||. X, U and V need no space
// before their operand: XXp is X(X(p)), but pUq is a proposition. Operators may be words, such as always
// and until. Comparisons and remote references are propositions: always (x + 1 > y && P[1]@label).
//
// In LBT's syntax, a letter is an operator only if it stands alone: error, t1 and GFp are propositions.
//
// Auto is any of these syntaxes. If a text is a formula in Spot's and in another syntax, both
// formulas must be the same. Auto tries Wring's syntax only if =0 or =1 occurs, and Spin's
// only if [] or <> does, since && and || are common in Spot's syntax too. In LBT's syntax it reads
// GFp only where Spot's fails.
func (s *Store) Parse(text string, syn Syntax) (*Formula, error) {
	return s.parse(text, syn, false)
}

func (s *Store) parse(text string, syn Syntax, lenient bool) (*Formula, error) {
	if syn == Auto {
		return s.parseAny(text, lenient)
	}
	p := &parser{lexer: lexer{text: text, syn: syn}, lenient: lenient}
	f := p.whole()
	if p.err != nil && syn == LBT {
		// To other tools, S is a proposition. No text is a formula both ways, as an operator needs operands.
		other := &parser{lexer: lexer{text: text, syn: syn, future: true}}
		if g := other.whole(); other.err == nil {
			p, f = other, g
		}
	}
	if p.err != nil {
		return nil, p.err.At(text, p.err.Offset)
	}
	formula := s.build(f)
	if formula == nil {
		return nil, newSyntaxError(text, 0, nesting, "deeper nesting").At(text, 0)
	}
	if p.unrolled > 0 && formula.size > maxNodes { // otherwise the text bounds it
		p.at, p.end = 0, len(text)
		p.fail(fmt.Sprintf("at most %d operators and operands, bounded operators written out", maxNodes))
		return nil, p.err.At(text, p.err.Offset)
	}
	if depth := formula.PastDepth(); depth > 0 && formula.size > maxPast/depth {
		p.at, p.end = 0, len(text)
		p.fail(fmt.Sprintf("operators of the past nested less deep than %d in a formula of size %d", maxPast/formula.size+1, formula.size))
		return nil, p.err.At(text, p.err.Offset)
	}
	return formula, nil
}

// whole reads a text that is a formula.
func (p *parser) whole() (f *tree) {
	p.next()
	if p.syn == LBT {
		f = p.prefix()
	} else {
		f = p.binary(1)
	}
	if p.err == nil && p.tok != tokEnd {
		p.fail("an operator or the end")
	}
	return f
}

// maxPast bounds the size of a formula times its PastDepth. To evaluate it, Holds needs a
// byte for that and each position of a cycle.
const maxPast = 1 << 26

type parser struct {
	lexer
	depth int
	nodes int // operators and operands that were read
	err   *SyntaxError

	exceeded bool // the error is that the formula is too large

	unrolled int // the bounds of X[n], F[n:m] and G[n:m] together
	parts    int // operators and operands of expressions

	temporal int // operators of Spin's syntax so far that Promela does not have

	lenient bool
	blocks  []int // offset of the matching ')' by offset of the '(', or 0; nil until needed
}

// fail notes an error at the current token, if it is the first.
func (p *parser) fail(expected string) *tree {
	if p.err != nil {
		return nil
	}
	p.err = newSyntaxError(p.text, p.at, expected, p.found())
	return nil
}

// next reads the next token, unless there are too many.
func (p *parser) next() {
	p.lexer.next()
	if p.tok != tokOp {
		return
	}
	if p.op.Arity() > 0 && p.op != OpNot && p.op != OpAnd && p.op != OpOr && p.op != OpXor {
		p.temporal++ // or -> or <->, which C does not have either: see regrouped
	}
	if p.nodes++; p.nodes > maxNodes {
		p.exceed(fmt.Sprintf("at most %d operators and operands", maxNodes))
	}
}

// exceed notes that the formula is too large. There is nothing to be read any more.
func (p *parser) exceed(expected string) {
	p.fail(expected)
	p.tok, p.exceeded = tokBad, true
}

// level returns how tightly a binary operator binds, and whether to the right; 0 for other tokens.
func (p *parser) level() (level int, right bool) {
	if p.tok != tokOp || p.op.Arity() != 2 {
		return 0, false
	}
	return p.syn.level(p.op)
}

// level returns how tightly an operator binds in a syntax that is not LBT, and whether to the right.
func (syn Syntax) level(op Op) (level int, right bool) {
	switch {
	case syn != Spin || op.Arity() != 2:
		return precedence[op], op != OpOr && op != OpXor && op != OpAnd
	case op == OpUntil || op == OpRelease || op == OpWeakUntil:
		return 5, false
	}
	return 1, false
}

// precedence of the operators in Spot's syntax.
var precedence = [numOps]int{
	OpImplies: 1, OpEquiv: 1, OpOr: 2, OpXor: 3, OpAnd: 4,
	OpUntil: 5, OpRelease: 5, OpWeakUntil: 5, OpStrongRelease: 5, OpSince: 5, OpTriggered: 5,
	OpNot: 6, OpNext: 6, OpFinally: 6, OpGlobally: 6,
	OpYesterday: 6, OpWeakYesterday: 6, OpOnce: 6, OpHistorically: 6,
	OpFalse: 7, OpTrue: 7, OpProp: 7, OpClosure: 7,
	OpSuffixConjunction: 0, OpSuffixImplication: 0,
}

// enter counts the nesting.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.exceed(nesting)
		return false
	}
	return true
}

// binary reads operands of operators that bind at least as tightly as least.
func (p *parser) binary(least int) *tree {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	f := p.unary()
	for p.err == nil {
		level, right := p.level()
		if level == 0 || level < least {
			return f
		}
		op, inC := p.op, max(1, levelsInC[p.text[p.at:p.end]])
		p.next()
		if !right { // the same operator again is not in the operand
			level++
		}
		if g := p.binary(level); p.err == nil {
			f = &tree{op: op, left: f, right: g, level: inC}
		}
	}
	return nil
}

// levelsInC are the levels of Promela's operators, which are C's, unless the level is 1.
var levelsInC = map[string]int8{"&&": 2, `/\`: 2, "and": 2, "|": 3, "^": 4, "&": 5, "+": 6, "*": 7}

// regrouped returns a formula that was in parentheses. To Spin, they hold an expression of Promela if all
// operators are C's, so && binds tighter than ||:
//
//	a || b && c      (a || b) && c
//	(a || b && c)    a || (b && c)
func (p *parser) regrouped(f *tree, temporal int) *tree {
	if p.syn != Spin || f == nil {
		return f
	}
	if f.level > 0 && temporal == p.temporal {
		var chain []*tree // from the right
		for ; f.level > 0; f = f.left {
			chain = append(chain, f)
		}
		for _, g := range slices.Backward(chain) {
			at := &f
			for (*at).level > 0 && (*at).level < g.level {
				at = &(*at).right
			}
			g.left, *at = *at, g
		}
	}
	f.level = 0 // no part of a longer chain
	return f
}

// unary reads prefix operators and what they stand before.
func (p *parser) unary() *tree {
	var ops []tree // read at once: GGG… takes no recursion
	for p.tok == tokOp && p.op.Arity() == 1 {
		op := tree{op: p.op}
		p.next()
		if p.tok == tokBracket && (op.op == OpNext || op.op == OpFinally || op.op == OpGlobally) {
			op.bounds = p.timeBounds(op.op)
		}
		ops = append(ops, op)
	}
	f := p.atom()
	if p.err != nil {
		return nil
	}
	for i := len(ops) - 1; i >= 0; i-- {
		ops[i].left = f
		f = &ops[i]
	}
	return f
}

func (p *parser) atom() *tree {
	switch {
	case p.tok == tokOp && p.op == OpProp:
		f := &tree{op: OpProp, name: p.name}
		p.next()
		if p.tok == tokSuffix {
			if p.text[p.at:p.end] != "=1" { // =0, or a line over the name
				f = &tree{op: OpNot, left: f}
			}
			p.next()
		}
		return f
	case p.tok == tokOp && p.op.Arity() == 0:
		f := &tree{op: p.op}
		p.next()
		return f
	case p.tok == tokBrace:
		return p.suffix()
	case p.tok == tokOpen:
		open, depth, temporal := p.at, p.depth, p.temporal
		p.next()
		f := p.binary(1)
		closing := map[byte]string{'(': ")", '{': "}"}[p.text[open]] // Spin's syntax has braces, too
		if p.err == nil && (p.tok != tokClose || p.text[p.at:p.end] != closing) {
			p.fail("an operator or '" + closing + "'")
		}
		if p.err != nil {
			if f = p.block(open); f == nil {
				return nil
			}
			p.depth, p.temporal = depth, temporal // the error may have been in deeper nesting
		}
		f = p.regrouped(f, temporal)
		p.next()
		return f
	}
	return p.noOperand("a formula")
}

// noOperand notes that a formula or an expression is missing. In Spot's syntax, a letter without quotes
// may be meant as a proposition: the current token, as S in F S, or the prefix operator before it, as H
// in H U b. F b in an expression is meant as an operator.
func (p *parser) noOperand(expected string) *tree {
	at, name, after := p.at, p.text[p.at:p.end], p.lexer
	after.next()
	operand := after.tok == tokOpen || after.tok == tokOp && after.op.Arity() < 2
	i := len(strings.TrimRight(p.text[:at], " \t\r\n\f\v")) - 1
	if i >= 0 && (i == 0 || !wordByte(p.text[i-1])) && words[p.text[i:i+1]].Arity() == 1 && (letters[name] == "" || operand) {
		at, name = i, p.text[i:i+1]
	}
	if p.err == nil && p.syn == Spot && letters[name] != "" && (expected == "a formula" || !operand) {
		p.err = newSyntaxError(p.text, at, expected,
			fmt.Sprintf("an operator: %s is %s: write %q in double quotes for a proposition", name, letters[name], name))
	}
	return p.fail(expected)
}

// prefix reads a formula in prefix syntax, without recursion.
func (p *parser) prefix() *tree {
	type frame struct {
		op   Op
		left *tree
	}
	var stack []frame
	for {
		if p.tok != tokOp {
			return p.fail("a formula")
		}
		op := p.op
		if op.Arity() > 0 {
			stack = append(stack, frame{op: op})
			p.next()
			continue
		}
		f := &tree{op: op, name: p.name}
		p.next()
		for {
			if len(stack) == 0 {
				return f
			}
			top := &stack[len(stack)-1]
			if top.op.Arity() == 2 && top.left == nil { // the first operand
				top.left = f
				break
			}
			if top.op.Arity() == 2 {
				f = &tree{op: top.op, left: top.left, right: f}
			} else {
				f = &tree{op: top.op, left: f}
			}
			stack = stack[:len(stack)-1]
		}
	}
}

// A tree is a formula as it was written. Formulas are made of it only when it is complete: made
// bottom up, a & (b & (c & …)) would be turned into a left comb again at each step.
type tree struct {
	op          Op
	level       int8 // how tightly a binary operator binds in C; 0 if it is in parentheses
	left, right *tree
	name        string
	sere        *sereTree
	bounds      *bounds // of X[n], F[n:m] or G[n:m]
}

// build makes the formula, without recursion. It returns nil if that is nested too deep.
func (s *Store) build(t *tree) *Formula {
	stack := []building{{t: t, todo: t.operands(nil)}}
	for {
		top := &stack[len(stack)-1]
		if n := len(top.todo); n > 0 {
			u := top.todo[n-1]
			top.todo = top.todo[:n-1]
			if len(stack) > maxDepth { // all on the stack are around it
				return nil
			}
			stack = append(stack, building{t: u, todo: u.operands(nil)})
			continue
		}
		f := top.f
		switch {
		case top.t.op == OpProp:
			f = s.Prop(top.t.name)
		case top.t.sere != nil:
			f = s.make(node{op: top.t.op, left: f, sere: s.buildSERE(top.t.sere)})
		case top.t.bounds != nil:
			f = s.unrolled(top.t.op, *top.t.bounds, f)
		case top.t.op.Arity() < 2:
			f = s.apply(top.t.op, f, nil)
		}
		if stack = stack[:len(stack)-1]; len(stack) == 0 {
			return f
		}
		if top = &stack[len(stack)-1]; top.f == nil {
			top.f = f
		} else {
			top.f = s.Binary(top.t.op, top.f, f) // a conjunction may have many operands
		}
	}
}

// A building is a formula that is being made from its operands.
type building struct {
	t    *tree
	f    *Formula // of the operands that are made; nil if none is
	todo []*tree  // the others, the last one first
}

// operands appends the operands, the last one first: all that a conjunction or
// disjunction has, however it is nested.
func (t *tree) operands(list []*tree) []*tree {
	if t.op != OpAnd && t.op != OpOr {
		for _, u := range []*tree{t.right, t.left} {
			if u != nil {
				list = append(list, u)
			}
		}
		return list
	}
	for stack := []*tree{t}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u.op == t.op {
			stack = append(stack, u.left, u.right) // the right one comes first
		} else {
			list = append(list, u)
		}
	}
	return list
}

// parseAny reads a formula in whichever syntax it is written in. If no syntax fits, the error comes
// from the syntax that reads most of the text.
func (s *Store) parseAny(text string, lenient bool) (*Formula, error) {
	list := []Syntax{Spot, LBT}
	if strings.Contains(text, "=0") || strings.Contains(text, "=1") { // Wring's propositions have values
		list = append(list, Wring)
	}
	if strings.Contains(text, "[]") || strings.Contains(text, "<>") { // Spin's G and F
		list = append(list, Spin)
	}
	var found *Formula
	var in Syntax
	var worst *SyntaxError
	for _, syn := range list {
		f, err := s.parse(text, syn, lenient)
		if bad, ok := err.(*SyntaxError); ok {
			if worst == nil || bad.Offset > worst.Offset { // more of the text could be read
				worst = bad
			}
			continue
		}
		if syn == LBT && found != nil && slices.ContainsFunc(f.Props(), func(name string) bool { return !(&printer{}).plain(name) }) {
			continue // GFa and true are names to LBT, but a formula as common as GFa is Spot's
		}
		if found != nil && f != found { // of one store: equal formulas are identical
			return nil, newSyntaxError(text, 0, "a formula that means the same in all syntaxes (or give its syntax)",
				fmt.Sprintf("%s in %s's and %s in %s's", short(found), in, short(f), syn)).At(text, 0)
		}
		found, in = f, syn
	}
	if found == nil {
		return nil, worst
	}
	return found, nil
}

// short returns the formula, or the start of it if it is long.
func short(f *Formula) string {
	const most = 60
	text := []rune(f.String())
	if len(text) > most {
		return string(text[:most-1]) + "…"
	}
	return string(text)
}

// ParseLenient is Parse, except that a text in parentheses that is no formula becomes a
// proposition with that name. So formulas can contain expressions of a model's language:
//
//	(x[2] < y) U (ready)
//
// is "x[2] < y" U ready. Of nested parentheses, the innermost that make a formula are taken.
// LBT's syntax has no parentheses.
func (s *Store) ParseLenient(text string, syn Syntax) (*Formula, error) {
	return s.parse(text, syn, true)
}

// block takes the parentheses that open at an offset for a proposition, after it has
// turned out that there is no formula between them. Then the current token is the
// closing parenthesis. It returns nil and keeps the error if the parser is not lenient,
// the formula is too large, the parenthesis is not closed, or nothing is in between.
func (p *parser) block(open int) *tree {
	if !p.lenient || p.exceeded {
		return nil
	}
	if p.blocks == nil {
		p.blocks = blocks(p.text)
	}
	end := p.blocks[open]
	if end == 0 {
		return nil
	}
	name := strings.TrimSpace(p.text[open+1 : end])
	if name == "" {
		return nil
	}
	p.err = nil // the text is a name after all
	p.tok, p.at, p.end = tokClose, end, end+1
	return &tree{op: OpProp, name: name}
}

// blocks returns the offset of each closing ')', by the offset of its '(', outside of double
// quotes. It finds all at once, because each of a million may be asked for.
func blocks(text string) []int {
	end := make([]int, len(text))
	var open []int
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++ // the escaped character
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			end[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return end
}

// A SyntaxError describes a syntax error in a formula, a word (package omega) or an automaton (package hoa).
type SyntaxError struct {
	Text         string // "" for an automaton: then there is no Offset and no Excerpt
	Offset       int    // in bytes
	Line, Column int    // from 1; columns count characters
	Reason       string // what was expected, and what was found
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Reason) }

// newSyntaxError leaves line and column to At, which takes linear time: ParseLenient drops most errors.
func newSyntaxError(text string, at int, expected, found string) *SyntaxError {
	return &SyntaxError{Text: text, Offset: at, Reason: fmt.Sprintf("expected %s, found %s", expected, found)}
}

// Excerpt returns the line with the error, and a caret below the position. For a long line, it
// returns the part around the position. Unprintable characters are escaped as in Go.
func (e *SyntaxError) Excerpt() string {
	const width = 60
	if e.Offset < 0 || e.Offset > len(e.Text) {
		return ""
	}
	start := strings.LastIndexByte(e.Text[:e.Offset], '\n') + 1
	line, _, _ := strings.Cut(e.Text[e.Offset:], "\n")
	before, after := printable(e.Text[start:e.Offset]), printable(line)
	if over := len(before) - width/2; over > 0 && len(before)+len(after) > width {
		// What is not needed behind the place is room before it.
		over = min(over, len(before)+len(after)-width)
		before = append([]rune("…"), before[over+1:]...)
	}
	if room := width - len(before); len(after) > room {
		after = append(after[:room-1], '…')
	}
	return string(before) + string(after) + "\n" + strings.Repeat(" ", len(before)) + "^"
}

// printable returns the characters of text, with escapes for characters that can't be printed.
func printable(text string) []rune {
	var list []rune
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			quoted := strconv.Quote(text[:n])
			list = append(list, []rune(quoted[1:len(quoted)-1])...)
		} else {
			list = append(list, r)
		}
		text = text[n:]
	}
	return list
}

// At sets the text and the offset, by which it computes the line and the column. It returns e.
func (e *SyntaxError) At(text string, offset int) *SyntaxError {
	e.Text, e.Offset = text, min(max(0, offset), len(text))
	before := text[:e.Offset]
	e.Line = 1 + strings.Count(before, "\n")
	e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return e
}
