package omega

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Label is a set of letters: a Boolean function of the propositions of one Alphabet. The
// methods of the Alphabet combine labels. Two labels of one alphabet are equal if and only if
// they are the same function. The zero Label is False, the empty set.
type Label uint64

// False is the label that no letter satisfies, in every alphabet.
const False Label = 0

// tableProps is the number of propositions up to which a label is a truth table in a machine word.
// Bit v of the table is the value for the letter in which proposition i is bit i of v. A table
// always has all 64 bits, so that it is repeated where there are fewer propositions. Of a and a&b
// over a and b, it ends with 1010 and 1000.
const tableProps = 6

// tableVar[i] is the truth table of proposition i.
var tableVar = [tableProps]Label{
	0xaaaaaaaaaaaaaaaa,
	0xcccccccccccccccc,
	0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00,
	0xffff0000ffff0000,
	0xffffffff00000000,
}

// An Alphabet is a list of atomic propositions, and owns the labels over them. With at most
// six propositions, a label is its own truth table and an operation is a machine instruction.
// With more, a label is a node of a reduced ordered binary decision diagram with complemented
// edges. An operation then takes time proportional to the product of the diagrams' sizes at
// worst, and one cache lookup if it was done before.
//
// Labels must be of this alphabet; methods may panic for others. Only one goroutine at a time may
// use an alphabet; see Clone. The zero Alphabet has no propositions.
type Alphabet struct {
	props []string
	index map[string]int
	dd    *diagram // nil: labels are truth tables
	bound *bound
}

// NewAlphabet returns an alphabet of the given propositions, in that order. A repeated name
// counts once.
func NewAlphabet(props ...string) *Alphabet {
	a := &Alphabet{index: make(map[string]int, len(props)), bound: &bound{}}
	for _, p := range props {
		if _, ok := a.index[p]; !ok {
			a.index[p] = len(a.props)
			a.props = append(a.props, p)
		}
	}
	if len(a.props) > tableProps {
		a.dd = newDiagram(a.bound)
	}
	return a
}

// Clone returns a copy for another goroutine, with the same labels. Any number of goroutines may
// clone an alphabet that no goroutine changes.
func (a *Alphabet) Clone() *Alphabet {
	if a == nil {
		return nil
	}
	b := *a
	b.bound = &bound{} // names are shared, as they never change
	if a.dd != nil {
		b.dd = &diagram{bound: b.bound, nodes: slices.Clone(a.dd.nodes), unique: slices.Clone(a.dd.unique),
			cache: make([]ddCached, len(a.dd.cache)), facts: slices.Clone(a.dd.facts)}
	}
	return &b
}

// Props returns the names of the propositions. The slice must not be changed.
func (a *Alphabet) Props() []string { return a.props }

// Len returns the number of propositions.
func (a *Alphabet) Len() int { return len(a.props) }

// Memory returns the number of bytes that the labels take.
func (a *Alphabet) Memory() int64 {
	if a.dd == nil {
		return 0
	}
	return int64(12*cap(a.dd.nodes) + 4*cap(a.dd.unique) + 12*cap(a.dd.cache) + 32*cap(a.dd.facts))
}

// Index returns the position of a proposition in the alphabet.
func (a *Alphabet) Index(prop string) (int, bool) {
	i, ok := a.index[prop]
	return i, ok
}

// True returns the label that every letter satisfies.
func (a *Alphabet) True() Label {
	if a.dd == nil {
		return ^Label(0)
	}
	return ddTrue
}

// Prop returns the set of letters in which proposition i is true, False if there is no such
// proposition.
func (a *Alphabet) Prop(i int) Label {
	switch {
	case uint(i) >= uint(len(a.props)):
		return False
	case a.dd == nil:
		return tableVar[i]
	}
	return a.dd.node(int32(i), False, ddTrue)
}

// Not returns the complement of l.
func (a *Alphabet) Not(l Label) Label {
	if a.dd == nil {
		return ^l
	}
	return l ^ 1
}

// And returns the intersection of l and m.
func (a *Alphabet) And(l, m Label) Label {
	if a.dd == nil {
		return l & m
	}
	return a.dd.and(l, m)
}

