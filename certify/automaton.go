package certify

import (
	"errors"
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
	universal bool      // see alternating
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

// Renamed returns the automaton with other names for its propositions. It shares the edges that are
// there: an empty piece after them keeps later ones apart.
func (a *Automaton) Renamed(props []string) *Automaton {
	return &Automaton{Props: props, States: a.States, Start: a.Start, Acceptance: a.Acceptance, pieces: append(slices.Clone(a.pieces), nil)}
}

// alternating reports whether some edge, or the start, leads to several states at once.
func (a *Automaton) alternating() bool {
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

// An evaluation of labels under one letter. Parts of labels may be shared, so that a label takes
// exponential time if each part is evaluated for itself. But most labels take less than to remember
// their parts: only labels with more than maxDirect parts are evaluated with a memory.
type evaluation struct {
	props  []value // of the letter, by the number of the proposition in the automaton
	names  []string
	direct int // how many more parts are evaluated without a memory, or remember
	known  map[*Label]bool
}

// A value is the truth of a proposition in a letter.
type value uint8

const (
	open value = iota
	no
	yes
)

// maxDirect is how many parts a label may have to be evaluated without a memory.
const maxDirect = 32

// remember has all parts of a label remembered.
const remember = -1

// errLong says that a label has more than maxDirect parts.
var errLong = errors.New("long label")

// evaluations returns, for each position of a word, an evaluation of labels over props under its
// letter.
func evaluations(props []string, w *Word) []evaluation {
	list, room := make([]evaluation, w.size()), make([]value, w.size()*len(props))
	for pos := range list {
		list[pos].names, list[pos].props = props, room[pos*len(props):][:len(props)]
		letter := w.at(pos)
		for i, name := range props {
			if truth, ok := letter[name]; ok {
				list[pos].props[i] = no
				if truth {
					list[pos].props[i] = yes
				}
			}
		}
	}
	return list
}

// label returns the truth of a label.
func (v *evaluation) label(l *Label) (bool, error) {
	v.direct = maxDirect
	result, err := v.compute(l)
	if err == errLong {
		v.direct = remember
		result, err = v.part(l)
	}
	return result, err
}

// part returns the truth of a part of a label.
func (v *evaluation) part(l *Label) (bool, error) {
	if v.direct > 0 {
		v.direct--
		return v.compute(l)
	}
	if v.direct == 0 {
		return false, errLong
	}
	if l.Op != And && l.Op != Or {
		return v.compute(l)
	}
	if result, ok := v.known[l]; ok {
		return result, nil
	}
	result, err := v.compute(l)
	if err == nil {
		if v.known == nil {
			v.known = map[*Label]bool{}
		}
		v.known[l] = result
	}
	return result, err
}

// compute returns the truth of a label from that of its parts.
func (v *evaluation) compute(l *Label) (bool, error) {
	switch l.Op {
	case False, True:
		return l.Op == True, nil
	case Prop:
		if v.props[l.Prop] == open {
			return false, &OpenError{v.names[l.Prop]}
		}
		return v.props[l.Prop] == yes, nil
	case Not:
		result, err := v.part(l.Args[0])
		return !result, err
	}
	for _, arg := range l.Args {
		result, err := v.part(arg)
		if err != nil || result == (l.Op == Or) {
			return result, err
		}
	}
	return l.Op == And, nil
}

// maxProps is how many propositions there may be where all letters are looked at.
const maxProps = 10

// A letterSet has a bit for each letter over some propositions: bit v for the letter in which
// proposition i is true if bit i of v is set. Over a and b, the set of the label a is 0b1010, and that
// of a&!b is 0b0010.
type letterSet []uint64

func (x letterSet) meets(y letterSet) bool {
	for i := range x {
		if x[i]&y[i] != 0 {
			return true
		}
	}
	return false
}

// labelSets maps labels to the letters that satisfy them.
type labelSets struct {
	place []int // place[i] is the index in the letters of proposition i of the labels
	all   letterSet
	known map[*Label]letterSet
}

// newLabelSets returns the sets for labels over props. The letters have these propositions, and may have
// more.
func newLabelSets(props, letters []string) *labelSets {
	s := &labelSets{all: make(letterSet, (1<<len(letters)+63)/64), known: map[*Label]letterSet{}}
	for v := range 1 << len(letters) {
		s.all[v/64] |= 1 << (v % 64)
	}
	for _, name := range props {
		s.place = append(s.place, slices.Index(letters, name))
	}
	return s
}

func (s *labelSets) of(l *Label) letterSet {
	set, ok := s.known[l]
	if !ok {
		set = s.compute(l)
		s.known[l] = set
	}
	return set
}

func (s *labelSets) compute(l *Label) letterSet {
	set := make(letterSet, len(s.all))
	switch l.Op {
	case Prop:
		for v := range 64 * len(set) {
			if v>>s.place[l.Prop]&1 != 0 {
				set[v/64] |= s.all[v/64] & (1 << (v % 64))
			}
		}
	case Not:
		for i, x := range s.of(l.Args[0]) {
			set[i] = s.all[i] &^ x
		}
	case True, And:
		copy(set, s.all)
		for _, arg := range l.Args {
			for i, x := range s.of(arg) {
				set[i] &= x
			}
		}
	case Or:
		for _, arg := range l.Args {
			for i, x := range s.of(arg) {
				set[i] |= x
			}
		}
	}
	return set
}
