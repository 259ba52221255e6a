package certify

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Tableau is an automaton of a formula, and of its negation, by elementary sets (Clarke, Grumberg and
// Hamaguchi, "Another look at LTL model checking", FMSD 1997). A state says which formulas of the kernel
// are true at its position of the word: the operands of X, and the formulas with F, G, U, R, W or M at
// the top. It also remembers the operators of the past.
//
// A letter and the next state determine the truth of every subformula at this position, by expansion
// laws: a U b is b | (a & X(a U b)). An edge is where this agrees with the state. So a word has one run
// with the true values, and others that put off forever what they promise. Marks exclude those: each
// fixpoint has a mark, on the edges where it promises nothing, or keeps the promise. For a U b that is
// where b is true or a U b is false; for G a, where a is false or G a is true.
//
// The kernel of F a is F a. Its tableau has two states, where F a is true and where it is false:
//
//	State: 1              State: 0
//	[a]  0 {0}            [!a] 0 {0}
//	[a]  1 {0}
//	[!a] 1
//
// There are two starts: one has the edges of all states in which the formula is true, the other of all
// in which it is false. Edges to states without an accepting run are left out.
type Tableau struct {
	Formula *ltl.Formula
	Kernel  []*ltl.Formula
	Memory  []*ltl.Formula // those with an operator of the past at the top
	Props   []string       // sorted
	States  []TableauState // the first two are the starts for the negation, and for the formula

	automata [2]*Automaton
	laws     []law
	kernel   []int // the laws of its formulas
	memory   []int // the laws of what the next state remembers, for each formula of Memory
	promises []int // a law for each mark
}

// A TableauState is a state before it reads a letter. Bit i of Kernel is the truth of formula i of the
// kernel. Bit i of Memory belongs to operator i of the past. The starts have no kernel.
type TableauState struct{ Kernel, Memory uint64 }

// Automaton returns the tableau as an automaton of the words on which the formula has this truth. The
// states keep their numbers.
func (t *Tableau) Automaton(truth bool) *Automaton {
	if truth {
		return t.automata[1]
	}
	return t.automata[0]
}

// A Cube is the set of letters that make each proposition of Pos true and each of Neg false. Bits are
// numbers of propositions.
type Cube struct{ Pos, Neg uint64 }

// Meets reports whether some letter is in both cubes.
func (c Cube) Meets(d Cube) bool { return c.Pos&d.Neg == 0 && c.Neg&d.Pos == 0 }

// And returns the letters that are in both cubes, which must meet.
func (c Cube) And(d Cube) Cube { return Cube{c.Pos | d.Pos, c.Neg | d.Neg} }

// at returns the truth of proposition i on the letters of the cube.
func (c Cube) at(i int) value { return open + value(c.Pos>>i&1) - value(c.Neg>>i&1) }

// maxBits is how many propositions a cube has, and how many formulas a kernel.
const maxBits = 64

// A law says how the truth of a formula follows from its operands, and from the formula itself at the
// position before or after: a U b is b | (a & X(a U b)).
type law struct {
	op          ltl.Op
	left, right int // laws of the operands
	bit         int // its place in letters, in the kernel or in the memory
}

// NewTableau returns the tableau of a formula, whose states also say whether others are true. It fails
// with ErrLarge past limit steps, and for more than 64 propositions or formulas of the kernel; with
// ErrExpression for regular expressions; and when ctx is done.
func NewTableau(ctx context.Context, f *ltl.Formula, limit int, track ...*ltl.Formula) (*Tableau, error) {
	if f == nil || slices.Contains(track, nil) {
		return nil, errNoFormula
	}
	t := &Tableau{Formula: f}
	formulas := append([]*ltl.Formula{f}, track...)
	for _, g := range formulas {
		t.Props = append(t.Props, g.Props()...)
	}
	slices.Sort(t.Props)
	t.Props = slices.Compact(t.Props)
	add := func(op ltl.Op, left, right int) int {
		t.laws = append(t.laws, law{op: op, left: left, right: right})
		return len(t.laws) - 1
	}
	keep := func(g *ltl.Formula, i int) (bit int) {
		if bit = slices.Index(t.Kernel, g); bit < 0 { // a formula has one bit, however often it is tracked
			bit = len(t.Kernel)
			t.Kernel, t.kernel = append(t.Kernel, g), append(t.kernel, i)
		}
		return bit
	}
	marks, initially := 0, uint64(0) // the memory at the start: Z, H and T are true of what was before
	place := map[*ltl.Formula]int{}
	for _, h := range formulas {
		for _, g := range h.Subformulas() {
			if _, ok := place[g]; ok { // shared by several formulas
				continue
			}
			a, b := place[g.Left()], place[g.Right()]
			i := add(g.Op(), a, b)
			place[g] = i
			kept := i // of an operator of the past
			switch g.Op() {
			case ltl.OpProp:
				t.laws[i].bit = slices.Index(t.Props, g.Name())
			case ltl.OpNext:
				t.laws[i].bit = keep(g.Left(), a)
			case ltl.OpFinally:
				t.promises = append(t.promises, add(ltl.OpImplies, i, a)) // on edges where F a is false or kept
			case ltl.OpUntil:
				t.promises = append(t.promises, add(ltl.OpImplies, i, b))
			case ltl.OpStrongRelease:
				t.promises = append(t.promises, add(ltl.OpImplies, i, add(ltl.OpAnd, a, b)))
			case ltl.OpGlobally:
				t.promises = append(t.promises, add(ltl.OpImplies, a, i)) // a false G a promises !a
			case ltl.OpRelease:
				t.promises = append(t.promises, add(ltl.OpImplies, b, i))
			case ltl.OpWeakUntil:
				t.promises = append(t.promises, add(ltl.OpImplies, add(ltl.OpOr, a, b), i))
			case ltl.OpClosure, ltl.OpSuffixConjunction, ltl.OpSuffixImplication:
				return nil, ErrExpression
			case ltl.OpWeakYesterday, ltl.OpHistorically, ltl.OpTriggered:
				initially |= 1 << len(t.memory)
				fallthrough
			case ltl.OpYesterday, ltl.OpOnce, ltl.OpSince:
				// Y and Z remember the operand, others themselves.
				if g.Op() == ltl.OpYesterday || g.Op() == ltl.OpWeakYesterday {
					kept = a
				}
				t.laws[i].bit = len(t.memory)
				t.memory, t.Memory = append(t.memory, kept), append(t.Memory, g)
			}
			if marks < len(t.promises) { // the next state must know the promise
				marks++
				t.laws[i].bit = keep(g, i)
			}
		}
		if h != f {
			keep(h, place[h])
		}
	}
	if max(len(t.Kernel), len(t.memory), len(t.Props)) > maxBits { // and there are no more marks than formulas in the kernel
		return nil, ErrLarge
	}

	type key struct{ kernel, memory, start uint64 }
	var numbers numbering[key]
	for truth := range t.automata { // states 0 and 1: initial, for false and true
		numbers.of(key{0, initially, uint64(truth) + 1})
	}
	all := &Automaton{Props: t.Props, Acceptance: &Condition{Op: AllOf}}
	for mark := range t.promises {
		all.Acceptance.Args = append(all.Acceptance.Args, &Condition{Op: Inf, Mark: mark})
	}
	labels := map[Cube]*Label{}
	x := &expansion{Tableau: t, ctx: ctx, limit: limit, values: make([]value, len(t.laws))}
	for from := 0; from < len(numbers.list); from++ { // the list grows
		k := numbers.list[from]
		t.States = append(t.States, TableauState{k.kernel, k.memory})
		x.before, x.demands = Cube{k.memory, ^k.memory}, nil
		if k.start > 0 {
			x.demands = []demand{{place[f], valueOf(k.start == 2)}}
		} else {
			for bit, i := range t.kernel {
				x.demands = append(x.demands, demand{i, valueOf(k.kernel>>bit&1 != 0)})
			}
		}
		x.emit = func(letters Cube, kernel, memory uint64, marks []int) {
			if labels[letters] == nil {
				labels[letters] = conjunction(len(t.Props), letters.at)
			}
			all.AddEdge(from, labels[letters], marks, numbers.of(key{kernel, memory, 0}))
		}
		if err := x.search(Cube{}, Cube{}); err != nil {
			return nil, err
		}
	}
	all.States = len(t.States)
	live, err := all.Live(ctx)
	if err != nil {
		return nil, err
	}
	// No accepting run visits such a state. Games are smaller without it.
	for s := range all.edges {
		all.edges[s] = slices.DeleteFunc(all.edges[s], func(e *Edge) bool { return !live[e.To[0]] })
	}
	for truth := range t.automata {
		a := *all
		a.Start, t.automata[truth] = [][]int{{truth}}, &a
	}
	return t, nil
}

// An expansion finds the edges of a state.
type expansion struct {
	*Tableau
	ctx     context.Context
	limit   int
	before  Cube // the memory
	demands []demand
	values  []value // of the laws
	emit    func(letters Cube, kernel, memory uint64, marks []int)
}

// A demand is the truth that a formula must have.
type demand struct {
	law   int
	truth value
}

// search makes the edges for the letters of a cube and the next states of another, whose bits are formulas
// of the kernel. As long as something that matters is open, it decides one more proposition, or one more
// formula of the next state.
func (x *expansion) search(letters, next Cube) error {
	for i := range x.laws {
		x.values[i] = x.law(i, letters, next)
	}
	undecided := -1
	for _, d := range x.demands {
		switch x.values[d.law] {
		case d.truth:
		case open:
			undecided = d.law
		default:
			return nil // contradicts the state
		}
	}
	kept := func(laws []int) (set uint64) {
		for bit, i := range laws {
			switch x.values[i] {
			case yes:
				set |= 1 << bit
			case open:
				undecided = i
			}
		}
		return set
	}
	marks, memory := kept(x.promises), kept(x.memory)
	bit, ofNext := -1, true // what to decide
	if undecided < 0 {
		bit = bits.TrailingZeros64(^(next.Pos | next.Neg))
		if bit >= len(x.Kernel) {
			var list []int
			for ; marks != 0; marks &= marks - 1 { // one bit a mark
				list = append(list, bits.TrailingZeros64(marks))
			}
			x.emit(letters, next.Pos, memory, list)
			return nil
		}
	}
	// An open formula has an open operand, or depends on the next state.
	for bit < 0 {
		switch l := x.laws[undecided]; {
		case l.op == ltl.OpProp:
			bit, ofNext = l.bit, false
		case l.op.Arity() == 2 && x.values[l.right] == open:
			undecided = l.right
		case l.op != ltl.OpNext && x.values[l.left] == open:
			undecided = l.left
		default:
			bit = l.bit
		}
	}
	for _, c := range []Cube{{Neg: 1 << bit}, {Pos: 1 << bit}} {
		err := x.ctx.Err()
		if x.limit--; err != nil || x.limit < 0 {
			return cmp.Or(err, ErrLarge)
		}
		if ofNext {
			err = x.search(letters, next.And(c))
		} else {
			err = x.search(letters.And(c), next)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// law returns the truth of a formula at this position.
func (x *expansion) law(i int, letters, next Cube) value {
	l, other := x.laws[i], open
	switch {
	case l.op == ltl.OpProp:
		return letters.at(l.bit)
	case l.op == ltl.OpNext:
		return next.at(l.bit)
	case fixpoints.Has(l.op):
		other = next.at(l.bit)
	case ltl.PastOps.Has(l.op):
		other = x.before.at(l.bit)
	}
	return apply(l.op, x.values[l.left], x.values[l.right], other)
}
