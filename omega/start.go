package omega

// OneStart returns an automaton with the language of a and one initial state: a
// itself if it has one. Otherwise the initial states get a new one beside them, which
// has the edges of all of them (or none, if there are none) and nothing that leads to
// it. These edges carry no marks, as no run takes two of them. It fails with
// ErrAlternating.
func OneStart(a *Automaton) (*Automaton, error) {
	if a.Alternating() {
		return nil, ErrAlternating
	}
	if len(a.start) == 1 {
		return a, nil
	}
	b := a.successor()
	b.automaton.Name, b.automaton.StateMarks = a.Name, a.StateMarks
	b.AddStates(a.NumStates())
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	fresh := b.AddState()
	b.AddStart(fresh)
	for _, s := range a.start {
		for _, e := range a.Edges(s) {
			b.AddEdge(fresh, e.Label, 0, e.Dst)
		}
	}
	return b.Automaton(), nil
}
