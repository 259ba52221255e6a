package translate

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The construction of Gastin and Oddoux, "Fast LTL to Büchi Automata Translation" (CAV 2001).
//
// The first automaton is alternating. Its states are the temporal subformulas and the literals. On
// a letter, a state chooses a set of states, and the run goes on in all of them. Write ⊗ for all
// unions of a choice on the left with a choice on the right. The choices Δ of a formula are
//
//	f & g       Δ(f) ⊗ Δ(g)
//	f | g       Δ(f) ∪ Δ(g)
//	X f         f as a disjunction of sets of states
//	F f         Δ(f) ∪ {F f}
//	G f         Δ(f) ⊗ {G f}
//	f U g       Δ(g) ∪ (Δ(f) ⊗ {f U g})
//	f W g       Δ(g) ∪ (Δ(f) ⊗ {f W g})
//	f R g       Δ(g) ⊗ (Δ(f) ∪ {f R g})
//	f M g       Δ(g) ⊗ (Δ(f) ∪ {f M g})
//
// A state leads only to itself and to its proper subformulas: the automaton is very weak. A run is
// a tree. It accepts if no branch stays forever in a state that promises something (F, U, M).
//
// The second automaton is a powerset of the first. A state, called a macrostate, is the set of
// states on one level of the tree. It moves by the choices ⊗ of its members. Each promise f has an
// acceptance set T_f. A move to a macrostate Y is in T_f if f is not in Y. It is also in T_f if f
// could have moved to some Z ⊆ Y without f on the same letter. Both automata are simplified as they
// are made:
//
//   - A move is dropped if, on the same letter, another one leads to a subset and is in all of its
//     acceptance sets. (The first automaton has no acceptance sets.)
//   - Macrostates with the same moves are one state.
//
// In the paper, labels are conjunctions, and are compared by inclusion. Here every rule applies
// letter by letter, and a label is the set of letters with the same move. So a label loses exactly
// the letters on which another move is better. For a U b, the choices are {} on b, and {a U b} on
// a. On a&b, the move to {} is better, so staying is left with a&!b, and the automaton is
// deterministic:
//
//	{a U b}:  -b-> {} with the mark;  -a&!b-> {a U b}
//	{}:       -1-> {} with the mark

// gastinOddouxSource is the newSource of the construction, without the degeneralization of the
// paper. Each F, U and M in the negation normal form, after ltl.Store.Simplify, has an acceptance
// set. It makes the initial states: the disjunctive normal form of f over its temporal subformulas.
// The edges of a state come with the moves of their destinations.
func gastinOddouxSource(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	alphabet := omega.NewAlphabet(f.Props()...)
	f = s.NNF(s.Simplify(f))
	v, err := newVeryWeak(ctx, alphabet, f)
	if err != nil {
		return nil, err
	}
	p := &powerset{veryWeak: v, Automaton: ondemand.New(alphabet, len(v.promises)), known: make(map[set]omega.State)}
	p.MakeEdges = p.edgesOf
	p.long = ondemand.StepLength(alphabet, len(v.states))
	p.LimitMemory(ondemand.MaxMemory, p.memory)
	for _, x := range v.now(f) {
		if q := p.state(x.to); q != dead && !slices.Contains(p.Starts, q) {
			p.Starts = append(p.Starts, q)
		}
	}
	if v.Err() != nil {
		return nil, v.Err()
	}
	return p, nil
}

// A powerset is the generalized Büchi automaton of a very weak one (section 4
// of the paper). A state is a class of macrostates that have the same moves.
type powerset struct {
	*veryWeak
	ondemand.Automaton

	known map[set]omega.State  // the state of a macrostate
	lists intern.Lists[uint64] // the moves of the states, and no moves
	class []omega.State        // of each list
	moves [][]move             // of each state

	// Scratch space.
	members []int
	key     []uint64
}

// dead is the state of the macrostates that have no moves.
const dead omega.State = -1

// memory returns about how many bytes the sets, the moves and the edges take.
func (p *powerset) memory() int64 {
	set := int64(8 * len(p.sets.scratch))
	move := int64(24 + len(p.promises)/4) // with marks, and perhaps as an edge
	return int64(p.sets.known.Len())*(2*set+100) + 2*move*p.kept + int64(len(p.known))*50 + p.alphabet.Memory()
}

