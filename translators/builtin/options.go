package builtin

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Options select the form of an automaton. The zero Options leave it unchanged.
type Options struct {
	// Buchi requests Büchi acceptance: one mark, seen infinitely often.
	Buchi bool
	// StateBased requests marks on states: all edges of a state carry the same marks.
	StateBased bool
	// Deterministic requests determinism, with parity acceptance; t, f, Büchi and co-Büchi are
	// its simplest cases.
	Deterministic bool
	// Complete requests an edge on each letter from each state. A sink is added if necessary.
	Complete bool
}

// Check returns an error if the options exclude each other: not every automaton has a
// deterministic equivalent with Büchi acceptance.
func (o Options) Check() error {
	if o.Buchi && o.Deterministic {
		return errors.New("cannot combine Büchi acceptance and determinism: some formulas, such as FGa, have no such automaton")
	}
	return nil
}

// Apply returns an automaton of the requested form, with the language and name of a. It is
// reduced, if more than Complete is requested. An alternating automaton whose components are
// weak becomes nondeterministic.
//
// Apply fails as Check does, with omega.ErrNotWeak, and when ctx is done. It fails with an
// omega.LimitError past limit states (if limit > 0) or memory bytes (if memory > 0).
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
