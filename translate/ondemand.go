package translate

import "github.com/xcheck-ltl/xcheck/omega"

// A header is what a Source has beside its edges.
type header struct {
	alphabet   *omega.Alphabet
	acceptance omega.Acceptance
	marks      *omega.MarkTable
	initial    []omega.State
}

// newHeader returns that of a generalized Büchi automaton, as yet without initial states.
func newHeader(alphabet *omega.Alphabet, sets int) header {
	return header{alphabet: alphabet, acceptance: omega.GeneralizedBuchi(sets), marks: omega.NewMarkTable(sets)}
}

func (h *header) Alphabet() *omega.Alphabet    { return h.alphabet }
func (h *header) Acceptance() omega.Acceptance { return h.acceptance }
func (h *header) Marks() *omega.MarkTable      { return h.marks }
func (h *header) Initial() []omega.State       { return h.initial }

// An onDemand is a Source that makes the edges of a state at the first request, and keeps them.
type onDemand struct {
	header
	makeEdges func(s omega.State) ([]omega.Edge, error) // not nil

	edges [][]omega.Edge     // of each state that was asked for; nil: not yet made
	made  int64              // edges
	at    map[omega.Edge]int // of the state being expanded: the edge with those marks and destination
}

func newOnDemand(alphabet *omega.Alphabet, sets int) onDemand {
	return onDemand{header: newHeader(alphabet, sets), at: make(map[omega.Edge]int)}
}

func (o *onDemand) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	for int(s) >= len(o.edges) {
		o.edges = append(o.edges, nil)
	}
	if o.edges[s] == nil {
		clear(o.at)
		edges, err := o.makeEdges(s)
		if err != nil {
			return buf, err
		}
		o.edges[s] = edges
	}
	return append(buf, o.edges[s]...), nil
}

// merge adds an edge to those of the state being expanded. Edges that differ in their labels
// only are one.
func (o *onDemand) merge(edges []omega.Edge, e omega.Edge) []omega.Edge {
	key := omega.Edge{Marks: e.Marks, Dst: e.Dst}
	if i, ok := o.at[key]; ok {
		edges[i].Label = o.alphabet.Or(edges[i].Label, e.Label)
		return edges
	}
	o.at[key] = len(edges)
	o.made++
	return append(edges, e)
}
