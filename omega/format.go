package omega

import (
	"fmt"
	"math"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Text returns l in Spot's syntax, with the names of the propositions quoted if necessary. See
// Format.
func (a *Alphabet) Text(l Label) string {
	return a.Format(l, func(i int) string { return ltl.PropText(a.props[i]) })
}

// Format returns a label for people, with a name for each proposition. It is a disjunction of
// cubes, "a&!b | c", or a nested expression if there are too many cubes. True is "1" and False
// is "0". For a label of more than a million characters, the text only gives its size.
func (a *Alphabet) Format(l Label, name func(i int) string) string {
	text, err := a.Expression(l, &Operators{Not: "!", And: "&", Or: " | ", Name: name})
	if err != nil {
		return fmt.Sprintf("(%v)", err)
	}
	return text
}

// Operators say how to write an expression.
type Operators struct {
	Not, And, Or string // with the white space around them
	Name         func(prop int) string
}

// maxExpression is the number of characters past which a label is not written out.
const maxExpression = 1 << 20

// Expression returns a label as a disjunction of cubes, or as a nested expression if there are
// too many cubes. True is "1" and False is "0". It fails if the text is too long.
func (a *Alphabet) Expression(l Label, o *Operators) (string, error) {
	switch l {
	case False:
		return "0", nil
	case a.True():
		return "1", nil
	}
	w := &expression{Alphabet: a, op: o}
	if cubes, ok := a.Cover(l); ok {
		for i, c := range cubes {
			if i > 0 {
				w.WriteString(o.Or)
			}
			w.cube(c)
		}
		return w.String(), nil
	}
	// A nested expression repeats the shared parts of a label, so compute its length first.
	w.sizes = make(map[Label]float64)
	if w.size(l) > maxExpression {
		n, _ := a.Nodes(l, math.MaxInt)
		return "", fmt.Errorf("label of %d nodes is too large to write", n)
	}
	w.nested(l)
	return w.String(), nil
}

// Nodes returns the number of nodes in the diagram of a label. It visits at most so many
// nodes; if there are more, ok is false.
func (a *Alphabet) Nodes(l Label, most int) (n int, ok bool) {
	seen := map[Label]bool{}
	stack := []Label{l}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		l = min(l, a.Not(l)) // the complement has the same nodes
		stack = stack[:len(stack)-1]
		if l == False || l == a.True() || seen[l] {
			continue
		}
		if len(seen) == most {
			return most, false
		}
		seen[l] = true
		_, lo, hi := a.Split(l)
		stack = append(stack, lo, hi)
	}
	return len(seen), true
}

// An expression is the text of a label.
type expression struct {
	*Alphabet
	op *Operators
	strings.Builder
	sizes map[Label]float64 // of nested expressions, about, in characters
}

func (w *expression) literal(prop int, value bool) {
	if !value {
		w.WriteString(w.op.Not)
	}
	w.WriteString(w.op.Name(prop))
}

func (w *expression) cube(c []Literal) {
	for j, x := range c {
		if j > 0 {
			w.WriteString(w.op.And)
		}
		w.literal(x.Prop(), !x.Negated())
	}
}

// A form is how a node of a diagram is written: as a conjunction or disjunction of a
// literal and rest; as an exclusive or of propositions and rest; or by both of its
// branches.
type form struct {
	and, or bool
	value   bool // of the literal
	prop    int
	rest    Label
	props   []int // of an exclusive or
	lo, hi  Label // of branches
}

func (a *Alphabet) form(l Label) form {
	i, lo, hi := a.Split(l)
	f := form{prop: i, lo: lo, hi: hi}
	switch {
	case lo == False:
		f.and, f.value, f.rest = true, true, hi // i & hi
	case hi == False:
		f.and, f.value, f.rest = true, false, lo // !i & lo
	case lo == a.True():
		f.or, f.value, f.rest = true, false, hi // !i | hi
	case hi == a.True():
		f.or, f.value, f.rest = true, true, lo // i | lo
	case lo == a.Not(hi):
		// An exclusive or. Follow it down to a part that is none: the rest.
		f.rest = l
		for !a.constant(f.rest) {
			i, lo, hi := a.Split(f.rest)
			if lo != a.Not(hi) {
				break
			}
			f.props, f.rest = append(f.props, i), lo
		}
	}
	return f
}

func (a *Alphabet) constant(l Label) bool { return l == False || l == a.True() }

// size returns about how many characters nested writes.
func (w *expression) size(l Label) float64 {
	if w.constant(l) {
		return 1
	}
	if n, ok := w.sizes[l]; ok {
		return n
	}
	n := 0.0
	switch f := w.form(l); {
	case f.and || f.or:
		n = w.length(f.prop) + w.size(f.rest) + 2
	case f.props != nil:
		for _, p := range f.props {
			n += w.length(p)
		}
		// Each operand is written twice in each of the halvings.
		n = 2 * float64(len(f.props)) * (n + w.size(f.rest) + w.size(w.Not(f.rest)))
	default:
		n = 2*w.length(f.prop) + w.size(f.lo) + w.size(f.hi) + 8
	}
	w.sizes[l] = n
	return n
}

func (w *expression) length(prop int) float64 {
	return float64(len(w.op.Name(prop)) + len(w.op.Not) + len(w.op.And))
}

// nested writes a label that is not constant.
func (w *expression) nested(l Label) {
	switch f := w.form(l); {
	case f.and || f.or:
		w.literal(f.prop, f.value)
		if w.constant(f.rest) {
			break
		}
		op := w.op.And
		if f.or {
			op = w.op.Or
		}
		w.WriteString(op)
		w.inParentheses(f.rest)
	case f.props != nil:
		w.odd(f.props, f.rest, true)
	default:
		w.literal(f.prop, true) // if prop then hi else lo
		w.WriteString(w.op.And)
		w.inParentheses(f.hi)
		w.WriteString(w.op.Or)
		w.literal(f.prop, false)
		w.WriteString(w.op.And)
		w.inParentheses(f.lo)
	}
}

func (w *expression) inParentheses(l Label) {
	w.WriteByte('(')
	w.nested(l)
	w.WriteByte(')')
}

// odd writes that an odd number of some propositions and rest are true, or an even number:
//
//	odd(a, b, c, d)  =  odd(a, b) & even(c, d) | even(a, b) & odd(c, d)
func (w *expression) odd(props []int, rest Label, value bool) {
	switch {
	case w.constant(rest) && len(props) == 1:
		w.literal(props[0], value == (rest == False))
		return
	case len(props) == 0 && value:
		w.nested(rest)
		return
	case len(props) == 0:
		w.nested(w.Not(rest))
		return
	}
	// By halves, each written twice: the text grows with the square of their number. The rest goes
	// with the second half.
	k := (len(props) + 1) / 2
	half := func(props []int, rest Label, value bool) {
		w.WriteByte('(')
		w.odd(props, rest, value)
		w.WriteByte(')')
	}
	half(props[:k], False, true)
	w.WriteString(w.op.And)
	half(props[k:], rest, !value)
	w.WriteString(w.op.Or)
	half(props[:k], False, false)
	w.WriteString(w.op.And)
	half(props[k:], rest, value)
}
