// Package runs has what tests of searches for accepting runs share: what is wrong with a run, how
// long a shortest one is, and inputs.
package runs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// Replay reports what is wrong with a run: it must be a path of edges of the
// automaton from an initial state, its cycle must close, and the cycle's marks
// must satisfy the condition.
func Replay(src omega.Source, r *emptiness.Run) error {
	if len(r.Cycle) == 0 {
		return errors.New("empty cycle")
	}
	steps := append(append([]emptiness.Step(nil), r.Prefix...), r.Cycle...)
	initial := false
	for _, s := range src.Initial() {
		initial = initial || s == steps[0].From
	}
	if !initial {
		return fmt.Errorf("state %d is not initial", steps[0].From)
	}
	for i, step := range steps {
		edges, err := src.AppendEdges(nil, step.From)
		if err != nil {
			return err
		}
		found := false
		for _, e := range edges {
			found = found || e == step.Edge
		}
		if !found {
			return fmt.Errorf("step %d: state %d has no edge %v", i, step.From, step.Edge)
		}
		next := r.Cycle[0].From
		if i+1 < len(steps) {
			next = steps[i+1].From
		}
		if step.Edge.Dst != next {
			return fmt.Errorf("step %d leads to %d, not %d", i, step.Edge.Dst, next)
		}
	}
	var all omega.Marks
	for _, step := range r.Cycle {
		all = src.Marks().Union(all, step.Edge.Marks)
	}
	if !src.Acceptance().Condition.Eval(src.Marks(), all) {
		return fmt.Errorf("marks %v of the cycle do not satisfy %s", src.Marks().AppendTo(nil, all), src.Acceptance())
	}
	return nil
}

// Condition returns an acceptance condition of the random tests: the named ones,
// random ones, and more sets than a machine word has bits.
func Condition(r *rand.Rand) omega.Acceptance {
	names := []string{"all", "none", "Buchi", "co-Buchi", "generalized-Buchi 3", "generalized-co-Buchi 2", "Rabin 2",
		"Streett 2", "generalized-Rabin 2 1 2", "parity min even 4", "parity max odd 3", "generalized-Buchi 70"}
	if i := r.IntN(2 * len(names)); i < len(names) {
		a, _ := omega.NamedAcceptance(names[i])
		return a
	}
	n := 1 + r.IntN(6)
	return omega.Acceptance{Sets: n, Condition: random.Condition(r, n, 0)}
}

// Shortest returns the least length of an accepting run, or 0 for an empty language: for each
// state, its distance and a breadth-first search over states and marks from there.
func Shortest(a omega.Source) int {
	edges := func(s omega.State) []omega.Edge {
		list, err := a.AppendEdges(nil, s)
		if err != nil {
			panic(err)
		}
		return list
	}
	type seen struct {
		state omega.State
		marks omega.Marks
	}
	dist := map[omega.State]int{}
	queue := slices.Clone(a.Initial())
	for _, s := range queue {
		dist[s] = 0
	}
	best := 0
	for i := 0; i < len(queue); i++ {
		start := queue[i]
		for _, e := range edges(start) {
			if _, ok := dist[e.Dst]; !ok {
				dist[e.Dst] = dist[start] + 1
				queue = append(queue, e.Dst)
			}
		}
		loop := map[seen]int{{start, 0}: 0}
		within := []seen{{start, 0}}
		for j := 0; j < len(within); j++ {
			at := within[j]
			n := loop[at] + 1
			for _, e := range edges(at.state) {
				next := seen{e.Dst, a.Marks().Union(at.marks, e.Marks)}
				if next.state == start && a.Acceptance().Condition.Eval(a.Marks(), next.marks) && (best == 0 || dist[start]+n < best) {
					best = dist[start] + n
				}
				if _, ok := loop[next]; !ok {
					loop[next] = n
					within = append(within, next)
				}
			}
		}
	}
	return best
}

// Chain is a path of n states with a loop without marks at its end, given on
// demand.
type Chain struct {
	N    omega.State
	Over *omega.Alphabet
}

func (c Chain) Alphabet() *omega.Alphabet    { return c.Over }
func (c Chain) Acceptance() omega.Acceptance { return omega.Buchi() }
func (c Chain) Marks() *omega.MarkTable      { return omega.NewMarkTable(1) }
func (c Chain) Initial() []omega.State       { return []omega.State{0} }
func (c Chain) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	return append(buf, omega.Edge{Label: c.Over.True(), Dst: min(s+1, c.N-1)}), nil
}

// A Shape is a kind of random automata.
type Shape int

const (
	AnyShape  Shape = iota
	WeakShape       // components in which all edges carry the same marks
	TerminalShape
	Shapes
)

// Automaton returns one of up to size states, some of them initial.
func Automaton(r *rand.Rand, size int, acceptance omega.Acceptance, kind Shape) *omega.Automaton {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, acceptance)
	n := 1 + r.IntN(size)
	b.AddStates(n)
	for range 1 + r.IntN(2) {
		b.AddStart(omega.State(r.IntN(n)))
	}
	degree := []float64{0.7, 1, 1.5, 2, 3}[r.IntN(5)]
	// Where marks are rare, there is one way to accept, if any, which no algorithm
	// may miss.
	often := []float64{0.7 / (degree * float64(n)), 1.5 / (degree * float64(n)), 0.1, 0.3, 0.6}[r.IntN(5)]
	if acceptance.Sets > 10 {
		often = 0.97
	}
	marks := func() omega.Marks {
		var list []int
		for i := range acceptance.Sets {
			if r.Float64() < often {
				list = append(list, i)
			}
		}
		return b.Marks().Of(list...)
	}
	labels := []omega.Label{alphabet.True(), alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))}
	label := func() omega.Label { return labels[r.IntN(3)] }
	for lo := 0; lo < n; {
		hi, low := n, 0 // a component's states, and to which states its edges lead
		if kind != AnyShape {
			hi, low = min(n, lo+1+r.IntN(6)), lo
		}
		m := marks()
		if kind == TerminalShape {
			m = 0
			if hi == n && r.IntN(3) > 0 {
				all := make([]int, acceptance.Sets)
				for i := range all {
					all[i] = i
				}
				m = b.Marks().Of(all...)
			}
		}
		for s := lo; s < hi; s++ {
			if kind == TerminalShape && m != 0 {
				b.AddEdge(omega.State(s), alphabet.True(), m, omega.State(lo+r.IntN(hi-lo)))
			}
			for k := degree; k > 0 && r.Float64() < k; k-- {
				e := m
				if kind == AnyShape {
					e = marks()
				}
				b.AddEdge(omega.State(s), label(), e, omega.State(low+r.IntN(n-low)))
			}
		}
		lo = hi
	}
	return b.Automaton()
}
