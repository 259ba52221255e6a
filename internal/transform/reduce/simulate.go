package reduce

import (
	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/internal/dominance"
	"github.com/xcheck-ltl/xcheck/omega"
)

// simulationStates limits the states of automata for which Reduce computes the simulation preorder,
// and simulationBudget its steps, which are comparisons of two edges. Together, they limit it to
// about a second.
const (
	simulationStates = 4000
	simulationBudget = 1 << 27
)

// simulation is a preorder on states. State q simulates p if each edge of p has an answer, letter
// by letter: an edge of q that is at least as good and leads to a state that simulates where the
// first one leads (direct simulation: Dill, Hu, Wong-Toi 1991; with marks on edges).
type simulation struct {
	by       *relation // p, q: q simulates p
	marks    dominance.Order
	answered answered
}

// simulate computes the greatest simulation. It starts with all pairs and removes pairs that fail.
// It examines a pair again only when a pair of its successors was removed (Henzinger, Henzinger and
// Kopke 1995, "Computing simulations on finite and infinite graphs", for labels that overlap). Most
// pairs that fail do so at the first examination. For n states of degree d, this takes time
// O(n²·d²).
func simulate(a *omega.Automaton, w *budget.Budget) *simulation {
	s := &simulation{by: newRelation(a.NumStates()), marks: dominance.Of(a)}
	s.by.fill()
	g := newAgenda(a, w)
	g.all(s.by)
	g.run(s.by, w, func(p, q omega.State) bool {
		if p == q || s.answers(a, p, q, w) {
			return false
		}
		s.by.remove(p, q)
		return true
	})
	return s
}

func (s *simulation) simulates(p, q omega.State) bool { return s.by.has(p, q) }

// answers reports whether q can answer every edge of p by the pairs that are left.
func (s *simulation) answers(a *omega.Automaton, p, q omega.State, w *budget.Budget) bool {
	for _, e := range a.Edges(p) {
		s.answered.open(a.Alphabet(), e.Label)
		row := s.by.row(e.Dst)
		for _, f := range a.Edges(q) {
			if w.Stop() {
				return true // the budget has ended: nothing is removed
			}
			if bitset.Has(row, f.Dst) && s.marks.Better(f.Marks, e.Marks) && s.answered.add(f.Label) {
				break
			}
		}
		if !s.answered.all() {
			return false
		}
	}
	return true
}

// simulated merges states that simulate each other, and removes superfluous edges and initial
// states. An edge is superfluous if there is another one on the same letters, with marks at least
// as good, to a state that simulates where it leads. In
//
//	State: 0  [a] 1  [a] 2
//	State: 1  [b] 1 {0}
//	State: 2  [t] 2 {0}
//
// state 2 simulates state 1, so the edge from 0 to 1 is removed:
//
//	State: 0  [a] 2
//	State: 1  [b] 1 {0}
//	State: 2  [t] 2 {0}
//
// Both keep the language: a run that uses a removed edge is answered, step by step, by one that
// does not. Merging comes first, so that one of two edges that make each other superfluous stays.
func simulated(a *omega.Automaton, w *reducer) *omega.Automaton {
	if n := a.NumStates(); n > simulationStates || n == 0 || w.noDirect {
		return a
	}
	b := a.NewBuilder()
	if w.attempt(a, w.simulation, func(v *budget.Budget) { buildSimulated(a, b, v) }) {
		return b.Automaton()
	}
	w.noDirect, w.noDelayed = true, true // delayed simulation takes longer
	return a
}

// buildSimulated adds the automaton that simulated returns to a Builder.
func buildSimulated(a *omega.Automaton, b *omega.Builder, w *budget.Budget) {
	s := simulate(a, w)
	class := s.addQuotient(b, a, w)
	// A run from p has an answer from each q that simulates p, so p need not be initial. If both simulate
	// each other, they are one class, which stays.
next:
	for _, p := range a.Initial() {
		for _, q := range a.Initial() {
			if w.Stop() {
				return
			}
			if class[p] != class[q] && s.simulates(p, q) {
				continue next
			}
		}
		b.AddStart(class[p])
	}
}

// addQuotient adds the states of a to a Builder, where states that simulate each other are one, and
// the edges that are not superfluous. It returns the new number of each state.
func (s *simulation) addQuotient(b *omega.Builder, a *omega.Automaton, w *budget.Budget) (class []omega.State) {
	class, classes := s.by.equivalent(w)
	first := make([]omega.State, len(classes))
	for i, members := range classes {
		first[i] = members[0] // its edges do for all members
	}
	b.AddStates(len(first))
	for i, p := range first {
		if w.Stop() {
			break
		}
		for _, e := range s.prune(a, merged(a, nil, class, w, p), first, w) {
			b.AddEdge(omega.State(i), e.Label, e.Marks, e.Dst)
		}
	}
	return class
}

// prune removes from each edge the letters on which there is a better edge.
func (s *simulation) prune(a *omega.Automaton, edges []omega.Edge, first []omega.State, w *budget.Budget) []omega.Edge {
	for i := range edges {
		e := &edges[i]
		for j, f := range edges {
			if w.Stop() {
				return nil
			}
			p, q := first[e.Dst], first[f.Dst]
			if i == j || !s.simulates(p, q) || !s.marks.Better(f.Marks, e.Marks) {
				continue
			}
			// Of two edges that are as good as each other the first stays.
			if e.Dst == f.Dst && s.marks.Better(e.Marks, f.Marks) && i < j {
				continue
			}
			e.Label = a.Alphabet().And(e.Label, a.Alphabet().Not(f.Label))
		}
	}
	kept := edges[:0]
	for _, e := range edges {
		if e.Label != omega.False {
			kept = append(kept, e)
		}
	}
	return kept
}
