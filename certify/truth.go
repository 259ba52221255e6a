package certify

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Holds reports whether the formula is true on the word, from the semantics of each operator.
// It fails with an *OpenError if a letter leaves a proposition of the formula open, and when
// ctx is done.
//
// Every subformula gets a truth value at each position. For future operators, Holds repeats
// their law until nothing changes: F a = a | X F a starts from false, G a = a & X G a from
// true. Past operators can distinguish as many rounds of the cycle as are nested, and no more
// (Schuppan and Biere 2005, Lemma 2). So the cycle is written out once more for each.
//
// For {r}, {r}<>->f and {r}[]->f, Holds reads the word from each position on by derivatives of r. It
// fails with ErrExpression if there are too many.
func Holds(ctx context.Context, f *ltl.Formula, w *Word) (bool, error) {
	if err := w.check(); err != nil || f == nil {
		return false, cmp.Or(err, errNoFormula)
	}
	t := truth{ctx: ctx, word: w, known: map[*ltl.Formula][]bool{}, nesting: map[*ltl.Formula]int{}}
	t.rounds = 1 + t.pastDepth(f)
	values, err := t.values(f)
	if err != nil {
		return false, err
	}
	return values[0], nil
}

type truth struct {
	ctx     context.Context
	word    *Word
	rounds  int // how often the cycle is written out; the last round repeats
	known   map[*ltl.Formula][]bool
	nesting map[*ltl.Formula]int

	expressions *expressions
	live        map[*expression]liveness
}

// pastDepth returns how many operators of the past are nested in each other.
func (t *truth) pastDepth(f *ltl.Formula) int {
	if f == nil {
		return 0
	}
	if n, ok := t.nesting[f]; ok {
		return n
	}
	n := max(t.pastDepth(f.Left()), t.pastDepth(f.Right()))
	if ltl.PastOps.Has(f.Op()) {
		n++
	}
	t.nesting[f] = n
	return n
}

// values returns the truth of f at each position.
func (t *truth) values(f *ltl.Formula) ([]bool, error) {
	if f == nil {
		return nil, nil
	}
	if r, ok := t.known[f]; ok {
		return r, nil
	}
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	a, err := t.values(f.Left())
	if err != nil {
		return nil, err
	}
	b, err := t.values(f.Right())
	if err != nil {
		return nil, err
	}
	var r []bool
	switch f.Op() {
	case ltl.OpProp:
		r, err = t.prop(f.Name())
	case ltl.OpClosure, ltl.OpSuffixConjunction, ltl.OpSuffixImplication:
		r, err = t.binding(f, a)
	default:
		r = t.compute(f.Op(), a, b)
	}
	t.known[f] = r
	return r, err
}

// positions is how many there are: after the last comes the first of the last round.
func (t *truth) positions() int { return len(t.word.Prefix) + t.rounds*len(t.word.Cycle) }

func (t *truth) prop(name string) (r []bool, err error) {
	prefix := len(t.word.Prefix)
	for p := range t.positions() {
		if p >= prefix {
			p = prefix + (p-prefix)%len(t.word.Cycle)
		}
		value, err := t.word.at(p).value(name)
		if err != nil {
			return nil, err
		}
		r = append(r, value)
	}
	return r, nil
}

// compute returns the values of a formula, given the values of its operands.
func (t *truth) compute(op ltl.Op, a, b []bool) []bool {
	switch op {
	case ltl.OpFalse:
		return t.each(func(int) bool { return false })
	case ltl.OpTrue:
		return t.each(func(int) bool { return true })
	case ltl.OpNot:
		return t.each(func(p int) bool { return !a[p] })
	case ltl.OpAnd:
		return t.each(func(p int) bool { return a[p] && b[p] })
	case ltl.OpOr:
		return t.each(func(p int) bool { return a[p] || b[p] })
	case ltl.OpImplies:
		return t.each(func(p int) bool { return !a[p] || b[p] })
	case ltl.OpEquiv:
		return t.each(func(p int) bool { return a[p] == b[p] })
	case ltl.OpXor:
		return t.each(func(p int) bool { return a[p] != b[p] })
	case ltl.OpNext:
		return t.each(func(p int) bool { return a[t.next(p)] })
	case ltl.OpFinally:
		return t.future(false, func(p int, next bool) bool { return a[p] || next })
	case ltl.OpGlobally:
		return t.future(true, func(p int, next bool) bool { return a[p] && next })
	case ltl.OpUntil:
		return t.future(false, func(p int, next bool) bool { return b[p] || a[p] && next })
	case ltl.OpWeakUntil:
		return t.future(true, func(p int, next bool) bool { return b[p] || a[p] && next })
	case ltl.OpRelease:
		return t.future(true, func(p int, next bool) bool { return b[p] && (a[p] || next) })
	case ltl.OpStrongRelease:
		return t.future(false, func(p int, next bool) bool { return b[p] && (a[p] || next) })
	case ltl.OpYesterday:
		return t.each(func(p int) bool { return p > 0 && a[p-1] })
	case ltl.OpWeakYesterday:
		return t.each(func(p int) bool { return p == 0 || a[p-1] })
	case ltl.OpOnce:
		return t.past(false, func(p int, last bool) bool { return a[p] || last })
	case ltl.OpHistorically:
		return t.past(true, func(p int, last bool) bool { return a[p] && last })
	case ltl.OpSince:
		return t.past(false, func(p int, last bool) bool { return b[p] || a[p] && last })
	case ltl.OpTriggered:
		return t.past(true, func(p int, last bool) bool { return b[p] && (a[p] || last) })
	}
	panic("certify: unknown operator " + op.String())
}

func (t *truth) next(p int) int {
	if p+1 == t.positions() {
		return p + 1 - len(t.word.Cycle)
	}
	return p + 1
}

