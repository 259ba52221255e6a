package ltl

import (
	"fmt"
	"io"
	"strconv"
)

// A sereNotation is how the operators of expressions are written.
type sereNotation struct {
	open, close, star, reached   string
	or, intersection, and        string
	concat, fusion, firstMatch   string
	conjunction, implication     string // of formulas: {r}<>-> f and {r}[]-> f
	conjunctionNext, impliesNext string // {r}<>=> f and {r}[]=> f
}

var sereNotations = [...]sereNotation{
	Letters: {"{", "}", "*", "->", " | ", " && ", " & ", ";", ":", "first_match(", "<>-> ", "[]-> ", "<>=> ", "[]=> "},
	UTF8:    {"{", "}", "*", "→", " ∨ ", " ∩ ", " & ", ";", ":", "first_match(", "◇→ ", "□→ ", "◇⇒ ", "□⇒ "},
	LaTeX: {`\{`, `\}`, `\ast `, `\rightarrow `, ` \lor `, ` \cap `, ` \mathbin{\&} `, `\mathbin{;}`, `\mathbin{:}`,
		`\mathsf{first\_match}(`, `\mathrel{\langle\rangle\!\!\rightarrow} `, `\mathrel{[\,]\!\!\rightarrow} `,
		`\mathrel{\langle\rangle\!\!\Rightarrow} `, `\mathrel{[\,]\!\!\Rightarrow} `},
}

// Precedences in expressions. Those of Boolean operators are by sereBoolean higher than in
// formulas.
const (
	sereConcatLevel = 1
	sereFusionLevel = 2
	sereBoolean     = 3
	sereStarLevel   = 10
	sereAtomLevel   = 11
)

// sereLevelOf returns how tightly the operator at the top binds.
func sereLevelOf(r *SERE) int {
	if kind, _, _ := r.sugar(); kind != "" {
		return sereStarLevel
	}
	switch r.op {
	case SERELetter:
		if level := precedence[r.letter.op]; level < precedence[OpProp] { // an operator of its formula
			return sereBoolean + level
		}
	case SEREConcat:
		return sereConcatLevel
	case SEREFusion:
		return sereFusionLevel
	case SEREOr:
		return sereBoolean + precedence[OpOr]
	case SEREAnd, SEREIntersection:
		return sereBoolean + precedence[OpAnd]
	case SEREStar, SEREFusionStar:
		return sereStarLevel
	}
	return sereAtomLevel
}

// suffix writes {r}, {r}!, {r}<>-> f or {r}[]-> f.
func (p *printer) suffix(f *Formula) {
	n := &sereNotations[p.notation]
	r := f.sere
	open, end := piece{text: n.open}, piece{text: n.close}
	if f.op == OpClosure {
		p.then(open, piece{r: r}, end)
		return
	}
	if f.strong() {
		p.then(open, piece{r: r}, end, piece{text: "!"})
		return
	}
	arrow := n.implication
	next := r.op == SEREConcat && r.right.op == SERELetter && r.right.letter.op == OpTrue
	switch {
	case next && f.op == OpSuffixConjunction:
		arrow = n.conjunctionNext
	case next:
		arrow = n.impliesNext
	case f.op == OpSuffixConjunction:
		arrow = n.conjunction
	}
	if next { // {r;1}[]->f is {r}[]=>f
		r = r.left
	}
	least := precedence[OpNot]
	if f.left.sere != nil {
		least = 0 // no parentheses around a brace
	}
	p.then(open, piece{r: r}, end, piece{text: arrow}, piece{f: f.left, least: least})
}

// strong reports whether f is {r}<>->1, which is written {r}!.
func (f *Formula) strong() bool { return f.op == OpSuffixConjunction && f.left.op == OpTrue }

// expression writes r where an operator of at least the given precedence is expected.
func (p *printer) expression(r *SERE, least int) {
	n := &sereNotations[p.notation]
	level := sereLevelOf(r)
	if level < least || p.around != Fewest && least > 0 && level < sereStarLevel {
		p.b.WriteString(n.open)
		p.then(piece{text: n.close})
	}
	if kind, of, b := r.sugar(); kind != "" {
		text := "[" + n.counted(kind) + b.String() + "]"
		if kind == "->" && b.low == 1 && b.high == 1 {
			text = "[" + n.counted(kind) + "]"
		}
		p.then(piece{r: of, least: sereStarLevel}, piece{text: text})
		return
	}
	switch r.op {
	case SERELetter:
		p.then(piece{f: r.letter})
	case SEREEmpty:
		p.b.WriteString("[" + n.star + "0]")
	case SEREStar, SEREFusionStar:
		p.iteration(r, n)
	case SEREFirstMatch:
		p.then(piece{text: n.firstMatch}, piece{r: r.left}, piece{text: ")"})
	default:
		left := level
		if sereLevelOf(r.left) == level && !r.joins(r.left) {
			left++
		}
		p.then(piece{r: r.left, least: left}, piece{text: n.operator(r.op)}, piece{r: r.right, least: level + 1})
	}
}

