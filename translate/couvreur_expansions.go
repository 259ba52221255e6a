package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
)

// An expansion is a function from letters to sets of terms, its alternatives: the
// number of a node of a decision diagram over the first propositions, at whose
// leaves are the sets. It is reduced and ordered (Bryant 1986), and a set has no
// term that implies another. So equal functions have equal numbers, but for terms that
// imply each other. (Obligations that others of a term imply are not taken out: a run
// could put them off for ever, while those that are left rely on them.)
type expansion int32

const (
	never  expansion = 0 // no alternative on any letter
	always expansion = 1 // the empty conjunction on all
)

// expansions makes them.
type expansions struct {
	*budget.Budget
	long int // steps of the budget that one of ours takes
	*termTable
	levels int32 // propositions that nodes ask for; leaves have this level
	nodes  []expansionNode
	sets   []term         // those of the leaves
	index  intern.Index   // of the nodes
	done   [2][]operation // by connective: a cache
	buffer []term         // scratch of product and union
}

// An expansionNode is that of a proposition, with an expansion for each of its
// values, or a leaf, with the place of its terms, ascending, in sets.
type expansionNode struct {
	level  int32
	lo, hi int32
}

// An operation is an entry of a cache, direct mapped.
type operation struct{ x, y, result expansion }

// A connective is an index of the caches.
type connective uint8

const (
	conjunction connective = iota
	disjunction
)

// newExpansions starts with the two constants, over the first props propositions.
func newExpansions(ctx context.Context, props int, t *termTable) *expansions {
	e := &expansions{Budget: budget.New(ctx), long: 1, termTable: t, levels: int32(props)}
	e.done = [2][]operation{make([]operation, 256), make([]operation, 256)}
	e.leaf(nil)
	e.leaf([]term{nothing})
	return e
}

func (e *expansions) memory() int64 {
	return e.termTable.memory() + e.index.Memory() + int64(12*(cap(e.nodes)+2*len(e.done[0]))+4*cap(e.sets))
}

// alternatives returns the terms of a leaf.
func (e *expansions) alternatives(x expansion) []term {
	n := &e.nodes[x]
	return e.sets[n.lo:n.hi]
}

// node returns the expansion that is lo or hi, by whether a proposition is false
// or true.
func (e *expansions) node(level int32, lo, hi expansion) expansion {
	if lo == hi {
		return lo
	}
	n := expansionNode{level, int32(lo), int32(hi)}
	i, at := e.index.First(e.hash(n))
	for ; i >= 0; i, at = e.index.Next(at) {
		if e.nodes[i] == n {
			return expansion(i)
		}
	}
	return e.addNode(at, n)
}

// leaf returns the expansion to the given terms on all letters: ascending, and none
// of them implied by another.
func (e *expansions) leaf(set []term) expansion {
	i, at := e.index.First(intern.Hash(set))
	for ; i >= 0; i, at = e.index.Next(at) {
		if e.nodes[i].level == e.levels && slices.Equal(e.alternatives(expansion(i)), set) {
			return expansion(i)
		}
	}
	first := int32(len(e.sets))
	e.sets = append(e.sets, set...)
	return e.addNode(at, expansionNode{e.levels, first, int32(len(e.sets))})
}

func (e *expansions) hash(n expansionNode) uint64 {
	if n.level == e.levels {
		return intern.Hash(e.sets[n.lo:n.hi])
	}
	return intern.Hash([]uint64{uint64(n.lo)<<32 | uint64(n.hi), uint64(n.level)})
}

func (e *expansions) addNode(at uint64, n expansionNode) expansion {
	x := int32(len(e.nodes))
	e.nodes = append(e.nodes, n)
	e.index.Add(at, x, func(i int32) uint64 { return e.hash(e.nodes[i]) })
	if n := 2 * len(e.done[0]); n < 8*len(e.nodes) && n <= 1<<18 {
		e.done = [2][]operation{make([]operation, n), make([]operation, n)}
	}
	return expansion(x)
}

// split returns the expansions that x is if the proposition of a level, which is
// not after its own, is false and true.
func (e *expansions) split(x expansion, level int32) (lo, hi expansion) {
	n := &e.nodes[x]
	if n.level != level {
		return x, x
	}
	return expansion(n.lo), expansion(n.hi)
}

// and returns the expansion with the conjunctions of an alternative of x and one of
// y.
func (e *expansions) and(x, y expansion) expansion {
	switch {
	case x == y || y == always:
		return x
	case x == always:
		return y
	case x == never || y == never:
		return never
	}
	return e.combine(x, y, conjunction)
}

// or returns the expansion with the alternatives of x and of y.
func (e *expansions) or(x, y expansion) expansion {
	switch {
	case x == y || y == never:
		return x
	case x == never:
		return y
	case x == always || y == always:
		return always
	}
	return e.combine(x, y, disjunction)
}

// combine is and or or, for expansions that are neither equal nor always nor never.
func (e *expansions) combine(x, y expansion, op connective) expansion {
	if x > y {
		x, y = y, x
	}
	at := intern.HashWord(uint64(x)<<32 | uint64(y))
	if c := &e.done[op][at&uint64(len(e.done[op])-1)]; c.x == x && c.y == y {
		return c.result
	}
	if e.Spend(e.long) {
		return never
	}
	var result expansion
	level := min(e.nodes[x].level, e.nodes[y].level)
	switch {
	case level < e.levels:
		x0, x1 := e.split(x, level)
		y0, y1 := e.split(y, level)
		var lo, hi expansion
		if op == conjunction {
			lo, hi = e.and(x0, y0), e.and(x1, y1)
		} else {
			lo, hi = e.or(x0, y0), e.or(x1, y1)
		}
		result = e.node(level, lo, hi)
	case op == conjunction:
		result = e.product(x, y)
	default:
		result = e.union(x, y)
	}
	e.done[op][at&uint64(len(e.done[op])-1)] = operation{x, y, result}
	return result
}

// product is and, for leaves.
func (e *expansions) product(x, y expansion) expansion {
	e.buffer = e.buffer[:0]
	for i := e.nodes[x].lo; i < e.nodes[x].hi; i++ {
		for j := e.nodes[y].lo; j < e.nodes[y].hi; j++ {
			if both, ok := e.both(e.sets[i], e.sets[j]); ok {
				e.alternative(both)
			}
			if e.Err() != nil {
				return never
			}
		}
	}
	return e.collected()
}

// union is or, for leaves.
func (e *expansions) union(x, y expansion) expansion {
	e.buffer = append(e.buffer[:0], e.alternatives(x)...)
	for _, t := range e.alternatives(y) {
		e.alternative(t)
	}
	return e.collected()
}

// alternative adds a term to those in the buffer, unless it implies one of them;
// those that it is implied by go. Of two that imply each other the first stays.
func (e *expansions) alternative(t term) {
	for _, u := range e.buffer {
		if u == t || e.implies(t, u) {
			return
		}
		if e.Spend(e.long) {
			return
		}
	}
	kept := e.buffer[:0]
	for _, u := range e.buffer {
		if !e.implies(u, t) {
			kept = append(kept, u)
		}
	}
	e.buffer = append(kept, t)
}

// collected returns the leaf of the terms in the buffer.
func (e *expansions) collected() expansion {
	slices.Sort(e.buffer)
	return e.leaf(e.buffer)
}
