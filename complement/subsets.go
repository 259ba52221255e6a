package complement

import (
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// subsets is the subset construction, which all constructions share: the sets of states that a
// Büchi automaton may be in, and its moves on each letter. The moves of a set are computed once.
// All macrostates with the set share them; if macrostates are trees or rankings, these are many.
//
// In this automaton, the set {0} leads to {0} on a, and to {0,1} on !a:
//
//	State: 0  [t] 0  [!a] 1
//	State: 1  [!a] 1 {0}
type subsets struct {
	allowance *allowance
	a         *omega.Automaton
	part      []int32  // component of each state
	block     []int32  // block of each state, or -1
	count     int      // number of blocks
	leads     [][]bool // by block and state: is there a way into the block

	sets  intern.Lists[int32]
	rows  []row
	bytes int64 // of the rows

	// Bit sets of states, width words each.
	width int
	bits  []uint64         // by set: its states
	masks []uint64         // by set: the states that some of its states simulate
	order *reduce.Preorder // or nil
	below [][]uint64       // by state: those that it simulates
	above [][]int32        // by state: the states of later components that simulate it

	// Each edge's label by number, so that the labels of a set of states are
	// collected without comparing them.
	labels  []omega.Label
	labelOf []int32 // by edge, in order of states
	first   []int32 // the edges of state s are from first[s] on

	// Scratch space of row.
	labelled stamps  // labels of the set
	index    []int32 // by label: position in the set
	letters  []letter
	present  []int32 // labels of the set
	next     []int32
	gone     []int32 // see prune
	seen     []bool  // by state
	moves    []moves
}

// row has the edges of a set: one for all letters on which the automaton makes the same moves.
type row struct {
	known bool
	edges []subsetEdge
}

type subsetEdge struct {
	label omega.Label
	dst   int32
	moves []moves // into each block
}

// moves are what happens on a letter in a block: the moves to its states, and
// whether, afterwards, the automaton may be in states outside from which more
// come in.
type moves struct {
	list    []move
	outside bool
}

// A move takes a state to one of a block. It is inside if both are in the same
// component; otherwise a run comes in by it. Of several edges between the same
// states it stands for the one with the mark.
type move struct {
	src, dst       int32
	inside, marked bool
}

// letter is a set of letters on which the same edges can be taken: those with
// the labels of its bit set, by position.
type letter struct {
	label omega.Label
	on    []uint64
}

// newSubsets returns the sets of what x is about; block says for each state in
// which of count blocks it is, or -1.
func newSubsets(m *allowance, x *Subject, block []int32, count int) *subsets {
	a := x.a
	n := a.NumStates()
	s := &subsets{
		allowance: m, a: a, part: x.parts.Of, order: x.order, block: block, count: count,
		width: bitset.Words(n),
		seen:  make([]bool, n),
		moves: make([]moves, count),
	}
	number := make(map[omega.Label]int32)
	for q := range n {
		s.first = append(s.first, int32(len(s.labelOf)))
		for _, e := range a.Edges(omega.State(q)) {
			i, ok := number[e.Label]
			if !ok {
				i = int32(len(s.labels))
				number[e.Label] = i
				s.labels = append(s.labels, e.Label)
			}
			s.labelOf = append(s.labelOf, i)
		}
	}
	s.simulated()
	members := x.parts.Members()
	for b := range count {
		s.leads = append(s.leads, s.ways(int32(b), members))
	}
	s.labelled = newStamps(len(s.labels))
	s.index = make([]int32, len(s.labels))
	return s
}

// ways returns the states from which there is a way into a block. Components are
// numbered against the edges, so that their states are looked at in that order.
func (s *subsets) ways(block int32, members [][]omega.State) []bool {
	leads := make([]bool, len(s.part))
	parts := make([]bool, len(members)) // by component
	for i, states := range members {
		for _, q := range states {
			parts[i] = parts[i] || s.block[q] == block
			for _, e := range s.a.Edges(q) {
				parts[i] = parts[i] || parts[s.part[e.Dst]]
			}
		}
		for _, q := range states {
			leads[q] = parts[i]
		}
	}
	return leads
}

// number returns the number of a set, given in order.
func (s *subsets) number(set []int32) int32 {
	i, fresh := s.sets.Number(set)
	if fresh {
		s.rows = append(s.rows, row{})
		at := len(s.bits)
		s.bits = append(s.bits, make([]uint64, s.width)...)
		s.masks = append(s.masks, make([]uint64, s.width)...)
		for _, q := range set {
			bitset.Add(s.bits[at:], q)
			// Without a preorder, a state simulates only itself.
			if s.below == nil {
				bitset.Add(s.masks[at:], q)
				continue
			}
			for k, w := range s.below[q] {
				s.masks[at+k] |= w
			}
		}
	}
	return i
}

// covers reports whether each state of set j is simulated by some state of set i.
func (s *subsets) covers(i, j int32) bool {
	return bitset.Subset(s.bits[int(j)*s.width:][:s.width], s.masks[int(i)*s.width:])
}

// meets reports whether a state of set i is in a bit set.
func (s *subsets) meets(i int32, set []uint64) bool {
	x := s.bits[int(i)*s.width:]
	for k := range s.width {
		if x[k]&set[k] != 0 {
			return true
		}
	}
	return false
}

// simulated computes s.below and s.above.
func (s *subsets) simulated() {
	if s.order == nil {
		return
	}
	n := int32(len(s.part))
	s.below = make([][]uint64, n)
	s.above = make([][]int32, n)
	for q := range n {
		s.below[q] = make([]uint64, s.width)
	}
	for p := range n {
		for k, w := range s.order.Simulators(omega.State(p)) {
			for ; w != 0; w &= w - 1 {
				q := int32(64*k + bits.TrailingZeros64(w))
				bitset.Add(s.below[q], p)
				// Components are numbered against the edges: a lower number is a later one.
				if s.part[q] < s.part[p] {
					s.above[p] = append(s.above[p], q)
				}
			}
		}
	}
}

// prune removes each state from s.next that a state of a later component simulates. An accepting
// run that loses its state continues from the other one. It does so finitely often, because the
// components get later. Within a component, two runs could replace each other for ever, and a
// block would lose its facts about them each time.
func (s *subsets) prune() {
	if s.above == nil {
		return
	}
	kept, gone := s.next[:0], s.gone[:0]
	for _, p := range s.next {
		if slices.ContainsFunc(s.above[p], func(q int32) bool { return s.seen[q] }) {
			gone = append(gone, p)
		} else {
			kept = append(kept, p)
		}
	}
	s.next, s.gone = kept, gone
	if len(gone) == 0 {
		return
	}
	for _, p := range gone {
		s.seen[p] = false
	}
	for b := range s.moves {
		s.moves[b].list = slices.DeleteFunc(s.moves[b].list, func(m move) bool { return !s.seen[m.dst] })
	}
}

func (s *subsets) memory() int64 {
	return s.sets.Memory() + s.bytes + int64(16*cap(s.masks)+32*cap(s.rows))
}

// row returns what set i leads to.
func (s *subsets) row(i int32) ([]subsetEdge, error) {
	if s.rows[i].known {
		return s.rows[i].edges, nil
	}
	set := slices.Clone(s.sets.At(i))
	if err := s.split(set); err != nil {
		return nil, err
	}
	alphabet := s.a.Alphabet()
	var edges []subsetEdge
	same := make(map[uint64][]int) // edges by a hash of their moves
	var sum []int32
next:
	for _, l := range s.letters {
		if err := s.allowance.poll(); err != nil {
			return nil, err
		}
		sum = s.collect(set, l.on, sum[:0])
		h := intern.Hash(sum)
		// Letters with the same moves make one edge, as the blocks could not tell them apart. The
		// moves' outside need not be compared: it depends only on s.next.
		for _, k := range same[h] {
			if e := &edges[k]; slices.EqualFunc(e.moves, s.moves, func(x, y moves) bool { return slices.Equal(x.list, y.list) }) && slices.Equal(s.sets.At(e.dst), s.next) {
				e.label = alphabet.Or(e.label, l.label)
				continue next
			}
		}
		same[h] = append(same[h], len(edges))
		e := subsetEdge{label: l.label, dst: s.number(s.next), moves: make([]moves, s.count)}
		for b, m := range s.moves {
			e.moves[b] = moves{slices.Clone(m.list), m.outside}
			s.bytes += int64(32 + 12*len(m.list))
		}
		s.bytes += 40
		edges = append(edges, e)
	}
	s.rows[i] = row{known: true, edges: edges}
	return edges, nil
}

// split collects in s.letters the coarsest partition of all letters such that each edge of the
// set's states can be taken on all letters of a class, or on none. The labels a and b have the
// classes a&b, a&!b, !a&b and !a&!b.
func (s *subsets) split(set []int32) error {
	s.present = s.present[:0]
	s.labelled.next()
	for _, q := range set {
		for k := s.first[q]; k < s.first[q]+int32(len(s.a.Edges(omega.State(q)))); k++ {
			if l := s.labelOf[k]; s.labelled.add(l) {
				s.index[l] = int32(len(s.present))
				s.present = append(s.present, l)
			}
		}
	}
	alphabet := s.a.Alphabet()
	words := len(s.present)/64 + 1
	s.letters = append(s.letters[:0], letter{alphabet.True(), make([]uint64, words)})
	for k, id := range s.present {
		label := s.labels[id]
		bit := uint64(1) << (k % 64)
		for j, n := 0, len(s.letters); j < n; j++ {
			if err := s.allowance.poll(); err != nil {
				return err
			}
			l := &s.letters[j]
			// The class is split into the letters of the label and the rest, unless one of them is
			// empty.
			in := alphabet.And(l.label, label)
			switch {
			case in == omega.False:
				continue
			case in != l.label:
				s.letters = append(s.letters, letter{alphabet.And(l.label, alphabet.Not(label)), slices.Clone(l.on)})
				l = &s.letters[j]
				l.label = in
			}
			l.on[k/64] |= bit
		}
		if len(s.letters) > maxLetters {
			return &omega.LimitError{What: "sets of letters told apart by one macrostate", Limit: maxLetters}
		}
	}
	return nil
}

// collect puts into s.next and s.moves what the states of the set do on a class of letters. The
// bit set has the labels of the class. It appends to sum what the moves are hashed by.
func (s *subsets) collect(set []int32, on []uint64, sum []int32) []int32 {
	s.next = s.next[:0]
	for b := range s.moves {
		s.moves[b] = moves{list: s.moves[b].list[:0]}
	}
	for _, q := range set {
		at := s.first[q]
		for k, e := range s.a.Edges(omega.State(q)) {
			i := s.index[s.labelOf[at+int32(k)]]
			if !bitset.Has(on, i) {
				continue
			}
			dst := int32(e.Dst)
			if !s.seen[dst] {
				s.seen[dst] = true
				s.next = append(s.next, dst)
			}
			if b := s.block[dst]; b >= 0 {
				s.addMove(b, move{q, dst, s.part[q] == s.part[dst], e.Marks != 0})
			}
		}
	}
	s.prune()
	for _, dst := range s.next {
		s.seen[dst] = false
		for b := range s.moves {
			// More runs may come into the block from this state.
			if s.block[dst] != int32(b) && s.leads[b][dst] {
				s.moves[b].outside = true
			}
		}
	}
	slices.Sort(s.next)
	sum = append(sum, s.next...)
	for _, in := range s.moves {
		sum = append(sum, int32(len(in.list)))
		for _, m := range in.list {
			x := m.src<<1 ^ m.dst<<16 // a hash only
			if m.marked {
				x++
			}
			sum = append(sum, x)
		}
	}
	return sum
}

// addMove adds a move. One between the same states only gets its mark. Moves from one state come together.
func (s *subsets) addMove(b int32, m move) {
	list := s.moves[b].list
	for i := len(list) - 1; i >= 0 && list[i].src == m.src; i-- {
		if list[i].dst == m.dst {
			list[i].marked = list[i].marked || m.marked
			return
		}
	}
	s.moves[b].list = append(list, m)
}
