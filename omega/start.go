package omega

// OneStart returns an automaton with the language of a and one initial state. If a has one, it
// returns a. Otherwise it adds a state with the edges of all initial states, and without edges
// to it. The new edges carry no marks, because a run takes only one of them. OneStart fails
// with ErrAlternating.
func OneStart(a *Automaton) (*Automaton, error) {
	if a.Alternating() {
		return nil, ErrAlternating
	}
	if len(a.start) == 1 {
		return a, nil
	}
	b := NewBuilderLike(a)
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
	x := b.Automaton()
	x.Name, x.StateMarks = a.Name, a.StateMarks
	return x, nil
}
