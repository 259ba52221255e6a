package forq

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Limits limit a check. Zero means no limit.
type Limits struct {
	States int   // of an automaton with Büchi acceptance, if it has to be made
	Steps  int   // see package budget; about 10^7 take a second
	Memory int64 // bytes
}

// A Result says whether every word of one automaton is in the other one. If not, Word is a word
// that only the first one accepts. If its letters leave propositions open, this holds for every
// valuation.
type Result struct {
	Word     *omega.Word
	Prefixes int // sets of states kept, in all antichains
	Periods  int // relations kept, in all antichains
}

// Included reports whether every word is included.
func (r *Result) Included() bool { return r.Word == nil }

// Check decides whether b accepts every word of a. Both have the same alphabet, and any acceptance
// condition. They should be reduced. The cost is exponential in b at worst: there may be 2^n sets
// and 3^(n²) relations of n states.
//
// Check fails with omega.ErrAlternating, with an omega.LimitError past the limits, and when ctx is
// done. It obeys the memory limit of ctx as well. With an error, the Result says how far it came.
func Check(ctx context.Context, a, b *omega.Automaton, limits Limits) (result *Result, err error) {
	if a.Alphabet() == nil || b.Alphabet() == nil {
		return &Result{}, omega.ErrNoAutomaton
	}
	if a.Alphabet() != b.Alphabet() {
		return nil, fmt.Errorf("forq: the automata have different alphabets, of the propositions %q and %q",
			a.Alphabet().Props(), b.Alphabet().Props())
	}
	s := &search{budget: budget.New(ctx), result: &Result{}}
	result = s.result
	memory := s.budget.MemoryLimit()
	if limits.Memory > 0 && (memory == 0 || limits.Memory < memory) {
		memory = limits.Memory
	}
	s.budget.LimitMemory(memory, s.memory)
	if limits.Steps > 0 {
		s.budget.LimitSteps(limits.Steps)
	}
	defer a.Alphabet().Bind(s.budget).Release(&err)
	if a, err = complement.Buchi(ctx, a, limits.States); err != nil {
		return result, err
	}
	if b, err = complement.Buchi(ctx, b, limits.States); err != nil {
		return result, err
	}
	if err := s.prepare(a, b); err != nil {
		return result, err
	}
	s.run()
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

// prepare brings both automata into the form that the search needs.
func (s *search) prepare(a, b *omega.Automaton) (err error) {
	if s.right, err = newRight(b, s.budget); err != nil {
		return err
	}
	s.rows = newRows(s.right, s.budget)
	s.left, err = newLeft(a, s.right, s.budget)
	return err
}

// run looks for a word that only the left side accepts.
func (s *search) run() {
	newPrefixes(s)
	s.result.Prefixes = len(s.least.list)
	if s.budget.Err() != nil {
		return
	}
	newPeriods(s)
	s.parts(&scc.Graph[int32]{Nodes: s.left.states, Edges: s.left.graph(), Budget: s.budget})
}

// parts looks for words with an accepting cycle in a part of the left side: first with those cycles
// that pass one state, and then in what remains without the state.
func (s *search) parts(g *scc.Graph[int32]) {
	todo := g.Parts()
	for len(todo) > 0 && s.result.Word == nil && s.budget.Err() == nil {
		part := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		pivot := s.pivot(part)
		if pivot < 0 {
			continue
		}
		p := part.Edges[pivot]
		rest := &scc.Graph[int32]{Nodes: part.Nodes, Budget: s.budget}
		for _, e := range part.Edges {
			s.left.edges[e.Tag].on = true
			if e.Src != p.Src && e.Dst != p.Src {
				rest.Edges = append(rest.Edges, e)
			}
		}
		s.cycles(s.left.edges[p.Tag].src)
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
	if !some {
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

// cycles looks for words with a cycle through p, along the edges of the left side that are on.
func (s *search) cycles(p int32) {
	stems := s.least.chains[p]
	if len(stems) == 0 {
		return
	}
	s.periods.run(p, stems)
	s.result.Periods += len(s.periods.list)
}
