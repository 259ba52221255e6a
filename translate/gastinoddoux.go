package translate

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/intern"
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
	p := &powerset{veryWeak: v, onDemand: newOnDemand(alphabet, len(v.promises)), known: make(map[set]omega.State)}
	p.makeEdges = p.edgesOf
	p.long = stepLength(alphabet, len(v.states))
	p.LimitMemory(maxMemory, p.memory)
	for _, x := range v.now(f) {
		if q := p.state(x.to); q != dead && !slices.Contains(p.initial, q) {
			p.initial = append(p.initial, q)
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
	onDemand

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
// same class are merged, and of those that differ in their marks the ones with
// more are better. The result is not nil.
func (p *powerset) edgesOf(s omega.State) ([]omega.Edge, error) {
	// For a moment, let the destination of a move be the state that it leads
	// to. All states must be made first: that uses the scratch of mergeMove, too.
	for _, x := range p.moves[s] {
		p.state(x.to)
	}
	var moves []move
	clear(p.moveAt)
	for _, x := range p.moves[s] {
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
	joint := p.onAll(empty)
	p.members = p.sets.of(macro).appendTo(p.members[:0], 0)
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

// appendMarked appends x with its marks: as several moves, if its letters differ
// in these.
func (p *powerset) appendMarked(moves []move, x move) []move {
	first := len(moves)
	moves = append(moves, x)
	for mark, f := range p.promises {
		free := p.freeOf(f, x.to)
		bit := p.marks.Of(mark)
		for i := first; i < len(moves); i++ {
			if p.Spend(p.long) {
				return nil
			}
			// What is appended here has no free letter, and is left alone
			// when its turn comes.
			y := moves[i]
			in := p.alphabet.And(y.label, free)
			if in == omega.False {
				continue
			}
			if out := p.alphabet.And(y.label, p.alphabet.Not(free)); out != omega.False {
				moves = append(moves, move{out, y.marks, y.to})
			}
			moves[i] = move{in, p.marks.Union(y.marks, bit), y.to}
		}
	}
	return moves
}

// freeOf returns the letters on which a move to a macrostate is in the
// acceptance set of the promise f.
func (p *powerset) freeOf(f int, macro set) omega.Label {
	if !p.sets.has(macro, f) {
		return p.alphabet.True()
	}
	free := omega.False
	for _, x := range p.delta(p.states[f]) {
		if !p.sets.has(x.to, f) && p.sets.subset(x.to, macro) {
			free = p.alphabet.Or(free, x.label)
		}
	}
	return free
}

// includes reports whether all marks of y are in x.
func (p *powerset) includes(x, y omega.Marks) bool { return p.marks.Minus(y, x) == 0 }
