package forq

import (
	"cmp"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/transform/letters"
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
			if !p.live[p.Of[e.Dst]] { // no accepting run goes on from there
				continue
			}
			x := edge{src: int32(s), dst: int32(e.Dst), label: e.Label}
			if c := p.Of[s]; c == p.Of[e.Dst] { // other edges are on no cycle
				x.marked = e.Marks != 0 || p.kinds[c] == omega.Accepting
			}
			x.least, x.largest = effects.of(e.Label)
			l.edges = append(l.edges, x)
		}
		l.first = append(l.first, int32(len(l.edges)))
	}
	return l, nil
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
	if len(all)*x.right.states <= maxCompared { // comparing takes longer than keeping all
		least = x.minimal(all, x.subset)
		largest = x.minimal(all, func(i, j int32) bool { return x.subset(j, i) })
	}
	x.known[label] = [2][]int32{least, largest}
	return least, largest
}

// subset reports whether the relation of class i is a subset of the relation of class j.
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

// right is the automaton whose language may include the left one.
type right struct {
	*omega.Automaton
	budget  *budget.Budget
	states  int
	initial []omega.State
	classes []omega.Label // of letters that it does not tell apart
	part    []int32       // component of each state; noPart if its runs can't stay and be accepted

	parts parts
	lists [][]list // by class and state: the arcs; empty for classes that were not needed
	arcs  []arc
}

// A list is a part of arcs. It is known if end is not 0. The first arc is unused.
type list struct{ begin, end int32 }

// noPart is the component of states that have no accepting cycle.
const noPart = -1

// An arc is an edge on a class of letters.
type arc struct {
	dst    int32
	inner  bool // it stays in the component
	marked bool // and a cycle with it is accepting
}

// maxClasses limits the classes of letters.
const maxClasses = 1 << 12

// newRight reads a Büchi automaton.
func newRight(a *omega.Automaton, b *budget.Budget) (*right, error) {
	r := &right{Automaton: a, budget: b, states: a.NumStates(), part: make([]int32, a.NumStates()), arcs: make([]arc, 1)}
	r.parts = newParts(a, b)
	p := &r.parts
	if b.Err() != nil {
		return nil, b.Err()
	}
	for s, c := range p.Of {
		r.part[s] = c
		// No accepting cycle: which component does not matter.
		if p.kinds[c] == omega.Transient || p.kinds[c] == omega.Rejecting {
			r.part[s] = noPart
		}
	}
	for _, s := range a.Initial() {
		if p.live[p.Of[s]] {
			r.initial = append(r.initial, s)
		}
	}
	r.classes = letters.Classes(a, b, func(n int) bool { return n > maxClasses })
	if r.classes == nil {
		if b.Err() != nil {
			return nil, b.Err()
		}
		return nil, &omega.LimitError{What: "sets of letters told apart", Limit: maxClasses}
	}
	r.lists = make([][]list, len(r.classes))
	return r, nil
}

// from returns the arcs of a state on a class of letters, one for each destination, sorted by it. They
// are made when they are first needed.
func (r *right) from(class, state int) []arc {
	if len(r.lists[class]) == 0 {
		r.lists[class] = make([]list, r.states)
	}
	l := &r.lists[class][state]
	if l.end > 0 {
		return r.arcs[l.begin:l.end]
	}
	l.begin = int32(len(r.arcs))
	part := r.part[state]
	edges := r.Edges(omega.State(state))
	r.budget.Spend(len(edges))
	for _, e := range edges {
		// No accepting cycle can be reached from a dead state.
		if !r.parts.live[r.parts.Of[e.Dst]] || !r.Alphabet().Meet(r.classes[class], e.Label) {
			continue
		}
		// All cycles of an accepting component are accepting, marked or not.
		inner := part != noPart && part == r.part[e.Dst]
		marked := inner && (e.Marks != 0 || r.parts.kinds[part] == omega.Accepting)
		r.arcs = append(r.arcs, arc{int32(e.Dst), inner, marked})
	}
	// Of several arcs to a state, one that is marked comes first, and stays: it can do all that they can.
	arcs := r.arcs[l.begin:]
	slices.SortFunc(arcs, func(x, y arc) int {
		if x.dst == y.dst && x.marked != y.marked {
			if x.marked {
				return -1
			}
			return 1
		}
		return cmp.Compare(x.dst, y.dst)
	})
	arcs = slices.CompactFunc(arcs, func(x, y arc) bool { return x.dst == y.dst })
	l.end = l.begin + int32(len(arcs))
	r.arcs = r.arcs[:l.end]
	return arcs
}

