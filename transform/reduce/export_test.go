package reduce

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
)

// unbounded is for what always runs to its end.
func unbounded() *reducer {
	w := newReducer(context.Background())
	w.simulation = budget.Unlimited
	return w
}

// Delayed is the quotient by delayed simulation, for tests that need other
// packages.
func Delayed(a *omega.Automaton) *omega.Automaton { return delayed(a, unbounded()) }

// BackwardOnly is the quotient by simulation backwards.
func BackwardOnly(a *omega.Automaton) *omega.Automaton { return backward(a, unbounded()) }

// Overlapping makes random automata.
var Overlapping = sample.Overlapping
