package ltl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// String returns the formula in Spot's syntax, with as few parentheses as possible. For a
// formula too large to print, it returns the size and a hash.
func (f *Formula) String() string {
	text, err := f.Format(Spot)
	if err != nil {
		return f.summary()
	}
	return text
}

// summary returns what stands for a formula that is too large to be printed.
func (f *Formula) summary() string {
	return fmt.Sprintf("(a formula of %s, %x)", f.count(), f.hash())
}

// hash returns a hash of the formula that does not depend on its store.
func (f *Formula) hash() [sha256.Size]byte {
	h := sha256.New()
	subs, places := f.numbered()
	for _, g := range subs {
		operands := [2]int32{places.get(g.left) - 1, places.get(g.right) - 1}
		fmt.Fprintf(h, "%d %d %q\n", g.op, operands, g.name)
		if g.sere != nil {
			g.sere.writeTo(h)
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Format returns the formula in the given syntax. It fails in three cases: the syntax lacks an
// operator (see [Syntax.Missing] and [Store.Unabbreviate]), it can't name a proposition (see
// [Store.Relabel]), or the text would be too long. Spot has all operators and names. LBT has all
// names, and all operators but those with an expression.
//
// In the syntaxes of Spin and Wring, every operand with a binary operator is in parentheses, because
// tools disagree on precedence. Spot has the fewest.
func (f *Formula) Format(syn Syntax) (string, error) {
	if syn == Spot {
		return f.Parenthesized(syn, Fewest)
	}
	return f.Parenthesized(syn, Compound)
}

// Parentheses says which operands have parentheses, in a syntax that is not LBT.
type Parentheses uint8

const (
	Fewest   Parentheses = iota // a & Xb -> c: where the syntax needs them
	Compound                    // (a & (Xb)) -> c: operands that have an operator; in Spin's and Wring's syntax, a binary one
	Every                       // ((a) & (X(b)) & (c)) -> (d): all operands, as ltlcross has it
)

// Parenthesized is Format with a choice of parentheses.
func (f *Formula) Parenthesized(syn Syntax, around Parentheses) (string, error) {
	p := &printer{syn: syn, names: &opNames, around: around}
	switch {
	case syn == Auto:
		return "", errors.New("cannot print formulas in the syntax auto: choose another one")
	case f.Printable() != nil:
		return "", f.Printable()
	}
	for op := range numOps {
		if f.ops.Has(op) && syn.Missing().Has(op) && PSLOps.Has(op) {
			return "", fmt.Errorf("%s syntax cannot express the PSL operator %s", syn, op)
		}
	}
	p.stack = append(p.stack, piece{f: f})
	switch syn {
	case LBT:
		p.names = &lbtNames
		p.run(p.lbt)
		return p.b.String(), p.err
	case Spin:
		p.names = &spinNames
	case Wring:
		p.names = &wringNames
	}
	p.run(p.infix)
	return p.b.String(), p.err
}

// maxText is the size of the largest formula that is printed. A text that was read is smaller, but
// rewriting may make formulas whose texts are exponentially larger than they are themselves.
const maxText = 1 << 22

// Printable returns an error if the formula is too large to print.
func (f *Formula) Printable() error {
	if f.size > maxText {
		return fmt.Errorf("a formula of %s is too large to print", f.count())
	}
	return nil
}

// count returns the size of the formula in words.
func (f *Formula) count() string {
	if f.size == math.MaxInt {
		return "more than 2^63 operators and operands"
	}
	return fmt.Sprintf("%d operators and operands", f.size)
}

// Missing returns the operators that the syntax lacks.
func (syn Syntax) Missing() OpSet {
	switch syn {
	case Spin:
		return Ops(OpXor, OpWeakUntil, OpStrongRelease) | PastOps | PSLOps
	case Wring:
		return Ops(OpWeakUntil, OpStrongRelease) | PastOps | PSLOps
	case LBT:
		return PSLOps
	}
	return 0
}

type printer struct {
	syn      Syntax
	names    *[numOps]string // how constants and operators are written
	notation Notation        // of Spot's syntax
	around   Parentheses
	b        strings.Builder
	stack    []piece // what comes behind the text so far
	err      error
}

// A piece is what is still to be written: a text, or a formula or expression where an operator
// of at least the given precedence is expected.
type piece struct {
	text  string
	f     *Formula
	r     *SERE
	least int
}

// run writes what is on the stack. A formula may be deep, so there is no recursion: write writes
// what comes first, and puts what follows on the stack.
func (p *printer) run(write func(f *Formula, least int)) {
	for len(p.stack) > 0 {
		top := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		switch {
		case top.r != nil:
			p.expression(top.r, top.least)
		case top.f != nil:
			write(top.f, top.least)
		default:
			p.b.WriteString(top.text)
		}
	}
}

// then puts pieces on the stack, the first one uppermost.
func (p *printer) then(pieces ...piece) {
	slices.Reverse(pieces)
	p.stack = append(p.stack, pieces...)
}

// infix writes f where an operator of at least the precedence outer is expected: 0 if it is no operand.
func (p *printer) infix(f *Formula, outer int) {
	level, right := p.syn.level(f.op)
	if f.strong() {
		level = precedence[OpClosure]
	}
	compound := f.op.Arity() == 2 || f.op.Arity() == 1 && p.syn == Spot && !f.strong()
	if level < outer || outer > 0 && (p.around == Every || p.around == Compound && compound) {
		p.b.WriteByte('(')
		p.then(piece{text: ")"})
	}
	if f.op != OpProp && p.names[f.op] == "" && f.sere == nil && p.err == nil {
		p.err = fmt.Errorf("%s syntax has no operator %s", p.syn, f.op)
	}
	switch f.op.Arity() {
	case 0:
		p.atom(f)
	case 1:
		if f.sere != nil {
			p.suffix(f)
			return
		}
		p.b.WriteString(p.names[f.op])
		if p.syn == Spot && f.op != OpNot && (f.left.op == OpFalse || f.left.op == OpTrue) {
			p.b.WriteByte('(') // X0 would be a proposition
			p.then(piece{text: ")"})
		}
		falsely := f.op == OpFinally && f.left.op == OpProp && strings.HasPrefix(strings.ToLower(f.left.name), "alse")
		word := PastOps.Has(f.op) && p.startsWord(f.left) || p.syn == Spin && f.op == OpNext
		if word && p.around != Every || falsely { // in Every, a parenthesis follows
			p.b.WriteByte(' ') // Ya is a proposition, and Falsely is false to Spot
		}
		if p.syn == Wring {
			level = precedence[OpProp] + 1 // X(a=1)
		}
		p.then(piece{f: f.left, least: level})
	default:
		least, behind := level, level+1
		if p.syn == Spin && outer > 0 && f.op == OpAnd && f.left.op == OpOr {
			least++ // in parentheses, && binds tighter than ||
		} else if right { // the other operand of the same operator needs parentheses
			least, behind = behind, least
		} else if p.around == Every && f.left.op == f.op && (f.op == OpAnd || f.op == OpOr) {
			least = 0 // (a) & (b) & (c)
		}
		p.then(piece{f: f.left, least: least}, piece{text: " "}, piece{text: p.names[f.op]}, piece{text: " "}, piece{f: f.right, least: behind})
	}
}

// startsWord reports whether the text of an operand begins with a letter, which makes one name of it and an operator
// like Y before it.
func (p *printer) startsWord(f *Formula) bool {
	if f.op == OpProp {
		return p.plain(f.name)
	}
	return f.op != OpNot && f.op.Arity() == 1 && f.sere == nil
}

// atom writes a constant or a proposition.
func (p *printer) atom(f *Formula) {
	switch {
	case f.op == OpClosure:
		p.suffix(f)
	case f.op != OpProp:
		p.b.WriteString(p.names[f.op])
	case p.notation == LaTeX:
		p.b.WriteString(latexName(f.name))
	default:
		p.prop(f.name)
	}
}

// PropText returns a proposition in Spot's syntax: a, "x y".
func PropText(name string) string {
	p := printer{syn: Spot}
	p.prop(name)
	return p.b.String()
}

// prop writes a proposition, in quotes if it would not be read as one without.
func (p *printer) prop(name string) {
	switch {
	case p.plain(name) && p.syn == Spin && name[0] == '_' && p.around != Every:
		p.b.WriteString("(" + name + ")") // Spin reads it only in parentheses
	case p.plain(name):
		p.b.WriteString(name)
	case p.syn == Spot || p.syn == LBT:
		p.b.WriteByte('"')
		p.b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name))
		p.b.WriteByte('"')
	case p.err == nil:
		p.err = fmt.Errorf("%[2]s syntax cannot express the proposition %[1]q", name, p.syn)
	}
	if p.syn == Wring {
		p.b.WriteString("=1")
	}
}

// plain reports whether a name is read as a proposition by the tools that take the syntax.
func (p *printer) plain(name string) bool {
	x := lexer{text: name, syn: p.syn}
	x.next()
	if x.tok != tokOp || x.op != OpProp || x.name != name { // it would be read as something else
		return false
	}
	switch p.syn {
	case LBT:
		return len(name) > 1 && name[0] == 'p' && strings.Trim(name[1:], "0123456789") == ""
	case Spin:
		return (name[0] == '_' || 'a' <= name[0] && name[0] <= 'z') && !strings.Contains(name, ".") && x.wordEnd(0) == len(name) && !promelaWords()[name]
	case Wring:
		return !strings.Contains(name, ".")
	}
	return true
}

// promelaWords are words that Spin does not take for propositions.
var promelaWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`active always assert atomic bit bool break byte chan d_step d_proctype do
		else empty enabled eval eventually false fi for full goto hidden if implies init inline int ltl len local
		mtype nempty never next nfull notrace np_ od of pc_value pid printf printm priority proctype provided release
		return run select short show skip stronguntil timeout trace true typedef unless unsigned until weakuntil
		xr xs equivalent not and or in c_code c_decl c_expr c_state c_track`) {
		words[w] = true
	}
	return words
})