// below reports whether the relation of class i is a subset of the relation of class j.
func (r *right) below(i, j int32) bool {
	for s := range r.states {
		x, y := r.from(int(i), s), r.from(int(j), s)
		if r.budget.Spend(1 + len(x)) {
			return false
		}
		if len(x) > len(y) { // has an edge that y lacks
			return false
		}
		for _, e := range x {
			for len(y) > 0 && y[0].dst < e.dst { // both are sorted
				y = y[1:]
			}
			if len(y) == 0 || y[0].dst > e.dst || e.marked && !y[0].marked { // y lacks the edge, or its mark
				return false
			}
		}
	}
	return true
}

func (r *right) memory() int64 {
	n := 8*int64(cap(r.arcs)) + 8*int64(cap(r.classes)) + 4*int64(r.states)
	for _, l := range r.lists {
		n += 8 * int64(len(l))
	}
	return n
}

// rows numbers the rows of relations: the states of the right side that a word leads to from one of
// them, and those among them that it may lead to past an accepting edge, within the component that
// the row begins in. The set of states that a prefix leads to is a row without a component.
//
// A row is a list of words: the component, the first set as bits, and the second.
type rows struct {
	right  *right
	budget *budget.Budget
	words  int // of a set
	table  intern.Lists[uint64]
	size   []int32 // of both sets, by row
	next   []int32 // by row and class: the row of the word that is one letter longer, plus one
	buf    []uint64
}

// set returns the row of a set of states.
func (x *rows) set(states []omega.State) int32 {
	x.begin(noPart)
	for _, s := range states {
		bitset.Add(x.buf[1:], int32(s))
	}
	return x.number()
}

// one returns the row of the empty word, from a state.
func (x *rows) one(state int32) int32 {
	x.begin(x.right.part[state])
	bitset.Add(x.buf[1:], state)
	return x.number()
}

// begin clears the buffer for a new row.
func (x *rows) begin(part int32) {
	clear(x.buf)
	x.buf[0] = uint64(uint32(part))
}

// number returns the number of the row in the buffer.
func (x *rows) number() int32 {
	i, fresh := x.table.Number(x.buf)
	if fresh {
		n := 0
		for _, w := range x.buf[1:] {
			n += bits.OnesCount64(w)
		}
		x.size = append(x.size, int32(n))
		x.next = append(x.next, make([]int32, len(x.right.classes))...)
	}
	return i
}

// reached returns the states of a row.
func (x *rows) reached(i int32) []uint64 { return x.table.At(i)[1 : 1+x.words] }

// passed returns the states of a row that are reached past an accepting edge.
func (x *rows) passed(i int32) []uint64 { return x.table.At(i)[1+x.words:] }

// after returns the row after one more letter.
func (x *rows) after(i, class int32) int32 {
	at := int(i)*len(x.right.classes) + int(class)
	if n := x.next[at]; n > 0 { // zero is unknown
		return n - 1
	}
	row := x.table.At(i)
	part := int32(uint32(row[0]))
	x.begin(part)
	reached, passed := x.buf[1:1+x.words], x.buf[1+x.words:]
	for k, w := range row[1 : 1+x.words] {
		for ; w != 0; w &= w - 1 {
			bit := bits.TrailingZeros64(w)
			s := 64*k + bit
			own := part != noPart && x.right.part[s] == part
			was := row[1+x.words+k]>>bit&1 != 0 // it had passed an accepting edge of its component
			arcs := x.right.from(int(class), s)
			x.budget.Spend(1 + len(arcs))
			for _, e := range arcs {
				bitset.Add(reached, e.dst)
				if own && (e.marked || was && e.inner) {
					bitset.Add(passed, e.dst)
				}
			}
		}
	}
	n := x.number()
	x.next[at] = n + 1
	return n
}

// subset reports whether both sets of row i are subsets of the sets of row j.
func (x *rows) subset(i, j int32) bool {
	if i == j {
		return true
	}
	if x.size[i] > x.size[j] {
		return false
	}
	return bitset.Subset(x.table.At(i)[1:], x.table.At(j)[1:])
}

func (x *rows) memory() int64 {
	return x.table.Memory() + 4*int64(cap(x.size)+cap(x.next))
}
