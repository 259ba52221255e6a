package ltl

import (
	"fmt"
	"iter"
)

// Enumerate returns the formulas with size nodes over the propositions p0, p1, … (props of
// them) and the given operators, always in the same order. It returns one of several formulas
// that differ only in the names of propositions and the order of operands of & | <-> xor. It
// leaves out formulas that start with a negation.
//
// All smaller formulas are made first, and stay in the store. There are about 10,000 with five
// nodes, two propositions and all future operators.
func (s *Store) Enumerate(size, props int, ops OpSet) iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) {
		for _, f := range s.ofSize(size, props, ops) {
			if f.op != OpNot && s.isNormal(f) && !yield(f) {
				return
			}
		}
	}
}

// ofSize returns all formulas with so many nodes, each once.
func (s *Store) ofSize(size, props int, ops OpSet) []*Formula {
	bySize := make([][]*Formula, size+1)
	for n := 1; n <= size; n++ {
		seen := map[*Formula]bool{}
		add := func(f *Formula) {
			if !seen[f] { // a & (b & c) is (a & b) & c
				seen[f] = true
				bySize[n] = append(bySize[n], f)
			}
		}
		for op := range numOps {
			switch {
			case !ops.Has(op):
			case op == OpProp && n == 1:
				for i := range props {
					add(s.Prop(fmt.Sprintf("p%d", i)))
				}
			case op.Arity() == 0 && op != OpProp && n == 1:
				add(s.apply(op, nil, nil))
			case op.Arity() == 1:
				for _, f := range bySize[n-1] {
					add(s.Unary(op, f))
				}
			case op.Arity() == 2:
				for left := 1; left < n-1; left++ {
					for _, f := range bySize[left] {
						for _, g := range bySize[n-1-left] {
							add(s.Binary(op, f, g))
						}
					}
				}
			}
		}
	}
	return bySize[size]
}

// isNormal reports whether f is the one that stands for those that differ from it in the
// names of propositions and the order of operands.
func (s *Store) isNormal(f *Formula) bool {
	text := f.String()
	for _, g := range s.renamings(f) {
		if g.String() < text {
			return false
		}
	}
	return s.sorted(f) == f
}
