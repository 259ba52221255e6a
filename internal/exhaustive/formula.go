package exhaustive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
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

// A language is the language of a formula or an automaton.
type language interface {
	// on returns the words of a block that the language has. It fails when there are no steps left.
	on(b block, steps *budget.Budget) (column, error)
}

func newFormulaLanguage(ctx context.Context, f *ltl.Formula, props []string) (language, error) {
	x, err := newFormula(f, props)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return x, nil
	}
	return &wordByWord{props, f.Size(), func(w *certify.Word) (bool, error) { return certify.Holds(ctx, f, w) }}, nil
}

func newAutomatonLanguage(ctx context.Context, a *certify.Automaton, props []string, steps *budget.Budget) (language, error) {
	if a == nil {
		return nil, errors.New("no automaton given")
	}
	x, err := newAutomaton(a, props, steps)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return x, nil
	}
	size := a.States // an estimate of the steps for a word
	for s := range a.States {
		size += len(a.Edges(s))
	}
	return &wordByWord{props, size, func(w *certify.Word) (bool, error) { return certify.Accepts(ctx, a, w) }}, nil
}

// A wordByWord is decided by package certify.
type wordByWord struct {
	props []string
	size  int // of the formula, or of the automaton
	has   func(*certify.Word) (bool, error)
}

// wordSteps is what a word takes, for each letter and each operator, state or edge.
const wordSteps = 100

func (x *wordByWord) on(b block, steps *budget.Budget) (column, error) {
	c := column(0)
	count := min(rows, 1<<b.bits()) // later rows repeat these
	for row := range count {
		if steps.Spend(wordSteps * x.size * b.size()) {
			return 0, steps.Err()
		}
		has, err := x.has(b.word(row).named(x.props))
		if err != nil {
			return 0, err
		}
		for r := row; has && r < rows; r += count {
			c |= 1 << r
		}
	}
	return c, nil
}

// named returns the word with the names of the propositions.
func (w *Word) named(props []string) *certify.Word {
	x := &certify.Word{}
	for i, values := range w.Letters {
		letter := certify.Letter{}
		for k, name := range props {
			letter[name] = values[k]
		}
		if i < w.Prefix {
			x.Prefix = append(x.Prefix, letter)
		} else {
			x.Cycle = append(x.Cycle, letter)
		}
	}
	return x
}

// labels are the labels of an automaton. Parts that several labels share are evaluated once.
type labels struct {
	place  []int // of each proposition of the automaton, among the propositions of letters
	nodes  []labelNode
	number map[*certify.Label]int
	values []column // of the nodes, at each position
}

// A labelNode is a part of a label.
type labelNode struct {
	op   certify.LabelOp
	prop int
	args []int // come before it
}

// newLabels returns the labels of an automaton with the given propositions; none yet.
func newLabels(own, letters []string) (*labels, error) {
	l := &labels{number: map[*certify.Label]int{}}
	for _, name := range own {
		i := slices.Index(letters, name)
		if i < 0 {
			return nil, fmt.Errorf("exhaustive: the letters lack the proposition %q", name)
		}
		l.place = append(l.place, i)
	}
	return l, nil
}

// add returns the number of a label.
func (l *labels) add(label *certify.Label) int {
	if i, ok := l.number[label]; ok {
		return i
	}
	n := labelNode{op: label.Op}
	if label.Op == certify.Prop {
		n.prop = l.place[label.Prop]
	}
	for _, arg := range label.Args {
		n.args = append(n.args, l.add(arg))
	}
	i := len(l.nodes)
	l.nodes = append(l.nodes, n)
	l.number[label] = i
	return i
}

// evaluate makes at ready.
func (l *labels) evaluate(b block) {
	l.values = l.values[:0]
	for pos := range b.size() {
		row := len(l.values)
		for i := range l.nodes {
			n := &l.nodes[i]
			v := column(0)
			switch n.op {
			case certify.True:
				v = all
			case certify.Prop:
				v = b.prop(pos, n.prop)
			case certify.Not:
				v = ^l.values[row+n.args[0]]
			case certify.And:
				v = all
				for _, arg := range n.args {
					v &= l.values[row+arg]
				}
			case certify.Or:
				for _, arg := range n.args {
					v |= l.values[row+arg]
				}
			}
			l.values = append(l.values, v)
		}
	}
}

// at returns the values of all nodes at a position, by their numbers.
func (l *labels) at(pos int) []column { return l.values[pos*len(l.nodes) : (pos+1)*len(l.nodes)] }