// edgesOf returns the edges of a state. Moves to different macrostates of the
// same class are merged. Of two moves to the same state, the one with more
// marks is better. The result is not nil.
func (p *powerset) edgesOf(s omega.State) ([]omega.Edge, error) {
	// For a moment, let the destination of a move be the state that it leads
	// to. All states must be made first: that uses the scratch of mergeMove, too.
	for _, x := range p.moves[s] {
		p.state(x.to)
	}
	var moves []move
	clear(p.moveAt)
	for _, x := range p.moves[s] {
		// No run goes on from a dead state.
		if to := p.known[x.to]; to != dead {
			moves = p.mergeMove(moves, move{x.label, x.marks, set(to)})
		}
	}
	moves = p.minimal(moves, func(x, y move) bool {
		return x.to == y.to && p.includes(x.marks, y.marks)
	})
	edges := make([]omega.Edge, len(moves))
	for i, x := range moves {
		edges[i] = omega.Edge{Label: x.label, Marks: x.marks, Dst: omega.State(x.to)}
	}
	return edges, p.Err()
}

func (p *powerset) state(macro set) omega.State {
	s, ok := p.known[macro]
	if ok {
		return s
	}
	moves := p.macroMoves(macro)
	if p.Err() != nil {
		return dead
	}
	p.key = p.key[:0]
	for _, x := range moves {
		p.key = append(p.key, uint64(x.label), uint64(x.marks), uint64(x.to))
	}
	// Macrostates with the same moves accept the same words, and become one state.
	i, fresh := p.lists.Number(p.key)
	if fresh {
		s = dead
		if len(moves) > 0 {
			s = omega.State(len(p.moves))
			p.moves = append(p.moves, moves)
		}
		p.class = append(p.class, s)
		p.kept += int64(len(moves))
	}
	s = p.class[i]
	p.known[macro] = s
	return s
}

// macroMoves returns the moves of a macrostate, ordered by destination and
// marks: letter by letter the minimal ones of the relation ≼ of the paper.
func (p *powerset) macroMoves(macro set) []move {
	// Each member makes one of its moves. Without members, all words are accepted.
	joint := p.onAll(empty)
	p.members = p.sets.of(macro).AppendTo(p.members[:0], 0)
	for _, q := range p.members {
		joint = p.both(joint, p.delta(p.states[q]))
	}
	var moves []move
	for _, x := range joint {
		moves = p.appendMarked(moves, x)
	}
	moves = p.minimal(moves, func(x, y move) bool {
		return p.sets.subset(x.to, y.to) && p.includes(x.marks, y.marks)
	})
	slices.SortFunc(moves, func(x, y move) int {
		return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.marks, y.marks))
	})
	return moves
}

// appendMarked appends x with its marks: as several moves, if its letters differ in these.
func (p *powerset) appendMarked(moves []move, x move) []move {
	first := len(moves)
	moves = append(moves, x)
	for mark, f := range p.promises {
		// The letters on which the move is in the acceptance set: those on which f could have moved
		// to a part of x.to without f.
		free := omega.False
		if !p.sets.has(x.to, f) {
			free = p.alphabet.True()
		} else {
			for _, y := range p.delta(p.states[f]) {
				if !p.sets.has(y.to, f) && p.sets.subset(y.to, x.to) {
					free = p.alphabet.Or(free, y.label)
				}
			}
		}
		bit := p.MarkTable.Of(mark)
		for i := first; i < len(moves); i++ {
			if p.Spend(p.long) {
				return nil
			}
			// What is appended here has no free letter, and is left alone when its turn comes.
			y := moves[i]
			in := p.alphabet.And(y.label, free)
			if in == omega.False {
				continue
			}
			if out := p.alphabet.And(y.label, p.alphabet.Not(free)); out != omega.False {
				moves = append(moves, move{out, y.marks, y.to})
			}
			moves[i] = move{in, p.MarkTable.Union(y.marks, bit), y.to}
		}
	}
	return moves
}

// includes reports whether all marks of y are in x.
func (p *powerset) includes(x, y omega.Marks) bool { return p.MarkTable.Minus(y, x) == 0 }

