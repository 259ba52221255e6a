package omega

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
)

// Accepts reports whether the automaton accepts the word. If letters leave propositions open,
// it reports whether it accepts some word of the set. The alphabets may differ; a proposition
// that only one of them has is open in the other.
//
// It takes time O(|a|·(|u|+|v|)) for a fixed acceptance condition. For an alternating
// automaton it takes up to the square of that. Then it fails with ErrNotWeak if a component is
// not weak, and if a letter leaves open a proposition of the automaton. It fails when ctx is
// done.
func (a *Automaton) Accepts(ctx context.Context, w *Word) (accepts bool, err error) {
	if err := w.Check(); err != nil {
		return false, err
	}
	both := Union(a.Alphabet(), w.Alphabet)
	b := budget.New(ctx)
	defer both.Bind(b).Release(&err)
	a, w = a.over(both), w.Over(both)
	if a.Alternating() {
		// Shares no code with the translation to a nondeterministic automaton, as its rival in tests.
		g, err := a.game(w, b)
		return err == nil && slices.ContainsFunc(a.start, func(s State) bool { return g.all(a.Universal(s), 0) }), err
	}
	g := a.onWord(w, b, false)
	return slices.ContainsFunc(g.Parts(), func(part *markedGraph) bool { return acceptingPart(part, a.marks, a.acceptance.Condition) }), b.Err()
}

// AcceptedFrom returns from which states and positions the rest of the word is accepted. Entry
// s*Size()+pos is for state s before the letter at position pos. It fails for the alternating
// automata that Accepts fails for, and when ctx is done.
func (a *Automaton) AcceptedFrom(ctx context.Context, w *Word) (_ []bool, err error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	both := Union(a.Alphabet(), w.Alphabet)
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
	g := a.onWord(w, b, true)
	if b.Err() != nil {
		return nil, b.Err()
	}
	good := make([]bool, g.Nodes)
	var queue []int32
	for _, part := range g.Parts() {
		if acceptingPart(part, a.marks, a.acceptance.Condition) {
			// The other nodes of the part lead to its root, and are found backwards.
			queue = append(queue, part.Root)
		}
	}
	// Backwards from there.
	first, src := scc.Grouped(g.Nodes, func(yield func(dst, src int32) bool) {
		for _, e := range g.Edges {
			yield(e.Dst, e.Src)
		}
	})
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		if queue = queue[:len(queue)-1]; !good[n] {
			good[n] = true
			queue = append(queue, src[first[n]:first[n+1]]...)
		}
	}
	return good, b.Err()
}

// onWord returns the graph of a on a word over its alphabet. Node s*size+pos is state s before the
// letter at position pos. The graph has the edges between nodes that are reachable from the initial
// states, or, if everywhere is set, from any.
func (a *Automaton) onWord(w *Word, b *budget.Budget, everywhere bool) *markedGraph {
	size := w.Size()
	g := &markedGraph{Nodes: a.PositionsWithin(w, b), Budget: b}
	if b.Err() != nil {
		return g
	}
	b.LimitMemory(b.MemoryLimit(), func() int64 { return int64(g.Nodes + 16*cap(g.Edges)) }) // bytes: visited and edges
	visited := make([]bool, g.Nodes)
	var queue []int32
	visit := func(n int32) {
		if !visited[n] {
			visited[n] = true
			queue = append(queue, n)
		}
	}
	for _, s := range a.start {
		visit(int32(int(s) * size))
	}
	if everywhere {
		for n := range g.Nodes {
			visit(int32(n))
		}
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		pos := int(n) % size
		letter, next := w.At(pos), w.Next(pos)
		for _, e := range a.Edges(State(int(n) / size)) {
			if b.Stop() {
				return g
			}
			if a.alphabet.Meet(e.Label, letter) {
				m := int32(int(e.Dst)*size + next)
				g.Edges = append(g.Edges, markedEdge{Src: n, Dst: m, Tag: e.Marks})
				visit(m)
			}
		}
	}
	return g
}

// maxPositions is the number of pairs of a state and a letter of a word past which an automaton is
// not run on the word.
const maxPositions = 1 << 28

// PositionsWithin returns the number of pairs of a state of a and a position in w. If that is too
// many, the budget ends, and the result is 0.
func (a *Automaton) PositionsWithin(w *Word, b *budget.Budget) int {
	if w == nil {
		return 0
	}
	if w.Size() > maxPositions/max(1, a.NumStates()) {
		b.OrFree().Fail(&LimitError{What: "pairs of a state and a letter", Limit: maxPositions})
		return 0
	}
	return a.NumStates() * w.Size()
}
