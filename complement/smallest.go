package complement

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Smallest is Whole, but reduces the complement. It returns the smallest automaton that it finds,
// and the construction of that one. With algorithm "", it also tries determinization, whose
// complement has parity acceptance: large ones often reduce to few states.
//
// The reductions take at most half of the time that ctx has left. When they exceed it, or
// limits.Memory, Smallest returns the smallest automaton so far. At worst that is what
// Whole returns. Smallest fails as Whole does.
func Smallest(ctx context.Context, algorithm Algorithm, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, Algorithm, error) {
	c, by, err := Whole(ctx, algorithm, a, limits)
	if err != nil {
		return nil, by, err
	}
	inner, cancel := halfway(ctx)
	defer cancel()
	s := best{c, by, limits.WithDefaults()}
	err = s.reduce(inner, c, by)
	if err == nil && algorithm == "" && !a.IsDeterministic() {
		err = s.determinize(inner, a, c.NumStates())
	}
	// Reductions that were cut short don't matter: there is an automaton in any case.
	var over *omega.LimitError
	if errors.Is(err, ErrUnfit) || errors.As(err, &over) || inner.Err() != nil {
		err = ctx.Err()
	}
	return s.automaton, s.by, err
}

// best is the smallest automaton so far, and the construction that it comes from.
type best struct {
	automaton *omega.Automaton
	by        Algorithm
	limits    omega.Limits // with defaults
}

// offer takes an automaton if it is smaller.
func (s *best) offer(a *omega.Automaton, by Algorithm) {
	b := s.automaton
	if cmp.Or(cmp.Compare(a.NumStates(), b.NumStates()), cmp.Compare(a.NumEdges(), b.NumEdges()), cmp.Compare(a.Acceptance().Sets, b.Acceptance().Sets)) < 0 {
		s.automaton, s.by = a, by
	}
}

// reductionMemory is how many bytes a reduction takes for each edge of the automaton: it makes a
// few copies, and finds the components.
const reductionMemory = 8 * 24

// reduce offers what the reductions make of a complement.
func (s *best) reduce(ctx context.Context, a *omega.Automaton, by Algorithm) error {
	if s.limits.Memory > 0 && int64(a.NumStates()+a.NumEdges())*reductionMemory > s.limits.Memory {
		return nil
	}
	if a.IsDeterministic() && a.Acceptance().IsParity() {
		b, err := reduce.Parity(ctx, a, false)
		if err != nil {
			return err
		}
		s.offer(b, by)
	}
	a, err := reduce.Reduce(ctx, a)
	if err != nil {
		return err
	}
	s.offer(a, by)
	return nil
}

// determinize offers the complement of a by determinization, if that has not many more states than
// another complement has.
func (s *best) determinize(ctx context.Context, a *omega.Automaton, states int) error {
	const by = "determinization"
	c, _, err := Whole(ctx, by, a, omega.Limits{Macrostates: 4*states + 64, Memory: s.limits.Memory})
	if err != nil {
		return err
	}
	return s.reduce(ctx, c, by)
}

// halfway returns a context that ends after half of the time that ctx has left.
func halfway(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}