// A veryWeak is the very weak alternating co-Büchi automaton of a formula in negation normal form
// (Gastin and Oddoux 2001, section 3). Its states are the temporal subformulas and the literals.
type veryWeak struct {
	*budget.Budget
	long     int // steps of the budget that one of ours takes
	alphabet *omega.Alphabet
	sets     *setTable

	states   []*ltl.Formula       // in order of occurrence
	number   map[*ltl.Formula]int // inverse of states
	promises []int                // the states that a run must leave, ascending

	choices   map[*ltl.Formula][]move // results of delta
	disjuncts map[*ltl.Formula][]move // results of now
	moveAt    map[move]int            // scratch of mergeMove
	kept      int64                   // moves in choices, in disjuncts and of states
}

// A move leads to all states of a set on each letter of its label. It has no
// marks in the alternating automaton.
type move struct {
	label omega.Label
	marks omega.Marks
	to    set
}

// newVeryWeak prepares the automaton of f in time linear in the number of its subformulas.
func newVeryWeak(ctx context.Context, alphabet *omega.Alphabet, f *ltl.Formula) (*veryWeak, error) {
	v := &veryWeak{
		Budget:    budget.New(ctx),
		long:      1,
		alphabet:  alphabet,
		number:    make(map[*ltl.Formula]int),
		choices:   make(map[*ltl.Formula][]move),
		disjuncts: make(map[*ltl.Formula][]move),
		moveAt:    make(map[move]int),
	}
	v.addStates(f, make(map[*ltl.Formula]bool))
	if err := ondemand.AdmitBits(len(v.states)); err != nil {
		return nil, err
	}
	v.sets = &setTable{scratch: ondemand.NewBitSet(len(v.states))}
	v.sets.intern() // the empty set
	return v, nil
}

// addStates numbers the states that occur in f.
func (v *veryWeak) addStates(f *ltl.Formula, seen map[*ltl.Formula]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
	state := len(v.states)
	switch f.Op() {
	case ltl.OpTrue, ltl.OpFalse, ltl.OpAnd, ltl.OpOr:
	default:
		v.number[f] = state
		v.states = append(v.states, f)
	}
	switch f.Op() {
	case ltl.OpFinally, ltl.OpUntil, ltl.OpStrongRelease:
		v.promises = append(v.promises, state)
	case ltl.OpNot:
		return // a literal
	}
	v.addStates(f.Left(), seen)
	v.addStates(f.Right(), seen)
}

// delta returns the moves that make f true: Δ(f), without those that are worse than another.
func (v *veryWeak) delta(f *ltl.Formula) []move {
	if moves, ok := v.choices[f]; ok {
		return moves
	}
	var moves []move
	switch f.Op() {
	case ltl.OpFalse, ltl.OpTrue, ltl.OpAnd, ltl.OpOr:
		moves = v.connective(f, v.delta)
	case ltl.OpProp, ltl.OpNot:
		label, _ := v.alphabet.Formula(f)
		moves = []move{{label: label, to: empty}}
	case ltl.OpNext:
		moves = v.now(f.Left())
	case ltl.OpFinally:
		moves = v.either(v.delta(f.Left()), v.stay(f))
	case ltl.OpGlobally:
		moves = v.both(v.delta(f.Left()), v.stay(f))
	case ltl.OpUntil, ltl.OpWeakUntil:
		moves = v.either(v.delta(f.Right()), v.both(v.delta(f.Left()), v.stay(f)))
	case ltl.OpRelease, ltl.OpStrongRelease:
		moves = v.both(v.delta(f.Right()), v.either(v.delta(f.Left()), v.stay(f)))
	}
	moves = v.minimal(moves, v.smaller)
	v.choices[f] = moves
	v.kept += int64(len(moves))
	return moves
}

// connective returns the moves of a constant, a conjunction or a disjunction, where of gives the
// moves of an operand.
func (v *veryWeak) connective(f *ltl.Formula, of func(*ltl.Formula) []move) []move {
	switch f.Op() {
	case ltl.OpTrue:
		return v.onAll(empty)
	case ltl.OpAnd:
		return v.both(of(f.Left()), of(f.Right()))
	case ltl.OpOr:
		return v.either(of(f.Left()), of(f.Right()))
	}
	return nil // false
}

