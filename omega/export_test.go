package omega

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// unbounded is for what always runs to its end.
func unbounded() *reducer {
	w := newReducer(context.Background())
	w.simulation = budget.Unlimited
	return w
}

// Delayed is the quotient by delayed simulation, for tests that need other
// packages.
func Delayed(a *Automaton) *Automaton { return a.delayed(unbounded()) }

// Backward is the quotient by simulation backwards.
func Backward(a *Automaton) *Automaton { return a.backward(unbounded()) }

// Overlapping makes random automata.
var Overlapping = overlapping
