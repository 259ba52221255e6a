package ltl

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Dual returns f with each operator replaced by its dual, and 0 and 1 exchanged. In expressions,
// the propositions are negated. A word
// satisfies the dual if and only if the word with all valuations inverted does not satisfy f. The
// dual of a U b is a R b. The dual of G(a -> F b) is F(!a & G b). A translator that is wrong on a
// formula is often wrong on its dual, for the same reason.
func (s *Store) Dual(f *Formula) *Formula {
	return s.transform(f, func(g, left, right *Formula) *Formula {
		switch g.op {
		case OpImplies: // that is, !a | b
			return s.And(s.Not(left), right)
		case OpEquiv:
			return s.Xor(left, right)
		case OpXor:
			return s.Equiv(left, right)
		case OpProp, OpNot:
			return s.WithOperands(g, left, right)
		case OpClosure, OpSuffixConjunction, OpSuffixImplication:
			r := s.mapSERE(g.sere, func(letter *Formula) *Formula {
				return s.transform(letter, func(g, left, right *Formula) *Formula {
					if g.op == OpProp {
						return s.Not(s.Prop(g.name)) // the word is inverted
					}
					return s.WithOperands(g, left, right)
				})
			})
			return s.dualWith(s.make(node{op: g.op, left: left, sere: r}), left, nil)
		}
		return s.apply(duals[g.op], left, right)
	})
}

// maxRenamed is up to how many propositions Canonical tries all orders of them.
const maxRenamed = 4

// Canonical returns the representative of the formulas that differ only in the names of propositions and
// in the order of the operands of & | <-> xor:
//
//	x U y, q U r           p0 U p1
//	r & q | s, s | q & r   p0 | (p1 & p2)
//
// With more than four propositions, it misses some that differ by the order of operands.
func (s *Store) Canonical(f *Formula) *Formula {
	if f == nil {
		return nil
	}
	if f.size > maxSorted {
		f, _ = s.Relabel(f)
		return f
	}
	var least *Formula
	var text string
	for _, g := range s.renamings(f) {
		if t := g.String(); least == nil || t < text { // any fixed order will do
			least, text = g, t
		}
	}
	return least
}

// maxSorted is the size of the largest formula whose operands Canonical sorts.
const maxSorted = 1 << 8

// renamings returns f with its operands sorted, with the propositions p0, p1, … in all
// orders, or if they are many in the order of their occurrence.
func (s *Store) renamings(f *Formula) []*Formula {
	props := f.Props()
	if len(props) > maxRenamed {
		f, _ = s.Relabel(f)
		return []*Formula{s.sorted(f)}
	}
	var list []*Formula
	permute(len(props), func(order []int) {
		to := map[string]string{}
		for i, name := range props {
			to[name] = fmt.Sprintf("p%d", order[i])
		}
		list = append(list, s.sorted(s.Rename(f, func(name string) string { return to[name] })))
	})
	return list
}

// permute calls visit with each order of the numbers below n.
func permute(n int, visit func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var at func(int)
	at = func(i int) {
		if i == n {
			visit(order)
			return
		}
		for j := i; j < n; j++ {
			order[i], order[j] = order[j], order[i]
			at(i + 1)
			order[i], order[j] = order[j], order[i] // undone: each j begins with the same order
		}
	}
	at(0)
}

// sorted returns f with the operands of commutative operators in an order that does not depend on
// their order in f.
func (s *Store) sorted(f *Formula) *Formula {
	texts := map[*Formula]string{}
	text := func(g *Formula) string {
		t, ok := texts[g]
		if !ok {
			t = g.String()
			texts[g] = t
		}
		return t
	}
	less := func(g, h *Formula) int {
		if g.size != h.size || g == h { // by size first: most pairs need no text
			return cmp.Compare(g.size, h.size)
		}
		return strings.Compare(text(g), text(h))
	}
	return s.transform(f, func(g, left, right *Formula) *Formula {
		switch g.op {
		case OpAnd, OpOr:
			operands := append(left.OperandsOf(g.op), right)
			slices.SortFunc(operands, less)
			return s.Join(g.op, operands)
		case OpEquiv, OpXor:
			if less(left, right) > 0 {
				left, right = right, left
			}
		}
		return s.WithOperands(g, left, right)
	})
}

// Enumerate returns the formulas with size nodes over the propositions p0, p1, … (props of them)
// and the given operators, except PSLOps, always in the same order. It returns one of several
// formulas that differ only in the names of propositions and the order of operands of & | <-> xor.
// It leaves out formulas that start with a negation. With three nodes and p0, p1, !, &, X and U,
// these are p0 & p0, p0 & p1, X!p0, XXp0, p0 U p0 and p0 U p1.
//
// All smaller formulas are made first, and stay in the store. There are about 10,000 with five
// nodes, two propositions and all future operators.
func (s *Store) Enumerate(size, props int, ops OpSet) iter.Seq[*Formula] {
	return func(yield func(*Formula) bool) {
		for _, f := range s.ofSize(size, props, ops) {
			if f.op == OpNot || s.sorted(f) != f {
				continue
			}
			text := f.String()
			// The one with the smallest text stands for all.
			first := !slices.ContainsFunc(s.renamings(f), func(g *Formula) bool { return g.String() < text })
			if first && !yield(f) {
				return
			}
		}
	}
}

// ofSize returns all formulas with so many nodes, each once.
func (s *Store) ofSize(size, props int, ops OpSet) []*Formula {
	bySize := make([][]*Formula, max(size, 0)+1)
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
			case !ops.Has(op) || PSLOps.Has(op):
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
				for left := 1; left < n-1; left++ { // the operator is a node, too
					for _, f := range bySize[left] {
						for _, g := range bySize[n-1-left] {
							add(s.Binary(op, f, g))
						}
					}
				}
			}
		}
	}
	return bySize[len(bySize)-1]
}
