// Package ondemand has what translations of formulas share that make the edges of a state at the first
// request: the tables of states and edges, sets of subformulas, and limits.
package ondemand

import (
	"context"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Header is what a Source has beside its edges.
type Header struct {
	Over      *omega.Alphabet
	Accepts   omega.Acceptance
	MarkTable *omega.MarkTable
	Starts    []omega.State
}

// NewHeader returns the header of a generalized Büchi automaton, as yet without initial states.
func NewHeader(alphabet *omega.Alphabet, sets int) Header {
	return Header{Over: alphabet, Accepts: omega.GeneralizedBuchi(sets), MarkTable: omega.NewMarkTable(sets)}
}

func (h *Header) Alphabet() *omega.Alphabet    { return h.Over }
func (h *Header) Acceptance() omega.Acceptance { return h.Accepts }
func (h *Header) Marks() *omega.MarkTable      { return h.MarkTable }
func (h *Header) Initial() []omega.State       { return h.Starts }

// An Automaton is a Source that makes the edges of a state at the first request, and keeps them.
type Automaton struct {
	Header
	MakeEdges func(s omega.State) ([]omega.Edge, error) // not nil

	edges [][]omega.Edge     // of each state that was asked for; nil: not yet made
	Made  int64              // edges
	at    map[omega.Edge]int // of the state being expanded: the edge with those marks and destination
}

// New returns a generalized Büchi automaton, as yet without MakeEdges and initial states.
func New(alphabet *omega.Alphabet, sets int) Automaton {
	return Automaton{Header: NewHeader(alphabet, sets), at: make(map[omega.Edge]int)}
}

func (o *Automaton) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	for int(s) >= len(o.edges) {
		o.edges = append(o.edges, nil)
	}
	if o.edges[s] == nil {
		clear(o.at)
		edges, err := o.MakeEdges(s)
		if err != nil {
			return buf, err
		}
		o.edges[s] = edges
	}
	return append(buf, o.edges[s]...), nil
}

// Merge adds an edge to the edges of the state being expanded. Edges that differ only in their
// labels become one.
func (o *Automaton) Merge(edges []omega.Edge, e omega.Edge) []omega.Edge {
	key := omega.Edge{Marks: e.Marks, Dst: e.Dst}
	if i, ok := o.at[key]; ok {
		edges[i].Label = o.Over.Or(edges[i].Label, e.Label)
		return edges
	}
	o.at[key] = len(edges)
	o.Made++
	return append(edges, e)
}

// projected is a Source without some of its propositions.
type projected struct {
	omega.Source
	alphabet   *omega.Alphabet
	projection *omega.Translation
}

// Project returns the automaton over another alphabet, which may lack some of its propositions.
func Project(src omega.Source, alphabet *omega.Alphabet) *projected {
	return &projected{src, alphabet, src.Alphabet().To(alphabet)}
}

func (p *projected) Alphabet() *omega.Alphabet { return p.alphabet }

func (p *projected) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	first := len(buf)
	buf, err := p.Source.AppendEdges(buf, s)
	for i := first; i < len(buf); i++ {
		buf[i].Label = p.projection.Label(buf[i].Label)
	}
	return buf, err
}

const (
	// MaxMemory bounds the bytes that a translation takes for its states and edges, and for making
	// them.
	MaxMemory = 256 << 20

	// MaxSubformulas bounds the distinct subformulas of a formula that is translated. So linear work
	// on it need not look at the context.
	MaxSubformulas = 1 << 17

	// MaxBits bounds the number of bits of a state: of its subformulas, or whatever the
	// algorithm has in its states. A state then takes at most 4 KB, and few of them are
	// made from one look at the memory to the next.
	MaxBits = 1 << 15
)

// Admit fails if ctx is done, or with an omega.LimitError if f has too many subformulas.
func Admit(ctx context.Context, f *ltl.Formula) error {
	if err := ctx.Err(); err != nil || f.Size() <= MaxSubformulas {
		return err
	}
	if len(f.Subformulas()) > MaxSubformulas {
		return &omega.LimitError{What: "subformulas", Limit: MaxSubformulas}
	}
	return nil
}

// AdmitBits fails with an omega.LimitError if states would have too many bits.
func AdmitBits(n int) error {
	if n > MaxBits {
		return &omega.LimitError{What: "subformulas in a state", Limit: MaxBits}
	}
	return nil
}

// StepLength returns how many usual steps it takes to combine labels and sets of bits: a
// diagram of a label may be as deep as there are propositions.
func StepLength(alphabet *omega.Alphabet, bits int) int {
	return 1 + max(alphabet.Len(), bits/64)/16
}

// A BitSet is a set of numbers below a bound.
type BitSet []uint64

func NewBitSet(n int) BitSet { return make(BitSet, max(1, (n+63)/64)) }

func (s BitSet) Has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s BitSet) Add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s BitSet) Remove(i int)   { s[i/64] &^= 1 << (i % 64) }

func (s BitSet) Set(i int, to bool) {
	s.Remove(i)
	if to {
		s.Add(i)
	}
}

func (s BitSet) HasAll(list []int) bool {
	return !slices.ContainsFunc(list, func(i int) bool { return !s.Has(i) })
}

// Unite adds the members of t.
func (s BitSet) Unite(t BitSet) {
	for i, x := range t {
		s[i] |= x
	}
}

// First returns the least member.
func (s BitSet) First() (i int, ok bool) {
	for k, w := range s {
		if w != 0 {
			return 64*k + bits.TrailingZeros64(w), true
		}
	}
	return 0, false
}

// AppendTo appends the members from first on, ascending, to list, counted from first.
func (s BitSet) AppendTo(list []int, first int) []int {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if b := 64*i + bits.TrailingZeros64(w); b >= first {
				list = append(list, b-first)
			}
		}
	}
	return list
}
