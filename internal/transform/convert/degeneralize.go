// Package convert brings automata into other forms with the same language.
//
//   - [Degeneralize] gives an automaton with generalized Büchi acceptance one mark. [OnDemand] does so
//     for a Source, while a search explores it.
//   - [StateBased] moves the marks from edges to states.
//   - [Complete] adds the missing edges, which lead to a rejecting sink.
//
// A degeneralized automaton counts. It waits for a mark of each clause of the condition in turn,
// and puts its own mark on the edge that ends a round. With the condition Inf(0)&Inf(1), one state
// with loops on a with mark 0 and on b with mark 1 becomes two:
//
//	waits for 0:  a --> waits for 1      b --> waits for 0
//	waits for 1:  a --> waits for 1      b {0} --> waits for 0
//
// Package reduce makes the results smaller. Package complement has the conversions that need a
// complement construction: to Büchi or parity acceptance from any condition.
package convert

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Degeneralize returns a Büchi automaton (one mark) with the language of a. The condition of a
// must have Clauses. With onStates, the marks are on states: all edges of a state carry the
// mark, or none does. A deterministic automaton stays deterministic. Degeneralize fails with
// ErrAlternating, with a LimitError past limits.Macrostates, and when ctx is done.
//
// A state of the result is a state of a with a level. The level counts the clauses seen in the
// current round, in a fixed order (Choueka 1974). An edge may pass several levels. The edge
// that ends a round carries the mark, and may count for the next round too (Gastin and Oddoux
// 2001). With onStates there is one more level, for the accepting states at the end of a
// round.
//
// An accepting run finally stays in one strongly connected component. So each component has
// its own levels (Babiak, Badie, Duret-Lutz, Křetínský and Strejček 2013, "Compositional
// approach to suspension and other improvements to LTL translation", section 5):
//
//   - A component whose cycles are all accepting, or all rejecting, has one level.
//   - An edge counts for a clause, whatever its marks, if each cycle through it sees a mark of the
//     clause somewhere. Clauses that then hold wherever another one does are dropped.
//   - A run may enter at any level. In the graph of states with levels, each bottom component
//     contains each state of the component. The smallest one is taken, and the rest is dropped.
//   - After a round, any level up to the one that the edge justifies is right. A level that the
//     destination already has is preferred.
//   - The order of the clauses is the best of several.
//
// With Inf(0)&Inf(1), each cycle through state 1 of this automaton has both marks. So there is one
// level, and one mark is enough:
//
//	State: 0  [a] 1 {0}  [!a] 0
//	State: 1  [t] 0 {1}
//
// becomes
//
//	State: 0  [a] 1 {0}  [!a] 0
//	State: 1  [t] 0 {0}
func Degeneralize(ctx context.Context, a *omega.Automaton, onStates bool, limits omega.Limits) (*omega.Automaton, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	clauses, ok := Clauses(a.Acceptance().Condition, a.Marks())
	if !ok {
		return nil, fmt.Errorf("unsupported: degeneralization of the acceptance condition %s", a.Acceptance().Condition)
	}
	d := &degeneralization{a: a, w: budget.New(ctx), onStates: onStates, clauses: clauses}
	d.parts = a.ComponentsWithin(d.w)
	kinds, _ := a.KindsWithin(d.parts, d.w, budget.Unlimited)
	if d.w.Err() != nil {
		return nil, d.w.Err()
	}
	d.local = make([]int32, a.NumStates())
	d.members = d.parts.Members()
	for _, states := range d.members {
		for i, s := range states {
			d.local[s] = int32(i)
		}
	}
	var layers []*layering
	for c, kind := range kinds {
		layers = append(layers, d.layering(int32(c), kind))
		if d.w.Err() != nil {
			return nil, d.w.Err()
		}
	}
	b := d.build(layers)
	if d.w.Err() != nil {
		return nil, d.w.Err()
	}
	result, err := omega.Explore(ctx, b, limits)
	if err == nil {
		result.StateMarks = onStates
	}
	return result, err
}

// degeneralization has the parts of an automaton that Degeneralize works on.
type degeneralization struct {
	a        *omega.Automaton
	w        *budget.Budget
	onStates bool
	clauses  []omega.Marks
	parts    omega.Components
	members  [][]omega.State // by component
	local    []int32         // by state: its number in its component
}

// inner returns the edges that stay in a component, and the clauses that each of them has marks of.
func (d *degeneralization) inner(c int32, clauses []omega.Marks) *clauseGraph {
	g := &clauseGraph{count: len(clauses), first: []int32{0}}
	for _, s := range d.members[c] {
		for _, e := range d.a.Edges(s) {
			if d.w.Stop() {
				return g
			}
			if len(g.sees) > maxSeen {
				d.w.Fail(&omega.LimitError{What: "pairs of an edge and a clause of the acceptance condition", Limit: maxSeen})
			}
			if d.parts.Of[e.Dst] != c {
				continue
			}
			g.dst = append(g.dst, omega.State(d.local[e.Dst]))
			for _, clause := range clauses {
				g.sees = append(g.sees, d.a.Marks().Common(e.Marks, clause))
			}
		}
		g.first = append(g.first, int32(len(g.dst)))
	}
	return g
}

