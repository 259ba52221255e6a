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
// The rules follow Spot 2.12. Its manual lists the identities (doc/tl/tl.pdf). The order was
// compared with the output of ltlcross. Of the identities of PSL, only a few are known: see
// expression.go. The package imports ltl.
package spelling

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Speller spells formulas one after the other. The zero Speller has seen none.
type Speller struct {
	nodes map[key]*node // nodes in use
	atoms map[key]*node
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

// Spell returns the spellings of a formula and of its negation. A formula that is too large
// gets all parentheses, and is not simplified as Spot does. Spell takes time linear in the size, except for sorting operands.
func (s *Speller) Spell(f *ltl.Formula) (formula, negation string) {
	if f == nil {
		return "", ""
	}
	if f.Size() > maxSize {
		text := f.Text(ltl.Letters, true)
		return text, "!(" + text + ")"
	}
	if s.nodes == nil {
		s.nodes, s.atoms = map[key]*node{}, map[key]*node{}
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
		x.uses++ // its use in n is released with n
	}
	return slices.Clone(s.instead(n, n).operands)
}

// atom returns the proposition or the expression with a name, which is written as text.
func (s *Speller) atom(name, text string, boolean bool) *node {
	k := key{ltl.OpProp, name}
	if !boolean {
		k.op = ltl.OpClosure
	}
	n := s.atoms[k]
	if n == nil {
		s.made++
		n = &node{op: k.op, name: name, text: text, boolean: boolean, id: s.made, key: k}
		if s.byText {
			n.sorting = text
		}
		s.atoms[k] = n
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
		var digits [8]byte // of fixed length, so that keys are unique
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
			s.release(x) // n has their uses
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
		delete(s.atoms, n.key)
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

// String returns the formula with parentheses around each operand: (a) U (X(b)).
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch {
	case n.op == ltl.OpProp || n.op == ltl.OpClosure:
		b.WriteString(n.text)
	case len(n.operands) == 0:
		b.WriteString(n.op.String())
	case len(n.operands) == 1:
		b.WriteString(n.op.String())
		x := n.operands[0]
		if n.op == ltl.OpNot && x.closure {
			x.write(b)
			return
		}
		if n.op == ltl.OpNext && len(x.operands) == 0 && x.op != ltl.OpProp && x.op != ltl.OpClosure {
			b.WriteString("((" + x.op.String() + "))") // so that X0 is no proposition
			return
		}
		x.operand(b)
	default:
		for i, x := range n.operands {
			if i > 0 {
				b.WriteString(" " + n.op.String() + " ")
			}
			x.operand(b)
		}
	}
}

func (n *node) operand(b *strings.Builder) {
	b.WriteByte('(')
	n.write(b)
	b.WriteByte(')')
}

// compare orders operands. Boolean operands come first: constants, literals by the names of their
// propositions, and then others. Operands with temporal operators follow. Where nothing else
// decides, the one that was made first comes first:
//
//	Xc & (a | b) & !d & a      (a) & (!(d)) & ((a) | (b)) & (X(c))
func compare(a, b *node) int {
	if a.boolean != b.boolean {
		return first(a.boolean)
	}
	if a.boolean {
		x, y := a.isTrue() || a.isFalse(), b.isTrue() || b.isFalse()
		if x != y {
			return first(x)
		}
		p, q := a.literal(), b.literal()
		if (p == nil) != (q == nil) {
			return first(p != nil)
		}
		if p != nil {
			if c := compareNames(p.name, q.name); c != 0 {
				return c
			}
		}
	}
	return cmp.Or(strings.Compare(a.sorting, b.sorting), cmp.Compare(a.id, b.id))
}

// first returns the result of compare if a comes first, or else b.
func first(a bool) int {
	if a {
		return -1
	}
	return 1
}

// literal returns the proposition of a literal, and nil of another node.
func (n *node) literal() *node {
	if n.op == ltl.OpNot {
		n = n.operands[0]
	}
	if n.op == ltl.OpProp {
		return n
	}
	return nil
}

// compareNames compares names as versions: p2 comes before p10. Digits after a leading 0 belong to
// a fraction, as for strverscmp of the GNU C library: p00 comes before p0, and p01 before p02.
func compareNames(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	start := i
	for start > 0 && digit(a, start-1) {
		start--
	}
	more, less := digits(a, i), digits(b, i)
	same := 0
	switch number := a[start:i]; { // its common digits
	case number == "":
		if more > 0 && less > 0 && a[i] != '0' && b[i] != '0' {
			same = cmp.Compare(more, less)
		}
	case number[0] != '0':
		same = cmp.Compare(more, less)
	case strings.Trim(number, "0") == "":
		same = cmp.Compare(min(less, 1), min(more, 1))
	}
	return cmp.Or(same, strings.Compare(a[i:], b[i:]))
}

func digit(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

// digits returns the number of digits from i on.
func digits(s string, i int) (n int) {
	for digit(s, i+n) {
		n++
	}
	return n
}

func (n *node) isTrue() bool  { return n.op == ltl.OpTrue }
func (n *node) isFalse() bool { return n.op == ltl.OpFalse }

// constant returns true or false.
func (s *Speller) constant(value bool) *node {
	if value {
		return s.node(ltl.OpTrue, nil)
	}
	return s.node(ltl.OpFalse, nil)
}

// unary returns op n, having applied identities:
//
//	!!a = a    !0 = 1    X1 = 1    FFa = Fa    F0 = 0    G1 = 1
func (s *Speller) unary(op ltl.Op, n *node) *node {
	switch op {
	case ltl.OpNot:
		switch {
		case n.isTrue() || n.isFalse():
			return s.instead(s.constant(n.isFalse()), n)
		case n.op == ltl.OpNot:
			inner := n.operands[0]
			inner.uses++
			return s.instead(inner, n)
		}
	case ltl.OpNext:
		if n.isTrue() {
			return n
		}
	case ltl.OpFinally, ltl.OpGlobally:
		if n.op == op || n.isTrue() || n.isFalse() {
			return n
		}
	}
	return s.node(op, []*node{n})
}

// binary returns a op b, having applied identities:
//
//	a xor a = 0    1 <-> a = a    a -> 0 = !a    a U 1 = 1    0 W a = a    1 R a = a    a M a = a
func (s *Speller) binary(op ltl.Op, a, b *node) *node {
	// Sorted first, a constant can only be a.
	commutes := op == ltl.OpXor || op == ltl.OpEquiv
	if commutes && compare(b, a) < 0 {
		a, b = b, a
	}
	switch {
	case commutes && (a.isTrue() || a.isFalse()):
		if a.isTrue() == (op == ltl.OpEquiv) {
			return s.instead(b, a)
		}
		return s.instead(s.unary(ltl.OpNot, b), a)
	case commutes && a == b:
		return s.instead(s.constant(op == ltl.OpEquiv), a, b)
	case op == ltl.OpImplies:
		switch {
		case a.isTrue(), b.isTrue():
			return s.instead(b, a)
		case a.isFalse() || a == b:
			return s.instead(s.constant(true), a, b)
		case b.isFalse():
			return s.instead(s.unary(ltl.OpNot, a), b)
		}
	case ltl.Ops(ltl.OpUntil, ltl.OpRelease, ltl.OpWeakUntil, ltl.OpStrongRelease).Has(op):
		switch {
		case isRight(op, a, b):
			return s.instead(b, a)
		case op == ltl.OpWeakUntil && a.isTrue(), op == ltl.OpStrongRelease && a.isFalse():
			return s.instead(a, b)
		}
	}
	return s.node(op, []*node{a, b})
}

// isRight reports whether an identity turns a op b into b.
func isRight(op ltl.Op, a, b *node) bool {
	if a == b {
		return true
	}
	switch op {
	case ltl.OpUntil:
		return b.isTrue() || b.isFalse() || a.isFalse()
	case ltl.OpRelease:
		return b.isTrue() || b.isFalse() || a.isTrue()
	case ltl.OpWeakUntil:
		return b.isTrue() || a.isFalse()
	}
	return b.isFalse() || a.isTrue() // M
}

// several returns the conjunction or disjunction of operands, and takes their uses. It sorts them,
// and drops duplicates and neutral constants:
//
//	b & 1 & a & b = a & b    Fa | 0 = Fa    Fa | Gb | 1 = 1
func (s *Speller) several(op ltl.Op, operands []*node) *node {
	slices.SortFunc(operands, compare)
	neutral, absorbing := ltl.OpTrue, ltl.OpFalse
	if op == ltl.OpOr {
		neutral, absorbing = absorbing, neutral
	}
	if slices.ContainsFunc(operands, func(n *node) bool { return n.op == absorbing }) {
		return s.instead(s.node(absorbing, nil), operands...)
	}
	var list []*node
	for _, n := range operands {
		if n.op == neutral || len(list) > 0 && list[len(list)-1] == n { // sorted, equal operands are neighbors
			s.release(n)
		} else {
			list = append(list, n)
		}
	}
	switch len(list) {
	case 0:
		return s.node(neutral, nil)
	case 1:
		return list[0]
	}
	return s.node(op, list)
}
