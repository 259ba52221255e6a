package certify

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

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
