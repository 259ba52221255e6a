package productcheck

import "github.com/xcheck-ltl/xcheck/omega"

// An Indexed is an automaton as a Source of several products, which share what the
// first of them finds out of its edges: the index by which those are found that
// meet edges of another automaton. In a short search most of the time is for that.
// It is used by one goroutine at a time.
type Indexed struct {
	*omega.Automaton
	side *side
}

// NewIndexed returns an automaton without alternation for several products. It
// takes constant time, as the index is made where the products need it.
func NewIndexed(a *omega.Automaton) *Indexed {
	if a.Alternating() {
		panic("productcheck: index of an alternating automaton")
	}
	x := &Indexed{Automaton: a, side: sideOf(a)}
	x.side.shared = true
	return x
}

// Memory returns the bytes that the index takes. They are bounded by a small multiple
// of the automaton's edges and states.
func (x *Indexed) Memory() int64 { return x.side.memory() }
