package productcheck

import (
	"unsafe"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A side is one of the two automata of a product. It keeps the edges of each state, which it
// requests once, and finds the edges that meet a given edge of the other side. The side of an
// Indexed automaton is kept for other products, and is both sides of its product with itself.
type side struct {
	src      omega.Source
	explicit *omega.Automaton // src, if that keeps its edges itself
	alphabet *omega.Alphabet
	domain   uint64 // the bits of keys that differ
	shared   bool   // by several products

	rows  []row // by state
	known int   // number of edges known
	whole *sample

	edges   arena[omega.Edge]
	keys    arena[uint64]
	buf     []omega.Edge
	spots   []spot
	indexes []*indexes // those kept, each by another plan, the oldest first
}

// row is a state of a side. The key of an edge is a machine word: the set of valuations of the
// first six propositions that its label allows. Edges whose keys have no common bit don't meet.
// With up to six propositions, the key is the label. For example, over a and b the key of a has the
// bits of a&b and a&!b.
type row struct {
	edges []omega.Edge
	keys  []uint64 // of the edges; nil until they are needed
	known bool
}

// sideOf returns the side of a product for an automaton.
func sideOf(src omega.Source) *side {
	if x, ok := src.(*Indexed); ok {
		return x.side
	}
	a := src.Alphabet()
	s := &side{src: src, alphabet: a, domain: ^uint64(0)}
	if a.Len() < 6 {
		s.domain = 1<<(1<<a.Len()) - 1
	}
	if x, ok := src.(*omega.Automaton); ok && !x.Alternating() {
		s.explicit = x
	}
	return s
}

// know requests the edges of a state, unless they are known.
func (s *side) know(state omega.State) error {
	if int(state) < len(s.rows) && s.rows[state].known {
		return nil
	}
	if n := int(state) + 1 - len(s.rows); n > 0 {
		s.rows = append(s.rows, make([]row, max(n, len(s.rows)/2))...)
	}
	r := &s.rows[state]
	if s.explicit != nil {
		r.edges = s.explicit.Edges(state)
	} else {
		var err error
		if s.buf, err = s.src.AppendEdges(s.buf[:0], state); err != nil {
			return err
		}
		r.edges = s.edges.take(len(s.buf))
		copy(r.edges, s.buf)
	}
	r.known = true
	s.known += len(r.edges)
	return nil
}

// needKeys makes the keys of the edges of a row, unless it has them.
func (s *side) needKeys(r *row) {
	if r.keys != nil {
		return
	}
	r.keys = s.keys.take(len(r.edges))
	for i := range r.edges {
		r.keys[i] = s.alphabet.Key(r.edges[i].Label) & s.domain
	}
}

// sample examines some known edges, spread over all of them. The edges of an explicit automaton are
// all known, and are examined once.
func (s *side) sample() *sample {
	if s.whole != nil {
		return s.whole
	}
	v := &sample{}
	if x := s.explicit; x != nil {
		step, next := max(1, x.NumEdges()/sampled), 0
		for state := range x.NumStates() {
			next = v.every(step, next, s, x.Edges(omega.State(state)))
		}
		s.whole = v
		return v
	}
	step, next := max(1, s.known/sampled), 0
	for i := range s.rows {
		next = v.every(step, next, s, s.rows[i].edges)
	}
	return v
}

// by returns the indexes by a plan. It returns the kept ones, if there are any.
func (s *side) by(p plan) *indexes {
	for _, x := range s.indexes {
		if x.plan == p {
			return x
		}
	}
	most := 1
	if s.shared {
		most = keptPlans
	}
	if len(s.indexes) == most {
		s.indexes = append(s.indexes[:0], s.indexes[1:]...)
	}
	x := &indexes{plan: p}
	s.indexes = append(s.indexes, x)
	return x
}

func (s *side) memory() int64 {
	n := int64(unsafe.Sizeof(row{})) * int64(cap(s.rows))
	n += s.edges.memory() + s.keys.memory()
	for _, x := range s.indexes {
		n += x.memory()
	}
	return n + omega.MemoryOf(s.src)
}

// An arena hands out slices of large pieces of memory, which never move.
type arena[T any] struct {
	free []T
	held int // elements in all pieces
}

// take returns n zero values.
func (a *arena[T]) take(n int) []T {
	if n > len(a.free) {
		piece := max(n, min(max(16, a.held), 1<<14))
		a.free = make([]T, piece)
		a.held += piece
	}
	list := a.free[:n:n]
	a.free = a.free[n:]
	return list
}

func (a *arena[T]) memory() int64 {
	var x T
	return int64(a.held) * int64(unsafe.Sizeof(x))
}
