package reduce

import (
	"context"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Parity returns a smaller deterministic automaton with the language of a. The automaton
// must be deterministic, and its condition must satisfy IsParity. The result has parity
// acceptance with few marks: t, f, Büchi or co-Büchi if possible; otherwise parity max even if
// runs without a mark must be rejected, and parity min if not. With onStates, the marks of a
// must be on states, and stay there.
//
// For example, parity max even of 5 marks needs one mark here, and becomes Büchi:
//
//	State: 0  [a] 0 {4}  [!a] 0 {1}
//
// becomes
//
//	State: 0  [!a] 0  [a] 0 {0}
//
// First, priorities become as small as possible without changing which cycles are accepting
// (Carton and Maceiras 1999, "Computing the Rabin index of a parity automaton"; here on
// edges). This takes time linear in the size of the automaton times the number of priorities.
// Then bisimilar states are merged. Parity fails when ctx is done.
func Parity(ctx context.Context, a *omega.Automaton, onStates bool) (*omega.Automaton, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	if !a.IsDeterministic() {
		return nil, fmt.Errorf("unsupported: the automaton is not deterministic")
	}
	if !a.Acceptance().IsParity() {
		return nil, fmt.Errorf("unsupported: %s is not a parity condition", a.Acceptance().Condition)
	}
	// First, priorities become small: then more states are bisimilar.
	b, err := reduce(ctx, a, trim,
		func(a *omega.Automaton, w *reducer) *omega.Automaton { return reprioritized(a, onStates, w) }, quotient)
	if err == nil {
		b.StateMarks, b.Reduced = onStates, false
	}
	return b, err
}

// reprioritized returns a with the smallest priorities, and parity acceptance.
func reprioritized(a *omega.Automaton, onStates bool, w *reducer) *omega.Automaton {
	priority := leastPriorities(a, w.Budget)
	if w.Err() != nil {
		return nil
	}
	if onStates {
		lowestOfState(a, priority)
	}
	// The lowest priority of a component is 0 or 1. If it is 0, all of its priorities may be raised by 2, so
	// that 0 to 1 becomes 2 to 3. So the automaton can start from 0, or from 1 if that takes no more marks.
	c := a.ComponentsWithin(w.Budget)
	least, greatest := make([]int32, c.Count), make([]int32, c.Count)
	for i := range least {
		least[i], greatest[i] = unranked, -1
	}
	i := 0
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if p, part := priority[i], c.Of[s]; p >= 0 && part == c.Of[e.Dst] {
				least[part], greatest[part] = min(least[part], p), max(greatest[part], p)
			}
			i++
		}
	}
	var from0, from1 int32 = -1, -1 // the greatest priority of all components if they start from 0, from 1
	for i, g := range greatest {
		if g >= 0 {
			from0, from1 = max(from0, g), max(from1, g+2*(1-least[i]))
		}
	}
	lowest, top := int32(0), from0
	if from1-1 <= from0 { // takes no more marks
		lowest, top = 1, from1
	}
	acceptance, number := parityFor(lowest, top)
	b := omega.NewBuilder(a.Alphabet(), acceptance)
	b.Copy(a, w.Budget, func(s omega.State, e omega.Edge) omega.Edge {
		p := priority[0] // in the order of the edges
		priority = priority[1:]
		if p >= 0 && least[c.Of[s]] < lowest {
			p += 2
		}
		e.Marks = 0
		if p > lowest {
			e.Marks = b.Marks().Of(number(p))
		}
		return e
	})
	return b.Automaton()
}

// unranked is more than any priority.
const unranked = int32(^uint32(0) >> 1)

// parityFor returns the acceptance condition for priorities from lowest, which is 0 or 1, to top.
// It also returns the mark of each priority above the lowest one. Edges with the lowest have no
// mark.
func parityFor(lowest, top int32) (a omega.Acceptance, number func(p int32) int) {
	n := int(top - lowest)
	switch {
	case top < 0: // there is no cycle
		return omega.Acceptance{Condition: omega.AnyOf()}, nil
	case lowest == 1:
		return omega.Parity("parity max even", n), func(p int32) int { return int(p) - 2 }
	case n == 0:
		return omega.Acceptance{Condition: omega.AllOf()}, nil
	}
	name := "parity min odd"
	if n%2 == 0 {
		name = "parity min even"
	}
	return omega.Parity(name, n), func(p int32) int { return n - int(p) } // the greatest priority is mark 0
}

// lowestOfState gives all edges of a state the smallest of the priorities that leastPriorities found for
// them. The edges of a state on no cycle have no priority.
//
// This keeps the greatest priority of each cycle, since before leastPriorities the edges of each state
// had the same. Edges of a state may differ after it if some stay in an inner component and one leaves
// it, which then has the priority of the outer component. A cycle through that one also passes an edge
// that had the outer component's greatest priority. All edges of its state had this priority, so none
// is in an inner component, and none is lowered.
func lowestOfState(a *omega.Automaton, priority []int32) {
	for s := range omega.State(a.NumStates()) {
		own := priority[:len(a.Edges(s))]
		priority = priority[len(own):]
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

// leastPriorities returns, for each edge, the smallest priority such that the greatest priority of
// each cycle is even or odd as before. An edge on no cycle gets -1. An edge gets the greatest
// priority that this allows: the smallest greatest priority of the cycles through it.
//
// Within a component, let p be the greatest priority. Remove the edges that have it, and let k be
// the greatest priority that the rest needs. Then these edges need k, or k+1 if k is even and p odd
// or the reverse. If nothing is left, they need 0 or 1.
//
// For example, two loops with the priorities 1 and 4 get 1 and 2. A loop alone with 4 gets 0.
func leastPriorities(a *omega.Automaton, w *budget.Budget) []int32 {
	before := a.Priorities()
	type level struct {
		edges []int32 // those within components
		of    []int32 // by edge: its component
		top   []int32 // by component
	}
	var source, dst []omega.State // by edge
	var edges []int32
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			edges = append(edges, int32(len(edges)))
			source, dst = append(source, s), append(dst, e.Dst)
		}
	}
	var levels []level
	// Level by level, each component loses the edges with its greatest priority.
	for len(edges) > 0 && w.Err() == nil {
		c := componentsOf(a.NumStates(), edges, source, dst, w)
		if w.Err() != nil {
			break
		}
		l := level{top: slices.Repeat([]int32{-1}, c.Count)}
		for _, i := range edges {
			if part := c.Of[source[i]]; part == c.Of[dst[i]] {
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
	after := slices.Repeat([]int32{-1}, len(before))
	// From the last level back, the edges that were removed get the smallest possible priority.
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
			if after[i] < 0 { // removed at this level
				after[i] = need[l.of[k]]
			}
		}
	}
	return after
}

// componentsOf returns the components of the graph of some edges.
func componentsOf(states int, edges []int32, source, dst []omega.State, w *budget.Budget) scc.Components {
	first := make([]int32, states+1)
	to := make([]omega.State, len(edges))
	for k, i := range edges { // in the order of sources
		first[source[i]+1]++
		to[k] = dst[i]
	}
	for s := range states {
		first[s+1] += first[s]
	}
	return scc.Find(w, first, to)
}
