package complement

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// macrostates is the Source that all constructions for Büchi automata share.
//
// An accepting run finally stays in one strongly connected component with marked edges. These
// components are divided among blocks. Each block refutes the runs that stay in its components, by
// the construction that fits them. The automaton rejects a word if every block can do so. So the
// complement is the product of the automata of the blocks. They all need the set of reachable
// states, and share it. (Havlena, Lengál, Li, Šmahlíková, Turrini 2023, "Modular mix-and-match
// complementation of Büchi automata"; this is their synchronous composition.) With one block, this
// is the construction of that block for the whole automaton.
//
// A macrostate is the number of a set of states in subsets, and a part for each block. A part is a
// list of integers, which only the block understands.
type macrostates struct {
	allowance  *allowance
	subsets    *subsets
	blocks     []block
	shift      []int // of each block's marks
	acceptance omega.Acceptance
	marks      *omega.MarkTable
	initial    []omega.State
	ordered    bool // all blocks are deterministic
	table      intern.Lists[int32]

	// Scratch space of AppendEdges.
	from    []int32
	key     []int32
	list    []int
	choices []choices
}

// A block refutes the runs that stay in some components.
type block interface {
	// acceptance returns the number of marks that the block puts on edges, and its condition.
	acceptance() omega.Acceptance
	// deterministic reports whether step always has one result.
	deterministic() bool
	// start adds the parts before the first letter, given the initial states in the block.
	start(states []int32, to *choices)
	// step adds the parts that follow a part by the given moves. There are none if a guess in the
	// part was wrong.
	step(part []int32, in *moves, to *choices) error
}

// choices are the results of one step of a block: parts, and for each the mark on the edge to it,
// or -1.
type choices struct {
	words []int32
	ends  []int
	marks []int
}

// add ends a part whose words have been appended.
func (c *choices) add(mark int) {
	c.ends = append(c.ends, len(c.words))
	c.marks = append(c.marks, mark)
}

func (c *choices) part(i int) []int32 {
	lo := 0
	if i > 0 {
		lo = c.ends[i-1]
	}
	return c.words[lo:c.ends[i]]
}

// newMacrostates returns the complement by the given blocks.
func newMacrostates(s *subsets, blocks []block) *macrostates {
	c := &macrostates{
		allowance: s.allowance,
		subsets:   s,
		blocks:    blocks,
		ordered:   true,
		choices:   make([]choices, len(blocks)),
	}
	condition := omega.AllOf()
	for _, b := range blocks {
		acceptance := b.acceptance()
		c.shift = append(c.shift, c.acceptance.Sets)
		// All blocks must refute their runs, each by its own marks.
		condition = omega.AllOf(condition, acceptance.Condition.Shift(c.acceptance.Sets))
		c.acceptance.Sets += acceptance.Sets
		c.ordered = c.ordered && b.deterministic()
	}
	c.acceptance.Condition = condition
	c.marks = omega.NewMarkTable(c.acceptance.Sets)
	var set []int32
	inside := make([][]int32, len(blocks))
	for _, q := range s.a.Initial() {
		set = append(set, int32(q))
	}
	slices.Sort(set)
	for _, q := range set {
		if b := s.block[q]; b >= 0 {
			inside[b] = append(inside[b], q)
		}
	}
	for i, b := range blocks {
		b.start(inside[i], &c.choices[i])
	}
	number := s.number(set)
	c.combine(func([]int) { c.initial = append(c.initial, c.intern(number)) })
	return c
}

func (c *macrostates) Alphabet() *omega.Alphabet    { return c.subsets.a.Alphabet() }
func (c *macrostates) Acceptance() omega.Acceptance { return c.acceptance }
func (c *macrostates) Marks() *omega.MarkTable      { return c.marks }
func (c *macrostates) Initial() []omega.State       { return c.initial }

// intern returns the number of the macrostate with the given set, and the parts in c.key. The first
// word of c.key is free for the set.
func (c *macrostates) intern(set int32) omega.State {
	c.key[0] = set
	i, fresh := c.table.Number(c.key)
	if fresh {
		c.allowance.macrostates++
	}
	return omega.State(i)
}

