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
// omega.LimitError past limit states (if limit > 0) or memory bytes (if memory > 0).
func (f Form) Apply(ctx context.Context, a *omega.Automaton, limit int, memory int64) (*omega.Automaton, error) {
	if err := f.Check(); err != nil || f == (Form{}) {
		return a, err
	}
	var b *omega.Automaton
	var err error
	switch {
	case f.Deterministic:
		b, err = parity(ctx, a, f.StateBased, limit, memory)
	case f.Buchi:
		b, err = ToBuchi(ctx, a, f.StateBased, limit)
	default:
		if b, err = Nonalternating(ctx, a, limit); err != nil || !f.StateBased {
			break
		}
		// Each state is copied for the marks of its edges. Reduced before, there are fewer to copy; and
		// copies may turn out to be equal.
		if b, err = reduce.Reduce(ctx, b); err == nil {
			if b, err = convert.StateBased(ctx, b, limit); err == nil {
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
