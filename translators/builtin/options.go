package builtin

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Options say what form an automaton is to have. The zero Options leave it as it is.
type Options struct {
	// Buchi acceptance: one mark that is to be seen infinitely often.
	Buchi bool
	// StateBased marks: all edges of a state carry the same ones.
	StateBased bool
	// Deterministic, with parity acceptance, of which t, f, Büchi and co-Büchi are
	// the simplest cases.
	Deterministic bool
	// Complete: no letter is missing anywhere. A sink is added if one is.
	Complete bool
}

// Check fails if the options exclude each other: not every automaton has a
// deterministic equivalent with Büchi acceptance.
func (o Options) Check() error {
	if o.Buchi && o.Deterministic {
		return errors.New("cannot combine Büchi acceptance and determinism: some formulas, such as FGa, have no such automaton")
	}
	return nil
}

// Apply returns an automaton of that form with the language and the name of a. It is
// reduced, if anything but Complete is asked for. An alternating automaton whose
// components are weak becomes nondeterministic. Apply fails as Check does, with
// omega.ErrNotWeak, with an omega.LimitError past limit states (if limit > 0) or some
// memory bytes (if memory > 0), and when ctx is done.
func (o Options) Apply(ctx context.Context, a *omega.Automaton, limit int, memory int64) (*omega.Automaton, error) {
	if err := o.Check(); err != nil || o == (Options{}) {
		return a, err
	}
	b, err := o.form(ctx, a, limit, memory)
	if err == nil && o.Complete {
		b, err = omega.Complete(ctx, b)
	}
	if err != nil {
		return nil, err
	}
	b.Name = a.Name
	return b, nil
}

// form is Apply but for Complete.
func (o Options) form(ctx context.Context, a *omega.Automaton, limit int, memory int64) (*omega.Automaton, error) {
	switch {
	case o.Deterministic:
		return complement.Parity(ctx, a, o.StateBased, limit, memory)
	case o.Buchi:
		return complement.ToBuchi(ctx, a, o.StateBased, limit)
	}
	a, err := complement.Nonalternating(ctx, a, limit)
	if err != nil || !o.StateBased {
		return a, err
	}
	if a, err = omega.Reduce(ctx, a); err != nil {
		return nil, err
	}
	if a, err = omega.StateBased(ctx, a, limit); err != nil {
		return nil, err
	}
	return omega.ReduceStateBased(ctx, a)
}