func (t *truth) each(value func(p int) bool) []bool {
	r := make([]bool, t.positions())
	for p := range r {
		r[p] = value(p)
	}
	return r
}

// future solves r[p] = law(p, r at the next position), starting from the given value.
func (t *truth) future(start bool, law func(p int, next bool) bool) []bool {
	r := t.each(func(int) bool { return start })
	for changed := true; changed; {
		changed = false
		for p := len(r) - 1; p >= 0; p-- {
			if v := law(p, r[t.next(p)]); v != r[p] {
				r[p], changed = v, true
			}
		}
	}
	return r
}

// past solves r[p] = law(p, r at the position before), with start before the first.
func (t *truth) past(start bool, law func(p int, last bool) bool) []bool {
	last := start
	return t.each(func(p int) bool {
		last = law(p, last)
		return last
	})
}

// binding returns the truth of {r}, {r}<>->f or {r}[]->f at each position, given the truth of f.
func (t *truth) binding(f *ltl.Formula, a []bool) ([]bool, error) {
	x := t.expressions
	if x == nil {
		x = newExpressions(t.ctx)
		t.expressions = x
	}
	letters := map[*ltl.Formula][]bool{}
	for _, l := range f.SERE().Letters() {
		values, err := t.values(l)
		if err != nil {
			return nil, err
		}
		letters[l] = values
	}
	var at []*reading
	for p := range t.positions() {
		at = append(at, newReading(func(l *ltl.Formula) bool { return letters[l][p] }))
	}
	r := x.of(f.SERE())
	var values []bool
	for p := range t.positions() {
		matches, endless := t.matches(r, p, at)
		var value bool
		switch f.Op() {
		case ltl.OpClosure:
			value = len(matches) > 0 || endless != nil && t.alive(endless)
		case ltl.OpSuffixConjunction:
			value = slices.ContainsFunc(matches, func(end int) bool { return a[end] })
		case ltl.OpSuffixImplication:
			value = !slices.ContainsFunc(matches, func(end int) bool { return !a[end] })
		}
		if x.err != nil {
			return nil, x.err
		}
		values = append(values, value)
	}
	return values, nil
}

// matches returns the positions of the last letters of the words of r that start at position p.
// There are finitely many pairs of a position and a derivative. So the derivatives by the prefixes
// of the word end with the empty set, or repeat. If they repeat, endless has them.
func (t *truth) matches(r *expression, p int, at []*reading) (ends []int, endless []*expression) {
	type node struct {
		pos int
		r   *expression
	}
	x := t.expressions
	seen := map[node]bool{}
	for n := (node{p, r}); !seen[n] && x.err == nil; {
		seen[n] = true
		endless = append(endless, n.r)
		rest := x.derivative(n.r, at[n.pos])
		if rest.op == noWord {
			return ends, nil
		}
		if rest.null {
			ends = append(ends, n.pos)
		}
		n = node{t.next(n.pos), rest}
	}
	return ends, endless
}

// alive reports whether each expression has a word.
func (t *truth) alive(list []*expression) bool {
	for _, e := range list {
		if t.live[e] == 0 {
			t.explore(e)
		}
		if t.live[e] == dead {
			return false
		}
	}
	return true
}

// A liveness says whether an expression has words.
type liveness int

const (
	alive liveness = 1 + iota
	dead
)

// maxLetterProps is over how many propositions all letters are tried.
const maxLetterProps = 10

// explore finds out whether r has a word: whether some word of letters leads to a derivative that
// has the empty word. It tries all letters, over the propositions that the derivative depends on.
func (t *truth) explore(r *expression) {
	if t.live == nil {
		t.live = map[*expression]liveness{}
	}
	x := t.expressions
	list, seen := []*expression{r}, map[*expression]bool{r: true}
	for i := 0; i < len(list) && x.err == nil; i++ {
		if list[i].null || t.live[list[i]] == alive {
			t.live[r] = alive
			return
		}
		for _, rest := range x.successors(list[i]) {
			if !seen[rest] && rest.op != noWord {
				seen[rest] = true
				list = append(list, rest)
			}
		}
	}
	for _, e := range list {
		t.live[e] = dead
	}
}

// successors returns the derivatives of e by all letters.
func (x *expressions) successors(e *expression) []*expression {
	letters := map[*ltl.Formula]bool{}
	e.letters(letters)
	var props []string
	for l := range letters {
		props = append(props, l.Props()...)
	}
	slices.Sort(props)
	props = slices.Compact(props)
	if len(props) > maxLetterProps {
		x.err = ErrExpression
		return nil
	}
	var list []*expression
	for v := range 1 << len(props) {
		x.spend(len(letters))
		list = append(list, x.derivative(e, newReading(func(l *ltl.Formula) bool {
			return boolean(l, func(name string) bool { return v>>slices.Index(props, name)&1 != 0 })
		})))
	}
	return list
}

// boolean returns the truth of a Boolean formula for a letter.
func boolean(f *ltl.Formula, value func(prop string) bool) bool {
	switch f.Op() {
	case ltl.OpTrue:
		return true
	case ltl.OpProp:
		return value(f.Name())
	case ltl.OpNot:
		return !boolean(f.Left(), value)
	case ltl.OpAnd:
		return boolean(f.Left(), value) && boolean(f.Right(), value)
	case ltl.OpOr:
		return boolean(f.Left(), value) || boolean(f.Right(), value)
	case ltl.OpImplies:
		return !boolean(f.Left(), value) || boolean(f.Right(), value)
	case ltl.OpEquiv:
		return boolean(f.Left(), value) == boolean(f.Right(), value)
	case ltl.OpXor:
		return boolean(f.Left(), value) != boolean(f.Right(), value)
	}
	return false
}
