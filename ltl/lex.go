package ltl

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/promela"
)

// token is the class of a token.
type token uint8

const (
	tokOp         token = iota // an operator, a constant or a proposition
	tokOpen                    // (
	tokClose                   // )
	tokSuffix                  // =0 or =1, behind a proposition
	tokBrace                   // {
	tokBraceClose              // }
	tokArrow                   // []-> and the like, behind }
	tokConcat                  // ;
	tokFusion                  // :
	tokDelay                   // ##
	tokBracket                 // [ of an iteration or of bounds
	tokFirstMatch              // first_match
	tokEnd
	tokBad
)

// lexer splits a text into tokens. The current one is text[at:end].
type lexer struct {
	text    string
	syn     Syntax
	at, end int
	tok     token
	op      Op     // of tokOp
	name    string // of a proposition
	operand bool   // an operand has just ended
	future  bool   // in LBT's syntax, Y, S and the like are propositions
	letters [2]int // where the word that was read last begins and ends
}

// symbols are the operators that are not words, longest first where one is the start of another.
var symbols = []struct {
	text string
	op   Op
}{
	{"<-->", OpEquiv}, {"<->", OpEquiv}, {"<=>", OpEquiv}, {"<>", OpFinally},
	{"-->", OpImplies}, {"->", OpImplies}, {"=>", OpImplies},
	{"&&", OpAnd}, {"&", OpAnd}, {"/\\", OpAnd}, {"*", OpAnd},
	{"||", OpOr}, {"|", OpOr}, {"\\/", OpOr}, {"+", OpOr},
	{"[]", OpGlobally}, {"!", OpNot}, {"~", OpNot}, {"^", OpXor},
	{"¬", OpNot}, {"∧", OpAnd}, {"∨", OpOr}, {"⊕", OpXor}, {"→", OpImplies}, {"↔", OpEquiv},
	{"○", OpNext}, {"◇", OpFinally}, {"□", OpGlobally},
	{"∩", OpAnd}, {"∪", OpOr}, {"⟶", OpImplies}, {"⇒", OpImplies}, {"⟹", OpImplies}, {"⇔", OpEquiv},
	{"◯", OpNext}, {"Ⓧ", OpNext}, {"⋄", OpFinally}, {"♢", OpFinally}, {"⬜", OpGlobally}, {"◻", OpGlobally},
}

// pslSymbols are the symbols of Spot's syntax that stand only in or behind an expression.
var pslSymbols = []struct {
	text string
	tok  token
}{
	{"{", tokBrace}, {"}", tokBraceClose}, {";", tokConcat}, {":", tokFusion}, {"##", tokDelay},
	{"↦", tokArrow}, {"⤇", tokArrow},
}

// An arrow behind an expression has two parts, as in []-> and <>=>.
var (
	boxes, diamonds = []string{"[]", "|", "□", "⬜", "◻"}, []string{"<>", "◇", "⋄", "♢"}
	arrows, doubles = []string{"->", "-->", "→", "⟶"}, []string{"=>", "⇒", "⟹"}
)

// arrowLength returns the length of the arrow that a text starts with, or 0.
func arrowLength(text string) int {
	n := max(startLength(text, boxes), startLength(text, diamonds))
	if m := max(startLength(text[n:], arrows), startLength(text[n:], doubles)); n > 0 && m > 0 {
		return n + m
	}
	return 0
}

// startLength returns the length of the part that a text starts with, or 0.
func startLength(text string, parts []string) int {
	for _, part := range parts {
		if strings.HasPrefix(text, part) {
			return len(part)
		}
	}
	return 0
}

var words = map[string]Op{
	"U": OpUntil, "R": OpRelease, "V": OpRelease, "W": OpWeakUntil, "M": OpStrongRelease, "xor": OpXor,
	"true": OpTrue, "TRUE": OpTrue, "false": OpFalse, "FALSE": OpFalse,
	"X": OpNext, "F": OpFinally, "G": OpGlobally,
	"Y": OpYesterday, "Z": OpWeakYesterday, "O": OpOnce, "H": OpHistorically, "S": OpSince, "T": OpTriggered,
}

// letters are the names of operators that look like propositions.
var letters = map[string]string{
	"U": "until", "R": "release", "V": "release", "W": "weak until", "M": "strong release", "X": "next", "F": "finally", "G": "globally",
	"Y": "yesterday", "Z": "weak yesterday", "O": "once", "H": "historically", "S": "since", "T": "triggered",
}

