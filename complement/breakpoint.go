package complement

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// breakpoint refutes runs in components whose cycles are all accepting: no run may stay in one.
// (Miyano and Hayashi 1984, "Alternating finite automata on ω-words", has the dual.)
//
// Its part is a set of states. These states were in the block when the set was last filled, and
// their runs have stayed in their components since. When all of them have left, which is the
// breakpoint, the edge carries the mark, and the set is filled with all states of the block. Runs
// that enter later are in the next filling. There are at most 3^n macrostates for n states.
//
// For example, this automaton accepts the words that end in only a or only !a, after !a:
//
//	State: 0  [1] 0   [!a] 1
//	State: 1  [!a] 1 {0}   [a] 2
//	State: 2  [a] 2 {0}
//
// A macrostate has the reachable states, and the part. When a follows !a, the run in 1 leaves its
// component. So the set is filled again, with state 2:
//
//	({0}, {}) on !a to ({0,1}, {1}), mark 0
//	({0,1}, {1}) on !a to ({0,1}, {1})
//	({0,1}, {1}) on a to ({0,2}, {2}), mark 0
//	({0,2}, {2}) on a to ({0,2}, {2})
//
// The loops without the mark are the words that the automaton accepts.
type breakpoint struct {
	seen stamps
}

var breakpoints = &blockKind{block: func(_ *allowance, _ *Subject, of []int32, _ int32) block {
	return &breakpoint{seen: newStamps(len(of))}
}}

func (b *breakpoint) acceptance() omega.Acceptance { return omega.Buchi() }
func (b *breakpoint) deterministic() bool          { return true }
func (b *breakpoint) start(states []int32, c *choices) {
	c.words = append(c.words, states...)
	c.add(-1)
}

func (b *breakpoint) step(part []int32, in *moves, to *choices) error {
	b.seen.next()
	base, mark := len(to.words), -1
	// The runs of the part that have stayed in their components.
	for _, m := range in.list {
		if _, ok := slices.BinarySearch(part, m.src); ok && m.inside && b.seen.add(m.dst) {
			to.words = append(to.words, m.dst)
		}
	}
	if len(to.words) == base {
		// All have left. The set is filled with all states of the block, also those just entered.
		mark = 0
		for _, m := range in.list {
			if b.seen.add(m.dst) {
				to.words = append(to.words, m.dst)
			}
		}
	}
	slices.Sort(to.words[base:])
	to.add(mark)
	return nil
}

// stamps is a set of numbers, such as states, that can be emptied in constant time.
type stamps struct {
	at  []uint32
	now uint32
}

func newStamps(n int) stamps { return stamps{at: make([]uint32, n)} }

// next empties the set.
func (s *stamps) next() {
	if s.now++; s.now == 0 {
		clear(s.at)
		s.now = 1
	}
}

// add adds a state, and reports whether it is new.
func (s *stamps) add(q int32) bool {
	fresh := s.at[q] != s.now
	s.at[q] = s.now
	return fresh
}

func (s *stamps) has(q int32) bool { return s.at[q] == s.now }
