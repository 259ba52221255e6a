package omega

import (
	"context"
	"encoding/binary"
	"slices"
)

// Reduce returns a smaller automaton with the same language and acceptance
// condition: without states that are unreachable or from which no word is
// accepted, without marks where they can't matter (on edges between strongly
// connected components), with one edge for all letters that lead with the same
// marks to the same state, with bisimilar states merged, and up to 300 states
// also with those merged that simulate each other, and without the edges that
// simulation shows to be superfluous. It fails with ErrAlternating.
//
// Bisimilarity is decided by refining partitions of the states: at most as many
// rounds as there are states, each in time linear in the edges (up to a
// logarithm).
func Reduce(ctx context.Context, a *Automaton) (*Automaton, error) {
	if a.Alternating() {
		return nil, ErrAlternating
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := a.useful().quotient()
		b = b.simulated()
		if b.NumStates() == a.NumStates() && b.NumEdges() == a.NumEdges() {
			return b, nil
		}
		a = b
	}
}

// useful returns the part of a that accepting runs use, without marks on edges
// between components.
func (a *Automaton) useful() *Automaton {
	n := a.NumStates()
	c := a.Components()
	live := make([]bool, c.Count)
	for _, g := range a.parts() {
		if _, ok := g.acceptingCycle(a.acceptance.Condition); ok {
			live[c.Of[g.edges[0].src]] = true
		}
	}
	// Edges lead to components of smaller numbers.
	order := make([]State, n)
	for s := range n {
		order[s] = State(s)
	}
	slices.SortFunc(order, func(s, t State) int { return int(c.Of[s]) - int(c.Of[t]) })
	for _, s := range order {
		for _, e := range a.Edges(s) {
			if live[c.Of[e.Dst]] {
				live[c.Of[s]] = true
			}
		}
	}
	b := NewBuilder(a.alphabet, a.acceptance)
	b.automaton.marks = a.marks
	number := make([]State, n)
	for s := range number {
		number[s] = -1
	}
	var queue []State
	visit := func(s State) State {
		if number[s] < 0 {
			number[s] = b.AddState()
			queue = append(queue, s)
		}
		return number[s]
	}
	for _, s := range a.start {
		if live[c.Of[s]] {
			b.AddStart(visit(s))
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for _, e := range a.Edges(s) {
			if !live[c.Of[e.Dst]] {
				continue
			}
			if c.Of[s] != c.Of[e.Dst] {
				e.Marks = 0
			}
			b.AddEdge(State(i), e.Label, e.Marks, visit(e.Dst))
		}
	}
	return b.Automaton()
}

// quotient merges bisimilar states.
func (a *Automaton) quotient() *Automaton {
	n := a.NumStates()
	class := make([]State, n)
	var edges []Edge
	var key []byte
	for count := 1; ; {
		index := make(map[string]State)
		next := make([]State, n)
		for s := range n {
			edges = a.merged(edges[:0], State(s), class)
			key = key[:0]
			for _, e := range edges {
				key = binary.LittleEndian.AppendUint64(key, uint64(e.Label))
				key = binary.LittleEndian.AppendUint64(key, uint64(e.Marks))
				key = binary.LittleEndian.AppendUint32(key, uint32(e.Dst))
			}
			i, ok := index[string(key)]
			if !ok {
				i = State(len(index))
				index[string(key)] = i
			}
			next[s] = i
		}
		class = next
		if len(index) == count {
			break
		}
		count = len(index)
	}
	b := NewBuilder(a.alphabet, a.acceptance)
	b.automaton.marks = a.marks
	for s := range n {
		if int(class[s]) < b.NumStates() {
			continue // classes are numbered by their first state
		}
		b.AddState()
		edges = a.merged(edges[:0], State(s), class)
		for _, e := range edges {
			b.AddEdge(class[s], e.Label, e.Marks, e.Dst)
		}
	}
	for _, s := range a.start {
		b.AddStart(class[s])
	}
	return b.Automaton()
}

// merged appends the edges of s with the class of each destination, ordered by
// that and the marks, where edges that have both in common are one.
func (a *Automaton) merged(buf []Edge, s State, class []State) []Edge {
	base := len(buf)
	for _, e := range a.Edges(s) {
		e.Dst = class[e.Dst]
		buf = append(buf, e)
	}
	slices.SortFunc(buf[base:], func(e, f Edge) int {
		if e.Dst != f.Dst {
			return int(e.Dst - f.Dst)
		}
		if e.Marks < f.Marks {
			return -1
		} else if e.Marks > f.Marks {
			return 1
		}
		return 0
	})
	out := buf[:base]
	for _, e := range buf[base:] {
		if k := len(out) - 1; k >= base && out[k].Dst == e.Dst && out[k].Marks == e.Marks {
			out[k].Label = a.alphabet.Or(out[k].Label, e.Label)
		} else {
			out = append(out, e)
		}
	}
	return out
}
