package productcheck

import "github.com/xcheck-ltl/xcheck/omega"

// An Indexed is an automaton for several products. They share the index of its edges, which
// finds the edges that meet those of the other side. Building the index dominates a short
// search. Only one goroutine at a time may use an Indexed.
type Indexed struct {
	*omega.Automaton
	side *side
}

// NewIndexed returns an Indexed for an automaton. It takes constant time; products build the index
// as they need it. Those of an alternating automaton fail with omega.ErrAlternating.
func NewIndexed(a *omega.Automaton) *Indexed {
	a = a.OrEmpty()

	x := &Indexed{Automaton: a, side: sideOf(a)}
	x.side.shared = true
	return x
}

// Memory returns the number of bytes that the index takes. It is at most a small multiple of
// the edges and states.
func (x *Indexed) Memory() int64 { return x.side.memory() }