// now returns f as a disjunction of sets of states: a move to each set on all letters. No set
// contains another.
func (v *veryWeak) now(f *ltl.Formula) []move {
	if moves, ok := v.disjuncts[f]; ok {
		return moves
	}
	var moves []move
	switch f.Op() {
	case ltl.OpFalse, ltl.OpTrue, ltl.OpAnd, ltl.OpOr:
		moves = v.connective(f, v.now)
	default:
		moves = v.stay(f)
	}
	moves = v.minimal(moves, v.smaller)
	v.disjuncts[f] = moves
	v.kept += int64(len(moves))
	return moves
}

// stay returns the move to f, one of the states, on all letters.
func (v *veryWeak) stay(f *ltl.Formula) []move {
	clear(v.sets.scratch)
	v.sets.scratch.Add(v.number[f])
	return v.onAll(v.sets.intern())
}

// onAll returns the move to a set on all letters.
func (v *veryWeak) onAll(to set) []move {
	return []move{{label: v.alphabet.True(), to: to}}
}

// both returns a ⊗ b, for moves without marks: for each choice of a move of a
// and one of b, the move to the union on the letters of both.
func (v *veryWeak) both(a, b []move) []move {
	var moves []move
	clear(v.moveAt)
	for _, x := range a {
		for _, y := range b {
			if v.Spend(v.long) {
				return nil
			}
			if label := v.alphabet.And(x.label, y.label); label != omega.False {
				moves = v.mergeMove(moves, move{label: label, to: v.sets.union(x.to, y.to)})
			}
		}
	}
	return moves
}

func (v *veryWeak) either(a, b []move) []move {
	var moves []move
	clear(v.moveAt)
	for _, list := range [][]move{a, b} {
		for _, x := range list {
			if v.Spend(v.long) {
				return nil
			}
			moves = v.mergeMove(moves, x)
		}
	}
	return moves
}

// mergeMove adds a move to a list of moves that differ in marks or destination. The
// scratch v.moveAt must be empty before the first.
func (v *veryWeak) mergeMove(moves []move, x move) []move {
	key := move{marks: x.marks, to: x.to}
	if i, ok := v.moveAt[key]; ok {
		moves[i].label = v.alphabet.Or(moves[i].label, x.label)
		return moves
	}
	v.moveAt[key] = len(moves)
	return append(moves, x)
}

// minimal removes from the label of each move the letters on which another move is better, and with
// the last letter the move. The moves must differ in marks or destination, and better must be a
// partial order on these. The list is overwritten.
func (v *veryWeak) minimal(moves []move, better func(x, y move) bool) []move {
	kept := moves[:0]
	for _, x := range moves {
		// On each letter, no move kept so far is better than another.
		rest := kept[:0]
		for _, y := range kept {
			if v.Spend(v.long) {
				return nil
			}
			switch {
			case !v.alphabet.Meet(x.label, y.label):
			case better(y, x):
				x.label = v.alphabet.And(x.label, v.alphabet.Not(y.label))
			case better(x, y):
				y.label = v.alphabet.And(y.label, v.alphabet.Not(x.label))
			}
			if y.label != omega.False {
				rest = append(rest, y)
			}
		}
		if kept = rest; x.label != omega.False {
			kept = append(kept, x)
		}
	}
	return kept
}

// smaller reports whether x leads to a subset of where y leads to.
func (v *veryWeak) smaller(x, y move) bool { return v.sets.subset(x.to, y.to) }

// A set is the number of a set in its setTable: equal sets have equal numbers.
type set int32

// empty is the empty set in every table.
const empty set = 0

// A setTable owns sets of the numbers 0, …, n-1.
type setTable struct {
	known   intern.Lists[uint64]
	scratch ondemand.BitSet
}

// intern returns the number of the set in scratch.
func (t *setTable) intern() set {
	s, _ := t.known.Number(t.scratch)
	return set(s)
}

func (t *setTable) of(s set) ondemand.BitSet { return t.known.At(int32(s)) }

func (t *setTable) union(a, b set) set {
	if a == b || b == empty {
		return a
	}
	if a == empty {
		return b
	}
	copy(t.scratch, t.of(a))
	t.scratch.Unite(t.of(b))
	return t.intern()
}

func (t *setTable) has(s set, q int) bool { return t.of(s).Has(q) }

func (t *setTable) subset(a, b set) bool { return bitset.Subset(t.of(a), t.of(b)) }
