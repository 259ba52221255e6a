package productcheck

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A side is one of the two automata of a product: its edges, asked for once a
// state and kept, with what is needed to find those that meet a given edge of
// the other side.
//
// The key of an edge is the set of valuations of the first six propositions
// that its label allows, a machine word. Edges whose keys have no common bit
// don't meet. Where there are no more than six propositions the key is the
// label, and nothing else has to be looked at.
type side struct {
	src      omega.Source
	alphabet *omega.Alphabet
	domain   uint64 // the bits of keys that differ

	rows  []row // by state
	edges []omega.Edge
	keys  []uint64
	lists []int32 // of the buckets: indices of edges
}

// row is a state of a side. Its edges are edges[lo:hi] of the side.
type row struct {
	known  bool
	lo, hi int32
	// A row with many edges of narrow labels has a bucket for each valuation of
	// the first six propositions that occurs: occupied is the set of these. The
	// bucket of the k-th of them is lists[bounds[k]:bounds[k+1]].
	occupied uint64
	bounds   []int32
}

func newSide(src omega.Source) side {
	a := src.Alphabet()
	s := side{src: src, alphabet: a, domain: ^uint64(0)}
	if a.Len() < 6 {
		s.domain = 1<<(1<<a.Len()) - 1
	}
	return s
}

// row returns a state's row, which is valid until the next call.
func (s *side) row(state omega.State) (*row, error) {
	if int(state) < len(s.rows) && s.rows[state].known {
		return &s.rows[state], nil
	}
	for int(state) >= len(s.rows) {
		s.rows = append(s.rows, row{})
	}
	lo := len(s.edges)
	var err error
	if s.edges, err = s.src.AppendEdges(s.edges, state); err != nil {
		s.edges = s.edges[:lo]
		return nil, err
	}
	width := 0
	for _, e := range s.edges[lo:] {
		k := s.alphabet.Key(e.Label) & s.domain
		s.keys = append(s.keys, k)
		width += bits.OnesCount64(k)
	}
	r := &s.rows[state]
	r.known, r.lo, r.hi = true, int32(lo), int32(len(s.edges))
	if n := len(s.edges) - lo; n >= 8 && width <= 4*n {
		s.fill(r)
	}
	return r, nil
}

// fill makes the buckets of a row.
func (s *side) fill(r *row) {
	var count [64]int32
	for _, k := range s.keys[r.lo:r.hi] {
		r.occupied |= k
		for ; k != 0; k &= k - 1 {
			count[bits.TrailingZeros64(k)]++
		}
	}
	var next [64]int32
	at := int32(len(s.lists))
	for occ := r.occupied; occ != 0; occ &= occ - 1 {
		b := bits.TrailingZeros64(occ)
		r.bounds = append(r.bounds, at)
		next[b] = at
		at += count[b]
	}
	r.bounds = append(r.bounds, at)
	s.lists = append(s.lists, make([]int32, at-int32(len(s.lists)))...)
	for i := r.lo; i < r.hi; i++ {
		for k := s.keys[i]; k != 0; k &= k - 1 {
			b := bits.TrailingZeros64(k)
			s.lists[next[b]] = i
			next[b]++
		}
	}
}

// bucket returns the edges of r the keys of which have bit b, which must be
// occupied.
func (s *side) bucket(r *row, b int) []int32 {
	k := bits.OnesCount64(r.occupied & (1<<b - 1))
	return s.lists[r.bounds[k]:r.bounds[k+1]]
}

// memory returns the bytes that the side takes.
func (s *side) memory() int64 {
	n := int64(64*cap(s.rows) + 24*cap(s.edges) + 8*cap(s.keys) + 8*cap(s.lists))
	if sized, ok := s.src.(omega.Sized); ok {
		n += sized.Memory()
	}
	return n
}
