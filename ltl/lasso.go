package ltl

import (
	"cmp"
	"fmt"
	"slices"
)

// Holds reports whether the formula is true at the start of a lasso word. The word has
// prefix+cycle positions, and position prefix again follows the last one; cycle is at least 1.
// Holds calls value once for each proposition and position; without it, propositions are false.
//
// It evaluates every subformula at all positions, operands first. For a least or greatest
// fixpoint (U, M, F and R, W, G), two backward passes are enough. The first starts from the
// bottom or top element and gives the value at the start of the cycle. The second starts from
// that value. For F b on cycle{!b; b; !b}, the first pass gives true, true, false, and the second
// one true, true, true.
//
// Past operators take one forward pass. They can distinguish the first h rounds of the cycle,
// where h is the formula's PastDepth, and no later ones (Schuppan and Biere 2005, Lemma 2;
// Laroussinie, Markey and Schnoebelen 2002). So the cycle is unrolled h+1 times, and the last
// round repeats. Time and memory are proportional to |f|·(prefix+(h+1)·cycle).
//
// For {r}, {r}<>->f and {r}[]->f, it searches the graph of the positions and the states of an
// automaton of r, which may have exponentially many. Holds fails with ErrLarge if these are too
// many, and not for other formulas.
func (f *Formula) Holds(prefix, cycle int, value func(prop string, pos int) bool) (bool, error) {
	t, err := f.evaluate(prefix, cycle, value)
	return err == nil && t.Holds(len(t.Subformulas)-1, 0), err
}

// evaluate does the work of Holds.
func (f *Formula) evaluate(prefix, cycle int, value func(prop string, pos int) bool) (*Truths, error) {
	if prefix < 0 || cycle < 1 {
		return nil, fmt.Errorf("a word of %d letters and a cycle of %d: expected at least 0 and 1", prefix, cycle)
	}
	if value == nil {
		value = func(string, int) bool { return false }
	}
	letters := prefix + cycle
	prefix += f.PastDepth() * cycle
	n := prefix + cycle
	subs, number := f.numbered()
	values := make([]bool, n*len(subs))
	row := func(g *Formula) []bool {
		if g == nil {
			return nil
		}
		i := int(number.get(g))
		return values[(i-1)*n : i*n : i*n]
	}
	// fill makes the letters of later rounds repeat the first ones.
	fill := func(r []bool, prop string) {
		for p := range letters {
			r[p] = value(prop, p)
		}
		for p := letters; p < n; p++ {
			r[p] = r[p-cycle]
		}
	}
	var x *bindings
	if f.ops.HasPSL() {
		x = newBindings(prefix, cycle, make(map[string][]bool))
		for _, prop := range f.Props() {
			x.truths[prop] = make([]bool, n)
			fill(x.truths[prop], prop)
		}
	}
	for _, g := range subs {
		r, a, b := row(g), row(g.left), row(g.right)
		switch g.op {
		case OpFalse:
		case OpTrue:
			for p := range r {
				r[p] = true
			}
		case OpProp:
			if x != nil {
				copy(r, x.truths[g.name])
			} else {
				fill(r, g.name)
			}
		case OpNot:
			for p := range r {
				r[p] = !a[p]
			}
		case OpAnd:
			for p := range r {
				r[p] = a[p] && b[p]
			}
		case OpOr:
			for p := range r {
				r[p] = a[p] || b[p]
			}
		case OpImplies:
			for p := range r {
				r[p] = !a[p] || b[p]
			}
		case OpEquiv:
			for p := range r {
				r[p] = a[p] == b[p]
			}
		case OpXor:
			for p := range r {
				r[p] = a[p] != b[p]
			}
		case OpNext:
			copy(r, a[1:])
			r[n-1] = a[prefix]
		case OpFinally:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return a[p] || next })
		case OpGlobally:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return a[p] && next })
		case OpUntil:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return b[p] || a[p] && next })
		case OpWeakUntil:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return b[p] || a[p] && next })
		case OpRelease:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return b[p] && (a[p] || next) })
		case OpStrongRelease:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return b[p] && (a[p] || next) })
		case OpYesterday:
			copy(r[1:], a)
		case OpWeakYesterday:
			copy(r[1:], a)
			r[0] = true
		case OpOnce:
			history(r, false, func(p int, last bool) bool { return a[p] || last })
		case OpHistorically:
			history(r, true, func(p int, last bool) bool { return a[p] && last })
		case OpSince:
			history(r, false, func(p int, last bool) bool { return b[p] || a[p] && last })
		case OpTriggered:
			history(r, true, func(p int, last bool) bool { return b[p] && (a[p] || last) })
		case OpClosure, OpSuffixConjunction, OpSuffixImplication:
			if err := x.evaluate(g, r, a); err != nil {
				return nil, err
			}
		}
	}
	return &Truths{Prefix: prefix, Cycle: cycle, Subformulas: subs, values: values}, nil
}

// fixpoint fills r with the least solution (if start is false) or the greatest
// (if it is true) of r[p] = step(p, r at the position after p).
func fixpoint(r []bool, prefix int, start bool, step func(p int, next bool) bool) {
	next := start
	for p := len(r) - 1; p >= prefix; p-- {
		next = step(p, next)
	}
	for p := len(r) - 1; p >= 0; p-- {
		next = step(p, next)
		r[p] = next
	}
}

// history fills r with the solution of r[p] = step(p, r at the position before p),
// where start stands for what is before the first position.
func history(r []bool, start bool, step func(p int, last bool) bool) {
	last := start
	for p := range r {
		last = step(p, last)
		r[p] = last
	}
}

// Truths has the truth of each subformula of a formula at each position of a lasso word.
// Position Prefix+Cycle is position Prefix again.
type Truths struct {
	Prefix, Cycle int
	Subformulas   []*Formula // distinct ones, operands before what they are operands of
	values        []bool     // of subformula i at position p: i*(Prefix+Cycle)+p
}

// Holds reports whether subformula i is true at position pos. It is false if there is none.
func (t *Truths) Holds(i, pos int) bool {
	k := i*(t.Prefix+t.Cycle) + pos
	return uint(k) < uint(len(t.values)) && t.values[k]
}

// Truths evaluates the formula as Holds does. It returns the truth of all subformulas at all
// positions, operands first. If past operators distinguish the first rounds of the cycle,
// these rounds become positions of the prefix. Letters of expressions are no subformulas.
func (f *Formula) Truths(prefix, cycle int, value func(prop string, pos int) bool) (*Truths, error) {
	t, err := f.evaluate(prefix, cycle, value)
	if err != nil {
		return nil, err
	}
	// Rounds that are like the next one are left out.
	rounds := 0
	for t.Prefix-rounds*cycle > prefix && t.alike(t.Prefix-(rounds+1)*cycle) {
		rounds++
	}
	order := make([]int, len(t.Subformulas))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.Subformulas[i].size, t.Subformulas[j].size) })
	u := &Truths{Prefix: t.Prefix - rounds*cycle, Cycle: cycle}
	for _, i := range order {
		u.Subformulas = append(u.Subformulas, t.Subformulas[i])
		for p := range u.Prefix + cycle {
			u.values = append(u.values, t.Holds(i, p))
		}
	}
	return u, nil
}

// alike reports whether the round of the cycle that starts at a position is like that
// behind it.
func (t *Truths) alike(pos int) bool {
	for i := range t.Subformulas {
		for p := pos; p < pos+t.Cycle; p++ {
			if t.Holds(i, p) != t.Holds(i, p+t.Cycle) {
				return false
			}
		}
	}
	return true
}