// combine calls f for each combination of one choice of each block, with the parts in c.key and the
// marks of the choices. The first call has the first choice of each block.
func (c *macrostates) combine(f func(marks []int)) {
	for i := range c.choices {
		// One block without a choice, whose guess was wrong, ends the macrostate.
		if len(c.choices[i].ends) == 0 {
			return
		}
	}
	c.key = append(c.key[:0], 0)
	c.list = c.list[:0]
	c.take(0, f)
}

func (c *macrostates) take(i int, f func([]int)) {
	if i == len(c.blocks) {
		f(c.list)
		return
	}
	key, list := len(c.key), len(c.list)
	all := &c.choices[i]
	for k, mark := range all.marks {
		part := all.part(k)
		c.key = append(append(c.key[:key], int32(len(part))), part...)
		c.list = c.list[:list]
		if mark >= 0 {
			c.list = append(c.list, c.shift[i]+mark)
		}
		c.take(i+1, f)
	}
}

// AppendEdges appends the edges of macrostate s: one for each set of letters and each combination
// of choices. Edges with the same successor and marks are one.
func (c *macrostates) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if err := c.allowance.check(); err != nil {
		return buf, err
	}
	c.from = append(c.from[:0], c.table.At(int32(s))...)
	row, err := c.subsets.row(c.from[0])
	if err != nil {
		return buf, err
	}
	base := len(buf)
	for i := range row {
		e := &row[i]
		// The parts stand one after the other, each after its length.
		rest := c.from[1:]
		ways := 1
		for b, block := range c.blocks {
			x := &c.choices[b]
			x.words, x.ends, x.marks = x.words[:0], x.ends[:0], x.marks[:0]
			n := rest[0]
			if err := block.step(rest[1:1+n], &e.moves[b], x); err != nil {
				return buf, err
			}
			rest = rest[1+n:]
			ways *= len(x.ends)
		}
		if ways > maxChoices {
			return buf, &omega.LimitError{What: "successors of a macrostate on one letter", Limit: maxChoices}
		}
		c.combine(func(marks []int) {
			buf = append(buf, omega.Edge{Label: e.label, Marks: c.marks.Of(marks...), Dst: c.intern(e.dst)})
		})
		if err := c.allowance.poll(); err != nil {
			return buf, err
		}
	}
	return c.merge(buf, base), nil
}

// merge unites edges from base on that differ only in their letters.
func (c *macrostates) merge(buf []omega.Edge, base int) []omega.Edge {
	edges := buf[base:]
	if len(edges) < 2 {
		return buf
	}
	slices.SortStableFunc(edges, func(e, f omega.Edge) int {
		if e.Dst != f.Dst {
			return cmp.Compare(e.Dst, f.Dst)
		}
		return cmp.Compare(e.Marks, f.Marks)
	})
	all := c.Alphabet()
	kept := edges[:1]
	for _, e := range edges[1:] {
		if last := &kept[len(kept)-1]; last.Dst == e.Dst && last.Marks == e.Marks {
			last.Label = all.Or(last.Label, e.Label)
		} else {
			kept = append(kept, e)
		}
	}
	return buf[:base+len(kept)]
}

// Memory returns the bytes that the macrostates take.
func (c *macrostates) Memory() int64 { return c.table.Memory() + c.subsets.memory() }

// set returns the number of a macrostate's set of states.
func (c *macrostates) set(s omega.State) int32 { return c.table.At(int32(s))[0] }

// Sets of states are slices of their numbers, in order.

// contains reports whether a state is in a set, in order.
func contains(set []int32, q int32) bool {
	_, ok := slices.BinarySearch(set, q)
	return ok
}

// union returns the states of two sets, in order. It may be one of them.
func union(x, y []int32) []int32 {
	if len(x) == 0 {
		return y
	}
	if subset(y, x) {
		return x
	}
	all := slices.Concat(x, y)
	slices.Sort(all)
	return slices.Compact(all)
}

// with returns the set with one more state.
func with(set []int32, q int32) []int32 {
	i, ok := slices.BinarySearch(set, q)
	if ok {
		return set
	}
	return slices.Insert(slices.Clone(set), i, q)
}

// subset reports whether all of x, in order, are in y, in order.
func subset(x, y []int32) bool {
	for _, q := range x {
		i, ok := slices.BinarySearch(y, q)
		if !ok {
			return false
		}
		y = y[i+1:]
	}
	return true
}
