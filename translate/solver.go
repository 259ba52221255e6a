package translate

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A solver finds the edges of a state of valuations, or the initial states: it
// goes through the cells, operands first, and computes the truth of each at the
// state, as the set of letters on which it is true, given what was chosen
// for the next state; it chooses the variables that the cell has in the next
// state, and drops a choice that leaves no letter.
//
// A choice is also dropped if no letter can follow it in the next state, as far as
// is known before what follows that is chosen: that state would have no edges. And
// on the loop choices are dropped that no lasso needs (fits, sinceAhead). Both only
// make the automaton smaller.
type solver struct {
	phase    phase
	from, to variables
	values   []omega.Label // truth at from, by cell.value and generation
	least    []omega.Label // truth at to: of these letters at least,
	most     []omega.Label // and of these at most
	found    []omega.Edge
	*budget.Budget
	long int // steps of the budget that one of ours takes
}

// A phase is the kind of a step, by the values that lb and le have where it starts
// and ends.
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

// solve appends to found, for each solution of the equations of the phase that
// has v.from as its first state, an edge with these marks and those of the
// untils.
func (v *valuations) solve(p phase, marks omega.Marks) {
	v.phase = p
	clear(v.to)
	if v.loops {
		v.to.set(0, p.toLoop())
	}
	v.visit(0, path{v.alphabet.True(), v.alphabet.True(), marks})
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
	if v.phase.begins() {
		v.choose(k, 0, p)
		return
	}
	c := &v.cells[k]
	for gen := range c.gens {
		if gen > 0 && !v.phase.fromLoop() {
			break
		}
		l := v.evaluate(k, gen)
		if gen < c.nows && c.op != ltl.OpUntil {
			if p.now = v.where(p.now, l, v.from.has(c.now+gen)); p.now == omega.False {
				return
			}
		}
		v.values[c.value+gen] = l
	}
	v.choose(k, 0, p)
}

// where returns the letters of in that are in l, or those that are not.
func (v *valuations) where(in, l omega.Label, truth bool) omega.Label {
	if !truth {
		l = v.alphabet.Not(l)
	}
	return v.alphabet.And(in, l)
}

// constant returns the label of a truth value.
func (v *valuations) constant(truth bool) omega.Label {
	if truth {
		return v.alphabet.True()
	}
	return omega.False
}

// value returns the truth of an operand in a generation, or in its last one.
func (v *valuations) value(s signed, gen int) omega.Label {
	c := &v.cells[s.node()]
	l := v.values[c.value+min(gen, c.gens-1)]
	if s.negated() {
		return v.alphabet.Not(l)
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
		return v.alphabet.And(v.value(c.left, gen), v.value(c.right, gen))
	case ltl.OpXor:
		return v.alphabet.Xor(v.value(c.left, gen), v.value(c.right, gen))
	case ltl.OpNext:
		arg := &v.cells[c.left.node()]
		if v.phase == end {
			gen = min(gen+1, arg.gens-1)
		}
		return v.constant(v.to.has(arg.truth() + gen))
	case ltl.OpUntil:
		return v.constant(v.from.has(c.now + gen))
	case ltl.OpYesterday:
		return v.constant(v.from.has(c.past + gen))
	case ltl.OpSince:
		l := v.value(c.right, gen)
		if v.from.has(c.past + gen) {
			l = v.alphabet.Or(l, v.value(c.left, gen))
		}
		return l
	}
	return v.alphabet.True()
}

// truth returns the variable that says whether c is true, of those that have one.
func (c *cell) truth() int {
	if c.now < 0 {
		return c.past
	}
	return c.now
}

// choose goes on with choice n of cell k: for each generation that the next state
// has, the last one first, its variable in past and then the one in now.
func (v *valuations) choose(k, n int, p path) {
	c := &v.cells[k]
	gen := c.gens - 1 - n/2
	if gen > 0 && !v.phase.toLoop() {
		gen, n = 0, 2*(c.gens-1)
	}
	switch {
	case gen < 0:
		v.lookAhead(k, p)
	case n%2 == 0 && c.past >= 0:
		v.choosePast(k, n, gen, p)
	case n%2 == 1 && gen < c.nows:
		v.chooseNow(k, n, gen, p)
	default:
		v.choose(k, n+1, p)
	}
}

