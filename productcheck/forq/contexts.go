package forq

import "github.com/xcheck-ltl/xcheck/internal/bitset"

// contexts finds, for each state of the left side, the states of the right side that some word leads
// to which leads to that state, as a set: bits of the result from state*words on. It takes time
// linear in the product of both sides.
func (s *search) contexts() []uint64 {
	words := s.rows.words
	all := make([]uint64, words*s.left.states)
	var todo []pair
	visit := func(x pair) {
		set := all[int(x.left)*words:][:words]
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
			for _, class := range e.largest {
				arcs := s.right.from(int(class), int(x.right))
				if s.budget.Spend(1 + len(arcs)) {
					return all
				}
				for _, arc := range arcs {
					visit(pair{e.dst, arc.dst})
				}
			}
		}
	}
	return all
}

// A pair is a state of each side.
type pair struct{ left, right int32 }
