package forq

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Result says whether every word of one automaton is in the other one. If not, Word is a word
// that only the first one accepts. If its letters leave propositions open, this holds for every
// valuation.
type Result struct {
	Word     *omega.Word
	Prefixes int // sets of states kept, in all antichains
	Periods  int // relations kept, in all antichains
}

// Check decides whether b accepts every word of a. Both have the same alphabet, and any acceptance
// condition. They should be reduced. The cost is exponential in b at worst: there may be 2^n sets
// and 3^(n²) relations of n states.
//
// Check fails with omega.ErrAlternating, with an omega.LimitError past the limits, and when ctx is
// done. limits.WordSteps bounds its steps; ten million take a second. The memory limit of ctx holds, too. Beside an error,
// the Result says how far the check came.
func Check(ctx context.Context, a, b *omega.Automaton, limits omega.Limits) (result *Result, err error) {
	if a.Alphabet() == nil || b.Alphabet() == nil {
		return &Result{}, omega.ErrNoAutomaton
	}
	if a.Alphabet() != b.Alphabet() {
		return nil, fmt.Errorf("forq: the automata have different alphabets, of the propositions %q and %q",
			a.Alphabet().Props(), b.Alphabet().Props())
	}
	s := &search{budget: budget.New(ctx), result: &Result{}}
	result = s.result
	limits = limits.WithDefaults()
	memory := s.budget.MemoryLimit()
	if limits.Memory > 0 && (memory == 0 || limits.Memory < memory) { // the smaller of two limits
		memory = limits.Memory
	}
	s.budget.LimitMemory(memory, s.memory)
	if limits.WordSteps > 0 {
		s.budget.LimitSteps(limits.WordSteps)
	}
	defer a.Alphabet().Bind(s.budget).Release(&err)
	if a, err = complement.Buchi(ctx, a, limits); err != nil {
		return result, err
	}
	if b, err = complement.Buchi(ctx, b, limits); err != nil {
		return result, err
	}
	if s.right, err = newRight(b, s.budget); err != nil {
		return result, err
	}
	words := bitset.Words(s.right.states)
	s.rows = &rows{right: s.right, budget: s.budget, words: words, buf: make([]uint64, 1+2*words)}
	if s.left, err = newLeft(a, s.right, s.budget); err != nil {
		return result, err
	}
	s.findPrefixes()
	result.Prefixes = len(s.least.list)
	if s.budget.Err() == nil {
		s.periods = &periods{search: s, place: make([]int32, s.right.states), chains: make([][]int32, 2*s.left.states),
			contexts: make([][]uint64, s.left.states)}
		if !s.least.empty { // otherwise any period will do
			s.periods.findContexts()
		}
		s.run()
	}
	return result, s.budget.Err()
}

// A search is a check in progress.
type search struct {
	budget *budget.Budget
	result *Result
	left   *left
	right  *right
	rows   *rows

	least   *prefixes
	periods *periods
}

// memory returns the number of bytes that the search takes.
func (s *search) memory() int64 {
	n := int64(0)
	if s.left != nil {
		n += s.left.memory()
	}
	if s.right != nil {
		n += s.right.memory()
	}
	if s.rows != nil {
		n += s.rows.memory()
	}
	if s.least != nil {
		n += s.least.memory()
	}
	if s.periods != nil {
		n += s.periods.memory()
	}
	return n
}

// run looks for a word that only the left side accepts, by its cycle. It takes a state of a component
// and searches the cycles that pass it. Then it removes the state, and goes on with the components of
// what is left: each other cycle is in one of them.
func (s *search) run() {
	// The parts number their states anew; a tag is the number of an edge in s.left.
	inner := &scc.Graph[int32]{Nodes: s.left.states, Budget: s.budget}
	for i, e := range s.left.edges {
		if s.left.part[e.src] == s.left.part[e.dst] {
			inner.Edges = append(inner.Edges, scc.Edge[int32]{Src: e.src, Dst: e.dst, Tag: int32(i)})
		}
	}
	todo := inner.Parts()
	for len(todo) > 0 && s.result.Word == nil && s.budget.Err() == nil {
		part := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		pivot := s.pivot(part)
		if pivot < 0 {
			continue // no cycle is accepting
		}
		p := part.Edges[pivot]
		rest := &scc.Graph[int32]{Nodes: part.Nodes, Budget: s.budget}
		for _, e := range part.Edges {
			s.left.edges[e.Tag].on = true // periods stay in the part
			if e.Src != p.Src && e.Dst != p.Src {
				rest.Edges = append(rest.Edges, e)
			}
		}
		state := s.left.edges[p.Tag].src
		// Without a prefix that leads there, no word of the left side comes to the state.
		if stems := s.least.chains[state]; len(stems) > 0 {
			s.periods.run(state, stems)
			s.result.Periods += len(s.periods.list)
		}
		for _, e := range part.Edges {
			s.left.edges[e.Tag].on = false
		}
		todo = append(todo, rest.Parts()...)
	}
}