// choosePast chooses the variable that a generation of Y f or f S g has in the
// next state. It is f, or f S g, of the same generation; after the end of an
// round, of the one before, and for the last one also of the same.
func (v *valuations) choosePast(k, n, gen int, p path) {
	c := &v.cells[k]
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
		case v.phase.begins() || v.phase == enter && gen > 0:
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
			v.to.set(c.past+gen, truth)
			v.choose(k, n+1, path{now, p.ahead, p.marks})
		}
	}
}

// chooseNow chooses the variable that a generation has in the next state, and
// if it is f U g, demands that it is true now if and only if g is, or f and it
// is true next.
func (v *valuations) chooseNow(k, n, gen int, p path) {
	c := &v.cells[k]
	last := gen == c.gens-1
	for _, truth := range []bool{false, true} {
		if v.Err() != nil {
			return
		}
		if v.phase.begins() && gen == 0 && k == v.root.node() && truth == v.root.negated() {
			continue
		}
		if c.nows == c.gens && !v.fits(c.now+gen, c.rises, c.falls, last, truth) {
			continue
		}
		v.to.set(c.now+gen, truth)
		if c.op != ltl.OpUntil || v.phase.begins() || gen > 0 && !v.phase.fromLoop() {
			v.choose(k, n+1, p)
			continue
		}
		if v.phase == end && !last {
			truth = v.to.has(c.now + gen + 1)
		}
		v.until(k, n, gen, truth, p)
	}
}

// fits reports whether the truth of a variable in a generation of the next state may
// be that of a lasso in this round of its cycle. What rises as time passes does so
// from one generation to the next, which is later by a round; and what rises or
// falls does not change any more in the last generation, since that repeats itself.
func (v *valuations) fits(bit int, rises, falls, last, truth bool) bool {
	switch {
	case !v.loops || !v.phase.toLoop():
		return true
	case last:
		return !rises && !falls || !v.phase.fromLoop() || truth == v.from.has(bit)
	}
	later := v.to.has(bit + 1)
	return truth == later || truth && !rises || later && !falls
}

// until goes on after the choice that f U g is true next, or that it is not,
// where that is the continuation of a generation.
func (v *valuations) until(k, n, gen int, next bool, p path) {
	c := &v.cells[k]
	f, g := v.value(c.left, gen), v.value(c.right, gen)
	f = v.alphabet.And(f, v.constant(next))
	marked := p.marks
	if v.phase.fromLoop() && gen == c.gens-1 {
		marked = v.marks.Union(marked, c.mark)
	}
	try := func(l omega.Label, marks omega.Marks) {
		if v.Err() != nil {
			return
		}
		if l = v.alphabet.And(p.now, l); l != omega.False {
			v.choose(k, n+1, path{l, p.ahead, marks})
		}
	}
	fOrG := v.alphabet.Or(f, g)
	switch {
	case !v.from.has(c.now + gen):
		try(v.alphabet.Not(fOrG), marked)
	case marked == p.marks:
		try(fOrG, marked)
	default: // the promise is kept, or put off
		try(g, marked)
		try(v.alphabet.And(f, v.alphabet.Not(g)), p.marks)
	}
}

// lookAhead computes what is known of the truth of cell k in the next state,
// where letters and the state after that are open, and drops what no letter can
// follow.
func (v *valuations) lookAhead(k int, p path) {
	c := &v.cells[k]
	for gen := range c.gens {
		if gen > 0 && !v.phase.toLoop() {
			break
		}
		least, most := v.bounds(c, gen)
		if c.op == ltl.OpSince && v.loops && v.phase.toLoop() {
			p.ahead = v.sinceAhead(c, gen, least, p.ahead)
		}
		if c.truth() >= 0 && (gen < c.nows || c.op == ltl.OpYesterday) {
			truth := v.to.has(c.truth() + gen)
			if truth {
				p.ahead = v.alphabet.And(p.ahead, most)
			} else {
				p.ahead = v.where(p.ahead, least, false)
			}
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
	if v.to.has(c.past + gen) {
		for _, f := range c.kept {
			_, most := v.operandBounds(f, gen)
			ahead = v.alphabet.And(ahead, most)
		}
	}
	if c.rises && !v.to.has(c.past+min(gen+1, c.gens-1)) {
		ahead = v.where(ahead, least, false)
	}
	return ahead
}

// bounds returns the letters on which c is true in the next state, whatever
// comes after, and those on which it may be.
func (v *valuations) bounds(c *cell, gen int) (least, most omega.Label) {
	a := v.alphabet
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
		if !v.to.has(c.past + gen) {
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
		return v.alphabet.Not(v.most[i]), v.alphabet.Not(v.least[i])
	}
	return v.least[i], v.most[i]
}
