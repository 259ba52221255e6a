package omega

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// IsDeterministic reports whether no word has two runs: there is at most one initial state, no
// two edges of a state meet, and there is no universal branching.
func (a *Automaton) IsDeterministic() bool {
	if len(a.Initial()) > 1 || a.Alternating() {
		return false
	}
	for s := range State(a.NumStates()) {
		sum := False
		for _, e := range a.Edges(s) {
			if a.alphabet.Meet(sum, e.Label) {
				return false
			}
			sum = a.alphabet.Or(sum, e.Label)
		}
	}
	return true
}

// IsComplete reports whether there is an initial state, and each state has an
// edge on each letter.
func (a *Automaton) IsComplete() bool {
	for s := range State(a.NumStates()) {
		if a.Uncovered(s) != False {
			return false
		}
	}
	return len(a.Initial()) > 0
}

// HasStateMarks reports whether the edges of each state all carry the same
// marks.
func (a *Automaton) HasStateMarks() bool {
	for s := range a.NumStates() {
		edges := a.Edges(State(s))
		for _, e := range edges {
			if e.Marks != edges[0].Marks {
				return false
			}
		}
	}
	return true
}

// IsWeak reports whether within each strongly connected component all edges
// carry the same marks.
func (a *Automaton) IsWeak() bool {
	return !slices.ContainsFunc(a.parts(budget.Free()), func(g *markedGraph) bool { return !uniform(g) })
}

// IsInherentlyWeak reports whether no strongly connected component has both an
// accepting and a rejecting cycle. It may take time exponential in the number of
// marks, and fails when ctx is done.
func (a *Automaton) IsInherentlyWeak(ctx context.Context) (bool, error) {
	kinds, err := a.Kinds(ctx, a.Components())
	return err == nil && !slices.Contains(kinds, Mixed), err
}

// Uncovered returns the letters on which state s has no edge.
func (a *Automaton) Uncovered(s State) Label {
	a = a.OrEmpty()
	sum := False
	for _, e := range a.Edges(s) {
		sum = a.alphabet.Or(sum, e.Label)
	}
	return a.alphabet.Not(sum)
}

// parts returns the strongly connected components that have edges.
func (a *Automaton) parts(w *budget.Budget) []*markedGraph {
	g := &markedGraph{Nodes: a.NumStates(), Budget: w}
	g.Edges = make([]markedEdge, 0, len(a.edges))
	for s := range a.NumStates() {
		for _, e := range a.Edges(State(s)) {
			for _, t := range a.Universal(e.Dst) {
				g.Edges = append(g.Edges, markedEdge{Src: int32(s), Dst: int32(t), Tag: e.Marks})
			}
			if w.Stop() {
				return nil
			}
		}
	}
	return g.Parts()
}