// spinWords are words of Spin's formulas. Some are operators in ltl blocks of a model, but names to spin -f,
// such as implies. So a longer binary word is an operator only after an operand, where no name can come.
var spinWords = map[string]Op{
	"U": OpUntil, "V": OpRelease, "W": OpWeakUntil, "X": OpNext, "true": OpTrue, "TRUE": OpTrue, "false": OpFalse, "FALSE": OpFalse,
	"always": OpGlobally, "eventually": OpFinally, "next": OpNext, "not": OpNot, "and": OpAnd, "or": OpOr, "implies": OpImplies,
	"equivalent": OpEquiv, "until": OpUntil, "stronguntil": OpUntil, "weakuntil": OpWeakUntil, "release": OpRelease,
}

var lbtWords = map[byte]Op{
	't': OpTrue, 'f': OpFalse, '!': OpNot, '&': OpAnd, '|': OpOr, 'i': OpImplies, 'e': OpEquiv, '^': OpXor,
	'X': OpNext, 'F': OpFinally, 'G': OpGlobally, 'U': OpUntil, 'V': OpRelease, 'R': OpRelease,
	'W': OpWeakUntil, 'M': OpStrongRelease,
	'Y': OpYesterday, 'Z': OpWeakYesterday, 'O': OpOnce, 'H': OpHistorically, 'S': OpSince, 'T': OpTriggered,
}

// found describes the current token for an error.
func (x *lexer) found() string {
	if x.tok == tokEnd {
		return "the end"
	}
	if end := x.end; end > x.at {
		return strconv.Quote(x.text[x.at:min(end, x.at+40)])
	}
	_, n := utf8.DecodeRuneInString(x.text[x.at:])
	return strconv.Quote(x.text[x.at : x.at+n])
}

// next reads the next token.
func (x *lexer) next() {
	// Has the token before ended an operand?
	x.operand = x.tok == tokClose || x.tok == tokSuffix || x.tok == tokBraceClose || x.tok == tokOp && x.end > 0 && x.op.Arity() == 0
	x.skipBlanks()
	x.at = x.end
	if x.at == len(x.text) {
		x.tok = tokEnd
		return
	}
	c := x.text[x.at]
	switch {
	case c == '"':
		x.quoted()
	case x.syn == LBT:
		x.nextLBT(c)
	case x.syn == Spin && (c == '(' || '0' <= c && c <= '9') && x.expression(promela.Comparison): // (x) + 1 > y
	case c == '(' && x.syn == Spot && strings.HasPrefix(x.text[x.at:], "()"): // a circle
		x.take(2, OpNext)
	case c == '(', c == '{' && x.syn == Spin:
		x.tok, x.end = tokOpen, x.at+1
	case c == ')', c == '}' && x.syn == Spin:
		x.tok, x.end = tokClose, x.at+1
	case c == '0' || c == '1':
		x.take(1, map[byte]Op{'0': OpFalse, '1': OpTrue}[c])
	case wordByte(c) && (c < '0' || c > '9'):
		x.word()
	case strings.HasPrefix(x.text[x.at:], "=0"), strings.HasPrefix(x.text[x.at:], "=1"):
		x.tok, x.end = tokSuffix, x.at+2
	case x.syn == Spot && (strings.HasPrefix(x.text[x.at:], "\u0305") || strings.HasPrefix(x.text[x.at:], "\u0304")): // a line over the name
		x.tok, x.end = tokSuffix, x.at+2
	default:
		x.symbol()
	}
}

// skipBlanks skips blanks behind the current token and, in Spot's syntax, comments: /* … */,
// nested.
func (x *lexer) skipBlanks() {
	for x.end < len(x.text) {
		switch {
		case strings.IndexByte(" \t\r\n\f\v", x.text[x.end]) >= 0:
			x.end++
		case x.syn == Spot && strings.HasPrefix(x.text[x.end:], "/*"):
			n := commentLen(x.text[x.end:])
			if n == 0 {
				return // a comment without an end is no token
			}
			x.end += n
		default:
			return
		}
	}
}

// commentLen returns the length of the comment that s starts with, or 0 if it does not end.
func commentLen(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
		case "*/":
			depth--
		default:
			continue
		}
		if i++; depth == 0 { // past both characters: /*/ is not closed
			return i + 1
		}
	}
	return 0
}

// symbol reads a symbol, if there is one.
func (x *lexer) symbol() {
	rest := x.text[x.at:]
	if x.syn == Spot {
		if n := arrowLength(rest); n > 0 {
			x.tok, x.end = tokArrow, x.at+n
			return
		}
		for _, s := range pslSymbols {
			if strings.HasPrefix(rest, s.text) {
				x.tok, x.end = s.tok, x.at+len(s.text)
				return
			}
		}
		if rest[0] == '[' && !strings.HasPrefix(rest, "[]") { // [] is G
			x.tok, x.end = tokBracket, x.at+1
			return
		}
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s.text) {
			x.take(len(s.text), s.op)
			return
		}
	}
	x.tok = tokBad
}

