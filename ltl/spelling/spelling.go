// Package spelling writes formulas as the CSV of Spot's ltlcross has them, with all parentheses:
//
//	GFa -> GFb      (G(F(a))) -> (G(F(b)))
//	Xb & a          (a) & (X(b))
//	!!a U 0         0
//
// So the CSV files of both can be joined. Spot applies trivial identities, and sorts the operands
// of commutative operators: constants, literals by their names, other Boolean formulas, and the
// rest. The last two are in the order in which the program made them, perhaps for an earlier
// formula:
//
//	Fa & Fb                 (F(a)) & (F(b))
//	Gc | Fb, then Fa & Fb   (F(b)) & (F(a))
//
// A [Speller] therefore has to see the formulas in the order in which ltlcross would.
//
// The rules are those of Spot 2.12. Its manual lists the identities (doc/tl/tl.pdf). The order was
// compared with the output of ltlcross. Of the identities of PSL, only a few are known.
package spelling

import (
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Speller spells formulas one after the other. The zero Speller has seen none.
type Speller struct {
	nodes map[key]*node // nodes in use
	atoms map[string]*node
	made  uint64
	kept  []*node // the last formulas and negations, the oldest first

	byText bool // sort operands by their texts
}

// A node is a formula that Spot would have in memory.
type node struct {
	op       ltl.Op
	operands []*node
	name     string // of a proposition
	text     string // of a proposition or an expression
	sorting  string // its text, if operands are sorted by their texts
	boolean  bool
	closure  bool   // it is {r}
	id       uint64 // counts the nodes made
	uses     int
	key      key
}

// A key identifies a node: nodes with the same operator and operands are the same node.
type key struct {
	op   ltl.Op
	rest string // the numbers of the operands, or a name
}

// maxSize is the size of the largest formula that is spelled as Spot would, and maxKept how many
// formulas are known: about a hundred megabytes.
const (
	maxSize = 1 << 16
	maxKept = 1 << 16
)

// Spell returns the spellings of a formula and of its negation. A formula that is too large only
// gets all parentheses. Spell takes time linear in the size, except for sorting operands.
func (s *Speller) Spell(f *ltl.Formula) (formula, negation string) {
	if f == nil {
		return "", ""
	}
	if f.Size() > maxSize {
		text := f.Text(ltl.Letters, true)
		return text, "!(" + text + ")"
	}
	if s.nodes == nil {
		s.nodes, s.atoms = map[key]*node{}, map[string]*node{}
	}
	n := s.take(s.build(f))
	n.uses++ // for the negation
	not := s.unary(ltl.OpNot, n)
	formula, negation = n.String(), not.String()
	s.kept = append(s.kept, n, not)
	for len(s.kept) > maxKept {
		s.release(s.kept[0])
		s.kept = s.kept[1:]
	}
	return formula, negation
}

// SpellText spells a formula in Spot's syntax. It only puts parentheses around a text that is no
// formula, for the negation.
func (s *Speller) SpellText(text string) (formula, negation string) {
	f, err := ltl.NewStore().Parse(text, ltl.Spot)
	if err != nil {
		return text, "!(" + text + ")"
	}
	return s.Spell(f)
}

// Same returns one text for all spellings of a formula, whether ours or Spot's. It sorts operands
// by their texts: "Fb & Fa" and "(F(a)) & (F(b))" both give "Fa & Fb". It does not change a large
// formula, or a text that is no formula.
func Same(text string) string {
	store := ltl.NewStore()
	f, err := store.Parse(text, ltl.Spot)
	if err != nil || f.Size() > maxSame {
		return text
	}
	spelled, _ := (&Speller{byText: true}).Spell(f)
	if f, err = store.Parse(spelled, ltl.Spot); err != nil {
		return text
	}
	return f.String()
}

// maxSame is the size of the largest formula whose operands Same sorts, which takes quadratic time.
const maxSame = 2000

// A pending is a node that may not be made yet. Spot collects the operands of a conjunction or
// disjunction, and makes it when it becomes the operand of something else: a & (b & c) is one node
// with three operands.
type pending struct {
	node     *node // nil if it is not made
	op       ltl.Op
	operands []*node
}

// take makes the node. The caller uses it.
func (s *Speller) take(p pending) *node {
	if p.node != nil {
		return p.node
	}
	return s.several(p.op, p.operands)
}

// build reads a formula, in the order in which Spot's parser makes nodes of its text.
func (s *Speller) build(f *ltl.Formula) pending {
	op := f.Op()
	switch {
	case op == ltl.OpProp:
		return pending{node: s.atom(f.Name(), ltl.PropText(f.Name()), true)}
	case f.SERE() != nil:
		return pending{node: s.regular(f)}
	case op.Arity() == 0:
		return pending{node: s.node(op, nil)}
	case op.Arity() == 1:
		return pending{node: s.unary(op, s.take(s.build(f.Left())))}
	}
	left, right := s.build(f.Left()), s.build(f.Right())
	if op == ltl.OpAnd || op == ltl.OpOr {
		return pending{op: op, operands: append(s.operands(op, left), s.operands(op, right)...)}
	}
	b := s.take(right) // Spot makes the right operand first
	return pending{node: s.binary(op, s.take(left), b)}
}

// operands returns the operands that p adds to a node with an operator: for a & !!(b & c), the
// operands of the right side are b and c.
func (s *Speller) operands(op ltl.Op, p pending) []*node {
	if p.node == nil && p.op == op {
		return p.operands
	}
	n := s.take(p)
	if n.op != op {
		return []*node{n}
	}
	for _, x := range n.operands {
		x.uses++
	}
	return slices.Clone(s.instead(n, n).operands)
}

// atom returns the proposition or the expression with a name, which is written as text.
func (s *Speller) atom(name, text string, boolean bool) *node {
	n := s.atoms[name]
	if n == nil {
		s.made++
		n = &node{op: ltl.OpProp, name: name, text: text, boolean: boolean, id: s.made, key: key{ltl.OpProp, name}}
		if !boolean {
			n.op = ltl.OpClosure
		}
		if s.byText {
			n.sorting = text
		}
		s.atoms[name] = n
	}
	n.uses++
	return n
}

var booleanOps = ltl.Ops(ltl.OpFalse, ltl.OpTrue, ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor)

// node returns the node with the given operands, and takes their uses.
func (s *Speller) node(op ltl.Op, operands []*node) *node {
	var b strings.Builder
	boolean := booleanOps.Has(op)
	for _, x := range operands {
		var digits [8]byte
		for i := range digits {
			digits[i] = byte(x.id >> (8 * i))
		}
		b.Write(digits[:])
		boolean = boolean && x.boolean
	}
	k := key{op, b.String()}
	n := s.nodes[k]
	if n != nil {
		for _, x := range operands {
			s.release(x)
		}
	} else {
		s.made++
		n = &node{op: op, operands: operands, boolean: boolean, id: s.made, key: k}
		if s.byText {
			n.sorting = n.String()
		}
		s.nodes[k] = n
	}
	n.uses++
	return n
}

// release ends a use of a node. A node without uses is forgotten, and gets another number when it
// is made again.
func (s *Speller) release(n *node) {
	if n.uses--; n.uses > 0 {
		return
	}
	switch n.op {
	case ltl.OpProp, ltl.OpClosure:
		delete(s.atoms, n.key.rest)
	default:
		delete(s.nodes, n.key)
	}
	for _, x := range n.operands {
		s.release(x)
	}
}

// instead releases the nodes that n replaces, and returns n.
func (s *Speller) instead(n *node, of ...*node) *node {
	for _, x := range of {
		s.release(x)
	}
	return n
}
