package forq

import "github.com/xcheck-ltl/xcheck/internal/bitset"

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
			for _, class := range e.largest {
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
