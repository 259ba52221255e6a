package reduce

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// simplified returns a with marks only where they matter, and a simpler acceptance condition:
//
//   - If all cycles of a strongly connected component are rejecting, or all accepting, its edges get
//     the same marks, so that the component is weak. If all components are weak, the condition
//     becomes Büchi acceptance, t or f.
//   - In any other component, some marks are on no edge, and some on all. The rest of the condition
//     says which marks the component needs. The others are removed from its edges.
//   - A mark that is in no component, or everywhere, is removed from the condition. So is one of two
//     marks that always occur together, and one that another implies: with Inf(0), Inf(1) is
//     redundant if each edge with 0 has 1.
//
// Under Inf(0)&Inf(1), mark 1 is everywhere in
//
//	State: 0  [a] 0 {0 1}  [!a] 0 {1}
//
// so that Inf(0) is enough:
//
//	State: 0  [a] 0 {0}  [!a] 0
//
// A Büchi automaton keeps Büchi acceptance, because some algorithms need it.
func simplified(a *omega.Automaton, w *reducer) *omega.Automaton {
	c := a.ComponentsWithin(w.Budget)
	kinds, complete := a.KindsWithin(c, w.Budget, searchSteps(a))
	w.gaveUp = w.gaveUp || !complete
	if w.Err() != nil {
		return nil
	}
	weak, buchi := !slices.Contains(kinds, omega.Mixed), a.Acceptance().IsBuchi()
	b := a.NewBuilder()
	if weak && !buchi {
		b = omega.NewBuilder(a.Alphabet(), weakAcceptance(kinds))
	}
	r := newRemarking(a, c, kinds, weak, b.Marks(), w.Budget)
	b.Copy(a, w.Budget, func(s omega.State, e omega.Edge) omega.Edge {
		if c.Of[s] == c.Of[e.Dst] {
			e.Marks = r.marks(c.Of[s], e.Marks)
		} else {
			e.Marks = 0
		}
		return e
	})
	if w.Err() != nil {
		return nil
	}
	if weak || buchi {
		return b.Automaton()
	}
	return withoutRedundantMarks(b.Automaton(), c, w.Budget)
}

// searchSteps limits a search for accepting or rejecting cycles. The search is exponential in the
// number of marks at worst. The limit is generous where it is linear.
func searchSteps(a *omega.Automaton) int {
	return 1<<22 + 64*(a.NumEdges()+a.Acceptance().Condition.Size())
}

// weakAcceptance returns the simplest condition for components of these kinds. No kind is Mixed.
func weakAcceptance(kinds []omega.Kind) omega.Acceptance {
	switch {
	case !slices.Contains(kinds, omega.Accepting):
		return omega.Acceptance{Condition: omega.AnyOf()}
	case !slices.Contains(kinds, omega.Rejecting):
		return omega.Acceptance{Condition: omega.AllOf()}
	}
	return omega.Buchi()
}

// remarking says which marks edges get within each component.
type remarking struct {
	table     *omega.MarkTable
	kinds     []omega.Kind
	uniform   [omega.Mixed]omega.Marks // of accepting and rejecting components
	forgotten []omega.Marks            // of each mixed component: marks that don't matter
}

func (r *remarking) marks(component int32, m omega.Marks) omega.Marks {
	if r.kinds[component] == omega.Mixed {
		return r.table.Minus(m, r.forgotten[component])
	}
	return r.uniform[r.kinds[component]]
}

// newRemarking chooses the new marks. The accepting components all get the same marks, and so do
// the rejecting ones. These are as few as possible, and preferably marks that mixed components need
// too. Then all other marks may become redundant.
func newRemarking(a *omega.Automaton, c omega.Components, kinds []omega.Kind, weak bool, marks *omega.MarkTable, w *budget.Budget) *remarking {
	r := &remarking{table: marks, kinds: kinds}
	if weak {
		if marks.Sets() > 0 {
			r.uniform[omega.Accepting] = marks.Of(0)
		}
		return r
	}
	all, always := a.OccurringWithin(c, w)
	var needed omega.Marks // by mixed components
	r.forgotten = make([]omega.Marks, c.Count)
	memo := make(map[[2]omega.Marks]omega.Marks)
	for i, kind := range kinds {
		if kind != omega.Mixed || w.Stop() {
			continue
		}
		k := [2]omega.Marks{all[i], always[i]}
		f, ok := memo[k]
		if !ok {
			f = forgotten(a, all[i], always[i])
			memo[k] = f
		}
		r.forgotten[i] = f
		needed = marks.Union(needed, marks.Minus(all[i], f))
	}
	for _, kind := range []omega.Kind{omega.Rejecting, omega.Accepting} {
		if i := slices.Index(kinds, kind); i >= 0 {
			// A cycle through all edges of the component has the marks all[i], so they decide as it does.
			r.uniform[kind] = fewest(a, all[i], kind == omega.Accepting, needed)
		}
	}
	return r
}