// pivot returns an edge of a component that leaves the state to begin with, or -1 if there is no
// accepting edge. The state has the most accepting edges, to and from it. Among those, it has the
// most paths through it.
func (s *search) pivot(part *scc.Graph[int32]) int {
	type degrees struct{ marked, in, out int }
	count := make([]degrees, part.Nodes)
	some := false
	for _, e := range part.Edges {
		count[e.Src].out++
		count[e.Dst].in++
		if s.left.edges[e.Tag].marked {
			some = true
			count[e.Src].marked++
			count[e.Dst].marked++
		}
	}
	if !some { // no cycle is accepting
		return -1
	}
	best := 0
	for i, e := range part.Edges {
		x, y := count[e.Src], count[part.Edges[best].Src]
		if x.marked > y.marked || x.marked == y.marked && x.in*x.out > y.in*y.out {
			best = i
		}
	}
	return best
}

// A lasso decides whether the right side accepts a prefix with a period that is repeated forever.
type lasso struct {
	seen []uint64 // states that the prefix and some periods lead to
	todo []uint64 // those whose rows are not known to be in seen
	ring []uint64 // states that an accepting cycle could lead through
}

// accepted reports whether the graph of a relation has a cycle past an accepting edge that can be
// reached from the set.
func (l *lasso) accepted(p *periods, set []uint64, relation []int32) bool {
	l.seen = append(l.seen[:0], set...)
	l.close(p, l.seen, relation, func(int32) bool { return true })
	for s := range members(l.seen) {
		passed := p.rows.passed(relation[p.place[s]-1])
		p.budget.Spend(1 + len(passed))
		if bitset.Has(passed, s) { // an accepting loop
			return true
		}
	}
	// Other accepting cycles stay in a component, so the search for the way back can stay there as well.
	for s := range members(l.seen) {
		row := relation[p.place[s]-1]
		if !slices.ContainsFunc(p.rows.passed(row), func(w uint64) bool { return w != 0 }) {
			continue
		}
		part := p.right.part[s]
		l.ring = append(l.ring[:0], p.rows.passed(row)...)
		l.close(p, l.ring, relation, func(t int32) bool { return p.right.part[t] == part })
		if bitset.Has(l.ring, s) {
			return true
		}
	}
	return false
}

// close adds to a set what the relation leads to from it, past states that are inside.
func (l *lasso) close(p *periods, set []uint64, relation []int32, inside func(s int32) bool) {
	l.todo = append(l.todo[:0], set...)
	for again := true; again; {
		again = false
		for k := range l.todo {
			for l.todo[k] != 0 {
				s := int32(64*k + bits.TrailingZeros64(l.todo[k]))
				l.todo[k] &= l.todo[k] - 1
				if !inside(s) {
					continue
				}
				row := p.rows.reached(relation[p.place[s]-1])
				if p.budget.Spend(1 + len(row)) {
					return
				}
				for j, w := range row {
					l.todo[j] |= w &^ set[j]
					set[j] |= w
				}
				again = true
			}
		}
	}
}

// members returns the states of a set.
func members(set []uint64) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for k, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(int32(64*k + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// findContexts finds the context of each state of the left side. These are the states of the right
// side that some word leads to which also leads to the left state. A state that no word leads to
// has no context. It takes time linear in the product of both sides.
func (p *periods) findContexts() {
	s := p.search
	var todo []pair
	visit := func(x pair) {
		set := p.contexts[x.left]
		if set == nil {
			set = make([]uint64, s.rows.words)
			p.contexts[x.left] = set
			p.sets++
			s.budget.Spend(s.rows.words / 64) // many states need much memory
		}
		if !bitset.Has(set, x.right) {
			bitset.Add(set, x.right)
			todo = append(todo, x)
		}
	}
	for _, l := range s.left.initial {
		for _, r := range s.right.initial {
			visit(pair{l, int32(r)})
		}
	}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for k := s.left.first[x.left]; k < s.left.first[x.left+1]; k++ {
			e := &s.left.edges[k]
			for _, class := range e.largest { // smaller relations reach no more states
				arcs := s.right.from(int(class), int(x.right))
				if s.budget.Spend(1 + len(arcs)) {
					return
				}
				for _, arc := range arcs {
					visit(pair{e.dst, arc.dst})
				}
			}
		}
	}
}

// A pair is a state of each side.
type pair struct{ left, right int32 }
