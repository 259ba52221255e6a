package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A binding is a subformula with a regular expression r. Its obligations are the states of the
// automaton of r, which is a part of an alternating one. For a state q with steps on letters l to
// states s, final or not, the expansions are
//
//	{r}<>->f     disjunction:  l & (⟦f⟧ if s is final, or x(s))
//	{r}          disjunction:  l & (true if s is final, or x(s))
//	{r}[]->f     conjunction:  !l | (⟦f⟧ if s is final, and x(s))
//	!{r}         conjunction:  !l | (false if s is final, and x(s))
//
// For {a[*];b}<>->c, the automaton has the state 0 with the steps a to 0, and b to a final state
// without steps. Its expansion is a & x(0) | b & c. For {a;b}<>->c, the states 0 and 1 expand to
// a & x(1) and to b & c.
//
// A final state can be reached from each state, so {r} holds if a run goes on forever (König's
// lemma). In {r}<>->f and !{r} no run may: all must end. Where a state has a cycle through other
// states, no promise can say so, because new runs start before old ones end. So these states are
// obligations twice: unmarked, and marked. As long as a term has marked ones, an edge lacks the
// breakpoint's mark. When it has none, all unmarked ones become marked (Miyano and Hayashi,
// "Alternating finite automata on ω-words", 1984). A state whose only cycle is the edge to itself
// has a promise, as F f has.
type binding struct {
	formula *ltl.Formula
	op      bindingOp
	by      *expression // nil: no words
	first   int         // the number of state 0 among the obligations
	marked  []int       // by state: its number if it is marked; -1: none
	promise []int       // by state; -1: none
}

type bindingOp uint8

const (
	someMatch bindingOp = iota // {r}<>->f
	allMatch                   // {r}[]->f
	closed                     // {r}
	notClosed                  // !{r}
)

// bindingOf returns what kind of binding f, in negation normal form, is, and its expression. It is
// not ok if f is none.
func bindingOf(f *ltl.Formula) (op bindingOp, r *ltl.SERE, ok bool) {
	switch f.Op() {
	case ltl.OpSuffixConjunction:
		return someMatch, f.SERE(), true
	case ltl.OpSuffixImplication:
		return allMatch, f.SERE(), true
	case ltl.OpClosure:
		return closed, f.SERE(), true
	case ltl.OpNot:
		if f.Left().Op() == ltl.OpClosure {
			return notClosed, f.Left().SERE(), true
		}
	}
	return 0, nil, false
}

// bind returns the bindings of f, in negation normal form, with the automata of their expressions.
func bind(
	ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula,
) (_ map[*ltl.Formula]*binding, err error) {
	if !f.Ops().HasPSL() {
		return nil, nil
	}
	b := budget.New(ctx)
	defer alphabet.Bind(b).Release(&err)
	d := newDerivation(b, s, alphabet)
	found := make(map[*ltl.Formula]*binding)
	for _, g := range f.Subformulas() {
		if op, r, ok := bindingOf(g); ok {
			found[g] = &binding{formula: g, op: op, by: d.automaton(r)}
		}
		if b.Err() != nil {
			return nil, b.Err()
		}
	}
	return found, nil
}

// ends reports whether no run may go on forever.
func (b *binding) ends() bool { return b.op == someMatch || b.op == notClosed }

// bound adds the states of a binding.
func (o *obligations) bound(b *binding) {
	if _, ok := o.number[b.formula]; ok || b.by == nil {
		return
	}
	b.first = len(o.list)
	o.number[b.formula] = b.first
	for i := range b.by.steps {
		o.list = append(o.list, demand{formula: b.formula, of: b, state: omega.State(i)})
		b.marked, b.promise = append(b.marked, -1), append(b.promise, -1)
		if b.ends() && b.by.kind[i] == selfLoop {
			b.promise[i] = o.promises
			o.promises++
		}
	}
}

// mark adds the marked obligations, after all others.
func (o *obligations) mark() {
	o.firstMarked = len(o.list)
	for i := range o.firstMarked {
		x := o.list[i]
		if x.of != nil && x.of.ends() && x.of.by.kind[x.state] == cyclic {
			x.of.marked[x.state] = len(o.list)
			x.marked = true
			o.list = append(o.list, x)
			o.unmarked = append(o.unmarked, i)
		}
	}
	o.sets = o.promises
	if len(o.unmarked) > 0 {
		o.sets++ // for the breakpoints
	}
}

// run returns the expansion of a state of a binding.
func (c *couvreur) run(b *binding, state omega.State, marked bool) expansion {
	all := b.op == allMatch || b.op == notClosed
	if b.by == nil {
		if all {
			return always
		}
		return never
	}
	x := never
	if all {
		x = always
	}
	for _, e := range b.by.steps[state] {
		y := c.goOn(b, state, e.to, marked)
		final := b.by.final[e.to]
		switch {
		case final && b.op == closed:
			y = always
		case final && b.op == notClosed:
			y = never
		case final && all:
			y = c.and(y, c.expand(b.formula.Left()))
		case final:
			y = c.or(y, c.expand(b.formula.Left()))
		}
		if all {
			x = c.and(x, c.or(c.letter(c.alphabet.Not(e.label)), y))
		} else {
			x = c.or(x, c.and(c.letter(e.label), y))
		}
		if c.Err() != nil {
			return never
		}
	}
	return x
}

// goOn returns the expansion to a state of a binding next, after a step from another one.
func (c *couvreur) goOn(b *binding, from omega.State, to int, marked bool) expansion {
	if len(b.by.steps[to]) == 0 {
		if b.op == allMatch || b.op == notClosed {
			return always
		}
		return never
	}
	i := b.first + to
	if marked && b.marked[to] >= 0 && b.by.part[from] == b.by.part[to] {
		i = b.marked[to]
	}
	x := c.leaf([]term{c.bit(c.next + i)})
	if b.promise[to] >= 0 && int(from) == to {
		x = c.and(x, c.leaf([]term{c.bit(b.promise[to])}))
	}
	return x
}
