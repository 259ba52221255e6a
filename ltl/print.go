package ltl

import (
	"errors"
	"fmt"
	"strings"
)

// String returns the formula in Spot's syntax, with the fewest parentheses that
// keep its meaning there.
func (f *Formula) String() string {
	text, _ := f.Format(Spot)
	return text
}

// Format returns the formula in the given syntax. It fails where the syntax has
// no such operator (Unabbreviate removes those of Missing), or can't name a
// proposition (Relabel gives it another name). Spot and LBT can write every
// formula.
//
// In Spin's and Wring's syntax every operand is in parentheses if it is not a
// proposition, since tools disagree on what binds tighter.
func (f *Formula) Format(syn Syntax) (string, error) {
	p := &printer{syn: syn, names: &opNames}
	switch syn {
	case Auto:
		return "", errors.New("formulas are not written in the syntax auto")
	case Spot:
		p.spot(f, 0)
	case LBT:
		p.lbt(f)
	default:
		p.infix(f, true)
	}
	return p.b.String(), p.err
}

// Missing returns the operators that the syntax does not have.
func (syn Syntax) Missing() OpSet {
	switch syn {
	case Spin:
		return Ops(OpXor, OpWeakUntil, OpStrongRelease) | PastOps
	case Wring:
		return Ops(OpWeakUntil, OpStrongRelease) | PastOps
	}
	return 0
}

type printer struct {
	syn   Syntax
	names *[numOps]string // what spot writes for an operator
	latex bool            // spot writes propositions for LaTeX
	full  bool            // spot puts each operand that is no atom in parentheses
	b     strings.Builder
	err   error
}

// spot writes f where an operator of at least the given precedence is expected.
func (p *printer) spot(f *Formula, least int) {
	level := precedence[f.op]
	if level < least || p.full && least > 0 && f.op.Arity() > 0 {
		p.b.WriteByte('(')
		defer p.b.WriteByte(')')
	}
	switch f.op.Arity() {
	case 0:
		p.atom(f)
	case 1:
		p.b.WriteString(p.names[f.op])
		// X0 would be a proposition.
		if f.op != OpNot && (f.left.op == OpFalse || f.left.op == OpTrue) {
			p.b.WriteByte('(')
			p.atom(f.left)
			p.b.WriteByte(')')
			return
		}
		if PastOps.Has(f.op) && p.startsWord(f.left) {
			p.b.WriteByte(' ') // Ya is a proposition
		}
		p.spot(f.left, level)
	default:
		left, right := level, level+1
		if f.op != OpAnd && f.op != OpOr && f.op != OpXor {
			left, right = right, left
		}
		p.spot(f.left, left)
		p.b.WriteByte(' ')
		p.b.WriteString(p.names[f.op])
		p.b.WriteByte(' ')
		p.spot(f.right, right)
	}
}

// startsWord reports whether the operand of a unary operator is written with a
// letter in front.
func (p *printer) startsWord(f *Formula) bool {
	if f.op == OpProp {
		return p.plain(f.name)
	}
	return f.op != OpNot && f.op.Arity() == 1
}

// atom writes a constant or a proposition.
func (p *printer) atom(f *Formula) {
	switch {
	case f.op == OpProp && p.latex:
		p.b.WriteString(latexName(f.name))
		return
	case f.op == OpProp:
		p.prop(f.name)
		return
	case p.latex:
		p.b.WriteString(p.names[f.op])
		return
	}
	text := map[Syntax][2]string{Spot: {"0", "1"}, Spin: {"false", "true"}, LBT: {"f", "t"}, Wring: {"FALSE", "TRUE"}}[p.syn]
	if f.op == OpTrue {
		p.b.WriteString(text[1])
	} else {
		p.b.WriteString(text[0])
	}
}

// prop writes a proposition, in quotes if it would not be read as one without.
func (p *printer) prop(name string) {
	switch {
	case p.plain(name):
		p.b.WriteString(name)
	case p.syn == Spot || p.syn == LBT:
		p.b.WriteByte('"')
		p.b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name))
		p.b.WriteByte('"')
	case p.err == nil:
		p.err = fmt.Errorf("proposition %q can't be written in %s syntax", name, p.syn)
	}
	if p.syn == Wring {
		p.b.WriteString("=1")
	}
}

// plain reports whether a name is read as a proposition by the tools that take
// the syntax.
func (p *printer) plain(name string) bool {
	x := lexer{text: name, syn: p.syn}
	x.next()
	if x.tok != tokOp || x.op != OpProp || x.name != name {
		return false
	}
	switch p.syn {
	case LBT:
		return name[0] == 'p' && digits(name[1:])
	case Spin:
		return (name[0] == '_' || 'a' <= name[0] && name[0] <= 'z') && !strings.Contains(name, ".") && !promela[name]
	case Wring:
		return !strings.Contains(name, ".")
	}
	return true
}

// promela are words that Spin does not take for propositions.
var promela = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`active always assert atomic bit bool break byte chan d_step d_proctype do
		else empty enabled eval eventually false fi for full goto hidden if implies init inline int ltl len local
		mtype nempty never next nfull notrace np_ od of pc_value pid printf printm priority proctype provided release
		return run select short show skip stronguntil timeout trace true typedef unless unsigned until weakuntil
		xr xs equivalent not and or in c_code c_decl c_expr c_state c_track`) {
		promela[w] = true
	}
}

var lbtNames = [numOps]string{"f", "t", "", "!", "&", "|", "i", "e", "^", "X", "F", "G", "U", "V", "W", "M",
	"Y", "Z", "O", "H", "S", "T"}

// lbt writes f in prefix syntax.
func (p *printer) lbt(f *Formula) {
	// The right operand is not a call, so that right combs are no deep recursion.
	for f.op.Arity() > 0 {
		p.b.WriteString(lbtNames[f.op])
		p.b.WriteByte(' ')
		if f.op.Arity() == 1 {
			f = f.left
			continue
		}
		p.lbt(f.left)
		p.b.WriteByte(' ')
		f = f.right
	}
	p.atom(f)
}

var (
	spinNames  = [numOps]string{"", "", "", "!", "&&", "||", "->", "<->", "", "X ", "<>", "[]", "U", "V"}
	wringNames = [numOps]string{"", "", "", "!", "*", "+", "->", "<->", "^", "X", "F", "G", "U", "R"}
)

// infix writes f with parentheses around every binary operator, but for the one
// at the top.
func (p *printer) infix(f *Formula, top bool) {
	names := &spinNames
	if p.syn == Wring {
		names = &wringNames
	}
	if f.op.Arity() > 0 && names[f.op] == "" {
		if p.err == nil {
			p.err = fmt.Errorf("%s syntax has no operator %s", p.syn, f.op)
		}
		return
	}
	switch f.op.Arity() {
	case 0:
		p.atom(f)
	case 1:
		p.b.WriteString(names[f.op])
		around := p.syn == Wring && f.left.op.Arity() < 2
		if around {
			p.b.WriteByte('(')
		}
		p.infix(f.left, false)
		if around {
			p.b.WriteByte(')')
		}
	default:
		if !top {
			p.b.WriteByte('(')
		}
		p.infix(f.left, false)
		p.b.WriteByte(' ')
		p.b.WriteString(names[f.op])
		p.b.WriteByte(' ')
		p.infix(f.right, false)
		if !top {
			p.b.WriteByte(')')
		}
	}
}
