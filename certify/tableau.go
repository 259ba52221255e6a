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
// the top. It also remembers the operators of the past. For regular expressions, see suffix.
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
	Formula  *ltl.Formula
	Kernel   []*ltl.Formula
	Memory   []*ltl.Formula      // those with an operator of the past at the top, and suffixes
	Props    []string            // sorted
	States   []TableauState      // the first two are the starts for the negation, and for the formula
	Automata map[bool]*Automaton // of the words on which the formula has this truth, with these states

	laws      numbering[law]
	place     map[*ltl.Formula]int // the laws of formulas; 0 is the law of false
	kernel    numbering[*ltl.Formula]
	memory    []int // the laws of what the next state remembers, for each formula of Memory
	promises  []int // a law for each mark
	suffixes  []suffix
	initially uint64 // the memory at the start: Z, H and T are true of what was before
	derivatives
}

// A TableauState is a state before it reads a letter. Bit i of Kernel is the truth of formula i of the
// kernel. Bit i of Memory belongs to formula i of the memory. The starts have no kernel.
type TableauState struct{ Kernel, Memory uint64 }

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

// A law says how the truth of a formula follows from its operands, and from a bit: of a proposition, or of the
// formula itself at the position before or after. a U b is b | (a & X(a U b)).
type law struct {
	op          ltl.Op
	left, right int // laws of the operands
	from        source
	bit         int
}

// A source is where a law finds its bit.
type source int

const (
	inLetter source = iota
	inNext          // the kernel of the next state
	inMemory
	sources
	never // nowhere: the formula is put off forever
)

func (t *Tableau) law(op ltl.Op, left, right int) int {
	return t.laws.of(law{op: op, left: left, right: right})
}

// NewTableau returns the tableau of a formula, whose states also say whether others are true. It fails
// with ErrLarge past limit steps, for more than 64 propositions, marks, or formulas of the kernel or memory, and
// for large regular expressions; and when ctx is done.
func NewTableau(ctx context.Context, f *ltl.Formula, limit int, track ...*ltl.Formula) (*Tableau, error) {
	if f == nil || slices.Contains(track, nil) {
		return nil, errNoFormula
	}
	t := &Tableau{place: map[*ltl.Formula]int{}, derivatives: derivatives{Store: ltl.NewStore(), ctx: ctx}}
	t.law(ltl.OpFalse, 0, 0)
	t.Formula = t.Import(f)
	whole := t.Formula
	for _, g := range track {
		whole = t.And(whole, t.Import(g))
	}
	t.Props = slices.Sorted(slices.Values(whole.Props()))
	t.addSuffixes(whole)
	t.lawOf(t.Formula)
	for _, g := range track {
		g = t.Import(g)
		t.lawOf(g)
		t.kernel.of(g)
	}
	t.Kernel = t.kernel.list
	switch {
	case t.err != nil:
		return nil, t.err
	case max(len(t.Kernel), len(t.memory), len(t.Props), len(t.promises)) > maxBits:
		return nil, ErrLarge
	}

	n := len(t.laws.list)
	x := &expansion{Tableau: t, limit: limit, values: make([]value, n), next: make([]value, n), kernel: make([]uint64, n), labels: map[Cube]*Label{}}
	for i, g := range t.Kernel {
		x.kernel[t.place[g]] |= 1 << i // several formulas may have one law
	}
	formula := make([]uint64, n)
	formula[t.place[t.Formula]] = 1
	x.all = &Automaton{Props: t.Props, Acceptance: &Condition{Op: AllOf}}
	for mark := range t.promises {
		x.all.Acceptance.Args = append(x.all.Acceptance.Args, &Condition{Op: Inf, Mark: mark})
	}
	t.States = []TableauState{{Memory: t.initially}, {Memory: t.initially}}
	for x.state = 0; x.state < len(t.States); x.state++ { // the list grows
		s := t.States[x.state]
		x.demands, x.truth = x.kernel, Cube{s.Kernel, ^s.Kernel}
		if x.state < 2 { // a start
			x.demands, x.truth = formula, Cube{uint64(x.state), ^uint64(x.state)}
		}
		if err := x.search([sources]Cube{inMemory: {s.Memory, ^s.Memory}}); err != nil {
			return nil, err
		}
	}
	x.all.States = len(t.States)
	live, err := x.all.Live(ctx)
	if err != nil {
		return nil, err
	}
	// No accepting run visits such a state. Games are smaller without it.
	for s := range x.all.edges {
		x.all.edges[s] = slices.DeleteFunc(x.all.edges[s], func(e *Edge) bool { return !live[e.To[0]] })
	}
	x.all.live, x.all.component = live, x.all.Components() // many proofs ask for them
	positive := *x.all
	x.all.Start, positive.Start = [][]int{{0}}, [][]int{{1}}
	t.Automata = map[bool]*Automaton{false: x.all, true: &positive}
	return t, nil
}

