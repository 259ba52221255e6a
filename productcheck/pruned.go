package productcheck

import "github.com/xcheck-ltl/xcheck/omega"

// classed is a side that knows of some of its states that they accept no more
// than others: a complement, where a macrostate stands for a set of states all
// runs from which are refuted. The more states, the fewer words.
type classed interface {
	Class(s omega.State) (class int32, ok bool)
	Weaker(i, j int32) bool
}

// pruned is a product that leaves out pairs from which no word is accepted, as
// far as that follows from what the search has seen. When a component has been
// searched in vain, nothing is accepted from its pairs; nor is anything from a
// pair both sides of which accept no more. (Subsumption, as De Wulf, Doyen,
// Henzinger, Raskin 2006, "Antichains: a new algorithm for checking universality
// of finite automata", use it for sets of states.)
type pruned struct {
	*Product
	known       *implied // or nil
	left, right classed
	dead        map[uint64]struct{} // pairs of classes
	least       map[int32][]int32   // by left class: right classes that are dead
}

// leastClasses is the number of dead classes that a pair is compared with for a
// left state, beyond that with itself.
const leastClasses = 24

// states is a side of which nothing is known.
type states struct{}

func (states) Class(s omega.State) (class int32, ok bool) { return int32(s), true }
func (states) Weaker(i, j int32) bool                     { return i == j }

// prune returns the product as one to be searched, pruned if that may help.
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

// Dead is told pairs from which no word is accepted.
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
