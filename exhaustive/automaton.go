package exhaustive

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/certify/disjuncts"
	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// An automaton is evaluated on blocks: each state has a column for each position, which has the
// words that the automaton accepts from there.
type automaton struct {
	start  []int
	labels *labels
	all    graph   // all edges
	fair   []graph // for each disjunct of the acceptance condition, those that may be taken forever

	// By position and state.
	accepts      []column
	inner, outer []column // see forever
}

// A graph is edges by the state that they leave. States are reachable ones, numbered from 0.
type graph struct {
	from  [][]edge
	count int
	often int // how many marks runs need again and again: at least one
}

// An edge leads to a state on the letters of a label.
type edge struct {
	label, to int
	marks     uint64 // the number of a mark that runs need is a bit
}

// newAutomaton returns an automaton for letters over the propositions; nil if it is alternating, or
// its condition is too large in disjunctive normal form. Then package certify has to decide
// membership word by word.
func newAutomaton(a *certify.Automaton, props []string, steps *budget.Budget) (*automaton, error) {
	conditions, ok := disjuncts.Of(a.Acceptance)
	if !ok || slices.ContainsFunc(a.Start, several) {
		return nil, nil
	}
	x := &automaton{fair: make([]graph, len(conditions))}
	var err error
	if x.labels, err = newLabels(a.Props, props); err != nil {
		return nil, err
	}
	number := map[int]int{}
	var states []int
	place := func(s int) int {
		if _, ok := number[s]; !ok {
			number[s] = len(states)
			states = append(states, s)
		}
		return number[s]
	}
	for _, start := range a.Start {
		x.start = append(x.start, place(start[0]))
	}
	for s := 0; s < len(states); s++ {
		out := a.Edges(states[s])
		if steps.Spend(1 + len(out)) {
			return nil, steps.Err()
		}
		x.all.from = append(x.all.from, nil)
		for i := range x.fair {
			x.fair[i].from = append(x.fair[i].from, nil)
		}
		for _, e := range out {
			if several(e.To) {
				return nil, nil
			}
			added := edge{label: x.labels.add(e.Label), to: place(e.To[0])}
			x.all.add(s, added)
			for i := range conditions {
				if marks, ok := conditions[i].Take(e); ok {
					if added.marks = marks; len(conditions[i].Inf) == 0 {
						added.marks = 1 // all edges have the only mark
					}
					x.fair[i].add(s, added)
				}
			}
		}
	}
	for i := range conditions {
		x.fair[i].often = max(1, len(conditions[i].Inf))
	}
	return x, nil
}

// several reports whether an automaton that goes to these states at once alternates.
func several(states []int) bool { return len(states) != 1 }

func (g *graph) add(from int, e edge) {
	g.from[from] = append(g.from[from], e)
	g.count++
}

// on returns the words of a block that the automaton accepts: those for which an edge path leads
// from a start to where forever finds runs.
func (a *automaton) on(b block, steps *budget.Budget) (column, error) {
	if steps.Spend(len(a.labels.nodes) * b.size()) {
		return 0, steps.Err()
	}
	a.labels.evaluate(b)
	size := a.states() * b.size()
	for _, list := range []*[]column{&a.accepts, &a.inner, &a.outer} {
		*list = slices.Grow((*list)[:0], size)[:size]
	}
	clear(a.accepts)
	cycle := a.accepts[a.states()*b.prefix:] // the positions in the cycle
	for i := range a.fair {                  // a run finally satisfies one disjunct
		if err := a.forever(b, &a.fair[i], steps); err != nil {
			return 0, err
		}
		for k, c := range a.outer[len(a.outer)-len(cycle):] {
			cycle[k] |= c
		}
	}
	if err := a.backward(b, steps); err != nil {
		return 0, err
	}
	accepted := column(0)
	for _, s := range a.start {
		accepted |= a.accepts[s]
	}
	return accepted, nil
}

func (a *automaton) states() int { return len(a.all.from) }

// row returns the columns of all states at a position.
func (a *automaton) row(of []column, pos int) []column {
	return of[pos*a.states() : (pos+1)*a.states()]
}

// forever sets outer, at the positions of the cycle, to where runs start that stay in the graph and
// meet each of its marks again and again. It is the greatest X such that for each mark, X is the
// least Y with
//
//	Y = where an edge leads to Y, or an edge with the mark to X.
//
// The marks take turns, until X has stayed the same for all of them.
//
// Take one state, its edges [a] {0} and [!a], and X of all words. On cycle{!a}, no edge with the
// mark reads a letter, so Y is empty, and so is the next X. On cycle{a; !a}, the first position is
// in Y by the mark, the second by the first, and X stays the same.
func (a *automaton) forever(b block, g *graph, steps *budget.Budget) error {
	for i := range a.outer {
		a.outer[i] = all // the greatest fixpoint: from all words down
	}
	for k, same := 0, 0; same < g.often; k = (k + 1) % g.often {
		clear(a.inner) // the least one: from none up
		for grown := true; grown; {
			grown = false
			for pos := b.size() - 1; pos >= b.prefix; pos-- { // backwards, as edges need the next position
				if steps.Spend(a.states() + g.count) {
					return steps.Err()
				}
				grown = a.grow(b, g, pos, 1<<k) || grown
			}
		}
		same++
		for i := a.states() * b.prefix; i < len(a.outer); i++ {
			if smaller := a.outer[i] & a.inner[i]; smaller != a.outer[i] {
				a.outer[i], same = smaller, 0 // X has changed: all marks have their turn again
			}
		}
	}
	return nil
}

// grow applies the law of forever at a position once to each state. It reports whether inner grew.
func (a *automaton) grow(b block, g *graph, pos int, mark uint64) bool {
	letter, row := a.labels.at(pos), a.row(a.inner, pos)
	inner, outer := a.row(a.inner, b.next(pos)), a.row(a.outer, b.next(pos))
	grown := false
	for s := len(row) - 1; s >= 0; s-- {
		v := row[s]
		for _, e := range g.from[s] {
			to := inner[e.to]
			if e.marks&mark != 0 {
				to |= outer[e.to]
			}
			v |= letter[e.label] & to
		}
		if v != row[s] {
			row[s], grown = v, true
		}
	}
	return grown
}

// backward adds to accepts the states that have an edge to one that accepts: around the cycle until
// nothing changes, then along the prefix.
func (a *automaton) backward(b block, steps *budget.Budget) error {
	step := func(pos int) (grown bool) {
		letter, row, next := a.labels.at(pos), a.row(a.accepts, pos), a.row(a.accepts, b.next(pos))
		for s := len(row) - 1; s >= 0; s-- {
			v := row[s]
			for _, e := range a.all.from[s] {
				v |= letter[e.label] & next[e.to]
			}
			if v != row[s] {
				row[s], grown = v, true
			}
		}
		return grown
	}
	for grown := true; grown; {
		grown = false
		for pos := b.size() - 1; pos >= b.prefix; pos-- {
			if steps.Spend(a.states() + a.all.count) {
				return steps.Err()
			}
			grown = step(pos) || grown
		}
	}
	for pos := b.prefix - 1; pos >= 0; pos-- {
		if steps.Spend(a.states() + a.all.count) {
			return steps.Err()
		}
		step(pos) // once: the next position is settled
	}
	return nil
}
