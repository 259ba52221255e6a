package omega

import (
	"context"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// priorities returns the priority of each of the marks 0, …, sets-1, and that of an
// edge without marks, such that a run is accepting if and only if the greatest
// priority that it sees infinitely often is even, where that of an edge is the
// greatest of its marks. It reports whether the condition has such: it is a chain of
// disjunctions with Inf and conjunctions with Fin, as parity, Büchi and co-Büchi
// acceptance and a pair of Rabin or Streett are.
func (c *Condition) priorities(sets int) (of []int32, none int32, ok bool) {
	type link struct {
		marks []int
		inf   bool
	}
	var chain []link // the most important one first
	for c.Op != CondTrue && c.Op != CondFalse {
		args := c.Args
		l := link{inf: c.Op == CondInf || c.Op == CondOr}
		if len(args) == 0 {
			args = []*Condition{c}
		}
		var rest []*Condition
		for _, d := range args {
			if l.inf && d.Op == CondInf || !l.inf && d.Op == CondFin {
				l.marks = append(l.marks, d.Mark)
			} else {
				rest = append(rest, d)
			}
		}
		if len(l.marks) == 0 || len(rest) > 1 {
			return nil, 0, false
		}
		chain = append(chain, l)
		switch {
		case len(rest) == 1:
			c = rest[0]
		case l.inf:
			c = condFalse
		default:
			c = condTrue
		}
	}
	if c.Op == CondFalse {
		none = 1
	}
	of = slices.Repeat([]int32{none}, sets)
	priority := none
	for _, l := range slices.Backward(chain) {
		if (priority%2 == 0) != l.inf {
			priority++
		}
		for _, i := range l.marks {
			of[i] = priority // of several, the most important one is last
		}
	}
	return of, none, true
}

// IsParity reports whether the condition is a parity condition up to the names of marks, where
// several marks may have one meaning. Examples are Büchi, co-Büchi, t, f, and one Rabin or
// Streett pair.
func (a Acceptance) IsParity() bool {
	_, _, ok := a.Condition.priorities(a.Sets)
	return ok
}

// ReduceParity returns a smaller deterministic automaton with the language of a. The automaton
// must be deterministic, and its condition must satisfy IsParity. The result has parity
// acceptance with few marks: t, f, Büchi or co-Büchi if possible; otherwise parity max even if
// runs without a mark must be rejected, and parity min if not. With onStates, the marks of a
// must be on states, and stay there.
//
// First, priorities become as small as possible without changing which cycles are accepting
// (Carton and Maceiras 1999, "Computing the Rabin index of a parity automaton"; here on
// edges). Then bisimilar states are merged. States of different components that accept the
// same words are merged too, unless that takes too long. If all components are weak, the
// result is the smallest automaton (Löding 2001, "Efficient minimization of deterministic weak
// ω-automata").
//
// The first part takes time linear in the size of the automaton times the number of
// priorities. The last part is quadratic in the number of states. ReduceParity fails when ctx
// is done.
func ReduceParity(ctx context.Context, a *Automaton, onStates bool) (*Automaton, error) {
	if !a.IsDeterministic() {
		return nil, fmt.Errorf("unsupported: the automaton is not deterministic")
	}
	if !a.acceptance.IsParity() {
		return nil, fmt.Errorf("unsupported: %s is not a parity condition", a.acceptance.Condition)
	}
	b, err := reduce(ctx, a, simulationBudget, (*Automaton).useful, (*Automaton).residual, (*Automaton).useful,
		func(a *Automaton, w *reducer) *Automaton { return a.reprioritized(onStates, w) },
		(*Automaton).quotient, (*Automaton).redirected)
	if err == nil {
		b.StateMarks, b.reduced = onStates, false
	}
	return b, err
}

// edgePriorities returns the priority of each edge, for a parity condition.
func (a *Automaton) edgePriorities() []int32 {
	of, none, _ := a.acceptance.Condition.priorities(a.acceptance.Sets)
	memo := make(map[Marks]int32)
	list := make([]int32, len(a.edges))
	for i, e := range a.edges {
		p, ok := memo[e.Marks]
		if !ok {
			p = none
			for _, m := range a.marks.AppendTo(nil, e.Marks) {
				p = max(p, of[m])
			}
			memo[e.Marks] = p
		}
		list[i] = p
	}
	return list
}

// reprioritized returns a with the least priorities, and parity acceptance.
func (a *Automaton) reprioritized(onStates bool, w *reducer) *Automaton {
	priority := a.leastPriorities(w.Budget)
	if w.Err() != nil {
		return nil
	}
	if onStates {
		a.lowestOfState(priority)
	}
	// Each component has priorities from 0 or 1 on, and those of one that starts
	// with 0 may all be raised by 2.
	c := a.components(w.Budget)
	least, greatest := make([]int32, c.Count), make([]int32, c.Count)
	for i := range least {
		least[i], greatest[i] = unranked, -1
	}
	for s := range State(a.NumStates()) {
		for i := a.first[s]; i < a.first[s+1]; i++ {
			if p, part := priority[i], c.Of[s]; p >= 0 && part == c.Of[a.edges[i].Dst] {
				least[part], greatest[part] = min(least[part], p), max(greatest[part], p)
			}
		}
	}
	var from0, from1 int32 = -1, -1 // greatest priorities of all if none is below 0, 1
	for i, g := range greatest {
		if g >= 0 {
			from0, from1 = max(from0, g), max(from1, g+2*(1-min(1, least[i])))
		}
	}
	lowest, top := int32(0), from0
	if from1-1 <= from0 {
		lowest, top = 1, from1
	}
	acceptance, number := parityFor(lowest, top)
	b := NewBuilder(a.alphabet, acceptance)
	b.AddStates(a.NumStates())
	for _, s := range a.start {
		b.AddStart(s)
	}
	for s := range State(a.NumStates()) {
		for i := a.first[s]; i < a.first[s+1]; i++ {
			if w.Stop() {
				return nil
			}
			e, p := a.edges[i], priority[i]
			if p >= 0 && least[c.Of[s]] < lowest {
				p += 2
			}
			marks := Marks(0)
			if p > lowest {
				marks = b.Marks().Of(number(p))
			}
			b.AddEdge(s, e.Label, marks, e.Dst)
		}
	}
	return b.Automaton()
}

// unranked is more than any priority.
const unranked = int32(^uint32(0) >> 1)

// parityFor returns the acceptance condition for priorities from lowest, 0 or 1, to
// top, and the mark of each above the lowest; edges with that have none.
func parityFor(lowest, top int32) (a Acceptance, number func(p int32) int) {
	n := int(top - lowest)
	switch {
	case top < 0:
		return Acceptance{0, condFalse}, nil
	case lowest == 1:
		return parityAcceptance("parity max even", n), func(p int32) int { return int(p) - 2 }
	case n == 0:
		return Acceptance{0, condTrue}, nil
	}
	name := "parity min odd"
	if n%2 == 0 {
		name = "parity min even"
	}
	return parityAcceptance(name, n), func(p int32) int { return n - int(p) }
}

// lowestOfState gives all edges of a state the least of their priorities: those
// that leave the smallest component that a state was found in may have less than
// they got. Those of a state on no cycle remain without.
func (a *Automaton) lowestOfState(priority []int32) {
	for s := range State(a.NumStates()) {
		own := priority[a.first[s]:a.first[s+1]]
		lowest := int32(-1)
		for _, p := range own {
			if p >= 0 && (lowest < 0 || p < lowest) {
				lowest = p
			}
		}
		for i := range own {
			own[i] = lowest
		}
	}
}

// leastPriorities returns the least priorities of edges for which the greatest one
// of each cycle is as even as before, by edge; -1 for edges on no cycle. An edge is
// given the greatest one that it may have within this: that of the cycles through
// it with the least.
//
// Within a component, let k be the greatest priority that is needed if the edges
// with the greatest priority p are left out. Then the others need k, or one more if
// that has not the parity of p, and 0 or 1 if nothing is left.
func (a *Automaton) leastPriorities(w *budget.Budget) []int32 {
	before := a.edgePriorities()
	type level struct {
		edges []int32 // those within components
		of    []int32 // by edge: its component
		top   []int32 // by component
	}
	source := make([]State, len(a.edges))
	for s := range State(a.NumStates()) {
		for i := a.first[s]; i < a.first[s+1]; i++ {
			source[i] = s
		}
	}
	edges := make([]int32, len(a.edges))
	for i := range edges {
		edges[i] = int32(i)
	}
	var levels []level
	for len(edges) > 0 && w.Err() == nil {
		c := a.componentsOf(edges, source, w)
		if w.Err() != nil {
			break
		}
		l := level{top: slices.Repeat([]int32{-1}, c.Count)}
		for _, i := range edges {
			if part := c.Of[source[i]]; part == c.Of[a.edges[i].Dst] {
				l.edges, l.of = append(l.edges, i), append(l.of, part)
				l.top[part] = max(l.top[part], before[i])
			}
		}
		edges = nil
		for k, i := range l.edges {
			if before[i] < l.top[l.of[k]] {
				edges = append(edges, i)
			}
		}
		levels = append(levels, l)
	}
	after := slices.Repeat([]int32{-1}, len(a.edges))
	for _, l := range slices.Backward(levels) {
		need := slices.Repeat([]int32{-1}, len(l.top))
		for k, i := range l.edges {
			need[l.of[k]] = max(need[l.of[k]], after[i])
		}
		for part, k := range need {
			need[part] = max(k, 0)
			if need[part]%2 != l.top[part]%2 {
				need[part]++
			}
		}
		for k, i := range l.edges {
			if after[i] < 0 {
				after[i] = need[l.of[k]]
			}
		}
	}
	return after
}

// componentsOf returns the components of the graph of some edges.
func (a *Automaton) componentsOf(edges []int32, source []State, w *budget.Budget) Components {
	first := make([]int32, a.NumStates()+1)
	dst := make([]State, len(edges))
	for k, i := range edges { // in the order of sources
		first[source[i]+1]++
		dst[k] = a.edges[i].Dst
	}
	for s := range a.NumStates() {
		first[s+1] += first[s]
	}
	return components(w, first, dst)
}
