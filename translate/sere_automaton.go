package translate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// automaton returns the automaton of r, or nil if r has no word. It has at most maxBits states.
func (d *derivation) automaton(r *ltl.SERE) *expression {
	if e, ok := d.made[r]; ok {
		return e
	}
	e := &expression{}
	list, number := []*ltl.SERE{r}, map[*ltl.SERE]int{r: 0}
	for i := 0; i < len(list) && d.Err() == nil; i++ {
		var steps []step
		for _, x := range d.of(list[i]) {
			to, ok := number[x.rest]
			if !ok {
				to = len(list)
				number[x.rest] = to
				list = append(list, x.rest)
			}
			steps = append(steps, step{x.label, to})
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

// findLoops finds the strongly connected components (Tarjan 1972), and from these the loops.
func (e *expression) findLoops() {
	n := len(e.steps)
	e.part, e.kind = make([]int32, n), make([]loops, n)
	order, low := make([]int, n), make([]int, n) // from 1; 0: not met
	var open []int
	met, parts := 0, int32(0)
	var visit func(s int)
	visit = func(s int) {
		met++
		order[s], low[s] = met, met
		open = append(open, s)
		for _, x := range e.steps[s] {
			if order[x.to] == 0 {
				visit(x.to)
			}
			if e.part[x.to] == 0 {
				low[s] = min(low[s], low[x.to])
			}
			if x.to == s {
				e.kind[s] = selfLoop
			}
		}
		if low[s] < order[s] {
			return
		}
		parts++
		for k := slices.Index(open, s); len(open) > k; open = open[:len(open)-1] {
			q := open[len(open)-1]
			if e.part[q] = parts; q != s {
				e.kind[q], e.kind[s] = cyclic, cyclic
			}
		}
	}
	visit(0)
}
