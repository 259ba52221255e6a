package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The construction of Clarke, Grumberg and Hamaguchi, "Another Look at LTL Model Checking" (FMSD
// 1997). Past operators are as in Table 1 of Schuppan and Biere, "Shortest Counterexamples for
// Symbolic Model Checking of LTL with Past" (TACAS 2005).
//
// All operators are first expressed by !, &, xor, X, U, Y and S. A state says whether each temporal
// subformula is true. So each word has exactly one run. A step must satisfy
//
//	f U g now  =  g now | f now & (f U g) next
//	X f now    =  f next
//	Y f next   =  f now                                     Y f is false at first
//	f S g next =  g next | f next & (f S g) now             f S g is g at first
//
// Each f U g has an acceptance set: the steps at which it is false, or g is true.
//
// In the paper, a state is a valuation of all subformulas, propositions included. Here the edge
// carries the letter, and a state has a variable only for what the letter and the next state leave
// open. Before position i the variables are
//
//   - whether f U g is true at i,
//   - whether f is true at i, for each X f, and the whole formula,
//   - Y f at i,
//   - Y(f S g) at i, which is the truth of f S g at i-1.
//
// Boolean connectives are computed from these, as sets of letters. A guess is made only if it
// leaves a letter for this step and, as far as can be told, one for the next step.
//
// For a U b, the states are the two values of a U b. The mark is where b holds or a U b does not:
//
//	true:   -b-> true, false with the mark;  -a&!b-> true
//	false:  -!b-> false with the mark;       -!a&!b-> true with the mark
//
// For formulas without past, the automaton is tight (Schuppan and Biere, Definition 2). A run on a
// lasso u·v^ω that it accepts is in the same state after u and after u·v. The reason is that a
// state is a function of the suffix still to be read (Proposition 1). Tableaux are not tight: for p
// & X G q on cycle{p&q} they go from p & X G q to G q and stay there.
//
// With past operators the automaton is not tight, because the first rounds of v may differ. A run
// may need up to |u| + (h+1)·|v| letters to reach its loop, where h is the nesting depth of past
// operators (Proposition 2). For this bound a state may tell Y f from f, as f S g does here.

// The automaton B_SB of Schuppan and Biere, "Shortest Counterexamples for Symbolic Model Checking
// of LTL with Past" (TACAS 2005), Table 2. It is tight for all formulas, past included. See cgh.go
// for tightness, and for the equations between now and next.
//
// A subformula f has h(f)+1 variables, called generations, where h(f) is its nesting depth of past
// operators. Generation i is the truth of f in round i of the cycle. The last one also stands for
// all later rounds, because f no longer changes then. On cycle{!a; a}, O a has two generations:
//
//	generation 0    false, true    the first round
//	generation 1    true, true     all later rounds
//
// A run tracks all generations in one round:
//
//   - On the stem, only generation 0 exists.
//   - At some point (lb) the loop begins, and all other generations are guessed. From then on, each
//     one must satisfy the equations of cgh.
//   - Each step may be guessed to end a round (le). After it, generation i continues as generation
//     i+1, and the last generation as itself. Generation 0 of Y f, f S g and f U g is unconstrained
//     there.
//   - The last generations have the acceptance sets of cgh. One more set holds the ends of rounds,
//     which must recur forever.
//
// The language is right for every guess: at each position, the generation whose turn it is
// satisfies the equations of cgh. Its number is the number of rounds that have ended. On a lasso
// there is a right guess, with the same first state of the loop after each round.
//
// The implementation keeps less than all of B_SB:
//
//   - Variables are as in cgh. The variable of f S g is its truth at the previous position, in each
//     generation. This is enough: a round leaves f S g as it was, or always makes it the same. If
//     the operands do not change from round h-1 on, f S g at the end of a round does not either.
//   - lb is a variable of the state; le is a choice of the edge. On the stem, the variables of
//     generations other than 0 are left out.
//   - At the first position Y f is false, and f S g is g. So these are replaced if they are not
//     under a future operator. If no other past operators remain, there is one generation, without
//     lb and le: cgh makes the same automaton.
//   - A run on a lasso with the right guesses is enough, for the language too: ω-regular languages
//     with the same lassos are equal. In such a run, O f and other formulas that can only become
//     true never become false from one generation to the next. Dually for H f. Neither changes in
//     the last generation. Other guesses are not made.
//
// The two constructions share everything but the number of generations. Reductions destroy
// tightness, except for quotients that map a run to a run of the same type.

// valuationsOf returns the newSource of cgh, or if unrolled is set of tight, which has one acceptance
// set more if f has past operators under future operators. It makes the initial states, which may
// take time exponential in the size of f, or in the square of the size.
func valuationsOf(unrolled bool) func(context.Context, *ltl.Store, *ltl.Formula) (omega.Source, error) {
	return func(ctx context.Context, _ *ltl.Store, f *ltl.Formula) (omega.Source, error) {
		b := newBasis()
		root := b.formula(f)
		if unrolled {
			root = b.atStart(root)
		}
		return newValuations(ctx, omega.NewAlphabet(f.Props()...), b, root, unrolled)
	}
}

// valuations is the automaton of cgh or tight. A state says which of its state
// variables, bits, are true; an edge is a solution of the equations between
// these, the letter, and the variables of the next state.
type valuations struct {
	ondemand.Automaton
	cells []cell // operands first
	root  signed // the formula, by its cell
	// loops: there are several generations, and states of the stem and of the
	// loop. Bit 0 is lb then.
	loops   bool
	endMark omega.Marks // of the edges on which le is true
	words   int         // of a state

	bits intern.Lists[uint64] // of each state

	solver
}

// A cell is a formula of a basis with its places in the tables. What has
// generations has one place for each, in order.
type cell struct {
	basic
	label omega.Label // of a proposition
	gens  int         // number of generations
	value int         // in solver.values

	// State variables; -1 if there are none. now holds the truth of the formula (of nows generations).
	// past holds the truth of Y f, or, for f S g, of Y(f S g).
	now, nows, past int

	mark omega.Marks // of an until

	// As time passes, the truth of the formula never changes from true to false,
	// or never from false to true.
	rises, falls bool
	// Of f S g: conjuncts of g that rise, so that they are true ever after.
	kept []signed
}

// newValuations returns the automaton of f. The generations of formulas that contain past operators
// are as many as these are nested in each other, and one more; or one alone, if unroll is false.
func newValuations(ctx context.Context, alphabet *omega.Alphabet, b *basis, f signed, unroll bool) (omega.Source, error) {
	v := &valuations{}
	v.Over, v.MakeEdges = alphabet, v.edgesOf
	v.Budget = budget.New(ctx)
	v.long = ondemand.StepLength(alphabet, 0)
	v.LimitMemory(ondemand.MaxMemory, func() int64 { return v.Memory() + 24*int64(cap(v.found)) + alphabet.Memory() })
	cellOf, err := v.addCells(b, f, unroll)
	if err != nil {
		return nil, err
	}
	v.root = cellOf[f.node()] ^ f&1
	v.addVariables()
	if err := ondemand.AdmitBits(64 * v.words); err != nil {
		return nil, err
	}
	// No initial state, so no word.
	if f == no {
		return v, nil
	}
	// A run begins on the stem, or in the loop at once.
	if v.loops {
		v.solve(beginStem, 0)
	}
	v.solve(beginLoop, 0)
	// All states made so far: those that the two calls have found.
	for s := range v.bits.Len() {
		v.Starts = append(v.Starts, omega.State(s))
	}
	return v, v.Err()
}

// addCells makes the cells of what occurs in f, and returns the numbers of their
// formulas in the basis, signed. It fails with an omega.LimitError if there are too many.
func (v *valuations) addCells(b *basis, f signed, unroll bool) ([]signed, error) {
	cellOf := make([]signed, len(b.nodes))
	values := 0
	for i, occurs := range b.of(f) {
		if !occurs && i > 0 { // node 0 is the constant
			continue
		}
		c := cell{basic: b.nodes[i], gens: 1, value: values, now: -1, past: -1}
		c.left = cellOf[c.left.node()] ^ c.left&1
		c.right = cellOf[c.right.node()] ^ c.right&1
		if c.op == ltl.OpProp {
			p, _ := v.Over.Index(c.name)
			c.label = v.Over.Prop(p)
		} else if i > 0 && unroll {
			// A past operator looks back, so it may settle one round after its operands.
			c.gens = max(v.cells[c.left.node()].gens, v.cells[c.right.node()].gens)
			if c.op == ltl.OpYesterday || c.op == ltl.OpSince {
				c.gens++
			}
		}
		c.rises, c.falls = v.trendOf(&c)
		if c.op == ltl.OpSince {
			c.kept = v.appendRising(nil, c.right)
		}
		if values += c.gens; values > maxValues {
			return nil, &omega.LimitError{What: "subformulas, one for each generation,", Limit: maxValues}
		}
		cellOf[i] = signed(2 * len(v.cells))
		v.cells = append(v.cells, c)
	}
	v.values, v.least, v.most = make([]omega.Label, values), make([]omega.Label, values), make([]omega.Label, values)
	return cellOf, nil
}

// maxValues bounds the generations of all cells together. The solver recurs to a depth
// of a few calls for each.
const maxValues = 1 << 17

// trendOf returns whether the truth of c rises and whether it falls, as far as that
// follows from its operands.
func (v *valuations) trendOf(c *cell) (rises, falls bool) {
	switch c.op {
	case ltl.OpTrue:
		return true, true
	case ltl.OpProp, ltl.OpXor:
		return false, false
	case ltl.OpNext:
		return v.trend(c.left)
	case ltl.OpYesterday: // false at first
		rises, _ = v.trend(c.left)
		return rises, false
	}
	rises, falls = v.trend(c.right)
	switch c.op {
	case ltl.OpAnd:
		r, f := v.trend(c.left)
		return rises && r, falls && f
	case ltl.OpUntil: // F f is false for ever when it is once
		return rises, falls || c.left == yes
	// When f S g is false, only g can make it true again.
	case ltl.OpSince:
		return rises || c.left == yes, falls
	}
	return false, false
}

// appendRising appends the conjuncts of s that rise.
func (v *valuations) appendRising(list []signed, s signed) []signed {
	for c := &v.cells[s.node()]; ; c = &v.cells[s.node()] {
		if rises, _ := v.trend(s); rises {
			return append(list, s)
		}
		if c.op != ltl.OpAnd || s.negated() {
			return list
		}
		list = v.appendRising(list, c.left)
		s = c.right
	}
}

// trend returns the same of an operand.
func (v *valuations) trend(s signed) (rises, falls bool) {
	c := &v.cells[s.node()]
	if s.negated() {
		return c.falls, c.rises
	}
	return c.rises, c.falls
}

// addVariables decides what is a state variable, and makes the marks.
func (v *valuations) addVariables() {
	sets := 0
	for i := range v.cells {
		switch c := &v.cells[i]; c.op {
		case ltl.OpUntil:
			c.nows = c.gens
			sets++
		case ltl.OpNext:
			arg := &v.cells[c.left.node()]
			arg.nows = arg.gens // X looks at its operand in the next state
		}
	}
	root := &v.cells[v.root.node()]
	root.nows = max(root.nows, 1) // the start chooses it
	bits := 0
	v.loops = root.gens > 1
	if v.loops {
		bits++
	}
	// The marks of the untils come first, the mark of the ends of rounds last.
	untils := sets
	if v.loops {
		sets++
	}
	v.Header = ondemand.NewHeader(v.Over, sets)
	if v.loops {
		v.endMark = v.MarkTable.Of(untils)
	}
	mark := 0
	for i := range v.cells {
		c := &v.cells[i]
		if c.op == ltl.OpYesterday || c.op == ltl.OpSince {
			c.past = bits
			bits += c.gens
		}
		if c.op == ltl.OpYesterday || c.op == ltl.OpTrue {
			c.nows = 0 // what past is, and known
		}
		if c.nows > 0 {
			c.now = bits
			bits += c.nows
		}
		if c.op == ltl.OpUntil {
			c.mark = v.MarkTable.Of(mark)
			mark++
		}
	}
	v.words = max(1, (bits+63)/64)
	v.from = make(ondemand.BitSet, v.words)
	v.to = make(ondemand.BitSet, v.words)
}

// Memory returns about how many bytes the states and edges take that were made.
func (v *valuations) Memory() int64 {
	const perState = 24 + 64 // its list of edges, and its place in the map without the key
	return int64(v.bits.Len())*int64(perState+16*v.words) + 24*v.Made
}

func (v *valuations) state(bits ondemand.BitSet) omega.State {
	s, _ := v.bits.Number(bits)
	return omega.State(s)
}

// edgesOf returns the edges of a state. No two of them have the same marks and
// destination. The result is not nil.
func (v *valuations) edgesOf(s omega.State) ([]omega.Edge, error) {
	copy(v.from, v.bits.At(int32(s)))
	v.found = []omega.Edge{}
	switch {
	case !v.loops:
		v.solve(body, 0)
	case v.from.Has(0):
		v.solve(body, 0)
		v.solve(end, v.endMark)
	default:
		v.solve(stem, 0)
		v.solve(enter, 0)
	}
	v.Made += int64(len(v.found))
	return slices.Clip(v.found), v.Err()
}

// A solver finds the edges of a state of valuations, or the initial states: it goes through the
// cells, operands first, and computes the truth of each at the state, as the set of letters on
// which it is true, given what was chosen for the next state; it chooses the variables that the
// cell has in the next state, and drops a choice that leaves no letter.
//
// A choice is also dropped if no letter can follow it in the next state, as far as is known before
// what follows that is chosen: that state would have no edges. And on the loop choices are dropped
// that no lasso needs (fits, sinceAhead). Both only make the automaton smaller.
type solver struct {
	phase    phase
	from, to ondemand.BitSet // the state variables that are true
	values   []omega.Label   // truth at from, by cell.value and generation
	least    []omega.Label   // truth at to: of these letters at least,
	most     []omega.Label   // and of these at most
	found    []omega.Edge
	*budget.Budget
	long int // steps of the budget that one of ours takes
}

// A phase is the kind of a step, by the values that lb and le have where it starts and ends.
type phase uint8

const (
	beginStem phase = iota // no step; the run begins at a state of the stem
	beginLoop              // the same, at one of the loop
	stem                   // a step of the stem: only generation 0 is constrained
	enter                  // to the first state of the loop
	body                   // a step of the loop: lb & !le
	end                    // the last of a round: lb & le
)

func (p phase) begins() bool   { return p <= beginLoop }
func (p phase) fromLoop() bool { return p >= body }
func (p phase) toLoop() bool   { return p != beginStem && p != stem }

// solve appends to found, for each solution of the equations of the phase that has v.from as its
// first state, an edge with these marks and the marks of the untils.
func (v *valuations) solve(p phase, marks omega.Marks) {
	v.phase = p
	clear(v.to)
	if v.loops {
		v.to.Set(0, p.toLoop())
	}
	v.visit(0, path{v.Over.True(), v.Over.True(), marks})
}

// A path is what the choices made so far amount to: the letters that the step
// can read, those that may be read after it, and its marks.
type path struct {
	now, ahead omega.Label
	marks      omega.Marks
}

// visit goes on with cell k.
func (v *valuations) visit(k int, p path) {
	if v.Spend(v.long) {
		return
	}
	if k == len(v.cells) {
		dst := v.state(v.to)
		if !v.phase.begins() {
			v.found = append(v.found, omega.Edge{Label: p.now, Marks: p.marks, Dst: dst})
		}
		return
	}
	c := &v.cells[k]
	for gen := range c.gens {
		if v.phase.begins() || gen > 0 && !v.phase.fromLoop() {
			break // the generation does not exist before the step
		}
		l := v.evaluate(k, gen)
		// The operands must agree with the variable. For f U g that depends on the next state: see
		// until.
		if gen < c.nows && c.op != ltl.OpUntil {
			if p.now = v.where(p.now, l, v.from.Has(c.now+gen)); p.now == omega.False {
				return
			}
		}
		v.values[c.value+gen] = l
	}
	last := 0
	if v.phase.toLoop() {
		last = c.gens - 1
	}
	v.choose(k, last, p)
}

// where returns the letters of in that are in l, or those that are not.
func (v *valuations) where(in, l omega.Label, truth bool) omega.Label {
	if !truth {
		l = v.Over.Not(l)
	}
	return v.Over.And(in, l)
}

// constant returns the label of a truth value.
func (v *valuations) constant(truth bool) omega.Label {
	if truth {
		return v.Over.True()
	}
	return omega.False
}

// value returns the truth of an operand in a generation, or in its last one.
func (v *valuations) value(s signed, gen int) omega.Label {
	c := &v.cells[s.node()]
	l := v.values[c.value+min(gen, c.gens-1)]
	if s.negated() {
		return v.Over.Not(l)
	}
	return l
}

// evaluate returns the truth of cell k at v.from. Generations of the next state
// that it asks for were chosen before.
func (v *valuations) evaluate(k, gen int) omega.Label {
	c := &v.cells[k]
	switch c.op {
	case ltl.OpProp:
		return c.label
	case ltl.OpAnd:
		return v.Over.And(v.value(c.left, gen), v.value(c.right, gen))
	case ltl.OpXor:
		return v.Over.Xor(v.value(c.left, gen), v.value(c.right, gen))
	case ltl.OpNext:
		arg := &v.cells[c.left.node()]
		if v.phase == end {
			gen = min(gen+1, arg.gens-1) // the next round is a later generation
		}
		return v.constant(v.to.Has(arg.truth() + gen))
	case ltl.OpUntil:
		return v.constant(v.from.Has(c.now + gen))
	case ltl.OpYesterday:
		return v.constant(v.from.Has(c.past + gen))
	case ltl.OpSince:
		l := v.value(c.right, gen)
		if v.from.Has(c.past + gen) {
			l = v.Over.Or(l, v.value(c.left, gen))
		}
		return l
	}
	return v.Over.True()
}

// truth returns the variable for the truth of c, or -1 if it has none.
func (c *cell) truth() int {
	if c.now < 0 {
		return c.past
	}
	return c.now
}

// choose goes on with the variables that cell k has in the next state: first the variables of
// generation gen, past before now, and then the generations below it. A later generation is chosen
// first, because fits compares an earlier one with it.
func (v *valuations) choose(k, gen int, p path) {
	if gen < 0 {
		v.lookAhead(k, p)
		return
	}
	v.choosePast(k, gen, p)
}

// choosePast chooses the variable that a generation of Y f or f S g has in the next state. It is the
// truth now of f, or f S g, in the same generation. After the end of a round, it is that in the
// generation before, and for the last generation also in the same.
func (v *valuations) choosePast(k, gen int, p path) {
	c := &v.cells[k]
	if c.past < 0 {
		v.chooseNow(k, gen, p)
		return
	}
	src := c.left
	if c.op == ltl.OpSince {
		src = signed(2 * k)
	}
	for _, truth := range []bool{false, true} {
		if v.Err() != nil {
			return
		}
		if v.phase.begins() && gen == 0 && (truth || c.now < 0 && k == v.root.node() && !v.root.negated()) {
			continue // there was no position before
		}
		// At the first position, in generation 0, what is past is false before it falls.
		_, falls := v.trend(src)
		if !v.fits(c.past+gen, c.rises, falls && gen > 0, gen == c.gens-1, truth) {
			continue
		}
		now := p.now
		switch {
		case v.phase.begins() || v.phase == enter && gen > 0: // a guess, since this generation has no value yet
		case v.phase == end:
			if gen > 0 {
				now = v.where(now, v.value(src, gen-1), truth)
			}
			if gen == c.gens-1 {
				now = v.where(now, v.value(src, gen), truth)
			}
		default:
			now = v.where(now, v.value(src, gen), truth)
		}
		if now != omega.False {
			v.to.Set(c.past+gen, truth)
			v.chooseNow(k, gen, path{now, p.ahead, p.marks})
		}
	}
}

// chooseNow chooses the variable that a generation has in the next state, and if it is f U g,
// demands that it is true now if and only if g is, or f and it is true next.
func (v *valuations) chooseNow(k, gen int, p path) {
	c := &v.cells[k]
	if gen >= c.nows {
		v.choose(k, gen-1, p)
		return
	}
	last := gen == c.gens-1
	for _, truth := range []bool{false, true} {
		if v.Err() != nil {
			return
		}
		// The formula itself must hold at the first position.
		if v.phase.begins() && gen == 0 && k == v.root.node() && truth == v.root.negated() {
			continue
		}
		if c.nows == c.gens && !v.fits(c.now+gen, c.rises, c.falls, last, truth) {
			continue
		}
		v.to.Set(c.now+gen, truth)
		if c.op != ltl.OpUntil || v.phase.begins() || gen > 0 && !v.phase.fromLoop() {
			v.choose(k, gen-1, p)
			continue
		}
		// Generation gen goes on as gen+1 after the end of a round.
		if v.phase == end && !last {
			truth = v.to.Has(c.now + gen + 1)
		}
		v.until(k, gen, truth, p)
	}
}

// fits reports whether a variable in a generation of the next state may have this
// truth on a lasso, in this round of its cycle. A formula that rises as time passes
// also rises from one generation to the next, which is a round later. A formula that
// rises or falls no longer changes in the last generation, because that one repeats.
func (v *valuations) fits(bit int, rises, falls, last, truth bool) bool {
	switch {
	case !v.loops || !v.phase.toLoop():
		return true
	case last:
		return !rises && !falls || !v.phase.fromLoop() || truth == v.from.Has(bit)
	}
	later := v.to.Has(bit + 1)
	return truth == later || truth && !rises || later && !falls
}

// until goes on after the choice that f U g is true next, or that it is not,
// where that is the continuation of a generation.
func (v *valuations) until(k, gen int, next bool, p path) {
	c := &v.cells[k]
	f, g := v.value(c.left, gen), v.value(c.right, gen)
	f = v.Over.And(f, v.constant(next))
	// Only the last generation has the acceptance set: it is the one that goes on for ever.
	marked := p.marks
	if v.phase.fromLoop() && gen == c.gens-1 {
		marked = v.MarkTable.Union(marked, c.mark)
	}
	try := func(l omega.Label, marks omega.Marks) {
		if v.Err() != nil {
			return
		}
		if l = v.Over.And(p.now, l); l != omega.False {
			v.choose(k, gen-1, path{l, p.ahead, marks})
		}
	}
	fOrG := v.Over.Or(f, g)
	switch {
	// An f U g that is false promises nothing.
	case !v.from.Has(c.now + gen):
		try(v.Over.Not(fOrG), marked)
	case marked == p.marks:
		try(fOrG, marked)
	default: // the promise is kept, or put off
		try(g, marked)
		try(v.Over.And(f, v.Over.Not(g)), p.marks)
	}
}

// lookAhead computes what is known of the truth of cell k in the next state, where letters and the
// state after that are open, and drops what no letter can follow.
func (v *valuations) lookAhead(k int, p path) {
	c := &v.cells[k]
	for gen := range c.gens {
		if gen > 0 && !v.phase.toLoop() {
			break // elsewhere there is one generation
		}
		least, most := v.bounds(c, gen)
		if c.op == ltl.OpSince && v.loops && v.phase.toLoop() {
			p.ahead = v.sinceAhead(c, gen, least, p.ahead)
		}
		if c.truth() >= 0 && (gen < c.nows || c.op == ltl.OpYesterday) {
			truth := v.to.Has(c.truth() + gen)
			if truth {
				p.ahead = v.Over.And(p.ahead, most)
			} else {
				p.ahead = v.where(p.ahead, least, false)
			}
			// The variable is chosen already, so both bounds are its value.
			least = v.constant(truth)
			most = least
		}
		if p.ahead == omega.False {
			return
		}
		v.least[c.value+gen], v.most[c.value+gen] = least, most
	}
	v.visit(k+1, p)
}

// sinceAhead returns the letters of ahead that may come in a generation of the next
// state on a lasso: if Y(f S g) is true, what rises in g is true by now; and if f S g
// rises and is true in a round, Y(f S g) is in the next one, and so in the last.
func (v *valuations) sinceAhead(c *cell, gen int, least, ahead omega.Label) omega.Label {
	if v.to.Has(c.past + gen) {
		for _, f := range c.kept {
			_, most := v.operandBounds(f, gen)
			ahead = v.Over.And(ahead, most)
		}
	}
	if c.rises && !v.to.Has(c.past+min(gen+1, c.gens-1)) {
		ahead = v.where(ahead, least, false)
	}
	return ahead
}

// bounds returns the letters on which c is true in the next state, whatever
// comes after, and those on which it may be.
func (v *valuations) bounds(c *cell, gen int) (least, most omega.Label) {
	a := v.Over
	switch c.op {
	case ltl.OpTrue:
		return a.True(), a.True()
	case ltl.OpProp:
		return c.label, c.label
	case ltl.OpNext, ltl.OpYesterday: // a Y has its variable
		return omega.False, a.True()
	}
	least1, most1 := v.operandBounds(c.left, gen)
	least2, most2 := v.operandBounds(c.right, gen)
	switch c.op {
	case ltl.OpAnd:
		return a.And(least1, least2), a.And(most1, most2)
	case ltl.OpXor:
		differ := a.Or(a.And(least1, a.Not(most2)), a.And(least2, a.Not(most1)))
		agree := a.Or(a.And(least1, least2), a.Not(a.Or(most1, most2)))
		return differ, a.Not(agree)
	case ltl.OpSince:
		if !v.to.Has(c.past + gen) {
			return least2, most2
		}
		return a.Or(least1, least2), a.Or(most1, most2)
	}
	return least2, a.Or(most1, most2) // f U g
}

func (v *valuations) operandBounds(s signed, gen int) (least, most omega.Label) {
	c := &v.cells[s.node()]
	i := c.value + min(gen, c.gens-1)
	if s.negated() {
		return v.Over.Not(v.most[i]), v.Over.Not(v.least[i])
	}
	return v.least[i], v.most[i]
}
