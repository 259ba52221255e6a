package ltl

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Formula is an immutable formula of one Store. Two formulas of one Store are equal if and
// only if their pointers are equal. Any number of goroutines may use a formula. The zero Formula is
// 0, and of no Store.
type Formula struct {
	store       *Store
	op          Op
	id          int32
	left, right *Formula
	name        string
	sere        *SERE
	size        int
	ops         OpSet
	depth       int32 // see PastDepth
	purity      purity
}

// Op returns the operator at the top.
func (f *Formula) Op() Op { return f.op }

// Left returns the operand of a unary operator, or the first of a binary one.
func (f *Formula) Left() *Formula { return f.left }

// Right returns the second operand of a binary operator.
func (f *Formula) Right() *Formula { return f.right }

// Name returns the name of a proposition, and "" for other formulas.
func (f *Formula) Name() string { return f.name }

// SERE returns the expression of {r}, {r}<>->f or {r}[]->f, and nil for other formulas.
func (f *Formula) SERE() *SERE { return f.sere }

// ID returns the number of the formula in its Store. The Store numbers formulas from 0 without
// gaps, operands before the formulas that contain them.
func (f *Formula) ID() int { return int(f.id) }

// Size returns the number of nodes of the syntax tree, with the nodes of expressions. A shared
// part counts each time it occurs.
func (f *Formula) Size() int { return f.size }

// Ops returns the operators that occur in the formula, also in the letters of expressions.
func (f *Formula) Ops() OpSet { return f.ops }

// PastDepth returns the nesting depth of past operators: h(f) in Schuppan and Biere (2005),
// and in Benedetti and Cimatti (2003).
func (f *Formula) PastDepth() int { return int(f.depth) }

// errNil reports a missing formula.
var errNil = errors.New("no formula given")

// A table has a number for each subformula of a formula, 0 at first. It is indexed by the formulas'
// numbers, unless these are so large, as the store has many other formulas, that a map takes less.
type table struct {
	dense  []int32
	sparse map[*Formula]int32
}

func newTable(f *Formula) table {
	if f.id>>6 <= int32(min(f.size, math.MaxInt32)) {
		return table{dense: make([]int32, f.id+1)}
	}
	return table{sparse: make(map[*Formula]int32)}
}

// get returns the number of f, and 0 if f is nil.
func (t *table) get(f *Formula) int32 {
	if f == nil {
		return 0
	}
	if t.dense != nil {
		return t.dense[f.id]
	}
	return t.sparse[f]
}

func (t *table) set(f *Formula, n int32) {
	if t.dense != nil {
		t.dense[f.id] = n
	} else {
		t.sparse[f] = n
	}
}

// Subformulas returns all distinct subformulas, operands first and f last. Letters of expressions
// are not subformulas. It takes linear time.
func (f *Formula) Subformulas() []*Formula {
	list, _ := f.numbered()
	return list
}

// numbered returns the same, and of each its place in the list, counted from 1.
func (f *Formula) numbered() (list []*Formula, seen table) {
	seen = newTable(f)
	type frame struct {
		f    *Formula
		next int // how often it was on top
	}
	list = make([]*Formula, 0, min(f.size, int(f.id)+1)) // there are no more
	stack := append(make([]frame, 0, 32), frame{f, 0})
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		top.next++
		switch {
		case top.next == 1 && top.f.left != nil:
			if seen.get(top.f.left) == 0 {
				stack = append(stack, frame{top.f.left, 0})
			}
		case top.next == 2 && top.f.right != nil:
			if seen.get(top.f.right) == 0 {
				stack = append(stack, frame{top.f.right, 0})
			}
		case top.next >= 3 || top.next == 2 && top.f.right == nil || top.f.left == nil:
			if seen.get(top.f) == 0 { // it may be on the stack twice
				list = append(list, top.f)
				seen.set(top.f, int32(len(list)))
			}
			stack = stack[:len(stack)-1]
		}
	}
	return list, seen
}

// Props returns the names of the propositions, ordered by their first occurrence in the text.
func (f *Formula) Props() []string {
	if f.ops.HasPSL() {
		return f.propsInText()
	}
	var names []string
	for _, g := range f.Subformulas() {
		if g.op == OpProp {
			names = append(names, g.name)
		}
	}
	return names
}

// propsInText is Props for a formula with expressions, which stand before the operand.
func (f *Formula) propsInText() []string {
	var names []string
	seen := newTable(f)
	for stack := []*Formula{f}; len(stack) > 0; {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g == nil || seen.get(g) != 0 {
			continue
		}
		seen.set(g, 1)
		if g.op == OpProp {
			names = append(names, g.name)
		}
		stack = append(stack, g.right, g.left)
		if g.sere != nil {
			letters := g.sere.Letters()
			slices.Reverse(letters)
			stack = append(stack, letters...) // the last pushed comes first
		}
	}
	return names
}

