package convert

import "github.com/xcheck-ltl/xcheck/omega"

// OneStart returns an automaton with the language of a and one initial state. If a has one, it
// returns a. Otherwise it adds a state with the edges of all initial states, and without edges
// to it. The new edges carry no marks, because a run takes only one of them. With the initial
// states 0 and 1,
//
//	State: 0  [a] 0 {0}
//	State: 1  [!a] 1 {0}
//
// gets the initial state 2:
//
//	State: 2  [a] 0  [!a] 1
//
// OneStart fails with ErrAlternating.
func OneStart(a *omega.Automaton) (*omega.Automaton, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	if len(a.Initial()) == 1 {
		return a, nil
	}
	b := omega.NewBuilderLike(a)
	b.AddStates(a.NumStates())
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	fresh := b.AddState()
	b.AddStart(fresh)
	for _, s := range a.Initial() {
		for _, e := range a.Edges(s) {
			b.AddEdge(fresh, e.Label, 0, e.Dst)
		}
	}
	x := b.Automaton()
	x.Name, x.StateMarks = a.Name, a.StateMarks
	return x, nil
}
