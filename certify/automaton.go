package certify

import (
	"iter"
	"slices"
	"sync"
	"unsafe"
)

// An Automaton is an ω-automaton exactly as it was written. States are numbered below States.
// A missing transition rejects. Do not change an Automaton after its first use.
type Automaton struct {
	Props      []string
	States     int
	Start      [][]int // each a conjunction of states: one, unless the automaton is alternating
	Acceptance *Condition

	pieces    [][]Edge // the edges, as they were added
	numbers   []int    // the end of this is free for the lists of edges
	size      int64
	once      sync.Once // of what index sets
	universal bool      // see Alternating
	from      [][]*Edge // by state
}

// A long list of edges is never copied, since nothing can interrupt that: it is kept in pieces,
// each twice as long as the one before, up to this many.
const maxPiece = 1 << 12

// An Edge leads from a state to all states of To, on the letters that satisfy Label.
type Edge struct {
	From  int
	To    []int
	Label *Label
	Marks []int
}

// AddEdge adds an edge. The lists of marks and states are copied.
func (a *Automaton) AddEdge(from int, label *Label, marks []int, to ...int) {
	last := len(a.pieces) - 1
	if last < 0 || len(a.pieces[last]) == cap(a.pieces[last]) {
		n := 4
		if last >= 0 {
			n = min(max(n, 2*len(a.pieces[last])), maxPiece)
		}
		a.pieces = append(a.pieces, make([]Edge, 0, n))
		a.size += int64(n) * int64(unsafe.Sizeof(Edge{}))
		last++
	}
	a.pieces[last] = append(a.pieces[last], Edge{From: from, To: a.keep(to), Label: label, Marks: a.keep(marks)})
}

// keep returns a copy of a list.
func (a *Automaton) keep(list []int) []int {
	if len(list) > cap(a.numbers)-len(a.numbers) {
		n := max(len(list), min(2*cap(a.numbers), 2*maxPiece))
		a.numbers = make([]int, 0, n)
		a.size += 8 * int64(n)
	}
	at := len(a.numbers)
	a.numbers = append(a.numbers, list...)
	return a.numbers[at:len(a.numbers):len(a.numbers)]
}

// Memory returns the bytes that the edges take, without their labels.
func (a *Automaton) Memory() int64 { return a.size }

// all returns the edges in their order.
func (a *Automaton) all() iter.Seq[*Edge] {
	return func(yield func(*Edge) bool) {
		for _, piece := range a.pieces {
			for i := range piece {
				if !yield(&piece[i]) {
					return
				}
			}
		}
	}
}

// List returns the edges in their order.
func (a *Automaton) List() []*Edge { return slices.Collect(a.all()) }

// Renamed returns the automaton with other names for its propositions. It shares the edges that are
// there: an empty piece after them keeps later ones apart.
func (a *Automaton) Renamed(props []string) *Automaton {
	return &Automaton{Props: props, States: a.States, Start: a.Start, Acceptance: a.Acceptance, pieces: append(slices.Clone(a.pieces), nil)}
}

// Alternating reports whether some edge, or the start, leads to several states at once.
func (a *Automaton) Alternating() bool {
	a.once.Do(a.index)
	return a.universal
}

// Edges returns the edges of a state, in their order. The first call takes time linear in the automaton.
func (a *Automaton) Edges(s int) []*Edge {
	if a.once.Do(a.index); uint(s) >= uint(len(a.from)) {
		return nil
	}
	return a.from[s]
}

// index sets what is found out once of all edges.
func (a *Automaton) index() {
	a.universal = slices.ContainsFunc(a.Start, func(start []int) bool { return len(start) != 1 })
	a.from = make([][]*Edge, a.States)
	for e := range a.all() {
		a.universal = a.universal || len(e.To) != 1
		a.from[e.From] = append(a.from[e.From], e)
	}
}

// A LabelOp is the operator at the top of a Label.
type LabelOp uint8

const (
	False LabelOp = iota
	True
	Prop // a proposition
	Not  // of one argument
	And  // of any number of arguments
	Or
)

// A Label is a Boolean expression over the propositions of an automaton. Labels may share
// parts, because of aliases.
type Label struct {
	Op   LabelOp
	Prop int // of Prop: its index
	Args []*Label
}

// A CondOp is the operator at the top of a Condition.
type CondOp uint8

const (
	Never  CondOp = iota // no run is accepting
	Always               // every run is
	Inf                  // a mark is seen infinitely often
	Fin                  // a mark is seen finitely often
	AllOf                // of any number of arguments
	AnyOf
)

// A Condition is a positive Boolean formula over Inf and Fin. With Complement, these apply to
// the edges without the mark: Inf(!3), Fin(!3).
type Condition struct {
	Op         CondOp
	Mark       int
	Complement bool
	Args       []*Condition
}

// marks returns one more than the greatest mark of the edges and the condition.
func (a *Automaton) marks() int {
	most := 0
	replace(a.Acceptance, func(leaf *Condition) *Condition {
		most = max(most, leaf.Mark+1)
		return leaf
	})
	for e := range a.all() {
		for _, mark := range e.Marks {
			most = max(most, mark+1)
		}
	}
	return most
}