// A Store makes formulas, each only once. Only one goroutine at a time may use a Store. Any
// number may read its formulas. The zero Store is empty, and ready to use.
//
// The methods import formulas and expressions of other Stores. They return nil for what is no
// formula: if an operand is nil, if the operator has another number of operands, or if a letter is
// not Boolean.
type Store struct {
	table       map[node]*Formula
	expressions map[sereNode]*SERE
	// While formulas are rebuilt, conjunctions and disjunctions may be irregular: see rebuild.
	rebuilding, irregular bool
}

type node struct {
	op          Op
	left, right *Formula
	name        string
	sere        *SERE
}

// NewStore returns an empty Store.
func NewStore() *Store { return new(Store) }

// make returns nil for a node that is no formula, and for a store that is nil.
func (s *Store) make(n node) *Formula {
	if s == nil {
		return nil
	}
	if f, ok := s.table[n]; ok {
		return f
	}
	// Only a new formula can have operands of another store.
	left, right, sere := s.Import(n.left), s.Import(n.right), s.importSERE(n.sere)
	if left != n.left || right != n.right || sere != n.sere {
		return s.make(node{n.op, left, right, n.name, sere})
	}
	if n.op >= numOps || (left != nil) != (n.op.Arity() > 0) || (right != nil) != (n.op.Arity() > 1) ||
		PSLOps.Has(n.op) != (sere != nil) {
		return nil
	}
	f := &Formula{
		store: s, op: n.op, id: int32(len(s.table)), left: n.left, right: n.right, name: n.name, sere: n.sere,
		size: 1, ops: 1 << n.op, purity: purityOf(n.op, n.left, n.right),
	}
	if n.sere != nil {
		f.size, f.ops = addBulk(1, n.sere.size), f.ops|n.sere.ops
	}
	for _, g := range []*Formula{n.left, n.right} {
		if g != nil {
			if f.size += g.size; f.size < 0 { // no int is large enough
				f.size = math.MaxInt
			}
			f.ops |= g.ops
			f.depth = max(f.depth, g.depth)
		}
	}
	if PastOps.Has(n.op) {
		f.depth++
	}
	if s.table == nil {
		s.table = make(map[node]*Formula)
	}
	s.table[n] = f
	return f
}

// False returns the formula 0.
func (s *Store) False() *Formula { return s.make(node{op: OpFalse}) }

// True returns the formula 1.
func (s *Store) True() *Formula { return s.make(node{op: OpTrue}) }

// Prop returns an atomic proposition.
func (s *Store) Prop(name string) *Formula { return s.make(node{op: OpProp, name: name}) }

// Unary returns op applied to f. It is the constructor for the past operators, as Binary is.
func (s *Store) Unary(op Op, f *Formula) *Formula { return s.make(node{op: op, left: f}) }

// Binary returns op applied to f and g. Conjunctions and disjunctions lean to the left: f & (g
// & h) becomes (f & g) & h.
func (s *Store) Binary(op Op, f, g *Formula) *Formula {
	if op != OpAnd && op != OpOr || f == nil || g == nil || g.op != op {
		return s.make(node{op: op, left: f, right: g})
	}
	var tail []*Formula // the operands of g but the first
	for h := g; h.op == op; h = h.left {
		if s.rebuilding && len(tail) == maxRotated { // moving them each time would take too long: see rewrite
			s.irregular = true
			return s.make(node{op: op, left: f, right: g})
		}
		tail = append(tail, h.right)
	}
	for g.op == op {
		g = g.left
	}
	f = s.make(node{op: op, left: f, right: g})
	for i := len(tail) - 1; i >= 0; i-- {
		f = s.make(node{op: op, left: f, right: tail[i]})
	}
	return f
}

func (s *Store) Not(f *Formula) *Formula          { return s.Unary(OpNot, f) }
func (s *Store) Next(f *Formula) *Formula         { return s.Unary(OpNext, f) }
func (s *Store) Finally(f *Formula) *Formula      { return s.Unary(OpFinally, f) }
func (s *Store) Globally(f *Formula) *Formula     { return s.Unary(OpGlobally, f) }
func (s *Store) And(f, g *Formula) *Formula       { return s.Binary(OpAnd, f, g) }
func (s *Store) Or(f, g *Formula) *Formula        { return s.Binary(OpOr, f, g) }
func (s *Store) Implies(f, g *Formula) *Formula   { return s.Binary(OpImplies, f, g) }
func (s *Store) Equiv(f, g *Formula) *Formula     { return s.Binary(OpEquiv, f, g) }
func (s *Store) Xor(f, g *Formula) *Formula       { return s.Binary(OpXor, f, g) }
func (s *Store) Until(f, g *Formula) *Formula     { return s.Binary(OpUntil, f, g) }
func (s *Store) Release(f, g *Formula) *Formula   { return s.Binary(OpRelease, f, g) }
func (s *Store) WeakUntil(f, g *Formula) *Formula { return s.Binary(OpWeakUntil, f, g) }

