package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// minimalWeak returns the deterministic weak automaton that accepts the language of
// a, a generalized Büchi automaton, if there is one, and one that accepts more if
// there is none. It is complete, has Büchi acceptance, and no automaton that is all
// that is smaller (Dax, Eisinger and Klaedtke 2007, "Mechanizing the powerset
// construction for restricted classes of ω-automata").
//
// The subset construction gives its states and edges. In one that is as the
// language needs it, the cycles of a strongly connected component are all accepting
// or all rejecting, so that any accepting one tells which. (If a accepts a word, its
// run ends in a component of the product of both that is accepting, and so is the
// component of the subset construction that the word ends in. So no word is missing,
// whatever the language is.) The components are coloured by that, and then the
// automaton is minimized as one on finite words, with the states of even colour as
// final (Löding 2001, "Efficient minimization of deterministic weak ω-automata"): all
// edges of these carry the mark, so that bisimilar states are those to merge.
//
// For F a, gpvw has the states 0 and 1 with the edges 0 -1-> 0, 0 -a-> 1 {0} and 1 -1-> 1 {0}. The
// sets are {0}, which rejects, and {0,1}, which accepts. For GF a, which is not weak, there is one
// set, with an accepting cycle, and so the result accepts every word.
//
// It fails with an omega.LimitError past limit sets of states, or eight times as many
// pairs of a set and a state of it, or when there are many more edges than sets; and
// when ctx is done.
func minimalWeak(ctx context.Context, a *omega.Automaton, limit int) (*omega.Automaton, error) {
	d, err := omega.Explore(ctx, newSubsets(ctx, a, weakSteps), limit)
	if err != nil {
		return nil, err
	}
	if most := 16*limit + 4*a.NumEdges(); d.NumEdges() > most {
		return nil, &omega.LimitError{What: "edges", Limit: most}
	}
	c := d.Components()
	accepting, err := acceptingComponents(ctx, d, c, a, 8*limit)
	if err != nil {
		return nil, err
	}
	even := evenStates(d, c, accepting)
	b := omega.NewBuilder(d.Alphabet(), omega.Buchi())
	mark := b.Marks().Of(0)
	b.Copy(d, budget.Free(), func(s omega.State, e omega.Edge) omega.Edge {
		if even[s] {
			e.Marks = mark
		}
		return e
	})
	return reduce.Bisimilar(ctx, b.Automaton())
}

// evenStates colours the components by even numbers where they are accepting and by
// odd ones where they are not, those without cycles by either, such that no edge
// leads to a smaller colour; and each with the greatest that there can be. It
// returns which states have even ones.
func evenStates(d *omega.Automaton, c omega.Components, accepting []bool) []bool {
	down := make([]int, c.Count) // the colour, counted from the greatest even one down
	even := make([]bool, d.NumStates())
	for i, members := range c.Members() { // edges lead to components of smaller numbers
		cyclic := false
		for _, s := range members {
			for _, e := range d.Edges(s) {
				j := int(c.Of[e.Dst])
				cyclic = cyclic || i == j
				down[i] = max(down[i], down[j])
			}
		}
		if cyclic && (down[i]%2 == 0) != accepting[i] {
			down[i]++
		}
		for _, s := range members {
			even[s] = down[i]%2 == 0
		}
	}
	return even
}

// trimmed returns a minimal deterministic weak automaton without its sink, which is the
// state from which no word is accepted, and without marks if every run is accepting
// then.
func trimmed(m *omega.Automaton) *omega.Automaton {
	sink := func(s omega.State) bool {
		e := m.Edges(s)
		return len(e) == 1 && e[0].Dst == s && e[0].Marks == 0
	}
	c := m.Components()
	all := true
	for s := range omega.State(m.NumStates()) {
		for _, e := range m.Edges(s) {
			all = all && (sink(s) || c.Of[s] != c.Of[e.Dst] || e.Marks != 0)
		}
	}
	acceptance := m.Acceptance()
	if all {
		acceptance = omega.GeneralizedBuchi(0)
	}
	b := omega.NewBuilder(m.Alphabet(), acceptance)
	b.Copy(m, budget.Free(), func(s omega.State, e omega.Edge) omega.Edge {
		if all || c.Of[s] != c.Of[e.Dst] {
			e.Marks = 0
		}
		if sink(s) {
			e.Label = omega.False // so that it is a dead end
		}
		return e
	})
	return reduce.WithoutDeadEnds(b.Automaton())
}