// Or returns the union of l and m.
func (a *Alphabet) Or(l, m Label) Label {
	if a.dd == nil {
		return l | m
	}
	return a.dd.and(l^1, m^1) ^ 1
}

// Xor returns the letters that are in exactly one of l and m.
func (a *Alphabet) Xor(l, m Label) Label {
	if a.dd == nil {
		return l ^ m
	}
	return a.Or(a.And(l, m^1), a.And(l^1, m))
}

// Implies reports whether every letter of l is in m.
func (a *Alphabet) Implies(l, m Label) bool {
	if a.dd == nil {
		return l&^m == 0
	}
	if f, g := &a.dd.facts[l], &a.dd.facts[m]; g.cube {
		return g.pos&^f.pos|g.neg&^f.neg == 0 // l implies each literal
	}
	return !a.dd.meet(l, m^1)
}

// Meet reports whether some letter is in both l and m. An emptiness check calls it for every
// pair of edges. It makes a new label only if neither l nor m is a conjunction of literals.
func (a *Alphabet) Meet(l, m Label) bool {
	if a.dd == nil {
		return l&m != 0
	}
	return a.dd.meet(l, m)
}

// Key returns a summary of l as a bit set: the valuations of the first six propositions that
// some letter of l extends. Two labels whose keys share no bit do not meet. With at most six
// propositions, the key is the label.
func (a *Alphabet) Key(l Label) uint64 {
	if a.dd == nil {
		return uint64(l)
	}
	return a.dd.facts[l].key
}

// Literals returns, among the first 64 propositions, those that are true in every letter of l,
// and those that are false in every letter: a and c for a & !c & (a | b). Two labels do not meet if
// one requires what the other excludes.
func (a *Alphabet) Literals(l Label) (pos, neg uint64) {
	if a.dd != nil {
		f := &a.dd.facts[l]
		return f.pos, f.neg
	}
	for i, v := range tableVar[:a.Len()] {
		if l&^v == 0 {
			pos |= 1 << i
		}
		if l&v == 0 {
			neg |= 1 << i
		}
	}
	return pos, neg
}

// IsCube reports whether l is the conjunction of its Literals. It may report false for a label of
// at most six propositions that is one.
func (a *Alphabet) IsCube(l Label) bool { return a.dd != nil && a.dd.facts[l].cube }

// Exact reports whether keys decide Meet: two labels meet if and only if their keys share a
// bit. This is so for at most six propositions.
func (a *Alphabet) Exact() bool { return a.dd == nil }

// Cube returns the letters in which the propositions of bit set pos are true and the propositions
// of neg are false. It can name only the first 64 propositions.
func (a *Alphabet) Cube(pos, neg uint64) Label {
	l := a.True()
	for rest := pos | neg; rest != 0; {
		// From the last proposition to the first: then each step adds one node
		// on top of the diagram.
		i := 63 - bits.LeadingZeros64(rest)
		rest &^= 1 << i
		switch {
		case pos&neg>>i&1 != 0:
			return False
		case a.dd == nil && pos>>i&1 != 0:
			l &= tableVar[i]
		case a.dd == nil:
			l &^= tableVar[i]
		case pos>>i&1 != 0:
			l = a.dd.node(int32(i), False, l)
		default:
			l = a.dd.node(int32(i), l, False)
		}
	}
	return l
}

// Eval reports whether l contains the letter v, which has one truth value per proposition.
func (a *Alphabet) Eval(l Label, v Letter) bool {
	if a.dd == nil {
		return uint64(l)>>v.tableIndex()&1 != 0
	}
	for l > ddTrue {
		i, lo, hi := a.dd.split(l)
		if v[i] {
			l = hi
		} else {
			l = lo
		}
	}
	return l == ddTrue
}