// Closure returns {r}.
func (s *Store) Closure(r *SERE) *Formula { return s.make(node{op: OpClosure, sere: r}) }

// SuffixConjunction returns {r}<>->f.
func (s *Store) SuffixConjunction(r *SERE, f *Formula) *Formula {
	return s.make(node{op: OpSuffixConjunction, left: f, sere: r})
}

// SuffixImplication returns {r}[]->f.
func (s *Store) SuffixImplication(r *SERE, f *Formula) *Formula {
	return s.make(node{op: OpSuffixImplication, left: f, sere: r})
}

// WithOperands returns f with other operands, which are formulas of s. The name of a proposition
// and the expression of {r} stay. Operands that f does not have are ignored.
func (s *Store) WithOperands(f, left, right *Formula) *Formula {
	switch {
	case f == nil:
		return nil
	case f.op == OpProp:
		return s.Prop(f.name)
	case f.sere != nil:
		if f.op == OpClosure {
			left = nil
		}
		return s.make(node{op: f.op, left: left, sere: s.importSERE(f.sere)})
	}
	return s.apply(f.op, left, right)
}

// Op is the operator at the top of a formula.
type Op uint8

// The operators. The past operators look at the positions up to the present one. At the first
// position, Y f is false and Z f is true, whatever f is.
const (
	OpFalse Op = iota
	OpTrue
	OpProp // an atomic proposition
	OpNot
	OpAnd
	OpOr
	OpImplies
	OpEquiv
	OpXor
	OpNext              // X
	OpFinally           // F
	OpGlobally          // G
	OpUntil             // U
	OpRelease           // R
	OpWeakUntil         // W
	OpStrongRelease     // M
	OpYesterday         // Y
	OpWeakYesterday     // Z, the dual of Y
	OpOnce              // O
	OpHistorically      // H, the dual of O
	OpSince             // S
	OpTriggered         // T, the dual of S
	OpClosure           // {r}: some prefix is a word of r, or all prefixes start words of r
	OpSuffixConjunction // {r}<>->f: f holds at the last position of some word of r that starts here
	OpSuffixImplication // {r}[]->f: f holds at the last position of each such word
	numOps
)

// Arity returns the number of operands that are formulas: 0, 1 or 2.
func (op Op) Arity() int {
	switch op {
	case OpFalse, OpTrue, OpProp, OpClosure:
		return 0
	case OpNot, OpNext, OpFinally, OpGlobally, OpYesterday, OpWeakYesterday, OpOnce, OpHistorically,
		OpSuffixConjunction, OpSuffixImplication:
		return 1
	}
	return 2
}

var opNames = [numOps]string{"0", "1", "ap", "!", "&", "|", "->", "<->", "xor", "X", "F", "G", "U", "R", "W", "M",
	"Y", "Z", "O", "H", "S", "T", "{}", "<>->", "[]->"}

// String returns the operator in Spot's syntax, or in NuSMV's for past operators. It returns
// "ap" for OpProp.
func (op Op) String() string {
	if op >= numOps {
		return fmt.Sprintf("operator %d", uint8(op))
	}
	return opNames[op]
}

// ParseOp returns the operator whose String is name.
func ParseOp(name string) (Op, bool) {
	for op, s := range opNames {
		if s == name {
			return Op(op), true
		}
	}
	return 0, false
}

// OpSet is a set of operators.
type OpSet uint32

// Ops returns the set of ops.
func Ops(ops ...Op) OpSet {
	var s OpSet
	for _, op := range ops {
		s |= 1 << op
	}
	return s
}

// PastOps is the set of all past operators.
const PastOps OpSet = 1<<OpYesterday | 1<<OpWeakYesterday | 1<<OpOnce | 1<<OpHistorically | 1<<OpSince | 1<<OpTriggered

// HasPast reports whether s contains a past operator.
func (s OpSet) HasPast() bool { return s&PastOps != 0 }

// PSLOps is the set of the operators with an expression.
const PSLOps OpSet = 1<<OpClosure | 1<<OpSuffixConjunction | 1<<OpSuffixImplication

// HasPSL reports whether s contains an operator with an expression.
func (s OpSet) HasPSL() bool { return s&PSLOps != 0 }

// Has reports whether s contains op.
func (s OpSet) Has(op Op) bool { return s>>op&1 != 0 }

// With returns s with op added.
func (s OpSet) With(op Op) OpSet { return s | 1<<op }

// String returns the operators, separated by spaces.
func (s OpSet) String() string {
	var list []string
	for op := range numOps {
		if s.Has(op) {
			list = append(list, op.String())
		}
	}
	return strings.Join(list, " ")
}
