package translate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
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
	terms    *ltl.Derivation[omega.Label]
	made     map[*ltl.SERE]*expression
}

func newDerivation(b *budget.Budget, s *ltl.Store, alphabet *omega.Alphabet) *derivation {
	return &derivation{b, s, alphabet, ltl.NewDerivation(s, labels{alphabet, b}), make(map[*ltl.SERE]*expression)}
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

// automaton returns the automaton of r, or nil if r has no word. It has at most maxBits states.
func (d *derivation) automaton(r *ltl.SERE) *expression {
	if e, ok := d.made[r]; ok {
		return e
	}
	e := &expression{}
	list, number := []*ltl.SERE{r}, map[*ltl.SERE]int{r: 0}
	for i := 0; i < len(list) && d.Err() == nil; i++ {
		var steps []step
		for _, x := range d.terms.Of(list[i]) {
			to, ok := number[x.Rest]
			if !ok {
				to = len(list)
				number[x.Rest] = to
				list = append(list, x.Rest)
			}
			steps = append(steps, step{x.On, to})
		}
		e.steps = append(e.steps, steps)
		e.final = append(e.final, list[i].Nullable())
		if len(list) > maxBits {
			d.Fail(&omega.LimitError{What: "states of a regular expression", Limit: maxBits})
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
			live[s] = true
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, q := range from[s] {
			if !live[q] {
				live[q] = true
				todo = append(todo, q)
			}
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
		if q, ok := root[part]; ok {
			e.kind[q], e.kind[s] = cyclic, cyclic
		} else {
			root[part] = s
		}
	}
}
