package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Parity returns a deterministic automaton with parity acceptance and the language of
// a, which may be alternating if its components are weak, and have any acceptance
// condition. With onStates its marks are on states. See omega.ReduceParity for what
// the acceptance is, and what is done to make the automaton small.
//
// An automaton that is deterministic, once it is reduced, with parity or
// generalized Büchi acceptance, remains the same but for its marks, or its levels
// (omega.Degeneralize). Any other is brought to Büchi acceptance and determinized:
// by breakpoints if it is inherently weak (Miyano and Hayashi 1984), by trees if it
// is not (Determinize), both without states that are simulated by others.
//
// It fails with omega.ErrNotWeak, with an omega.LimitError past limit macrostates or
// states (if limit > 0) or when the macrostates take more than memory bytes (if
// memory > 0; the automaton itself may take as much again), and when ctx is done.
func Parity(ctx context.Context, a *omega.Automaton, onStates bool, limit int, memory int64) (*omega.Automaton, error) {
	a, err := deterministicParity(ctx, a, limit, memory)
	if err != nil {
		return nil, err
	}
	if a, err = omega.ReduceParity(ctx, a, false); err != nil || !onStates {
		return a, err
	}
	if a, err = omega.StateBased(ctx, a, limit); err != nil {
		return nil, err
	}
	return omega.ReduceParity(ctx, a, true)
}

// deterministicParity is Parity without the reduction of the result.
func deterministicParity(ctx context.Context, a *omega.Automaton, limit int, memory int64) (*omega.Automaton, error) {
	a, err := Nonalternating(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	if a, err = omega.Reduce(ctx, a); err != nil {
		return nil, err
	}
	if a.IsDeterministic() && a.Acceptance().IsParity() {
		return a, nil
	}
	b, err := ToBuchi(ctx, a, false, limit)
	if err != nil || b.IsDeterministic() {
		return b, err
	}
	s, err := classify(ctx, b)
	if err != nil {
		return nil, err
	}
	if s.order, err = b.Preorder(ctx); err != nil {
		return nil, err
	}
	by := ByDeterminization
	if s.class == classWeak {
		by = ByBreakpoint
	}
	m, _ := s.build(newAllowance(ctx, limit), by)
	m.allowance.LimitMemory(memory, m.Memory)
	return omega.Explore(ctx, determinized{m}, 0)
}

// ToBuchi returns a reduced automaton with Büchi acceptance (one mark) and the
// language of a, which may be alternating if its components are weak, and have any
// acceptance condition; with onStates the marks are on states. Conditions
// without Fin are degeneralized (omega.Degeneralize), others translated by Buchi.
// What is deterministic, and has no Fin, remains so. It fails as these do, and with
// omega.ErrNotWeak.
func ToBuchi(ctx context.Context, a *omega.Automaton, onStates bool, limit int) (*omega.Automaton, error) {
	a, err := Nonalternating(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	if a, err = omega.Reduce(ctx, a); err != nil {
		return nil, err
	}
	if _, ok := a.Acceptance().Condition.Clauses(a.Marks()); !ok {
		if a, err = Buchi(ctx, a, limit); err != nil {
			return nil, err
		}
		if a, err = omega.Reduce(ctx, a); err != nil {
			return nil, err
		}
	}
	if a, err = omega.Degeneralize(ctx, a, onStates, limit); err != nil {
		return nil, err
	}
	if onStates {
		return omega.ReduceStateBased(ctx, a)
	}
	return omega.Reduce(ctx, a)
}

// Nonalternating returns a itself, or if that is alternating, what Nondeterministic
// makes of it.
func Nonalternating(ctx context.Context, a *omega.Automaton, limit int) (*omega.Automaton, error) {
	if !a.Alternating() {
		return a, nil
	}
	src, err := Nondeterministic(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	return omega.Explore(ctx, src, limit)
}