// joins reports whether the operator of q, or of q's letter, is written like r's operator.
func (r *SERE) joins(q *SERE) bool {
	if q.op == SERELetter {
		return r.op == SEREOr || r.op == SEREAnd
	}
	return q.op == r.op
}

func (n *sereNotation) operator(op SEREOp) string {
	return [...]string{
		SEREOr: n.or, SEREIntersection: n.intersection, SEREAnd: n.and, SEREConcat: n.concat, SEREFusion: n.fusion,
	}[op]
}

// iteration writes r[*i..j] or r[:*i..j]. An iteration of 1 stands alone, except for 1[*0], as [*0]
// is the empty word.
func (p *printer) iteration(r *SERE, n *sereNotation) {
	text := r.iterated(n.star)
	if r.op == SEREStar && r.high != 0 && r.left.op == SERELetter && r.left.letter.op == OpTrue {
		p.b.WriteString(text)
		return
	}
	p.then(piece{r: r.left, least: sereStarLevel}, piece{text: text})
}

// Iterated returns what Spot writes behind the operand of an iteration: [*], [+] or [:*2..3].
func (r *SERE) Iterated() string { return r.iterated("*") }

func (r *SERE) iterated(star string) string {
	plus := "[+]"
	if r.op == SEREFusionStar {
		star, plus = ":"+star, "[:+]"
	}
	switch {
	case r.low == 0 && r.high == Unbounded:
		return "[" + star + "]"
	case r.low == 1 && r.high == Unbounded:
		return plus
	}
	return "[" + star + bounds{low: r.low, high: r.high}.String() + "]"
}

// String returns the bounds as n, n.. or n..m.
func (b bounds) String() string {
	switch b.high {
	case b.low:
		return strconv.Itoa(b.low)
	case Unbounded:
		return fmt.Sprintf("%d..", b.low)
	}
	return fmt.Sprintf("%d..%d", b.low, b.high)
}

// String returns the expression in Spot's syntax, without the braces around it.
func (r *SERE) String() string {
	if r.size > maxText {
		return "(an expression of " + strconv.Itoa(r.size) + " operators and operands)"
	}
	p := &printer{syn: Spot, names: &opNames}
	p.stack = append(p.stack, piece{r: r})
	p.run(p.infix)
	return p.b.String()
}

// writeTo writes what the expression is made of, in a form for hashing.
func (r *SERE) writeTo(w io.Writer) {
	places := map[*SERE]int{nil: 0}
	var at func(r *SERE)
	at = func(r *SERE) {
		if _, ok := places[r]; ok {
			return
		}
		at(r.left)
		at(r.right)
		places[r] = len(places)
		fmt.Fprintf(w, "%d %d %d %d..%d", r.op, places[r.left], places[r.right], r.low, r.high)
		if r.letter != nil {
			fmt.Fprintf(w, " %x", r.letter.hash())
		}
		fmt.Fprintln(w)
	}
	at(r)
}

// Counted returns how Spot writes an expression in short: the kind -> or =, b, and the bounds, for
// b[->i..j] or b[=i..j]. The kind is empty if it can't.
func (r *SERE) Counted() (kind string, b *SERE, bounds string) {
	kind, b, n := r.sugar()
	if kind == "" || kind == "->" && n.low == 1 && n.high == 1 {
		return kind, b, ""
	}
	return kind, b, n.String()
}

// sugar returns how an expression can be written in short: as b[->i..j] or b[=i..j]. The kind is
// empty if it can't.
func (r *SERE) sugar() (kind string, b *SERE, n bounds) {
	if b, n := r.reached(); b != nil {
		return "->", b, n
	}
	if r.op == SEREConcat {
		if b, n := r.left.reached(); b != nil && r.right.waitsFor(b) && (n.low > 0 || n.high != Unbounded) {
			return "=", b, n
		}
	}
	return "", nil, bounds{}
}

// reached returns b, i and j if the expression is b[->i..j], that is {{!b}[*];b}[*i..j], or
// {!b}[*];b for b[->1].
func (r *SERE) reached() (*SERE, bounds) {
	n := bounds{low: 1, high: 1}
	if r.op == SEREStar && (r.low != 1 || r.high != 1) {
		n = bounds{low: r.low, high: r.high}
		r = r.left
	}
	if r.op == SEREConcat && r.left.waitsFor(r.right) && n.high != 0 {
		return r.right, n
	}
	return nil, bounds{}
}

// waitsFor reports whether the expression is {!b}[*].
func (r *SERE) waitsFor(b *SERE) bool {
	return b.op == SERELetter && r.op == SEREStar && r.low == 0 && r.high == Unbounded && r.left.op == SERELetter &&
		r.left.letter.op == OpNot && r.left.letter.left == b.letter
}

// counted returns the kind of sugar as it is written.
func (n *sereNotation) counted(kind string) string {
	if kind == "=" {
		return kind
	}
	return n.reached
}