var lbtNames = [numOps]string{"f", "t", "", "!", "&", "|", "i", "e", "^", "X", "F", "G", "U", "V", "W", "M",
	"Y", "Z", "O", "H", "S", "T"}

// lbt writes f in prefix syntax.
func (p *printer) lbt(f *Formula, _ int) {
	if f.op.Arity() == 0 {
		p.atom(f)
		return
	}
	p.b.WriteString(p.names[f.op])
	p.b.WriteByte(' ')
	if f.right == nil {
		p.then(piece{f: f.left})
	} else {
		p.then(piece{f: f.left}, piece{text: " "}, piece{f: f.right})
	}
}

var (
	spinNames  = [numOps]string{"false", "true", "", "!", "&&", "||", "->", "<->", "", "X", "<>", "[]", "U", "V"}
	wringNames = [numOps]string{"FALSE", "TRUE", "", "!", "*", "+", "->", "<->", "^", "X", "F", "G", "U", "R"}
)

// Notation is how Formula.Text spells the operators of Spot's syntax.
type Notation uint8

const (
	Letters Notation = iota // G(a -> Fb)
	UTF8                    // □(a → ◇b), which Parse reads as Spot's syntax
	LaTeX                   // \mathsf{G}(a \rightarrow \mathsf{F}\,b), for math mode
)