// maxSeen limits the memory of a clauseGraph.
const maxSeen = 1 << 25

// layering returns the levels of a component.
func (d *degeneralization) layering(c int32, kind omega.Kind) *layering {
	if kind != omega.Mixed { // the marks do not matter
		return d.inner(c, nil).flat(kind == omega.Accepting)
	}
	g := d.inner(c, d.clauses)
	if d.w.Err() != nil {
		return nil
	}
	raw := slices.Clone(g.sees)
	for k := range g.count {
		g.saturate(k, d.w)
	}
	order, full := g.needed(d.w), g.sees
	var best *layering
	budget := layeringBudget
	for _, sees := range [][]bool{full, raw} {
		for _, order := range orders(order, d.onStates) {
			for _, policy := range []policy{known, highest, lowest} {
				if budget -= len(g.dst) * (len(order) + 1); budget < 0 && best != nil {
					return best
				}
				g.sees = sees
				l := g.layered(order, policy, d.onStates, d.w)
				if d.w.Err() != nil {
					return nil
				}
				if best == nil || len(l.pairs) < len(best.pairs) {
					best = l
				}
			}
		}
	}
	return best
}

// layeringBudget limits the edges that the search for the best order of the clauses examines.
const layeringBudget = 1 << 20

// orders returns the orders of clauses to try: all of them if there are few, otherwise two. Orders
// that differ only in where a round begins count once, unless startMatters.
func orders(clauses []int, startMatters bool) [][]int {
	const few = 4
	if len(clauses) > few {
		back := slices.Clone(clauses)
		slices.Reverse(back)
		return [][]int{clauses, back}
	}
	var all [][]int
	fixed := 1 // rotations are alike, so the first clause stays
	if startMatters {
		fixed = 0
	}
	var permute func(list []int, k int)
	permute = func(list []int, k int) {
		if k >= len(list)-1 {
			all = append(all, slices.Clone(list))
			return
		}
		for i := k; i < len(list); i++ {
			list[k], list[i] = list[i], list[k]
			permute(list, k+1)
			list[k], list[i] = list[i], list[k]
		}
	}
	permute(slices.Clone(clauses), fixed)
	return all
}

// build puts the layers together. An edge to another component leads to the first pair of its
// destination there.
func (d *degeneralization) build(layers []*layering) *omega.Automaton {
	b := omega.NewBuilder(d.a.Alphabet(), omega.Buchi())
	entry := make([]omega.State, d.a.NumStates()) // plus one
	base := make([]omega.State, len(layers))
	for c, l := range layers {
		base[c] = omega.State(b.NumStates())
		for i, p := range l.pairs {
			if s := d.members[c][p.state]; entry[s] == 0 {
				entry[s] = base[c] + omega.State(i) + 1
			}
		}
		b.AddStates(b.NumStates() + len(l.pairs))
	}
	for _, s := range d.a.Initial() {
		b.AddStart(entry[s] - 1)
	}
	for c, l := range layers {
		k := 0 // inner edge
		for i, p := range l.pairs {
			for _, e := range d.a.Edges(d.members[c][p.state]) {
				if d.w.Stop() {
					return nil
				}
				dst, marked := entry[e.Dst]-1, d.onStates && l.accepting[i]
				if d.parts.Of[e.Dst] == int32(c) {
					dst = base[c] + l.next[k] // k goes over inner edges in the order of pairs
					marked = marked || !d.onStates && l.marked[k]
					k++
				}
				marks := omega.Marks(0)
				if marked {
					marks = 1
				}
				b.AddEdge(base[c]+omega.State(i), e.Label, marks, dst)
			}
		}
	}
	return b.Automaton()
}

// Clauses is [omega.Condition.Clauses] with each clause as a set of marks. A condition that is nil is
// true.
func Clauses(c *omega.Condition, marks *omega.MarkTable) (list []omega.Marks, ok bool) {
	marks = cmp.Or(marks, omega.NewMarkTable(0))
	clauses, ok := cmp.Or(c, omega.AllOf()).Clauses()
	for _, clause := range clauses {
		list = append(list, marks.Of(clause...))
	}
	return list, ok
}

// Advance counts clauses. A run at level k waits for a mark of clause k. Advance returns its level
// after an edge with marks m, which may pass several levels. If the edge passes the last one, it
// ends a round, and counts for the next round too: next is then the number of clauses that it
// passes from level 0, which may be all. With the clauses {0} and {1}:
//
//	from level 0, marks {0}    to level 1
//	from level 1, marks {1}    to level 0, ended
//	from level 1, marks {0 1}  to level 2, ended
func Advance(table *omega.MarkTable, clauses []omega.Marks, level int, m omega.Marks) (next int, ended bool) {
	next = passed(table, clauses, level, m)
	if next < len(clauses) {
		return next, false
	}
	return passed(table, clauses, 0, m), true
}

// passed returns the first clause from the given level on that has no mark in m.
func passed(table *omega.MarkTable, clauses []omega.Marks, level int, m omega.Marks) int {
	for uint(level) < uint(len(clauses)) && table.Common(m, clauses[level]) { // unsigned: one check of the bounds
		level++
	}
	return level
}
