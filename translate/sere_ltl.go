package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

const (
	// maxLTLSteps bounds the time that LTL takes: some hundredths of a second.
	maxLTLSteps = 1 << 14
	// maxLTL bounds the size of the result of LTL.
	maxLTL = 1 << 12
)

// LTL returns a formula that is equivalent to f, a formula of store s, and has no regular
// expressions. It is not ok if it finds none of moderate size in a short time, or if ctx is done.
//
// It looks for automata of the expressions in which no cycle has more than one state. They are
// parts of very weak alternating automata, which correspond to formulas (Löding and Thomas,
// "Alternating automata and logics over infinite words", 2000). A state with the loop b and other
// steps, on letters l to states s, stands for
//
//	{r}<>->f     b U (l & (f if s is final, or X s) | …)
//	{r}          b W (l & (1 if s is final, or X s) | …)
//	{r}[]->f     !b R ((l -> (f if s is final, and X s)) & …)
//
// If the state is final, its loop counts as such a step as well: to f, but no further. For example:
//
//	{a;b[*];c}!      a & X(b U c)
//	{a[*];b}         a W b
//	{a[*];b}[]->c    !a R (b -> c)
//	{{a;b}[*];c}!    none: the cycle of a;b has two states
func LTL(ctx context.Context, s *ltl.Store, f *ltl.Formula) (g *ltl.Formula, ok bool) {
	f = s.Import(f)
	if f == nil || admit(ctx, f) != nil {
		return nil, false
	}
	alphabet := omega.NewAlphabet(f.Props()...)
	b := budget.New(ctx)
	b.LimitSteps(maxLTLSteps)
	var err error
	defer func() { ok = ok && err == nil }()
	defer alphabet.Bind(b).Release(&err)
	d := newDerivation(b, s, alphabet)
	made := map[*ltl.Formula]*ltl.Formula{}
	for _, x := range f.Subformulas() {
		y := x
		if x.SERE() != nil {
			y = d.formula(x.Op(), x.SERE(), made[x.Left()])
		} else if x.Op().Arity() > 0 {
			y = s.WithOperands(x, made[x.Left()], made[x.Right()])
		}
		if y == nil || y.Size() > maxLTL || b.Stop() {
			return nil, false
		}
		made[x] = y
	}
	return made[f], true
}

// formula returns {r}, {r}<>->f or {r}[]->f without expressions, or nil.
func (d *derivation) formula(op ltl.Op, r *ltl.SERE, f *ltl.Formula) *ltl.Formula {
	e := d.automaton(r)
	all := op == ltl.OpSuffixImplication
	switch {
	case d.Err() != nil:
		return nil
	case e == nil && all:
		return d.s.True()
	case e == nil:
		return d.s.False()
	}
	u := &unrolling{
		derivation: d, by: e, closure: op == ltl.OpClosure, all: all, operand: f,
		made: make([]*ltl.Formula, len(e.steps)), open: make([]bool, len(e.steps)),
		letters: make(map[omega.Label]*ltl.Formula),
	}
	for _, b := range r.Letters() {
		if l, err := d.alphabet.Formula(b); err == nil {
			u.letters[l] = b
		}
	}
	g := u.state(0)
	if g == nil || d.Err() != nil {
		return nil
	}
	return d.s.Simplify(g)
}

// An unrolling makes formulas of the states of an automaton.
type unrolling struct {
	*derivation
	by           *expression
	closure, all bool         // of {r}, of {r}[]->f
	operand      *ltl.Formula // f
	made         []*ltl.Formula
	open         []bool // its formula is being made
	letters      map[omega.Label]*ltl.Formula
}

// state returns the formula of a state, or nil if there is none.
func (u *unrolling) state(q int) *ltl.Formula {
	if u.made[q] != nil || u.open[q] || u.Spend(1+len(u.by.steps[q])) {
		return u.made[q]
	}
	u.open[q] = true
	s := u.s
	var rest, loop *ltl.Formula
	for _, x := range u.by.steps[q] {
		on := u.letter(x.label)
		if on == nil {
			return nil
		}
		final := u.by.final[x.to]
		var to *ltl.Formula
		switch {
		case final && u.closure:
			to = s.True()
		case x.to == q:
			loop = on
			if !final {
				continue
			}
			to = u.operand
		default:
			if to = u.next(x.to, final); to == nil {
				return nil
			}
		}
		if u.all {
			rest = u.join(rest, s.Implies(on, to))
		} else {
			rest = u.join(rest, s.And(on, to))
		}
	}
	u.made[q] = u.while(loop, rest, len(u.by.steps[q]) == 1)
	return u.made[q]
}

// next returns what has to hold at a letter that leads to another state, or nil.
func (u *unrolling) next(q int, final bool) *ltl.Formula {
	var g *ltl.Formula
	if len(u.by.steps[q]) > 0 {
		if g = u.state(q); g == nil {
			return nil
		}
		g = u.s.Next(g)
	}
	if final {
		g = u.join(u.operand, g)
	}
	return g
}

// join returns the disjunction of two formulas, or their conjunction for {r}[]->f. They may be nil.
func (u *unrolling) join(f, g *ltl.Formula) *ltl.Formula {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	case u.all:
		return u.s.And(f, g)
	}
	return u.s.Or(f, g)
}

// while returns that rest holds now or, as long as the loop is there, later. There may be no loop
// or no rest. If only is set, the rest is about the loop.
func (u *unrolling) while(loop, rest *ltl.Formula, only bool) *ltl.Formula {
	s := u.s
	switch {
	case rest == nil && u.all: // no steps: there is no loop without a rest
		return s.True()
	case rest == nil:
		return s.False()
	case loop == nil:
		return rest
	case u.closure:
		return s.WeakUntil(loop, rest)
	case only && u.all:
		return s.WeakUntil(u.operand, s.Not(loop))
	case only:
		return s.Binary(ltl.OpStrongRelease, u.operand, loop)
	case u.all:
		return s.Release(s.Not(loop), rest)
	}
	return s.Until(loop, rest)
}

// letter returns the formula of a label, if possible as it is in the expression.
func (u *unrolling) letter(label omega.Label) *ltl.Formula {
	if f, ok := u.letters[label]; ok {
		return f
	}
	if f, ok := u.letters[u.alphabet.Not(label)]; ok {
		return u.s.Not(f)
	}
	cubes, ok := u.alphabet.Cover(label)
	if !ok {
		return nil
	}
	props := u.alphabet.Props()
	f := u.s.False()
	for _, cube := range cubes {
		g := u.s.True()
		for _, l := range cube {
			p := u.s.Prop(props[l.Prop()])
			if l.Negated() {
				p = u.s.Not(p)
			}
			g = u.s.And(g, p)
		}
		f = u.s.Or(f, g)
	}
	return u.s.Simplify(f)
}
