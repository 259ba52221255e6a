package reduce

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Preorder says which states simulate which, by direct simulation: each edge is matched by
// one that is at least as good. A state that simulates another one accepts all of its words.
type Preorder struct{ by *relation }

// NewPreorder computes the simulation preorder of the states. It returns nil if there are too
// many states or if it takes too long. It fails when ctx is done.
func NewPreorder(ctx context.Context, a *omega.Automaton) (*Preorder, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	n := a.NumStates()
	if n == 0 || n > simulationStates {
		return nil, ctx.Err()
	}
	var by *relation
	w := budget.New(ctx)
	if !a.Alphabet().Attempt(w, simulationBudget, func(v *budget.Budget) { by = simulate(a, v).by }) {
		return nil, w.Err()
	}
	return &Preorder{by}, w.Err()
}

// ErrSteps reports a simulation that takes more steps than it may.
var ErrSteps = errors.New("too many steps")

// NewDelayed computes which states before the given one simulate which states from it on, in a
// Büchi automaton in which no edges lead from one part to the other. The simulation is delayed
// simulation, which is coarser than direct simulation: a state that simulates another one still
// accepts all of its words. It returns nil if there are too many states. It fails with ErrSteps
// after so many steps, and when ctx is done.
func NewDelayed(ctx context.Context, a *omega.Automaton, first omega.State, steps int) (*Preorder, error) {
	n := omega.State(a.NumStates())
	switch err := omega.Supported(a); {
	case err != nil:
		return nil, err
	case first < 0 || first > n:
		return nil, fmt.Errorf("no state %d: the automaton has %d states", first, n)
	case n > simulationStates:
		return nil, ctx.Err()
	}
	within := newRelation(int(n))
	for p := first; p < n; p++ {
		for q := range first {
			within.add(p, q) // q may simulate p
		}
	}
	var by *relation
	w := budget.New(ctx)
	if !a.Alphabet().Attempt(w, steps, func(v *budget.Budget) { by = simulateDelayed(a, within, v) }) {
		if w.Err() == nil {
			return nil, ErrSteps
		}
		return nil, w.Err()
	}
	return &Preorder{by}, nil
}

// Simulators returns the states that simulate s, as a bit set, or nil if there is no state s. Do not
// change it.
func (p *Preorder) Simulators(s omega.State) []uint64 {
	if uint(s) >= uint(p.by.n) {
		return nil
	}
	return p.by.row(s)
}
