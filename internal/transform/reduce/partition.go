package reduce

import (
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A partition of the states of an automaton. It is refined until the states of a class have the
// same edges, up to classes. Then they are bisimilar.
//
// A state is examined again only when a successor has changed its class. When a class is split, its
// largest part keeps the number. So a state changes its class at most logarithmically often (the
// smaller half: Hopcroft 1971; with signatures instead of splitters: Jacobs and Wißmann, "Fast
// coalgebraic bisimilarity minimization", POPL 2023). On a path, where all states differ, the time
// is linear up to that logarithm.
type partition struct {
	a       *omega.Automaton
	union   bool // edges to a class are one
	class   []omega.State
	members []omega.State // the states, class by class
	at      []int32       // where each state is among the members
	blocks  []block       // of each class
	work    []omega.State // classes that have members to be examined

	from   []int32 // the predecessors of s are source[from[s]:from[s+1]]
	source []omega.State

	edges []omega.Edge // scratch space
	key   []byte
}

// A block is where the members of a class are: from first to before end. The first dirty ones have
// yet to be examined. All others have the same edges up to classes.
type block struct{ first, end, dirty int32 }

// bisimilarity returns the coarsest partition of the states into bisimilar ones, if union is set.
// Otherwise, labels of edges to one class are compared one by one. Then states may be separated
// although they have the same letters, divided into other labels.
func bisimilarity(a *omega.Automaton, union bool, w *budget.Budget) *partition {
	n := a.NumStates()
	p := &partition{
		a:       a,
		union:   union,
		class:   make([]omega.State, n),
		members: make([]omega.State, n),
		at:      make([]int32, n),
		blocks:  []block{{0, int32(n), int32(n)}},
		work:    []omega.State{0},
	}
	for s := range n {
		p.members[s], p.at[s] = omega.State(s), int32(s)
	}
	p.from, p.source = predecessors(a, w)
	for len(p.work) > 0 && w.Err() == nil {
		work := p.work
		p.work = nil
		for _, c := range work {
			p.split(c, w)
		}
	}
	return p
}

// predecessors returns the sources of the edges, ordered by destination: the edges to s come from
// source[from[s]:from[s+1]].
func predecessors(a *omega.Automaton, w *budget.Budget) (from []int32, source []omega.State) {
	w.Spend(a.NumEdges())
	return scc.Grouped(a.NumStates(), func(yield func(dst, src omega.State) bool) {
		for s := range omega.State(a.NumStates()) {
			for _, e := range a.Edges(s) {
				yield(e.Dst, s)
			}
		}
	})
}

// split examines the dirty members of class c, and divides the class accordingly.
func (p *partition) split(c omega.State, w *budget.Budget) {
	b := p.blocks[c]
	p.blocks[c].dirty = 0
	examined := append([]omega.State(nil), p.members[b.first:b.first+b.dirty]...) // a copy: divide moves the members
	known := make(map[string]int32)                                               // most splits are small: with intern.Lists, they take up to a third longer
	var sizes []int32                                                             // of the parts
	enter := func(s omega.State, count int32) int32 {
		p.signature(s, w)
		i, ok := known[string(p.key)]
		if !ok {
			i = int32(len(sizes))
			known[string(p.key)] = i
			sizes = append(sizes, 0)
		}
		sizes[i] += count
		return i
	}
	part := make([]int32, len(examined))
	for i, s := range examined {
		part[i] = enter(s, 1)
		if w.Err() != nil {
			return
		}
	}
	// The others are all like the first of them: their part goes last, so that
	// they can stay where they are.
	last := int32(-1)
	if unseen := b.end - b.first - b.dirty; unseen > 0 {
		last = enter(p.members[b.first+b.dirty], unseen)
	}
	if len(sizes) > 1 {
		p.divide(c, examined, part, sizes, last, w)
	}
}

// divide makes each part of class c a class. The examined states are in the given parts, and all
// others in the last one.
func (p *partition) divide(c omega.State, examined []omega.State, part, sizes []int32, last int32, w *budget.Budget) {
	b := p.blocks[c]
	starts := make([]int32, len(sizes))
	at, largest := b.first, 0
	// The largest part keeps the class. So each state moves at most log n times (Hopcroft 1971).
	for i, size := range sizes {
		if size > sizes[largest] {
			largest = i
		}
		if int32(i) != last {
			starts[i] = at
			at += size
		}
	}
	if last >= 0 {
		starts[last] = at
	}
	next := append([]int32(nil), starts...)
	for i, s := range examined {
		p.members[next[part[i]]], p.at[s] = s, next[part[i]]
		next[part[i]]++
	}
	var moved []omega.State
	for i, size := range sizes {
		b := block{first: starts[i], end: starts[i] + size}
		if i == largest { // it keeps the number
			p.blocks[c] = b
			continue
		}
		for _, s := range p.members[b.first:b.end] {
			p.class[s] = omega.State(len(p.blocks))
			moved = append(moved, s)
		}
		p.blocks = append(p.blocks, b)
	}
	for _, s := range moved {
		for _, t := range p.source[p.from[s]:p.from[s+1]] {
			if w.Stop() {
				return
			}
			p.examine(t)
		}
	}
}

// examine marks s as a state that must be examined.
func (p *partition) examine(s omega.State) {
	b := &p.blocks[p.class[s]]
	i, j := p.at[s], b.first+b.dirty
	if i < j { // it is dirty already
		return
	}
	t := p.members[j]
	p.members[i], p.members[j] = t, s
	p.at[t], p.at[s] = i, j
	if b.dirty++; b.dirty == 1 { // the class is not in work yet
		p.work = append(p.work, p.class[s])
	}
}

// signature writes the edges of s up to classes to p.key.
func (p *partition) signature(s omega.State, w *budget.Budget) {
	if p.union {
		p.edges = merged(p.a, p.edges[:0], p.class, w, s)
	} else {
		p.edges = slices.Compact(sorted(p.a, p.edges[:0], p.class, s))
	}
	p.key = p.key[:0]
	for _, e := range p.edges {
		p.key = binary.LittleEndian.AppendUint64(p.key, uint64(e.Label))
		p.key = binary.LittleEndian.AppendUint64(p.key, uint64(e.Marks))
		p.key = binary.LittleEndian.AppendUint32(p.key, uint32(e.Dst))
	}
}

// byFirst numbers classes in the order of their first states.
func byFirst(class []omega.State) {
	number := make([]omega.State, len(class)) // plus one
	count := omega.State(0)
	for s, c := range class {
		if number[c] == 0 {
			count++
			number[c] = count
		}
		class[s] = number[c] - 1
	}
}
