// Package hierarchy classifies languages: safety, guarantee, obligation, recurrence, persistence or
// reactivity.
//
// These are the classes of temporal properties of Manna and Pnueli (1990). [Of] returns the least
// class that contains the language of a deterministic automaton.
package hierarchy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Of returns the class of the language of a. The automaton must be deterministic and
// complete, with all states reachable, and with a parity condition up to the names of marks.
//
// The rules for deterministic automata are (Landweber 1969):
//
//   - Recurrence: no rejecting cycle contains an accepting one.
//   - Persistence: no accepting cycle contains a rejecting one.
//   - Obligation: both. Then all cycles of a component are alike.
//   - Safety: an obligation in which no rejecting cycle leads to an accepting one.
//   - Guarantee: an obligation in which no accepting cycle leads to a rejecting one.
//
// For example:
//
//	0 -a-> 0 {0}; 0 -!a-> 0                with Inf(0): recurrence; with Fin(0): persistence
//	0 -a-> 0 {0}; 0 -!a-> 1; 1 -1-> 1      with Inf(0): safety; with Fin(0): guarantee
//
// It takes time linear in the size of the automaton times the square of the number of
// priorities, and fails when ctx is done.
func Of(ctx context.Context, a *omega.Automaton) (ltl.Class, error) {
	switch err := omega.Supported(a); {
	case err != nil:
		return 0, err
	case !a.IsDeterministic() || !a.IsComplete():
		return 0, errors.New("unsupported: the automaton is not deterministic and complete")
	case !a.Acceptance().IsParity():
		return 0, fmt.Errorf("unsupported: %s is not a parity condition", a.Acceptance().Condition)
	}
	w := budget.New(ctx)
	g := prioritized(a, w)
	recurrence, persistence := !nested(g, 1), !nested(g, 0)
	class := ltl.Reactivity
	switch {
	case w.Err() != nil:
	case recurrence && persistence:
		class = obligation(a, g, w)
	case recurrence:
		class = ltl.Recurrence
	case persistence:
		class = ltl.Persistence
	}
	return class, w.Err()
}

// A priorityGraph has the priority of each edge as its tag.
type priorityGraph = scc.Graph[int32]

func prioritized(a *omega.Automaton, w *budget.Budget) *priorityGraph {
	g := &priorityGraph{Nodes: a.NumStates(), Budget: w}
	of := a.Priorities()
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			g.Edges = append(g.Edges, scc.Edge[int32]{Src: int32(s), Dst: int32(e.Dst), Tag: of[len(g.Edges)]})
		}
	}
	return g
}

// nested reports whether, in a prioritized graph, some cycle whose greatest priority
// has the given parity has a cycle of the other parity in it.
func nested(g *priorityGraph, parity int32) bool {
	for p := int32(1); p <= topOf(g); p++ {
		if p%2 != parity {
			continue
		}
		for _, outer := range upTo(g, p) {
			if topOf(outer) != p {
				continue
			}
			for q := range p {
				if q%2 != parity && hasTop(outer, q) {
					return true
				}
			}
		}
	}
	return false
}

// topOf returns the greatest priority of an edge.
func topOf(g *priorityGraph) (p int32) {
	for _, e := range g.Edges {
		p = max(p, e.Tag)
	}
	return p
}

// upTo returns the components that remain without edges of a priority above p.
func upTo(g *priorityGraph, p int32) []*priorityGraph {
	rest := &priorityGraph{Nodes: g.Nodes, Budget: g.Budget}
	for _, e := range g.Edges {
		if e.Tag <= p {
			rest.Edges = append(rest.Edges, e)
		}
	}
	return rest.Parts()
}

// hasTop reports whether there is a cycle with the greatest priority p.
func hasTop(g *priorityGraph, p int32) bool {
	return slices.ContainsFunc(upTo(g, p), func(inner *priorityGraph) bool { return topOf(inner) == p })
}

// obligation returns the class of an automaton each of whose components has cycles of
// one kind only. Its prioritized graph is g.
func obligation(a *omega.Automaton, g *priorityGraph, w *budget.Budget) ltl.Class {
	c := a.ComponentsWithin(w)
	if w.Err() != nil {
		return ltl.Reactivity
	}
	kinds := make([]omega.Kind, c.Count)
	for _, part := range g.Parts() {
		kinds[c.Of[part.Root]] = omega.Rejecting
		if topOf(part)%2 == 0 {
			kinds[c.Of[part.Root]] = omega.Accepting
		}
	}
	// What cycles can be reached from each component, those of its own included. The
	// numbers of successors are smaller.
	accepting, rejecting := make([]bool, c.Count), make([]bool, c.Count)
	safety, guarantee := true, true
	for i, states := range c.Members() {
		accepting[i], rejecting[i] = kinds[i] == omega.Accepting, kinds[i] == omega.Rejecting
		for _, s := range states {
			for _, e := range a.Edges(s) {
				j := c.Of[e.Dst]
				accepting[i] = accepting[i] || accepting[j]
				rejecting[i] = rejecting[i] || rejecting[j]
			}
		}
		safety = safety && !(kinds[i] == omega.Rejecting && accepting[i])
		guarantee = guarantee && !(kinds[i] == omega.Accepting && rejecting[i])
	}
	switch {
	case safety && guarantee:
		return ltl.Bottom
	case safety:
		return ltl.Safety
	case guarantee:
		return ltl.Guarantee
	}
	return ltl.Obligation
}