// lawOf returns the law of a formula.
func (t *Tableau) lawOf(f *ltl.Formula) int {
	for _, g := range f.Subformulas() {
		if _, ok := t.place[g]; ok { // shared by several formulas
			continue
		}
		l := law{op: g.Op(), left: t.place[g.Left()], right: t.place[g.Right()]}
		switch {
		case g.SERE() != nil:
			l = t.ofSuffix(g)
		case l.op == ltl.OpProp:
			l.from, l.bit = inLetter, slices.Index(t.Props, g.Name())
		case l.op == ltl.OpNext:
			l = law{op: l.op, from: inNext, bit: t.kernel.of(g.Left())}
		case fixpoints.Has(l.op):
			l.from, l.bit = inNext, t.kernel.of(g) // the next state must know the promise
			// A promise of a U b is kept where it has the value of b | (a & 0), and of G a the one of a & 1.
			kept := law{op: l.op, left: l.left, right: l.right, from: never}
			t.promises = append(t.promises, t.law(ltl.OpEquiv, t.laws.of(l), t.laws.of(kept)))
		case ltl.PastOps.Has(l.op):
			l.from, l.bit = inMemory, len(t.memory)
			if always.Has(l.op) {
				t.initially |= 1 << l.bit
			}
			kept := l.left // Y and Z remember the operand, others themselves
			if l.op != ltl.OpYesterday && l.op != ltl.OpWeakYesterday {
				kept = t.laws.of(l)
			}
			t.memory, t.Memory = append(t.memory, kept), append(t.Memory, g)
		}
		t.place[g] = t.laws.of(l)
	}
	return t.place[f]
}

// An expansion finds the edges of a state.
type expansion struct {
	*Tableau
	limit   int
	all     *Automaton
	state   int
	kernel  []uint64 // by law, its bits in the next state
	demands []uint64 // the same for this state
	truth   Cube
	values  []value // of all laws
	next    []value // the same for the next state, as far as its bits tell
	numbers numbering[TableauState]
	labels  map[Cube]*Label
}

// search makes the edges with what is known of the letter, the next state and the memory. As long as something that
// matters is open, it decides one more proposition, or one more formula of the next state.
func (x *expansion) search(known [sources]Cube) error {
	x.limit -= 1 + len(x.laws.list)/64
	if err := x.ctx.Err(); err != nil || x.limit < 0 {
		return cmp.Or(err, ErrLarge)
	}
	undecided, ok := x.evaluate(x.values, known, x.demands, x.truth)
	if _, later := x.evaluate(x.next, [sources]Cube{}, x.kernel, known[inNext]); !ok || !later {
		return nil // this state contradicts a law, or the next one
	}
	for _, i := range slices.Concat(x.promises, x.memory) {
		if x.values[i] == open {
			undecided = i
		}
	}
	from, bit := inNext, bits.TrailingZeros64(^(known[inNext].Pos | known[inNext].Neg)) // what to decide
	if undecided < 0 && bit >= len(x.Kernel) {
		s, marks := TableauState{Kernel: known[inNext].Pos}, []int{}
		for mark, i := range x.promises {
			if x.values[i] == yes {
				marks = append(marks, mark)
			}
		}
		for bit, i := range x.memory {
			s.Memory |= uint64(x.values[i]/yes) << bit
		}
		if x.labels[known[inLetter]] == nil {
			x.labels[known[inLetter]] = conjunction(len(x.Props), known[inLetter].at)
		}
		to := 2 + x.numbers.of(s)
		if to == len(x.States) {
			x.States = append(x.States, s)
		}
		x.all.AddEdge(x.state, x.labels[known[inLetter]], marks, to)
		return nil
	}
	for undecided >= 0 {
		// An open formula has an open operand, or depends on its bit.
		switch l := x.laws.list[undecided]; {
		case x.values[l.right] == open:
			undecided = l.right
		case x.values[l.left] == open:
			undecided = l.left
		default:
			undecided, from, bit = -1, l.from, l.bit
		}
	}
	old := known[from]
	for _, c := range []Cube{{Neg: 1 << bit}, {Pos: 1 << bit}} {
		known[from] = old.And(c)
		if err := x.search(known); err != nil {
			return err
		}
	}
	return nil
}

// evaluate finds the value of each law at a position, where a state tells the truth of those that have bits. It
// returns a law that what is known does not decide, or -1, and false if a law contradicts the state.
func (x *expansion) evaluate(values []value, known [sources]Cube, bits []uint64, truth Cube) (undecided int, ok bool) {
	undecided = -1
	for i, l := range x.laws.list {
		other := valueOf(always.Has(l.op))
		if l.from != never {
			other = known[l.from].at(l.bit)
		}
		values[i] = apply(l.op, values[l.left], values[l.right], other)
		on, off := truth.Pos&bits[i], truth.Neg&bits[i]
		switch told := valueOf(on != 0); {
		case on|off == 0:
		case values[i] == open && (on == 0 || off == 0):
			undecided, values[i] = i, told
		case values[i] != told || on != 0 && off != 0:
			return i, false
		}
	}
	return undecided, true
}
