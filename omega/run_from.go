package omega

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// AcceptedFrom returns from which states and positions the rest of the word is accepted. Entry
// s*Size()+pos is for state s before the letter at position pos. It fails for the alternating
// automata that Accepts fails for, and when ctx is done.
func (a *Automaton) AcceptedFrom(ctx context.Context, w *Word) (_ []bool, err error) {
	both := Union(a.alphabet, w.Alphabet)
	b := budget.New(ctx)
	defer both.Bind(b).Release(&err)
	a, w = a.over(both), w.Over(both)
	if a.Alternating() {
		g, err := a.game(w, b)
		if err != nil {
			return nil, err
		}
		return g.won, nil
	}
	g := newRunGraph(b, a, w, true)
	if b.Err() != nil {
		return nil, b.Err()
	}
	good := make([]bool, a.NumStates()*w.Size())
	var queue []int32
	visit := func(n int32) {
		if p := g.place[n]; !good[p] {
			good[p] = true
			queue = append(queue, n)
		}
	}
	for _, arcs := range g.components(g.arcs) {
		if part, _ := g.accepting(a.acceptance.Condition, arcs); part != nil {
			for _, arc := range part {
				visit(arc.src)
			}
		}
	}
	// Backwards from there.
	first := make([]int32, len(g.place)+1)
	for _, arc := range g.arcs {
		first[arc.dst+1]++
	}
	for n := range g.place {
		first[n+1] += first[n]
	}
	src := make([]int32, len(g.arcs))
	next := append([]int32(nil), first...)
	for _, arc := range g.arcs {
		src[next[arc.dst]] = arc.src
		next[arc.dst]++
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, m := range src[first[n]:first[n+1]] {
			visit(m)
		}
	}
	return good, g.budget.Err()
}
