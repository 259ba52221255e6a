package omega

import (
	"fmt"
	"slices"
)

// From returns the automaton with other initial states (Gillard 2019, section 4.6). It shares the
// edges of a. What the text of a declares is dropped, as it may not hold from these states. It
// fails if a has no such states.
func (a *Automaton) From(states ...State) (*Automaton, error) {
	for _, s := range states {
		if n := a.NumStates(); s < 0 || int(s) >= n {
			return nil, fmt.Errorf("no state %d: the automaton has %d states, numbered from 0", s, n)
		}
	}
	b := *a
	b.start = slices.Clone(states)
	b.Declared, b.AsRead, b.Reduced = Declared{}, nil, false
	return &b, nil
}
