package witness

import (
	"context"
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Side is an automaton that must accept the word, or must reject it.
type Side struct {
	Automaton *omega.Automaton // nondeterministic; best reduced
	Accept    bool
}

// side is a Side in the form in which words are run through it.
//
// A profile of a loop on this side is a row of bits for each state: bit k*d+i of
// row s is set if the loop leads from s to d through the marks of the i-th of k
// sets. Only the marks of edges inside components count, since the others are
// seen finitely often in any run, and only those in the condition. With a row, a
// set is left out if another one to the same state is better: more marks that
// are to be seen infinitely often, fewer of those that are not to.
type side struct {
	accept    bool
	states    int
	start     []omega.State
	condition *omega.Condition
	table     *omega.MarkTable

	moves  []move     // without repetition
	labels []labelled // without repetition

	sets  []omega.Marks // by number
	union [][]int32     // of two sets, by numbers
	worse [][]uint64    // by bit of a row: the bits that it makes superfluous; nil if there are none

	letters [][]uint64 // by letter: the set of its moves

	words    int      // of a row
	step     []uint64 // the row of a letter and a bit: see extend
	setWords int      // of a set of states
	setAt    int      // where the side's part of a set begins
	rowsAt   int      // and that of a profile
	next     []uint64 // the set of states after a letter and a state
}

// set returns the side's part of a set of states.
func (t *side) set(all []uint64) []uint64 { return all[t.setAt:][:t.setWords] }

// rows returns the side's part of a profile.
func (t *side) rows(profile []uint64) []uint64 { return profile[t.rowsAt:][:t.states*t.words] }

// move is what an edge does, whatever its label: it leads from a state to another
// one with one of the sets of marks.
type move struct{ src, dst, set int32 }

// labelled are the edges with a label: the numbers of their moves.
type labelled struct {
	label omega.Label
	moves []int32
}

// Bounds of what a side may have: a row of a profile must stay small.
const (
	mostSets = 256
	mostBits = 1 << 12
)

func newSide(ctx context.Context, s Side) (*side, error) {
	a := s.Automaton
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	t := &side{
		accept:    s.Accept,
		states:    a.NumStates(),
		start:     a.Initial(),
		condition: a.Acceptance().Condition,
		table:     a.Marks(),
	}
	t.setWords = bitset.Words(t.states)
	if err := t.collect(a); err != nil {
		return nil, err
	}
	if t.states*len(t.sets) > mostBits {
		return nil, &omega.LimitError{What: "bits of a profile's row", Limit: mostBits}
	}
	t.words = bitset.Words(t.states * len(t.sets))
	t.order()
	return t, ctx.Err()
}

// collect finds the moves and all sets of marks that walks can see.
func (t *side) collect(a *omega.Automaton) error {
	inf, fin := t.underInfAndFin()
	used := t.table.Union(inf, fin)
	components := a.Components()
	number := map[omega.Marks]int32{}
	intern := func(m omega.Marks) (int32, error) {
		n, ok := number[m]
		if !ok {
			if len(t.sets) == mostSets {
				return 0, &omega.LimitError{What: "sets of marks", Limit: mostSets}
			}
			n = int32(len(t.sets))
			number[m] = n
			t.sets = append(t.sets, m)
		}
		return n, nil
	}
	if _, err := intern(0); err != nil {
		return err
	}
	known := map[move]int32{}
	byLabel := map[omega.Label]int{}
	for s := range omega.State(t.states) {
		for _, e := range a.Edges(s) {
			m := omega.Marks(0)
			if components.Of[s] == components.Of[e.Dst] {
				m = t.table.Minus(e.Marks, t.table.Minus(e.Marks, used))
			}
			set, err := intern(m)
			if err != nil {
				return err
			}
			mv := move{int32(s), int32(e.Dst), set}
			n, ok := known[mv]
			if !ok {
				n = int32(len(t.moves))
				known[mv] = n
				t.moves = append(t.moves, mv)
			}
			i, ok := byLabel[e.Label]
			if !ok {
				i = len(t.labels)
				byLabel[e.Label] = i
				t.labels = append(t.labels, labelled{label: e.Label})
			}
			t.labels[i].moves = append(t.labels[i].moves, n)
		}
	}
	// Closed under union: sets found on the way are met later on.
	for i := 0; i < len(t.sets); i++ {
		for j := 0; j < i; j++ {
			if _, err := intern(t.table.Union(t.sets[i], t.sets[j])); err != nil {
				return err
			}
		}
	}
	for i := range t.sets {
		t.union = append(t.union, make([]int32, len(t.sets)))
		for j := range t.sets {
			t.union[i][j] = number[t.table.Union(t.sets[i], t.sets[j])]
		}
	}
	return nil
}

// underInfAndFin returns the marks of the condition that occur under Inf and under Fin.
func (t *side) underInfAndFin() (inf, fin omega.Marks) {
	var lists [2][]int
	t.condition.Leaves(func(l *omega.Condition) {
		i := 0
		if l.Op == omega.CondFin {
			i = 1
		}
		lists[i] = append(lists[i], l.Mark)
	})
	return t.table.Of(lists[0]...), t.table.Of(lists[1]...)
}

// order finds out which sets of marks make others superfluous. For Inf(0) & Fin(1), the set {0} does
// that to all others, and the empty set to {1}.
func (t *side) order() {
	if len(t.sets) == 1 {
		return
	}
	inf, fin := t.underInfAndFin()
	within := func(x, y, marks omega.Marks) bool { // the part of x in marks is in y
		x = t.table.Minus(x, y)
		return !t.table.Common(x, marks)
	}
	t.worse = make([][]uint64, t.states*len(t.sets))
	for bit := range t.worse {
		t.worse[bit] = make([]uint64, t.words)
	}
	for i, better := range t.sets {
		for j, worse := range t.sets {
			if i == j || !within(worse, better, inf) || !within(better, worse, fin) {
				continue
			}
			for s := range t.states {
				b := s*len(t.sets) + j
				bitset.Add(t.worse[s*len(t.sets)+i], b)
			}
		}
	}
}

// better reports whether the letter with the moves x is at least as good for this
// side as the one with y.
func (t *side) better(x, y []uint64) bool {
	if !t.accept {
		x, y = y, x
	}
	return includes(x, y)
}

// includes reports whether y is a subset of x.
func includes(x, y []uint64) bool {
	for i := range y {
		if y[i]&^x[i] != 0 {
			return false
		}
	}
	return true
}

func (t *side) tableBytes() int64 {
	return 8 * int64(len(t.letters)) * int64(t.states*len(t.sets)*t.words+t.states*t.setWords)
}

// tables computes what letters do, when they are known.
func (t *side) tables() {
	k := len(t.sets)
	size := t.states * k
	t.step = make([]uint64, len(t.letters)*size*t.words)
	t.next = make([]uint64, len(t.letters)*t.states*t.setWords)
	for a, moves := range t.letters {
		step := t.step[a*size*t.words:]
		next := t.next[a*t.states*t.setWords:]
		each(moves, func(i int) {
			m := t.moves[i]
			bitset.Add(next[int(m.src)*t.setWords:], m.dst)
			for set := range k {
				b := int(m.dst)*k + int(t.union[set][m.set])
				bitset.Add(step[(int(m.src)*k+set)*t.words:], b)
			}
		})
	}
}

// extend sets row to that of a loop after one more letter, where from is its row
// before that. It returns how many bits it has looked at.
func (t *side) extend(row, from []uint64, letter int) int {
	clear(row)
	size := t.states * len(t.sets) * t.words
	step := t.step[letter*size : (letter+1)*size]
	looked := 0
	if t.words == 1 {
		x := uint64(0)
		for rest := from[0]; rest != 0; rest &= rest - 1 {
			x |= step[bits.TrailingZeros64(rest)]
			looked++
		}
		row[0] = x
	} else {
		for w, rest := range from {
			for ; rest != 0; rest &= rest - 1 {
				b := (64*w + bits.TrailingZeros64(rest)) * t.words
				for i, x := range step[b : b+t.words] {
					row[i] |= x
				}
				looked += t.words
			}
		}
	}
	return looked + t.clean(row)
}

// clean removes the bits of a row that others make superfluous.
func (t *side) clean(row []uint64) int {
	if t.worse == nil {
		return 0
	}
	looked := 0
	for w := range row {
		for rest := row[w]; rest != 0; rest &= rest - 1 {
			// No bit that is removed could remove more than its own remover.
			for i, x := range t.worse[64*w+bits.TrailingZeros64(rest)] {
				row[i] &^= x
			}
			looked += t.words
		}
	}
	return looked
}

// follow adds to the set the states after a letter.
func (t *side) follow(set, from []uint64, letter int) {
	next := t.next[letter*t.states*t.setWords:]
	each(from, func(s int) {
		for i, x := range next[s*t.setWords : (s+1)*t.setWords] {
			set[i] |= x
		}
	})
}
