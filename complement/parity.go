package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// parity returns a deterministic automaton with parity acceptance and the language of a. The
// automaton a may have any acceptance condition, and may be alternating if its components are
// weak. With onStates, the marks of the result are on states. reduce.Parity describes its
// acceptance, and how it is made small.
//
// If a is deterministic once reduced, with parity or generalized Büchi acceptance, only its
// marks change, or its levels (convert.Degeneralize). Otherwise a is brought to Büchi acceptance
// and determinized: with breakpoints if it is inherently weak (Miyano and Hayashi 1984), else
// with trees. Both leave out states that others simulate.
//
// parity fails with omega.ErrNotWeak, and when ctx is done. It fails with an omega.LimitError
// past limits.Macrostates, and if the macrostates take more than limits.Memory. The automaton itself
// may take as much again.
func parity(ctx context.Context, a *omega.Automaton, onStates bool, limits omega.Limits) (*omega.Automaton, error) {
	a, err := deterministicParity(ctx, a, limits)
	if err != nil {
		return nil, err
	}
	if a, err = reduce.Parity(ctx, a, false); err != nil || !onStates {
		return a, err
	}
	// States are copied for the marks of their edges. With few marks, there are few copies.
	if a, err = convert.StateBased(ctx, a, limits); err != nil {
		return nil, err
	}
	return reduce.Parity(ctx, a, true)
}

// deterministicParity is parity without the reduction of the result. For example, a
// nondeterministic Büchi automaton guesses when a holds for ever:
//
//	State: 0  [t] 0  [a] 1
//	State: 1  [a] 1 {0}
//
// The result has the breakpoints of its complement with the dual condition, Fin(0). An edge has the
// mark if no run stays in state 1:
//
//	State: 0  [!a] 0 {0}  [a] 1 {0}
//	State: 1  [!a] 0 {0}  [a] 1
func deterministicParity(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, error) {
	a, err := Nonalternating(ctx, a, limits)
	if err != nil {
		return nil, err
	}
	if a, err = reduce.Reduce(ctx, a); err != nil {
		return nil, err
	}
	if a.IsDeterministic() && a.Acceptance().IsParity() {
		return a, nil
	}
	b, err := toBuchi(ctx, a, false, limits)
	if err != nil || b.IsDeterministic() {
		return b, err
	}
	s, err := ordered(ctx, b)
	if err != nil {
		return nil, err
	}
	p := s.plan(onlyBreakpoints)
	if p == nil {
		// One block for all components, since a conjunction of parity conditions is none.
		p = s.plan(everywhere(oneTree))
	}
	m := s.macrostates(newAllowance(ctx, limits), p)
	m.allowance.LimitMemory(limits.WithDefaults().Memory, m.Memory)
	return omega.Explore(ctx, determinized{m}, omega.NoLimits())
}

// determinized is a complement by deterministic blocks, complemented again.
type determinized struct{ *macrostates }

func (d determinized) Acceptance() omega.Acceptance { return d.acceptance.Dual() }

// toBuchi returns a reduced Büchi automaton (one mark) with the language of a. The automaton a
// may have any acceptance condition, and may be alternating if its components are weak. With
// onStates, the marks are on states. Conditions without Fin go through convert.Degeneralize,
// which keeps determinism; others go through GeneralizedBuchi first. With Inf(0)&Inf(1),
//
//	State: 0  [a] 0 {0}  [!a] 0 {1}
//
// becomes
//
//	State: 0  [!a] 0  [a] 1
//	State: 1  [!a] 0 {0}  [a] 1
//
// toBuchi fails as these do, and with omega.ErrNotWeak.
func toBuchi(ctx context.Context, a *omega.Automaton, onStates bool, limits omega.Limits) (*omega.Automaton, error) {
	a, err := Nonalternating(ctx, a, limits)
	if err != nil {
		return nil, err
	}
	if a, err = reduce.Reduce(ctx, a); err != nil {
		return nil, err
	}
	// With Fin, determinism is lost. Without, levels for the marks are enough, and keep it.
	if _, ok := convert.Clauses(a.Acceptance().Condition, a.Marks()); !ok {
		if a, err = GeneralizedBuchi(ctx, a, limits); err != nil {
			return nil, err
		}
		if a, err = reduce.Reduce(ctx, a); err != nil {
			return nil, err
		}
	}
	if a, err = convert.Degeneralize(ctx, a, onStates, limits); err != nil {
		return nil, err
	}
	if onStates {
		return reduce.StateBased(ctx, a)
	}
	return reduce.Reduce(ctx, a)
}

// Nonalternating returns a if it is not alternating, and otherwise the result of Nondeterministic
// as an explicit automaton. It fails as that does, and with an omega.LimitError past limits.Macrostates states.
func Nonalternating(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, error) {
	if a.Alphabet() == nil {
		return nil, omega.ErrNoAutomaton
	}
	if !a.Alternating() {
		return a, nil
	}
	src, err := Nondeterministic(ctx, a, limits)
	if err != nil {
		return nil, err
	}
	return omega.Explore(ctx, src, limits)
}
