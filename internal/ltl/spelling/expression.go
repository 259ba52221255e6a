package spelling

import (
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// regular reads {r}, {r}!, {r}[]-> f or {r}<>-> f. The node is an atom, whose operands are the nodes
// in its text. If r is a letter, the formula is one of LTL:
//
//	{a}     a            {a}[]-> f     !a | f
//	{a}!    a            {a}<>-> f     a & f
func (s *Speller) regular(f *ltl.Formula) *node {
	r := f.SERE()
	for r.Op() == ltl.SEREIntersection && (isAny(r.Left()) || isAny(r.Right())) { // r && [*] = r
		if isAny(r.Left()) {
			r = r.Right()
		} else {
			r = r.Left()
		}
	}
	if r.Op() == ltl.SERELetter {
		b := s.take(s.build(r.Letter()))
		switch f.Op() {
		case ltl.OpSuffixImplication:
			return s.several(ltl.OpOr, []*node{s.unary(ltl.OpNot, b), s.take(s.build(f.Left()))})
		case ltl.OpSuffixConjunction:
			return s.several(ltl.OpAnd, []*node{b, s.take(s.build(f.Left()))})
		}
		return b
	}
	w := &expressions{Speller: s}
	arrow := map[ltl.Op]string{ltl.OpSuffixImplication: "[]-> ", ltl.OpSuffixConjunction: "<>-> "}[f.Op()]
	strong := f.Op() == ltl.OpSuffixConjunction && f.Left().Op() == ltl.OpTrue
	if arrow != "" && !strong && r.Op() == ltl.SEREConcat && isTrue(r.Right()) {
		arrow, r = strings.Replace(arrow, "-", "=", 1), r.Left() // {r;1}[]-> f is {r}[]=> f
	}
	text := "{" + w.text(r) + "}"
	switch {
	case strong:
		text += "!"
	case arrow != "":
		of := s.take(s.build(f.Left()))
		w.nodes = append(w.nodes, of)
		text += arrow + "(" + of.String() + ")"
	}
	n := s.atom(text, text, false)
	if n.uses > 1 { // known already, with uses of the same operands
		for _, x := range w.nodes {
			s.release(x)
		}
		return n
	}
	n.operands, n.closure = w.nodes, arrow == ""
	return n
}

// expressions writes expressions, and collects the nodes of their letters.
type expressions struct {
	*Speller
	nodes []*node
}

var expressionOps = map[ltl.SEREOp]string{ltl.SEREOr: " | ", ltl.SEREIntersection: " && ", ltl.SEREAnd: " & ",
	ltl.SEREConcat: ";", ltl.SEREFusion: ":"}

// text returns an expression with braces around each operand: {a};{{b}[*]}.
func (w *expressions) text(r *ltl.SERE) string {
	if kind, b, bounds := r.Counted(); kind != "" {
		return w.braced(b) + "[" + kind + bounds + "]"
	}
	switch r.Op() {
	case ltl.SERELetter:
		return w.letter(r.Letter())
	case ltl.SEREEmpty:
		return "[*0]"
	case ltl.SEREFirstMatch:
		return "first_match(" + w.text(r.Left()) + ")"
	case ltl.SEREStar, ltl.SEREFusionStar:
		if r.Op() == ltl.SEREStar && isTrue(r.Left()) {
			return r.Iterated() // [*] is 1[*]
		}
		return w.braced(r.Left()) + r.Iterated()
	}
	var list []string
	var letters *ltl.Formula // joined, as one operand
	commutes := r.Op() != ltl.SEREConcat && r.Op() != ltl.SEREFusion
	store := ltl.NewStore()
	for _, x := range operandsOf(r, r.Op(), nil) {
		switch {
		case r.Op() == ltl.SEREConcat && x.Op() == ltl.SEREConcat: // c[=i..j]
			list = append(list, w.text(x))
		case !commutes || x.Op() != ltl.SERELetter:
			list = append(list, w.braced(x))
		case letters == nil:
			letters = store.Import(x.Letter())
		case r.Op() == ltl.SEREOr:
			letters = store.Or(letters, store.Import(x.Letter()))
		default:
			letters = store.And(letters, store.Import(x.Letter()))
		}
	}
	if commutes {
		if letters != nil {
			list = slices.Insert(list, 0, "{"+w.letter(letters)+"}")
		}
		list = distinct(list)
	}
	if any := slices.Index(list, "{[*]}"); any >= 0 && r.Op() == ltl.SEREOr {
		return "[*]" // [*] | r
	} else if any >= 0 && r.Op() == ltl.SEREIntersection && len(list) > 1 {
		list = slices.Delete(list, any, any+1) // [*] && r
	}
	if commutes && len(list) == 1 {
		return strings.TrimSuffix(list[0][1:], "}") // without its braces
	}
	return strings.Join(list, expressionOps[r.Op()])
}

func (w *expressions) braced(r *ltl.SERE) string { return "{" + w.text(r) + "}" }

// letter returns a Boolean formula with braces around each operand: {a} && {!{b}}.
func (w *expressions) letter(f *ltl.Formula) string {
	n := w.take(w.build(f))
	w.nodes = append(w.nodes, n)
	return n.letter()
}

// letter writes && for and, which & is not in an expression: {a} & {b} may have different lengths. The
// braces keep operands together whatever the precedences of a tool.
func (n *node) letter() string {
	op := n.op.String()
	if n.op == ltl.OpAnd {
		op = "&&"
	}
	switch {
	case n.op == ltl.OpProp:
		return n.text
	case n.op == ltl.OpNot:
		return "!{" + n.operands[0].letter() + "}"
	case len(n.operands) == 0:
		return op
	}
	var list []string
	for _, x := range n.operands {
		list = append(list, "{"+x.letter()+"}")
	}
	return strings.Join(list, " "+op+" ")
}

// operandsOf adds the operands of nested expressions with the same operator: a, b and c for a;b;c.
func operandsOf(r *ltl.SERE, op ltl.SEREOp, list []*ltl.SERE) []*ltl.SERE {
	if kind, _, _ := r.Counted(); r.Op() != op || kind != "" {
		return append(list, r)
	}
	return operandsOf(r.Right(), op, operandsOf(r.Left(), op, list))
}

func isTrue(r *ltl.SERE) bool { return r.Op() == ltl.SERELetter && r.Letter().Op() == ltl.OpTrue }

// isAny reports whether an expression is [*].
func isAny(r *ltl.SERE) bool {
	low, high := r.Bounds()
	return r.Op() == ltl.SEREStar && isTrue(r.Left()) && low == 0 && high == ltl.Unbounded
}

// distinct returns the texts that did not come before.
func distinct(list []string) (kept []string) {
	for _, x := range list {
		if !slices.Contains(kept, x) {
			kept = append(kept, x)
		}
	}
	return kept
}
