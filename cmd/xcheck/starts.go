package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/omega"
)

// startFlags choose the initial states of two automata.
type startFlags struct{ a, b []int }

func (s *startFlags) add(c *cobra.Command) {
	c.Flags().IntSliceVar(&s.a, "start-a", nil, "start A in the state `N`")
	c.Flags().IntSliceVar(&s.b, "start-b", nil, "start B in the state `N`")
}

// apply returns the automata with the initial states that were asked for.
func (s *startFlags) apply(a, b *omega.Automaton) (x, y *omega.Automaton, err error) {
	if x, err = startingAt(a, s.a); err != nil {
		return nil, nil, fmt.Errorf("--start-a: %w", err)
	}
	if y, err = startingAt(b, s.b); err != nil {
		return nil, nil, fmt.Errorf("--start-b: %w", err)
	}
	return x, y, nil
}

// startingAt returns a with other initial states, if there are any.
func startingAt(a *omega.Automaton, list []int) (*omega.Automaton, error) {
	if len(list) == 0 {
		return a, nil
	}
	states := make([]omega.State, len(list))
	for i, n := range list {
		if n < 0 || n >= a.NumStates() {
			return nil, fmt.Errorf("no state %d: the automaton has %d states, numbered from 0", n, a.NumStates())
		}
		states[i] = omega.State(n)
	}
	return a.From(states...)
}
