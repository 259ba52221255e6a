package shrink

import (
	"github.com/xcheck-ltl/xcheck/omega"
)

// A draft is an automaton that can be changed.
type draft struct {
	alphabet   *omega.Alphabet
	acceptance omega.Acceptance
	stateMarks bool
	start      [][]omega.State
	states     int
	edges      []draftEdge
}

type draftEdge struct {
	src   omega.State
	label omega.Label
	marks []int
	dst   []omega.State
}

func newDraft(a *omega.Automaton) *draft {
	d := &draft{alphabet: a.Alphabet(), acceptance: a.Acceptance(), stateMarks: a.StateMarks && a.HasStateMarks(), states: a.NumStates()}
	for _, s := range a.Initial() {
		d.start = append(d.start, a.Universal(s))
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			d.edges = append(d.edges, draftEdge{s, e.Label, a.Marks().AppendTo(nil, e.Marks), a.Universal(e.Dst)})
		}
	}
	return d
}

// automaton returns the reachable part. No edge occurs twice.
func (d *draft) automaton() *omega.Automaton {
	out := make([][]int, d.states) // edges of each state
	for i, e := range d.edges {
		out[e.src] = append(out[e.src], i)
	}
	number := make([]omega.State, d.states)
	for i := range number {
		number[i] = -1
	}
	alphabet := omega.NewAlphabet(d.alphabet.Props()...)
	t := d.alphabet.To(alphabet)
	b := omega.NewBuilder(alphabet, d.acceptance)
	var order []omega.State
	visit := func(set []omega.State) []omega.State {
		list := make([]omega.State, len(set))
		for i, s := range set {
			if number[s] < 0 {
				number[s] = omega.State(len(order))
				order = append(order, s)
				b.AddState()
			}
			list[i] = number[s]
		}
		return list
	}
	here := map[omega.Edge]bool{} // edges of the state
	for _, set := range d.start {
		b.AddStart(b.Universal(visit(set)))
	}
	for i := 0; i < len(order); i++ {
		clear(here)
		for _, k := range out[order[i]] {
			e := d.edges[k]
			edge := omega.Edge{Label: t.Label(e.label), Marks: b.Marks().Of(e.marks...), Dst: b.Universal(visit(e.dst))}
			if !here[edge] { // a change may make edges equal
				here[edge] = true
				b.AddEdge(omega.State(i), edge.Label, edge.Marks, edge.Dst)
			}
		}
	}
	a := b.Automaton()
	a.StateMarks = d.stateMarks
	return a
}