// forgotten returns the marks of a component that decide nothing about its cycles, where all are
// the marks in it. Marks that are on each of its edges are kept, because the rest of the condition
// relies on them.
func forgotten(a *omega.Automaton, all, always omega.Marks) omega.Marks {
	rest := tidied(a.Acceptance().Condition.Assume(func(i int) int {
		switch {
		case !a.Marks().Has(all, i): // nowhere in the component
			return -1
		case a.Marks().Has(always, i):
			return 1 // everywhere
		}
		return 0
	}))
	var spoken []int
	rest.Leaves(func(l *omega.Condition) { spoken = append(spoken, l.Mark) })
	return a.Marks().Minus(a.Marks().Minus(all, always), a.Marks().Of(spoken...))
}

// fewest returns a subset of m that the condition accepts if and only if it accepts m. It prefers
// to drop marks that are not in preferred.
func fewest(a *omega.Automaton, m omega.Marks, accept bool, preferred omega.Marks) omega.Marks {
	cond := a.Acceptance().Condition
	if cond.Eval(a.Marks(), 0) == accept {
		return 0
	}
	list := a.Marks().AppendTo(nil, m)
	if len(list) > manyMarks {
		return m
	}
	for _, prefer := range []bool{false, true} { // those not preferred are dropped first
		for _, i := range list {
			less := a.Marks().Minus(m, a.Marks().Of(i))
			if a.Marks().Has(preferred, i) == prefer && cond.Eval(a.Marks(), less) == accept {
				m = less
			}
		}
	}
	return m
}

// manyMarks is the number of marks from which steps with quadratic time are left out.
const manyMarks = 256

// tidied is Simplify, unless that would take long.
func tidied(c *omega.Condition) *omega.Condition {
	leaves := 0
	c.Leaves(func(*omega.Condition) { leaves++ })
	if leaves > 2*manyMarks {
		return c
	}
	return c.Simplify()
}

// withoutRedundantMarks simplifies the condition by how marks occur in components. It removes the
// marks that the condition no longer has from the edges, and numbers the others without gaps.
func withoutRedundantMarks(a *omega.Automaton, c omega.Components, w *budget.Budget) *omega.Automaton {
	sets := markSets(a, c, w)
	if w.Err() != nil {
		return nil
	}
	o := newOccurrence(a.Marks(), sets, w)
	if w.Err() != nil {
		return nil
	}
	// A mark that all components see, or none, is a constant. Of marks that always occur together, one stays.
	cond := tidied(a.Acceptance().Condition.Assume(o.known).Renumber(func(i int) int { return int(o.same[i]) }))
	if len(sets) <= manyMarks && a.Acceptance().Sets <= manyMarks {
		cond = assuming(cond, o.within())
	}
	number := make([]int, a.Acceptance().Sets) // in the new condition, plus one
	cond.Leaves(func(l *omega.Condition) { number[l.Mark] = 1 })
	n := 0
	for i, used := range number {
		if used > 0 {
			n++
			number[i] = n
		}
	}
	cond = cond.Renumber(func(i int) int { return number[i] - 1 })
	b := omega.NewBuilder(a.Alphabet(), omega.Acceptance{Sets: n, Condition: cond})
	return renumbered(a, b, number, w)
}

