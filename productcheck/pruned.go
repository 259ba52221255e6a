package productcheck

import "github.com/xcheck-ltl/xcheck/omega"

// classed is a side that knows which of its states accept only words that another one
// accepts too. In a complement, a macrostate refutes all runs from a set of states. The
// more states the set has, the fewer words the macrostate accepts.
type classed interface {
	Class(s omega.State) (class int32, ok bool)
	Weaker(i, j int32) bool
}

// pruned is a product that leaves out pairs from which no word is accepted, if the search
// has seen enough to know it. After a component was searched without success, no word is
// accepted from its pairs. Nor is one from a pair whose two sides accept no more. For example,
// if no word is accepted from (1, {0,2}), none is accepted from (1, {0,2,3}). (This is the
// subsumption of De Wulf, Doyen, Henzinger, Raskin 2006, "Antichains: a new algorithm for
// checking universality of finite automata".)
type pruned struct {
	*Product
	known       *implied // or nil
	left, right classed
	dead        map[uint64]struct{} // pairs of classes
	least       map[int32][]int32   // by left class: right classes that are dead
}

// leastClasses bounds the dead classes of a left state that a pair is compared with.
const leastClasses = 24

// states is a side without such knowledge.
type states struct{}

func (states) Class(s omega.State) (class int32, ok bool) { return int32(s), true }
func (states) Weaker(i, j int32) bool                     { return i == j }

// prune returns the product for a search, pruned if that may help.
func (p *Product) prune(known *implied) omega.Source {
	left, ok := p.left.src.(classed)
	right, also := p.right.src.(classed)
	if !ok && !also {
		return p
	}
	q := &pruned{Product: p, known: known, left: states{}, right: states{}, dead: make(map[uint64]struct{}), least: make(map[int32][]int32)}
	if ok {
		q.left = left
	}
	if also {
		q.right = right
	}
	for _, s := range p.initial {
		if _, _, ok := q.classes(s); !ok && known == nil {
			return p
		}
	}
	return q
}

func (p *pruned) classes(s omega.State) (l, r int32, ok bool) {
	x, y := p.Pair(s)
	l, known := p.left.Class(x)
	r, ok = p.right.Class(y)
	return l, r, ok && known
}

// Dead notes pairs from which no word is accepted.
func (p *pruned) Dead(list []omega.State) {
	for _, s := range list {
		l, r, ok := p.classes(s)
		if !ok {
			continue
		}
		p.dead[pack(omega.State(l), omega.State(r))] = struct{}{}
		p.leave(l, r)
	}
}

// leave adds a dead class to those of a left one, unless it follows from another.
func (p *pruned) leave(l, r int32) {
	list := p.least[l]
	kept := list[:0]
	for i, old := range list {
		if p.right.Weaker(r, old) {
			p.least[l] = append(kept, list[i:]...)
			return
		}
		if !p.right.Weaker(old, r) {
			kept = append(kept, old)
		}
	}
	if len(kept) < leastClasses {
		kept = append(kept, r)
	}
	p.least[l] = kept
}

// Hopeless reports whether it is known that no word is accepted from s.
func (p *pruned) Hopeless(s omega.State) bool {
	if p.known != nil && p.known.hopeless(p.Pair(s)) {
		return true
	}
	l, r, ok := p.classes(s)
	if !ok {
		return false
	}
	if _, ok := p.dead[pack(omega.State(l), omega.State(r))]; ok {
		return true
	}
	for _, old := range p.least[l] {
		if p.right.Weaker(r, old) {
			return true
		}
	}
	return false
}

// Memory returns the bytes that the product takes.
func (p *pruned) Memory() int64 { return p.Product.Memory() + int64(40*len(p.dead)) }
