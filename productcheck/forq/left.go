package forq

import (
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// left is the automaton whose words are searched.
type left struct {
	states  int
	initial []int32
	first   []int32 // by state: its first edge
	edges   []edge
	part    []int32 // component of each state
}

// An edge of the left side, with what its letters do on the right side.
type edge struct {
	src, dst int32
	label    omega.Label
	marked   bool    // in an accepting cycle, the edge makes it accepting
	on       bool    // in the part that is searched
	least    []int32 // the classes of letters with the least relations
	largest  []int32
}

// newLeft reads a Büchi automaton.
func newLeft(a *omega.Automaton, r *right, b *budget.Budget) (*left, error) {
	l := &left{states: a.NumStates(), first: make([]int32, 1, a.NumStates()+1)}
	p := newParts(a, b)
	if b.Err() != nil {
		return nil, b.Err()
	}
	l.part = p.Of
	for _, s := range a.Initial() {
		if p.live[p.Of[s]] {
			l.initial = append(l.initial, int32(s))
		}
	}
	effects := &effects{right: r, budget: b, below: make(map[[2]int32]bool), known: make(map[omega.Label][2][]int32)}
	for s := range omega.State(l.states) {
		for _, e := range a.Edges(s) {
			if b.Stop() {
				return nil, b.Err()
			}
			if !p.live[p.Of[e.Dst]] {
				continue
			}
			x := edge{src: int32(s), dst: int32(e.Dst), label: e.Label}
			if c := p.Of[s]; c == p.Of[e.Dst] {
				x.marked = e.Marks != 0 || p.kinds[c] == omega.Accepting
			}
			x.least, x.largest = effects.of(e.Label)
			l.edges = append(l.edges, x)
		}
		l.first = append(l.first, int32(len(l.edges)))
	}
	return l, nil
}

// graph returns the edges that stay in a component, with their numbers as tags.
func (l *left) graph() []scc.Edge[int32] {
	var list []scc.Edge[int32]
	for i, e := range l.edges {
		if l.part[e.src] == l.part[e.dst] {
			list = append(list, scc.Edge[int32]{Src: e.src, Dst: e.dst, Tag: int32(i)})
		}
	}
	return list
}

func (l *left) memory() int64 {
	n := int64(unsafe.Sizeof(edge{})) * int64(cap(l.edges))
	return n + 8*int64(l.states)
}

// effects finds the classes of letters that count for a label.
type effects struct {
	right  *right
	budget *budget.Budget
	below  map[[2]int32]bool // by pair of classes: is the relation of the first one a subset
	known  map[omega.Label][2][]int32
}

// maxCompared limits the number of classes, times states, for which classes are compared.
const maxCompared = 1 << 16

// of returns the classes that share a letter with the label and have the least relations, or the
// largest ones. Of several classes with one relation, it takes the first.
func (x *effects) of(label omega.Label) (least, largest []int32) {
	if known, ok := x.known[label]; ok {
		return known[0], known[1]
	}
	var all []int32
	for i, c := range x.right.classes {
		if x.right.Alphabet().Meet(c, label) {
			all = append(all, int32(i))
		}
	}
	least, largest = all, all
	if len(all)*x.right.states <= maxCompared {
		least = x.minimal(all, x.subset)
		largest = x.minimal(all, func(i, j int32) bool { return x.subset(j, i) })
	}
	x.known[label] = [2][]int32{least, largest}
	return least, largest
}

// subset reports whether the relation of class i is a subset of that of class j.
func (x *effects) subset(i, j int32) bool {
	is, known := x.below[[2]int32{i, j}]
	if !known {
		is = x.right.below(i, j)
		x.below[[2]int32{i, j}] = is
	}
	return is
}

// minimal returns the classes of the list without one below them.
func (x *effects) minimal(list []int32, below func(i, j int32) bool) []int32 {
	return slices.DeleteFunc(slices.Clone(list), func(j int32) bool {
		x.budget.Spend(len(list))
		return slices.ContainsFunc(list, func(i int32) bool {
			return i != j && below(i, j) && (i < j || !below(j, i))
		})
	})
}

// parts are the components of an automaton, with the kinds of runs that stay there or begin there.
type parts struct {
	omega.Components
	kinds []omega.Kind
	live  []bool // is some run from the component accepting
}

// newParts returns the components of an automaton. If the budget ends, the result means nothing.
func newParts(a *omega.Automaton, b *budget.Budget) (p parts) {
	p.Components = a.ComponentsWithin(b)
	if b.Err() != nil {
		return p
	}
	if p.kinds, _ = a.KindsWithin(p.Components, b, budget.Unlimited); b.Err() != nil {
		return p
	}
	p.live, _ = a.LiveWithin(p.Components, b, budget.Unlimited)
	return p
}
