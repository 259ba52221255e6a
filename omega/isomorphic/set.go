package isomorphic

import (
	"context"
	"hash/maphash"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// generationMemory is how many bytes the automata of a generation take.
const generationMemory = 256 << 20

// A Set remembers one automaton of each class, in bounded memory. It has two generations, and
// forgets the older one when the younger one is full. So it knows at least the last automata that
// take 256 MiB together: some 150,000 of ten states. Both generations take up to 512 MiB, and more
// if there are more than six propositions, because their labels take memory too. The answers of a
// Set depend on the automata alone.
type Set struct {
	young, old generation
	limit      int64 // bytes of a generation
}

// NewSet returns an empty Set of automata over some propositions.
func NewSet(props []string) *Set {
	return &Set{young: newGeneration(props), old: newGeneration(props), limit: generationMemory}
}

// Add reports whether an automaton is not isomorphic to one that the Set remembers. It fails when
// ctx is done.
func (s *Set) Add(ctx context.Context, a *omega.Automaton) (bool, error) {
	over, hash, known, err := s.young.has(ctx, a)
	if known || err != nil {
		return false, err
	}
	if len(s.old.by) > 0 {
		if _, _, known, err = s.old.has(ctx, a); known || err != nil {
			return false, err
		}
	}
	s.young.add(over, hash)
	if s.young.memory+s.young.alphabet.Memory() > s.limit {
		s.young, s.old = newGeneration(s.young.alphabet.Props()), s.young
	}
	return true, nil
}

// A generation is a set of automata over one alphabet.
type generation struct {
	alphabet *omega.Alphabet
	by       map[uint64][]*omega.Automaton // by a hash
	memory   int64                         // of the automata, in bytes, roughly
}

func newGeneration(props []string) generation {
	return generation{alphabet: omega.NewAlphabet(props...), by: map[uint64][]*omega.Automaton{}}
}

// has reports whether an automaton is isomorphic to one of the generation. It returns the automaton
// over the alphabet of the generation, and its hash.
func (g *generation) has(ctx context.Context, a *omega.Automaton) (over *omega.Automaton, hash uint64, known bool, err error) {
	if over, err = a.Over(ctx, g.alphabet); err != nil {
		return nil, 0, false, err
	}
	w := budget.New(ctx)
	x := colors(w, over)
	hash = maphash.Comparable(colorSeed, a.Acceptance().String())
	for _, color := range x {
		hash += color // a sum does not depend on the order of states
	}
	for _, b := range g.by[hash] {
		if equal(w, over, x, b, colors(w, b)) {
			return over, hash, true, w.Err()
		}
	}
	return over, hash, false, w.Err()
}

// add adds an automaton over the alphabet of the generation.
func (g *generation) add(a *omega.Automaton, hash uint64) {
	g.by[hash] = append(g.by[hash], a)
	g.memory += int64(1<<10 + 4*a.NumStates() + 24*a.NumEdges())
}