// renumbered returns a with number[i]-1 for each mark i. Marks with number 0 are removed.
func renumbered(a *omega.Automaton, b *omega.Builder, number []int, w *budget.Budget) *omega.Automaton {
	memo := make(map[omega.Marks]omega.Marks)
	var old, list []int
	b.Copy(a, w, func(_ omega.State, e omega.Edge) omega.Edge {
		m, ok := memo[e.Marks]
		if !ok {
			old, list = a.Marks().AppendTo(old[:0], e.Marks), list[:0]
			for _, i := range old {
				if number[i] > 0 {
					list = append(list, number[i]-1)
				}
			}
			m = b.Marks().Of(list...)
			memo[e.Marks] = m
		}
		e.Marks = m
		return e
	})
	return b.Automaton()
}

// markSets returns the different sets of marks on edges within components, in
// order of first occurrence.
func markSets(a *omega.Automaton, c omega.Components, w *budget.Budget) []omega.Marks {
	var sets []omega.Marks
	known := make(map[omega.Marks]bool)
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil
			}
			if c.Of[s] == c.Of[e.Dst] && !known[e.Marks] {
				known[e.Marks] = true
				sets = append(sets, e.Marks)
			}
		}
	}
	return sets
}

// occurrence says which marks occur together in a list of sets.
type occurrence struct {
	table *omega.MarkTable
	sets  []omega.Marks
	count []int   // of each mark: in how many sets it is
	same  []int32 // of each mark: the first one that is in the same sets
}

// newOccurrence finds the marks that occur together. It begins with one group of all marks, and
// each set splits the groups: marks in the set, and the others.
func newOccurrence(table *omega.MarkTable, sets []omega.Marks, w *budget.Budget) *occurrence {
	n := table.Sets()
	o := &occurrence{table, sets, make([]int, n), make([]int32, n)}
	group := make([]int32, n)
	groups := int32(1)
	var list []int
	for _, m := range sets {
		if w.Stop() {
			break
		}
		split := make(map[int32]int32) // of each group: its marks in m
		list = table.AppendTo(list[:0], m)
		for _, i := range list {
			o.count[i]++
			g, ok := split[group[i]]
			if !ok {
				g = groups
				groups++
				split[group[i]] = g
			}
			group[i] = g
		}
	}
	first := make(map[int32]int32)
	for i, g := range group {
		if _, ok := first[g]; !ok {
			first[g] = int32(i)
		}
		o.same[i] = first[g]
	}
	return o
}

// known returns 1 if mark i is in all sets, -1 if it is in no set, and otherwise 0.
func (o *occurrence) known(i int) int {
	switch o.count[i] {
	case 0:
		return -1
	case len(o.sets):
		return 1
	}
	return 0
}

// within returns a function that reports whether each set with mark i has mark j.
func (o *occurrence) within() func(i, j int) bool {
	implied := make([]omega.Marks, o.table.Sets())
	first := make([]bool, o.table.Sets())
	for _, m := range o.sets {
		for _, i := range o.table.AppendTo(nil, m) {
			if !first[i] {
				first[i], implied[i] = true, m
			}
			implied[i] = o.table.Minus(implied[i], o.table.Minus(implied[i], m)) // those also in m
		}
	}
	return func(i, j int) bool { return o.table.Has(implied[i], j) }
}

// assuming simplifies c by which marks occur within others. In a conjunction, Inf(i) lets the other
// conjuncts assume that each mark j with i within j is seen. Fin(i) lets them assume that each mark
// within i is not. In a disjunction, Inf and Fin change places. For example, if each set with mark
// 0 has mark 1, Inf(0)&Inf(1) becomes Inf(0).
func assuming(c *omega.Condition, within func(i, j int) bool) *omega.Condition {
	if c.Op != omega.CondAnd && c.Op != omega.CondOr {
		return c
	}
	join := omega.AllOf
	if c.Op == omega.CondOr {
		join = omega.AnyOf
	}
	args := make([]*omega.Condition, len(c.Args))
	for i, d := range c.Args {
		args[i] = assuming(d, within)
	}
	for i := range args {
		d := args[i] // may be a constant by now
		if d.Op != omega.CondInf && d.Op != omega.CondFin {
			continue
		}
		seen := (d.Op == omega.CondInf) == (c.Op == omega.CondAnd)
		for j := range args {
			if i == j {
				continue
			}
			args[j] = args[j].Assume(func(mark int) int {
				switch {
				case seen && within(d.Mark, mark):
					return 1
				case !seen && within(mark, d.Mark):
					return -1
				}
				return 0
			})
		}
	}
	return tidied(join(args...))
}
