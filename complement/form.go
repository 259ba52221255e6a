package complement

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Form is what an automaton is brought to: all that is set is requested. The zero Form leaves
// it unchanged.
type Form struct {
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

// Check returns an error if the requests exclude each other: not every automaton has a
// deterministic equivalent with Büchi acceptance.
func (f Form) Check() error {
	if f.Buchi && f.Deterministic {
		return errors.New("cannot combine Büchi acceptance and determinism: some formulas, such as FGa, have no such automaton")
	}
	return nil
}

// Apply returns an automaton of the requested form, with the language and name of a. It is
// reduced, if more than Complete is requested. An alternating automaton whose components are
// weak becomes nondeterministic.
//
// Apply fails as Check does, with omega.ErrNotWeak, and when ctx is done. It fails with an
// omega.LimitError past limits.Macrostates states, or if the macrostates of a construction
// take limits.Memory. The automaton itself may take as much again.
func (f Form) Apply(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, error) {
	if err := f.Check(); err != nil || f == (Form{}) {
		return a, err
	}
	var b *omega.Automaton
	var err error
	switch {
	case f.Deterministic:
		b, err = parity(ctx, a, f.StateBased, limits)
	case f.Buchi:
		b, err = toBuchi(ctx, a, f.StateBased, limits)
	default:
		if b, err = Nonalternating(ctx, a, limits); err != nil || !f.StateBased {
			break
		}
		// Each state is copied for the marks of its edges. Reduced before, there are fewer to copy; and
		// copies may turn out to be equal.
		if b, err = reduce.Reduce(ctx, b); err == nil {
			if b, err = convert.StateBased(ctx, b, limits); err == nil {
				b, err = reduce.StateBased(ctx, b)
			}
		}
	}
	if err == nil && f.Complete {
		b, err = convert.Complete(ctx, b)
	}
	if err != nil {
		return nil, err
	}
	b.Name = a.Name
	return b, nil
}
