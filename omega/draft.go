package omega

import "slices"

// A draft is an automaton to be changed.
type draft struct {
	props      []string
	alphabet   *Alphabet
	acceptance Acceptance
	stateMarks bool
	start      [][]State
	states     int
	edges      []draftEdge
}

type draftEdge struct {
	src   State
	label Label
	marks []int
	dst   []State
}

func newDraft(a *Automaton) *draft {
	d := &draft{props: a.alphabet.props, alphabet: a.alphabet, acceptance: a.acceptance, stateMarks: a.StateMarks && a.HasStateMarks(), states: a.NumStates()}
	for _, s := range a.start {
		d.start = append(d.start, a.Universal(s))
	}
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			d.edges = append(d.edges, draftEdge{s, e.Label, a.marks.AppendTo(nil, e.Marks), a.Universal(e.Dst)})
		}
	}
	return d
}

// clone returns a copy. Slices of edges are shared: changes replace them.
func (d *draft) clone() *draft {
	c := *d
	c.start, c.edges = slices.Clone(d.start), slices.Clone(d.edges)
	return &c
}

// automaton returns the part that can be reached, with no edge twice.
func (d *draft) automaton() *Automaton {
	out := make([][]int, d.states) // edges of each state
	for i, e := range d.edges {
		out[e.src] = append(out[e.src], i)
	}
	number := make([]State, d.states)
	for i := range number {
		number[i] = -1
	}
	var order []State
	visit := func(set []State) []State {
		list := make([]State, len(set))
		for i, s := range set {
			if number[s] < 0 {
				number[s] = State(len(order))
				order = append(order, s)
			}
			list[i] = number[s]
		}
		return list
	}
	alphabet := NewAlphabet(d.props...)
	t := NewTranslation(d.alphabet, alphabet)
	b := NewBuilder(alphabet, d.acceptance)
	var here []Edge // of the state
	for _, set := range d.start {
		b.AddStart(b.Universal(visit(set)))
	}
	for i := 0; i < len(order); i++ {
		here = here[:0]
		for _, k := range out[order[i]] {
			e := d.edges[k]
			edge := Edge{t.Label(e.label), b.Marks().Of(e.marks...), b.Universal(visit(e.dst))}
			if !slices.Contains(here, edge) {
				here = append(here, edge)
				b.AddEdge(State(i), edge.Label, edge.Marks, edge.Dst)
			}
		}
	}
	b.AddStates(len(order))
	a := b.Automaton()
	a.StateMarks = d.stateMarks
	return a
}
