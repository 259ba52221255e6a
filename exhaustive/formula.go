package exhaustive

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A law says when a formula is true at a position. It gets the values of the operands there, and
// one that the kind says.
type law struct {
	kind  kind
	start column // the value that the law gets where there is no other
	value func(a, b, other column) column
}

// A kind says what a law gets besides its operands.
type kind uint8

const (
	here      kind = iota // nothing
	tomorrow              // the first operand at the next position
	future                // the formula at the next position; start is what it is until that is known
	yesterday             // the first operand at the position before; start before the first
	past                  // the formula at the position before; start before the first
)

// laws has a law for each operator except propositions.
var laws = map[ltl.Op]law{
	ltl.OpFalse:   {here, 0, func(_, _, _ column) column { return 0 }},
	ltl.OpTrue:    {here, 0, func(_, _, _ column) column { return all }},
	ltl.OpNot:     {here, 0, func(a, _, _ column) column { return ^a }},
	ltl.OpAnd:     {here, 0, func(a, b, _ column) column { return a & b }},
	ltl.OpOr:      {here, 0, func(a, b, _ column) column { return a | b }},
	ltl.OpImplies: {here, 0, func(a, b, _ column) column { return ^a | b }},
	ltl.OpEquiv:   {here, 0, func(a, b, _ column) column { return ^(a ^ b) }},
	ltl.OpXor:     {here, 0, func(a, b, _ column) column { return a ^ b }},

	ltl.OpNext:          {tomorrow, 0, func(_, _, next column) column { return next }},
	ltl.OpFinally:       {future, 0, func(a, _, next column) column { return a | next }},
	ltl.OpGlobally:      {future, all, func(a, _, next column) column { return a & next }},
	ltl.OpUntil:         {future, 0, func(a, b, next column) column { return b | a&next }},
	ltl.OpWeakUntil:     {future, all, func(a, b, next column) column { return b | a&next }},
	ltl.OpRelease:       {future, all, func(a, b, next column) column { return b & (a | next) }},
	ltl.OpStrongRelease: {future, 0, func(a, b, next column) column { return b & (a | next) }},

	ltl.OpYesterday:     {yesterday, 0, func(_, _, last column) column { return last }},
	ltl.OpWeakYesterday: {yesterday, all, func(_, _, last column) column { return last }},
	ltl.OpOnce:          {past, 0, func(a, _, last column) column { return a | last }},
	ltl.OpHistorically:  {past, all, func(a, _, last column) column { return a & last }},
	ltl.OpSince:         {past, 0, func(a, b, last column) column { return b | a&last }},
	ltl.OpTriggered:     {past, all, func(a, b, last column) column { return b & (a | last) }},
}

// A formula is evaluated on blocks: each subformula has a column for each position.
type formula struct {
	nodes  []node // operands first
	past   int    // how many operators of the past are nested
	values []column
}

// A node is a subformula.
type node struct {
	law             // of no use for a proposition
	prop        int // the place of a proposition; -1 for all else
	left, right int // operands
}

// maxPast bounds the number of nodes times the depth of operators of the past, and so the memory
// that on takes: less than 8 MiB for each letter of the cycle.
const maxPast = 1 << 20

// newFormula returns f over the propositions; nil if f has an operator without a law here, or
// nests operators of the past too deep. Then package certify has to evaluate it word by word.
func newFormula(f *ltl.Formula, props []string) (*formula, error) {
	x := &formula{}
	number := map[*ltl.Formula]int{}
	depth := map[*ltl.Formula]int{} // of operators of the past
	for _, g := range f.Subformulas() {
		n := node{prop: -1, left: number[g.Left()], right: number[g.Right()]}
		if g.Op() == ltl.OpProp {
			if n.prop = slices.Index(props, g.Name()); n.prop < 0 {
				return nil, fmt.Errorf("exhaustive: the letters lack the proposition %q", g.Name())
			}
		} else if law, ok := laws[g.Op()]; ok {
			n.law = law
		} else {
			return nil, nil
		}
		depth[g] = max(depth[g.Left()], depth[g.Right()])
		if n.kind == yesterday || n.kind == past {
			depth[g]++
		}
		x.past = max(x.past, depth[g])
		number[g] = len(x.nodes)
		x.nodes = append(x.nodes, n)
	}
	if x.past*len(x.nodes) > maxPast {
		return nil, nil
	}
	return x, nil
}

// on returns the words of a block on which the formula is true.
//
// Operators of the past may tell the first rounds of the cycle apart, as many as are nested. So the
// cycle is written out once more for each, and the last round repeats. On cycle{a}, Y a is false in
// the first round and true in the second.
func (f *formula) on(b block, steps *budget.Budget) (column, error) {
	positions := b.size() + f.past*b.cycle
	f.values = slices.Grow(f.values[:0], len(f.nodes)*positions)[:len(f.nodes)*positions]
	of := func(i int) []column { return f.values[i*positions : (i+1)*positions] }
	for i := range f.nodes {
		if steps.Spend(positions) {
			return 0, steps.Err()
		}
		n := &f.nodes[i]
		n.compute(b, of(i), of(n.left), of(n.right))
	}
	return of(len(f.nodes) - 1)[0], nil
}

// compute sets r to the values of a node at the positions, given the values of its operands.
func (n *node) compute(b block, r, left, right []column) {
	end := len(r) - 1
	next := func(p int) int {
		if p == end {
			return p + 1 - b.cycle // the last round repeats
		}
		return p + 1
	}
	switch {
	case n.prop >= 0:
		for p := range r {
			at := p
			if p >= b.size() {
				at = b.prefix + (p-b.prefix)%b.cycle // the letters of the first round
			}
			r[p] = b.prop(at, n.prop)
		}
	case n.kind == here:
		for p := range r {
			r[p] = n.value(left[p], right[p], 0)
		}
	case n.kind == tomorrow:
		for p := range r {
			r[p] = n.value(left[p], right[p], left[next(p)])
		}
	case n.kind == yesterday:
		last := n.start
		for p := range r {
			r[p], last = n.value(left[p], right[p], last), left[p]
		}
	case n.kind == past:
		last := n.start
		for p := range r {
			last = n.value(left[p], right[p], last)
			r[p] = last
		}
	case n.kind == future:
		for p := range r {
			r[p] = n.start
		}
		for changed := true; changed; {
			changed = false
			for p := end; p >= 0; p-- {
				if v := n.value(left[p], right[p], r[next(p)]); v != r[p] {
					r[p], changed = v, true
				}
			}
		}
	}
}
