// Package isomorphic recognizes automata that differ only in the numbers of their states:
//
//	State: 0  [a] 1 {0}      State: 0  [!a] 1
//	State: 1  [!a] 0         State: 1  [a] 0 {0}
//	Start: 0                 Start: 1
//
// [Equal] compares two automata, and a [Set] finds the new ones among many.
package isomorphic

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Equal reports whether two automata over the same alphabet differ only in the numbers of
// states and the order of edges. Their acceptance must be the same too. It returns false for
// alternating automata.
//
// Repeated refinement distinguishes the states, and backtracking handles the rest. That is
// exponential at worst, but random automata rarely need it. Equal fails when ctx is done.
func Equal(ctx context.Context, a, b *omega.Automaton) (bool, error) {
	a, b = a.OrEmpty(), b.OrEmpty()
	if a.Alternating() || b.Alternating() {
		return false, ctx.Err()
	}
	w := budget.New(ctx)
	ok := equal(w, a, colors(w, a), b, colors(w, b))
	return ok, w.Err()
}

func equal(w *budget.Budget, a *omega.Automaton, x []uint64, b *omega.Automaton, y []uint64) bool {
	if a.NumStates() != b.NumStates() || a.NumEdges() != b.NumEdges() || len(a.Initial()) != len(b.Initial()) || w.Err() != nil ||
		a.Acceptance().String() != b.Acceptance().String() || !slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))) {
		return false
	}
	m := &isomorphism{budget: w, a: a, b: b, x: x, y: y, to: make([]omega.State, a.NumStates()), used: make([]bool, b.NumStates())}
	m.edges = [2][]map[linkKey]int{links(a), links(b)}
	// States of rare colors first: there are few ways to map them.
	count := map[uint64]int{}
	for s := range x {
		m.to[s] = -1
		m.order = append(m.order, omega.State(s))
		count[x[s]]++
	}
	slices.SortStableFunc(m.order, func(s, t omega.State) int { return count[x[s]] - count[x[t]] })
	return m.extend(0)
}

// colors returns a number for each state, such that an isomorphism maps states to states of the
// same color:
//
//	State: 0  [a] 1  [a] 2      colors  x y y y
//	State: 1  [a] 3                     x y y z
//	State: 2  [a] 3
//	State: 3  [!a] 3
//
// The states 1 and 2 keep the same color, because they may be exchanged.
func colors(w *budget.Budget, a *omega.Automaton) []uint64 {
	n := a.NumStates()
	now, next := make([]uint64, n), make([]uint64, n)
	for _, s := range a.Initial() {
		now[s] = 1 // at first, only initial states differ from the others
	}
	// Each color takes in the labels, marks and colors of the edges from a state and to it, until no
	// further states are told apart.
	for kinds := 0; ; {
		for s := range n {
			next[s] = maphash.Comparable(colorSeed, now[s])
		}
		for s := range omega.State(n) {
			for _, e := range a.Edges(s) {
				if w.Stop() {
					return now
				}
				// A sum does not depend on the order.
				next[s] += maphash.Comparable(colorSeed, colored{true, e.Label, markKey(a, e.Marks), now[e.Dst]})
				next[e.Dst] += maphash.Comparable(colorSeed, colored{false, e.Label, markKey(a, e.Marks), now[s]})
			}
		}
		now, next = next, now
		found := map[uint64]bool{}
		for _, c := range now {
			found[c] = true
		}
		if len(found) <= kinds {
			return now
		}
		kinds = len(found)
	}
}

type colored struct {
	out   bool
	label omega.Label
	marks uint64
	other uint64
}

var colorSeed = maphash.MakeSeed()

// markKey returns a number for a set of marks. It does not depend on the table of the automaton.
func markKey(a *omega.Automaton, m omega.Marks) (key uint64) {
	for _, i := range a.Marks().AppendTo(nil, m) {
		key += maphash.Comparable(colorSeed, i)
	}
	return key
}

type linkKey struct {
	label omega.Label
	marks uint64
	dst   omega.State
}

// links counts the edges of each state by label, marks and destination.
func links(a *omega.Automaton) []map[linkKey]int {
	list := make([]map[linkKey]int, a.NumStates())
	for s := range list {
		list[s] = map[linkKey]int{}
		for _, e := range a.Edges(omega.State(s)) {
			list[s][linkKey{e.Label, markKey(a, e.Marks), e.Dst}]++
		}
	}
	return list
}

type isomorphism struct {
	budget *budget.Budget
	a, b   *omega.Automaton
	x, y   []uint64
	edges  [2][]map[linkKey]int
	order  []omega.State
	to     []omega.State // the state of b for each state of a, or -1
	used   []bool        // the states of b in to
}

// extend maps order[i:] to states of the same color, and takes back what does not fit.
func (m *isomorphism) extend(i int) bool {
	if i == len(m.order) {
		return m.complete()
	}
	s := m.order[i]
	for t := range m.b.NumStates() {
		if m.budget.Stop() {
			return false
		}
		if m.used[t] || m.x[s] != m.y[t] {
			continue
		}
		m.to[s], m.used[t] = omega.State(t), true
		if m.fits(s) && m.extend(i+1) {
			return true
		}
		m.to[s], m.used[t] = -1, false // another state may fit
	}
	return false
}

// fits reports whether b has the edges from s to mapped states, as often as a.
func (m *isomorphism) fits(s omega.State) bool {
	for k, n := range m.edges[0][s] {
		if t := m.to[k.dst]; t >= 0 && m.edges[1][m.to[s]][linkKey{k.label, k.marks, t}] != n {
			return false
		}
	}
	return true
}

// complete reports whether the map is an isomorphism.
func (m *isomorphism) complete() bool {
	for s, t := range m.to {
		mapped := make(map[linkKey]int, len(m.edges[0][s]))
		for k, n := range m.edges[0][s] {
			mapped[linkKey{k.label, k.marks, m.to[k.dst]}] += n
		}
		if !maps.Equal(mapped, m.edges[1][t]) || slices.Contains(m.a.Initial(), omega.State(s)) != slices.Contains(m.b.Initial(), t) {
			return false
		}
	}
	return true
}
