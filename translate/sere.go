package translate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An expression is an automaton for the words of a regular expression: nondeterministic, on finite
// words, without empty moves. From each state, a final one can be reached. State 0 is initial.
type expression struct {
	steps [][]step // by state; nil: no longer word
	final []bool
	part  []int32 // strongly connected component
	kind  []loops // by state
}

// A step reads a letter of the label.
type step struct {
	label omega.Label
	to    int
}

// loops says how a state of an expression is on cycles.
type loops uint8

const (
	noLoop   loops = iota
	selfLoop       // the only cycle is the edge to itself
	cyclic         // there are cycles through other states
)

// A derivation makes automata of expressions. Its letters are sets, as labels.
type derivation struct {
	*budget.Budget
	s        *ltl.Store
	alphabet *omega.Alphabet
	terms    func(*ltl.SERE) iter.Seq2[omega.Label, *ltl.SERE]
	made     map[*ltl.SERE]*expression
}

func newDerivation(b *budget.Budget, s *ltl.Store, alphabet *omega.Alphabet) *derivation {
	return &derivation{b, s, alphabet, ltl.Derive(s, labels{alphabet, b}), make(map[*ltl.SERE]*expression)}
}

// labels are the sets of letters of an alphabet. Its operations take steps of a budget.
type labels struct {
	*omega.Alphabet
	budget *budget.Budget
}

func (l labels) Letter(f *ltl.Formula) omega.Label {
	label, err := l.Formula(f)
	if err != nil {
		l.budget.Fail(err)
	}
	return label
}

func (l labels) Spend(n int) bool { return l.budget.Spend(n * (1 + l.Len()/16)) }

// automaton returns the automaton of r, or nil if r has no word. It has at most ondemand.MaxBits states.
func (d *derivation) automaton(r *ltl.SERE) *expression {
	if e, ok := d.made[r]; ok {
		return e
	}
	e := &expression{}
	list, number := []*ltl.SERE{r}, map[*ltl.SERE]int{r: 0}
	for i := 0; i < len(list) && d.Err() == nil; i++ {
		var steps []step
		for on, rest := range d.terms(list[i]) {
			to, ok := number[rest]
			if !ok {
				to = len(list)
				number[rest] = to
				list = append(list, rest)
			}
			steps = append(steps, step{on, to})
		}
		e.steps = append(e.steps, steps)
		e.final = append(e.final, list[i].Nullable())
		if len(list) > ondemand.MaxBits {
			d.Fail(&omega.LimitError{What: "states of a regular expression", Limit: ondemand.MaxBits})
		}
	}
	if d.Err() != nil {
		return nil
	}
	e = e.live()
	if e != nil {
		e = d.quotient(e)
		e.findLoops()
	}
	d.made[r] = e
	return e
}

// live returns the part from which a final state can be reached, or nil if it is empty.
func (e *expression) live() *expression {
	from := make([][]int, len(e.steps))
	live := make([]bool, len(e.steps))
	var todo []int
	for s, steps := range e.steps {
		for _, x := range steps {
			from[x.to] = append(from[x.to], s)
		}
		if e.final[s] {
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !live[s] {
			live[s] = true
			todo = append(todo, from[s]...)
		}
	}
	if !live[0] {
		return nil
	}
	class, n := make([]int, len(live)), 0
	for s := range live {
		class[s] = -1
		if live[s] {
			class[s] = n
			n++
		}
	}
	return e.image(class, n)
}

// image returns the automaton of classes of states with the same steps, counted from 0. Those of
// class -1 are left out. The classes are in the order of their first states.
func (e *expression) image(class []int, n int) *expression {
	r := &expression{steps: make([][]step, 0, n), final: make([]bool, 0, n)}
	for s, steps := range e.steps {
		if class[s] != len(r.steps) {
			continue
		}
		var list []step
		for _, x := range steps {
			if class[x.to] >= 0 {
				list = append(list, step{x.label, class[x.to]})
			}
		}
		r.steps = append(r.steps, list)
		r.final = append(r.final, e.final[s])
	}
	return r
}

// quotient unites states from which the same letters lead to the same classes, by partition
// refinement. It returns e if that takes many rounds.
func (d *derivation) quotient(e *expression) *expression {
	const maxRounds = 32
	class, n := make([]int, len(e.steps)), 1
	for range maxRounds {
		number := make(map[string]int)
		next := make([]int, len(e.steps))
		for s := range e.steps {
			key := fmt.Append(nil, class[s], e.final[s])
			for _, x := range d.grouped(e.steps[s], class) {
				key = fmt.Append(key, " ", x.label, " ", x.to)
			}
			c, ok := number[string(key)]
			if !ok {
				c = len(number)
				number[string(key)] = c
			}
			next[s] = c
		}
		// No class was divided, so states of a class have the same steps.
		if len(number) == n {
			r := e.image(class, n)
			for s := range r.steps {
				r.steps[s] = d.grouped(r.steps[s], nil)
			}
			return r
		}
		if class, n = next, len(number); d.Err() != nil {
			break
		}
	}
	return e
}

// grouped returns steps with each destination once, ascending, where a class stands for its states.
func (d *derivation) grouped(steps []step, class []int) []step {
	var list []step
	for _, x := range steps {
		d.Spend(1)
		if class != nil {
			x.to = class[x.to]
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y step) int { return cmp.Compare(x.to, y.to) })
	n := 0
	for _, x := range list {
		if n > 0 && list[n-1].to == x.to {
			list[n-1].label = d.alphabet.Or(list[n-1].label, x.label)
			continue
		}
		list[n] = x
		n++
	}
	return list[:n]
}

// findLoops finds from the strongly connected components how each state is on cycles.
func (e *expression) findLoops() {
	first, to := make([]int32, 1, len(e.steps)+1), []int32(nil)
	e.kind = make([]loops, len(e.steps))
	for s, steps := range e.steps {
		for _, x := range steps {
			to = append(to, int32(x.to))
			if x.to == s {
				e.kind[s] = selfLoop
			}
		}
		first = append(first, int32(len(to)))
	}
	e.part = scc.Find(budget.Free(), first, to).Of
	root := make(map[int32]int)
	for s, part := range e.part {
		// Two states of one component are on a cycle through each other.
		if q, ok := root[part]; ok {
			e.kind[q], e.kind[s] = cyclic, cyclic
		} else {
			root[part] = s
		}
	}
}

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
	if f == nil || ondemand.Admit(ctx, f) != nil {
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
	// A state that is open is on a cycle through other states: no formula of this kind can express
	// it.
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
		// The loop goes into the operator around the other steps. If the state is final, it is also
		// a step to the operand.
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
	// A set of letters that is not in the expression. It is written by its propositions.
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