// Split returns the first proposition on which l depends, and what l becomes if that is false
// (lo) and true (hi). For a&b | !a&c, these are a, c and b. For true and false, prop is negative.
func (a *Alphabet) Split(l Label) (prop int, lo, hi Label) {
	if a.dd != nil {
		return a.dd.split(l)
	}
	for i, v := range tableVar {
		lo, hi = l&^v, l&v // v is the truth table of proposition i
		// Each half is copied to the places of the other, so that the table no longer depends on i.
		lo, hi = lo|lo<<(uint(1)<<i), hi|hi>>(uint(1)<<i)
		if lo != hi {
			return i, lo, hi
		}
	}
	return -1, l, l
}

// Formula returns the label of a Boolean formula. The error names a temporal operator, or a
// proposition that the alphabet lacks.
func (a *Alphabet) Formula(f *ltl.Formula) (Label, error) {
	if f == nil {
		return False, errors.New("no formula given")
	}
	switch f.Op() {
	case ltl.OpFalse:
		return False, nil
	case ltl.OpTrue:
		return a.True(), nil
	case ltl.OpProp:
		i, ok := a.index[f.Name()]
		if !ok {
			return False, fmt.Errorf("unknown proposition %q", f.Name())
		}
		return a.Prop(i), nil
	case ltl.OpAnd:
		return a.joined(f, a.And)
	case ltl.OpOr:
		return a.joined(f, a.Or)
	case ltl.OpNot, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor: // below, once the operands are labels
	default:
		return False, fmt.Errorf("%s is not a Boolean formula", f)
	}
	l, err := a.Formula(f.Left())
	if err != nil || f.Op() == ltl.OpNot {
		return a.Not(l), err
	}
	m, err := a.Formula(f.Right())
	if err != nil {
		return False, err
	}
	switch f.Op() {
	case ltl.OpImplies:
		return a.Or(a.Not(l), m), nil
	case ltl.OpEquiv:
		return a.Not(a.Xor(l, m)), nil
	default:
		return a.Xor(l, m), nil
	}
}

// joined returns the conjunction or disjunction that f is. Neighbours are joined first, so that
// a & b & c & … of n propositions takes O(n log n) nodes of a diagram, and not O(n²).
func (a *Alphabet) joined(f *ltl.Formula, join func(l, m Label) Label) (Label, error) {
	var list []Label // the last operand first
	for op, end := f.Op(), false; !end; f = f.Left() {
		g := f
		if end = f.Op() != op; !end {
			g = f.Right()
		}
		l, err := a.Formula(g)
		if err != nil {
			return False, err
		}
		list = append(list, l)
	}
	return a.Join(list, join), nil
}

// Join joins labels of the alphabet by And or Or. The join of no labels is False. Pairs are joined first, so most joins
// are of small diagrams.
func (a *Alphabet) Join(list []Label, join func(l, m Label) Label) Label {
	for join != nil && len(list) > 1 {
		list = append(list[2:], join(list[1], list[0]))
	}
	return append(list, False)[0]
}

// Union returns an alphabet with the propositions of all given ones, in order of first
// occurrence. If one of them has them all, Union returns that one. If one is nil, so is the union.
func Union(alphabets ...*Alphabet) *Alphabet {
	if slices.Contains(alphabets, nil) {
		return nil
	}
	var whole *Alphabet
	for _, a := range alphabets {
		if whole == nil && !slices.ContainsFunc(alphabets, func(b *Alphabet) bool { return !a.includes(b) }) {
			whole = a
		}
	}
	if whole != nil {
		return whole
	}
	var props []string
	for _, a := range alphabets {
		props = append(props, a.props...)
	}
	return NewAlphabet(props...)
}

// includes reports whether a has all propositions of b.
func (a *Alphabet) includes(b *Alphabet) bool {
	lacks := func(p string) bool {
		_, ok := a.index[p]
		return !ok
	}
	return a == b || !slices.ContainsFunc(b.props, lacks)
}

// OneAlphabet returns two automata over the propositions of both.
func (a *Automaton) OneAlphabet(ctx context.Context, b *Automaton) (x, y *Automaton, err error) {
	if a.Alphabet() == nil || b.Alphabet() == nil {
		return nil, nil, ErrNoAutomaton
	}
	both := Union(a.Alphabet(), b.Alphabet())
	if x, err = a.Over(ctx, both); err == nil {
		y, err = b.Over(ctx, both)
	}
	return x, y, err
}
