package omega

import "context"

// A Preorder says which states simulate which, each edge by one that is at least
// as good (direct simulation). What a state accepts, those that simulate it do.
type Preorder struct{ by *relation }

// Preorder computes the simulation preorder of the states. It is nil if there are
// too many states, or if it takes too long; it fails when ctx is done.
func (a *Automaton) Preorder(ctx context.Context) (*Preorder, error) {
	if a.Alternating() {
		return nil, ErrAlternating
	}
	n := a.NumStates()
	if n == 0 || n > simulationStates {
		return nil, ctx.Err()
	}
	w := newWatch(ctx, a.alphabet).within(a.budget(simulationBudget))
	s := a.simulation(w)
	switch {
	case w.err == errBudget:
		return nil, nil
	case w.err != nil:
		return nil, w.err
	}
	return &Preorder{s.by}, nil
}

// Simulators returns the states that simulate s, as a bit set. It must not be
// changed.
func (p *Preorder) Simulators(s State) []uint64 { return p.by.row(s) }
