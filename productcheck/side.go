package productcheck

import (
	"unsafe"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A side is one of the two automata of a product: its edges, asked for once a
// state and kept, with what is needed to find those that meet a given edge of
// the other side.
type side struct {
	src      omega.Source
	explicit *omega.Automaton // src, if that keeps its edges itself
	alphabet *omega.Alphabet
	domain   uint64 // the bits of keys that differ

	rows  []row // by state
	known int   // number of edges known

	edges   arena[omega.Edge]
	keys    arena[uint64]
	ints    arena[int32]
	entries arena[entry]
	indexes arena[index]
	buf     []omega.Edge
	spots   []spot
}

// row is a state of a side. The key of an edge is the set of valuations of the
// first six propositions that its label allows, a machine word. Edges whose keys
// have no common bit don't meet. Where there are no more than six propositions
// the key is the label, and nothing else has to be looked at.
type row struct {
	edges []omega.Edge
	keys  []uint64 // of the edges; nil until they are needed
	index *index   // nil: there is none
	known bool
	tried bool // to make an index
}

func newSide(src omega.Source) side {
	a := src.Alphabet()
	s := side{src: src, alphabet: a, domain: ^uint64(0)}
	if a.Len() < 6 {
		s.domain = 1<<(1<<a.Len()) - 1
	}
	if x, ok := src.(*omega.Automaton); ok && !x.Alternating() {
		s.explicit = x
	}
	return s
}

// row returns a state's row, which is valid until the next call.
func (s *side) row(state omega.State) (*row, error) {
	if int(state) < len(s.rows) && s.rows[state].known {
		return &s.rows[state], nil
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
			return nil, err
		}
		r.edges = s.edges.take(len(s.buf))
		copy(r.edges, s.buf)
	}
	r.known = true
	s.known += len(r.edges)
	return r, nil
}

// needKeys makes the keys of a row's edges, if there are none.
func (s *side) needKeys(r *row) {
	if r.keys != nil {
		return
	}
	r.keys = s.keys.take(len(r.edges))
	for i := range r.edges {
		r.keys[i] = s.alphabet.Key(r.edges[i].Label) & s.domain
	}
}

// sample appends labels of edges that are known, some from each part of them.
func (s *side) sample(labels []omega.Label) []omega.Label {
	step := max(1, s.known/sampled)
	next := 0
	for i := range s.rows {
		edges := s.rows[i].edges
		for ; next < len(edges); next += step {
			labels = append(labels, edges[next].Label)
		}
		next -= len(edges)
	}
	return labels
}

// forget drops all indexes, since they are to be made by another plan.
func (s *side) forget() {
	for i := range s.rows {
		s.rows[i].index, s.rows[i].tried = nil, false
	}
	s.ints, s.entries, s.indexes = arena[int32]{}, arena[entry]{}, arena[index]{}
}

// memory returns the bytes that the side takes.
func (s *side) memory() int64 {
	n := int64(unsafe.Sizeof(row{})) * int64(cap(s.rows))
	n += s.edges.memory() + s.keys.memory() + s.ints.memory() + s.entries.memory() + s.indexes.memory()
	if sized, ok := s.src.(omega.Sized); ok {
		n += sized.Memory()
	}
	return n
}

// An arena gives out slices of large pieces of memory, which are never moved.
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

// memory returns the bytes of all pieces.
func (a *arena[T]) memory() int64 {
	var x T
	return int64(a.held) * int64(unsafe.Sizeof(x))
}
