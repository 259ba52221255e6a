package witness

import (
	"cmp"
	"context"
	"math/bits"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
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
// are to be seen infinitely often, fewer marks that are not to be.
type side struct {
	accept    bool
	states    int
	start     []omega.State
	condition *omega.Condition
	table     *omega.MarkTable

	alphabet   *omega.Alphabet
	acceptance omega.Acceptance

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
	rowsAt   int      // where its part of a profile begins
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

// newSide reads the automaton of a Side. Its letters are set later, when both sides are known. It fails
// with an omega.LimitError if the rows of profiles would be too large.
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

		alphabet:   a.Alphabet(),
		acceptance: a.Acceptance(),
	}
	t.setWords = bitset.Words(t.states)
	if err := t.collect(a); err != nil {
		return nil, err
	}
	if t.states*len(t.sets) > mostBits {
		return nil, &omega.LimitError{What: "bits of a profile's row", Limit: mostBits}
	}
	t.words = bitset.Words(t.states * len(t.sets))
	t.order() // needs the sets of marks, and the length of a row
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
	if _, err := intern(0); err != nil { // set 0 is empty: see profiles.identity
		return err
	}
	known := map[move]int32{}
	byLabel := map[omega.Label]int{}
	for s := range omega.State(t.states) {
		for _, e := range a.Edges(s) {
			m := omega.Marks(0)
			if components.Of[s] == components.Of[e.Dst] {
				m = t.table.Minus(e.Marks, t.table.Minus(e.Marks, used)) // those in used
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
				continue // better needs the Inf of worse, and no other Fin
			}
			for s := range t.states {
				b := s*len(t.sets) + j
				bitset.Add(t.worse[s*len(t.sets)+i], b)
			}
		}
	}
}

// atLeast reports whether the letter with the moves x is at least as good for this
// side as the one with y.
func (t *side) atLeast(x, y []uint64) bool {
	if !t.accept { // fewer moves are better
		x, y = y, x
	}
	for i := range y {
		if y[i]&^x[i] != 0 {
			return false
		}
	}
	return true
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
				b := int(m.dst)*k + int(t.union[set][m.set]) // through the marks of both
				bitset.Add(step[(int(m.src)*k+set)*t.words:], b)
			}
		})
	}
}

// extend sets row to the row of a loop after one more letter, where from is the row before the
// letter. It returns how many words of its tables it has looked at.
func (t *side) extend(row, from []uint64, letter int) int {
	clear(row)
	size := t.states * len(t.sets) * t.words
	step := t.step[letter*size : (letter+1)*size]
	looked := 0
	if t.words == 1 { // small automata, the common case
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

// clean removes each bit of a row that another one makes superfluous: it leads to the same state
// through a worse set of marks. It returns how many words it has looked at.
func (t *side) clean(row []uint64) int {
	if t.worse == nil {
		return 0
	}
	looked := 0
	for w := range row {
		for rest := row[w]; rest != 0; rest &= rest - 1 {
			// This bit may itself have been removed meanwhile. Then it removes nothing more: what is worse
			// than it is worse than the bit that removed it, too.
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

// accepted finds from which states a loop is accepted, from its profile. Its
// tables are kept from one to the next.
type accepted struct {
	*side
	ctx   context.Context
	err   error
	first []int32 // the arcs of s are arcs[first[s]:first[s+1]]
	arcs  []arc
	good  []bool // by state: an accepting closed walk can be reached

	// Of the search for components: order is 0 for a state that is new, its number if
	// it is live, and -1 if its component is complete.
	order      []int32
	live, path []int32
	next       []int32
	roots      []int32
}

// arc leads to a state through a set of marks, by numbers.
type arc struct{ dst, set int32 }

// states adds to set the states from which the loop with the given rows is
// accepted. It searches the graph of its arcs for components, and comes to those that others lead to
// first (Gabow 2000).
func (t *accepted) states(rows, set []uint64) {
	k := int32(len(t.sets))
	t.arcs = t.arcs[:0]
	for s := range t.side.states {
		each(rows[s*t.words:(s+1)*t.words], func(b int) { t.arcs = append(t.arcs, arc{int32(b) / k, int32(b) % k}) })
		t.first[s+1] = int32(len(t.arcs))
	}
	clear(t.order)
	enter := func(s int32) {
		t.live = append(t.live, s)
		t.order[s] = int32(len(t.live))
		t.roots = append(t.roots, t.order[s])
		t.path = append(t.path, s)
		t.next[s] = t.first[s]
	}
	for s := range int32(t.side.states) {
		if t.order[s] == 0 {
			enter(s)
		}
		for len(t.path) > 0 {
			s := t.path[len(t.path)-1]
			if t.next[s] < t.first[s+1] {
				d := t.arcs[t.next[s]].dst
				t.next[s]++
				if t.order[d] == 0 {
					enter(d)
				}
				for t.order[d] > 0 && t.roots[len(t.roots)-1] > t.order[d] { // a cycle joins these components
					t.roots = t.roots[:len(t.roots)-1]
				}
				continue
			}
			t.path = t.path[:len(t.path)-1]
			if root := t.roots[len(t.roots)-1]; root == t.order[s] {
				t.roots = t.roots[:len(t.roots)-1]
				good := t.component(t.live[root-1:], root)
				for _, m := range t.live[root-1:] {
					t.order[m], t.good[m] = -1, good
				}
				t.live = t.live[:root-1]
			}
		}
	}
	for s, good := range t.good {
		if good {
			bitset.Add(set, s)
		}
	}
}

// component reports whether the loop is accepted from a component, whose members are numbered from
// root on: it leads to a good state, or has an accepting cycle.
func (t *accepted) component(members []int32, root int32) bool {
	var marks omega.Marks
	closed := false
	for _, m := range members {
		for _, a := range t.arcs[t.first[m]:t.first[m+1]] {
			switch {
			case t.order[a.dst] >= root: // in the component: those entered later are complete
				marks, closed = t.table.Union(marks, t.sets[a.set]), true
			case t.good[a.dst]:
				return true
			}
		}
	}
	// Some walk sees all marks of the component. If it is not accepted, a walk that sees fewer may
	// be, but only with Fin.
	if !closed || !t.condition.HasFin() || t.condition.Eval(t.table, marks) {
		return closed && t.condition.Eval(t.table, marks)
	}
	r, err := emptiness.Check(t.ctx, &part{t, members[0], root}, omega.Limits{})
	t.err = cmp.Or(t.err, err)
	return err == nil && !r.Empty()
}

// part is the component of some state, as a Source.
type part struct {
	*accepted
	start, root int32
}

func (p *part) Alphabet() *omega.Alphabet    { return p.alphabet }
func (p *part) Acceptance() omega.Acceptance { return p.acceptance }
func (p *part) Marks() *omega.MarkTable      { return p.table }
func (p *part) Initial() []omega.State       { return []omega.State{omega.State(p.start)} }

func (p *part) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	for _, a := range p.arcs[p.first[s]:p.first[s+1]] {
		if p.order[a.dst] >= p.root {
			buf = append(buf, omega.Edge{Label: p.alphabet.True(), Marks: p.sets[a.set], Dst: omega.State(a.dst)})
		}
	}
	return buf, nil
}
