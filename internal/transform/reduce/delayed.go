package reduce

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// delayedStates bounds delayed simulation as simulationStates does direct simulation.
// It may take half as many steps.
const delayedStates = 2000

// A delayedSimulation finds which states of a Büchi automaton simulate which with
// delay (Etessami, Wilke and Schuller 2005, "Fair simulation relations, parity
// games, and state space reduction for Büchi automata"; here with marks on edges).
//
// Spoiler moves a pebble from p along edges, Duplicator answers each of them, with
// a letter in common, by an edge from q. When Spoiler takes an edge with the mark,
// Duplicator owes one, and settles this by an edge with the mark, at once or
// later. Duplicator wins if he always has an answer and does not owe for ever.
// State q simulates p if he wins owing nothing.
//
// Write p ≤ q for that and p ⊲ q if Duplicator wins although he owes a mark to
// begin with. Then p ⊲ q implies p ≤ q, and ≤ is transitive: the answers to the
// answers are answers, and a mark of the first is followed by one of the second,
// and that by one of the third.
type delayedSimulation struct {
	a        *omega.Automaton
	free     *relation // p ≤ q, as far as is known
	owing    *relation // p ⊲ q
	answered answered
}

// simulateDelayed computes ≤ within a relation that it overwrites: all pairs, or all pairs across
// two parts of an automaton that has no edges between them. It is a Büchi game, with a fixpoint of
// its own for each of the two aims: ≤ is the greatest relation in which each move is answered into
// ≤, or ⊲ if a mark is owed then; and given ≤, ⊲ is the least relation in which each move is
// answered with the mark into ≤, or without it into ⊲. Starting from everything, the two are
// computed in turn until nothing changes.
//
// (It is sound to bring ≤ to its greatest fixpoint for the current ⊲, instead of doing one step:
// the current relations always contain the final ones.)
func simulateDelayed(a *omega.Automaton, within *relation, w *budget.Budget) *relation {
	n := a.NumStates()
	d := &delayedSimulation{a: a, free: within, owing: newRelation(n)}
	copy(d.owing.bits, within.bits)
	g := newAgenda(a, w)
	g.all(d.free)
	for first := true; w.Err() == nil; first = false {
		removed := false
		g.run(d.free, w, func(p, q omega.State) bool {
			if p == q || d.answers(p, q, false, w) { // each state simulates itself
				return false
			}
			d.free.remove(p, q)
			removed = true
			return true
		})
		if !removed && !first { // owing belongs to these pairs already
			break
		}
		before := d.owing
		d.owing = newRelation(n)
		g.all(d.free)
		g.run(d.free, w, func(p, q omega.State) bool {
			if d.owing.has(p, q) || !d.answers(p, q, true, w) {
				return false
			}
			d.owing.add(p, q)
			return true
		})
		g.lost(before, d.owing, d.free, w)
	}
	return d.free
}

// lost puts on the agenda what depends on pairs that are in one relation and no
// more in the next.
func (g *agenda) lost(before, now, within *relation, w *budget.Budget) {
	for p := range omega.State(now.n) {
		g.changed = g.changed[:0]
		row := now.row(p)
		for i, x := range before.row(p) {
			for x &^= row[i]; x != 0; x &= x - 1 {
				g.changed = append(g.changed, omega.State(64*i+bits.TrailingZeros64(x)))
			}
		}
		if w.Stop() {
			return
		}
		g.follow(p, g.changed, within, w)
	}
}

// answers reports whether Duplicator at q has an answer to each move from p as far
// as is known.
func (d *delayedSimulation) answers(p, q omega.State, owing bool, w *budget.Budget) bool {
	for _, e := range d.a.Edges(p) {
		d.answered.open(d.a.Alphabet(), e.Label)
		free := d.free.row(e.Dst)
		unmarked := free // where answers without the mark may lead
		if owing || e.Marks != 0 {
			unmarked = d.owing.row(e.Dst)
		}
		for _, f := range d.a.Edges(q) {
			if w.Stop() {
				return !owing // the budget has ended: nothing is changed
			}
			row := unmarked
			if f.Marks != 0 {
				row = free
			}
			if bitset.Has(row, f.Dst) && d.answered.add(f.Label) {
				break
			}
		}
		if !d.answered.all() {
			return false
		}
	}
	return true
}

// delayed merges the states of a Büchi automaton that simulate each other with
// delay. In
//
//	State: 0  [t] 1 {0}
//	State: 1  [t] 0
//
// state 1 answers state 0 with the mark one step later. So the two become
//
//	State: 0  [t] 0 {0}
//
// The merged state has the edges of all of them, with their marks; but none
// without the mark where there is one with it to the same state. So what was
// deterministic remains so, since then the answers are without choice and
// equivalent states lead to equivalent ones.
//
// This keeps the language. Each run of the automaton is one of the quotient, with
// at least the marks. For the converse, let a run of the quotient use the edges
// p0 → p0', p1 → p1', … of the automaton, where pi' and pi+1 are equivalent but
// perhaps not equal. A run r0, r1, … of the automaton on the same word is built
// such that all states equivalent to pi are ≤ ri; r0 is an initial state
// equivalent to p0. Then ri can answer pi → pi' as it would in the game:
//
//   - If nothing is owed after that, pi' ≤ ri+1, and by transitivity all states
//     equivalent to pi+1 are too.
//   - If the edge had the mark and the answer has not, pi' ⊲ ri+1. Let y be pi'.
//     From then on, y answers the moves of the quotient's run, as a state that
//     all those equivalent to the run's are ≤ to, which remains so, and r answers
//     y's moves, settling the debt. This takes finitely many steps, since y ⊲ r
//     is a least fixpoint, whatever y does. When it has happened, y ≤ r again,
//     hence all states equivalent to the one of the quotient's run are ≤ r.
//
// So for each mark of the quotient's run, r has one at the time or later.
//
// To take out edges by this relation, as direct simulation allows, would not be
// right: each of them may be better than the other, later.
func delayed(a *omega.Automaton, w *reducer) *omega.Automaton {
	if !a.Acceptance().IsBuchi() || a.NumStates() > delayedStates || w.noDelayed {
		return a
	}
	b := a.NewBuilder()
	if !w.attempt(a, w.simulation/2, func(v *budget.Budget) {
		all := newRelation(a.NumStates())
		all.fill()
		class, classes := simulateDelayed(a, all, v).equivalent(v)
		buildMerged(a, b, class, classes, v)
	}) {
		w.noDelayed = true
		return a
	}
	return b.Automaton()
}

// buildMerged adds the quotient by equivalence with delay to a Builder.
func buildMerged(a *omega.Automaton, b *omega.Builder, class []omega.State, classes [][]omega.State, w *budget.Budget) {
	if w.Err() != nil { // some states have no class yet
		return
	}
	b.AddStates(len(classes))
	for i, members := range classes {
		edges := merged(a, nil, class, w, members...)
		for j, e := range edges {
			// Of two edges that differ only in the mark the one without comes first.
			if j+1 < len(edges) && edges[j+1].Dst == e.Dst {
				e.Label = a.Alphabet().And(e.Label, a.Alphabet().Not(edges[j+1].Label))
			}
			b.AddEdge(omega.State(i), e.Label, e.Marks, e.Dst)
		}
	}
	for _, s := range a.Initial() {
		b.AddStart(class[s])
	}
}