func (x *lexer) take(n int, op Op) {
	x.tok, x.op, x.end, x.name = tokOp, op, x.at+n, ""
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.'
}

// wordEnd returns where the letters, digits, underscores and dots that start at i end.
func (x *lexer) wordEnd(i int) int {
	if i < x.letters[0] || i >= x.letters[1] { // XXX…Xa is scanned once
		end := i
		for end < len(x.text) && wordByte(x.text[end]) {
			end++
		}
		x.letters = [2]int{i, end}
	}
	return x.letters[1]
}

// word reads an operator or a proposition that starts with a letter.
func (x *lexer) word() {
	end := x.wordEnd(x.at)
	text := x.text[x.at:end]
	op, ok := words[text[:min(len(text), 16)]] // no operator is longer, and a long name is not hashed as a whole
	switch x.syn {
	case Spot:
		switch { // Spot reads True and fALSE as constants, too
		case strings.EqualFold(text, "true"):
			op, ok = OpTrue, true
		case strings.EqualFold(text, "false"):
			op, ok = OpFalse, true
		}
	case Spin:
		op, ok = spinWords[text]
		ok = ok && (op.Arity() < 2 || x.operand || len(text) == 1)
	case Wring:
		ok = ok && !PastOps.Has(op)
	}
	switch {
	case ok:
		x.take(len(text), op)
	case x.syn == Spot && text == "first_match":
		x.tok, x.end = tokFirstMatch, end
	case x.syn == Spot && strings.IndexByte("XFG", text[0]) >= 0 && (text[1] < '0' || text[1] > '9'):
		x.take(1, words[text[:1]]) // GFa: F is read next
	case x.operand && strings.IndexByte("UV", text[0]) >= 0,
		x.syn != Spin && x.operand && strings.IndexByte("RWM", text[0]) >= 0,
		x.syn == Spot && x.operand && strings.IndexByte("ST", text[0]) >= 0:
		x.take(1, words[text[:1]]) // where no proposition can come: p=0Uq=1
	case x.syn == Spin && text[0] == 'X' && len(text) > 255: // XXX…Xa, and no name of a variable
		x.take(1, OpNext)
	case x.syn == Spin && text[0] == 'X' && strings.HasPrefix(strings.TrimLeft(x.text[end:], " \t\r\n\f\v"), "("):
		x.take(1, OpNext) // XX(p) is no call
	case x.syn == Spin && (x.expression(promela.Comparison) || x.expression(promela.Unary)):
	case x.syn == Spin && text[0] == 'X':
		x.take(1, OpNext) // names of spin -f and LTL2BA start with lower-case letters: Xq, XX<>p
	default:
		x.take(len(text), OpProp)
		x.name = text
	}
}

// maxExpression bounds the nesting of an expression of Promela in a formula.
const maxExpression = 20

// expression reads an expression of Promela as a proposition, if one comes next that binds at least as
// tightly as level: a comparison, such as x + 1 > y, or a name with what follows it, such as P[1]@l.
func (x *lexer) expression(level int) bool {
	e, end, err := promela.Parse(x.text, x.at, level, maxExpression)
	comparison := err == nil && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, e.Op)
	switch {
	case err != nil || e.At > x.at: // in parentheses
		return false
	case !comparison && (level < promela.Unary || e.Op == "" || e.Op == "."):
		return false
	}
	x.take(end-x.at, OpProp)
	x.name = x.text[x.at:end]
	return true
}

// nextLBT reads a token of prefix syntax. A letter is an operator only if it stands alone, as for Spot
// and ltl2dstar: error and GFp are names.
func (x *lexer) nextLBT(c byte) {
	end := x.wordEnd(x.at)
	text := x.text[x.at:end]
	op, ok := lbtWords[c]
	switch {
	case ok && len(text) < 2 && !(x.future && PastOps.Has(op)):
		x.take(1, op)
	case len(text) > 0 && !('0' <= c && c <= '9'):
		x.take(len(text), OpProp)
		x.name = text
	default:
		x.tok = tokBad
	}
}

// quoted reads a proposition in double quotes.
func (x *lexer) quoted() {
	var name strings.Builder
	for i := x.at + 1; i < len(x.text); i++ {
		switch c := x.text[i]; {
		case c == '\\' && i+1 < len(x.text):
			i++
			name.WriteByte(x.text[i])
		case c == '"':
			x.take(i+1-x.at, OpProp)
			x.name = name.String()
			return
		default:
			name.WriteByte(c)
		}
	}
	x.tok, x.end = tokBad, len(x.text) // no closing quote
}
