package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A veryWeak is the very weak alternating co-Büchi automaton of a formula in
// negation normal form (Gastin and Oddoux 2001, section 3). Its states are the
// temporal subformulas and the literals.
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

// newVeryWeak prepares the automaton of f in time linear in the number of its
// subformulas.
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
	if err := admitBits(len(v.states)); err != nil {
		return nil, err
	}
	v.sets = newSetTable(len(v.states))
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

// delta returns the moves that make f true: Δ(f), without those that are worse
// than another.
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

// connective returns the moves of a constant, a conjunction or a disjunction, where
// of gives those of an operand.
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

// now returns f as a disjunction of sets of states, none of which contains
// another: a move to each of them on all letters.
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
	return v.onAll(v.sets.singleton(v.number[f]))
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

// minimal removes from the label of each move the letters on which another move
// is better, and with the last letter the move. The moves must differ in marks
// or destination, and better must be a partial order on these. The list is
// overwritten.
func (v *veryWeak) minimal(moves []move, better func(x, y move) bool) []move {
	kept := moves[:0]
	for _, x := range moves {
		// What is kept so far has, on each letter, no two moves of which one
		// is better.
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