var notationNames = [...]*[numOps]string{
	Letters: &opNames,
	UTF8: {"0", "1", "", "¬", "∧", "∨", "→", "↔", "⊕", "○", "◇", "□", "U", "R", "W", "M",
		"Y", "Z", "O", "H", "S", "T"},
	LaTeX: {`\bot`, `\top`, "", `\lnot `, `\land`, `\lor`, `\rightarrow`, `\leftrightarrow`, `\oplus`,
		`\mathsf{X}\,`, `\mathsf{F}\,`, `\mathsf{G}\,`, `\mathsf{U}`, `\mathsf{R}`, `\mathsf{W}`, `\mathsf{M}`,
		`\mathsf{Y}\,`, `\mathsf{Z}\,`, `\mathsf{O}\,`, `\mathsf{H}\,`, `\mathsf{S}`, `\mathsf{T}`},
}

// Text returns the formula with the precedences of Spot's syntax, in one of its notations, with the
// fewest parentheses, or with all of them: around each operand that is no proposition or constant.
// Of a formula that is too large to be printed, it is what String returns.
func (f *Formula) Text(n Notation, parentheses bool) string {
	if int(n) >= len(notationNames) {
		n = Letters
	}
	p := &printer{names: notationNames[n], notation: n}
	if parentheses {
		p.around = Compound
	}
	if f.Printable() != nil {
		return f.summary()
	}
	p.stack = append(p.stack, piece{f: f})
	p.run(p.infix)
	return p.b.String()
}

// latexName returns a proposition for LaTeX's math mode: a letter as it is, a word
// upright in italics, digits behind them as an index, and any other name as text.
func latexName(name string) string {
	word := strings.TrimRight(name, "0123456789")
	index := name[len(word):]
	for _, c := range word {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			word = ""
		}
	}
	switch {
	case word == "":
		return `\texttt{` + latexText.Replace(name) + "}"
	case len(word) > 1:
		word = `\mathit{` + word + "}"
	}
	if index != "" {
		word += fmt.Sprintf("_{%s}", index)
	}
	return word
}

// latexText escapes the characters that mean something in LaTeX's text.
var latexText = strings.NewReplacer(`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`, "_", `\_`, "{", `\{`, "}", `\}`, "\n", " ")
