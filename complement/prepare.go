package complement

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Subject is an automaton ready to be complemented: reduced, and with Büchi acceptance
// unless it is deterministic or alternating.
type Subject struct {
	a    *omega.Automaton
	dual *weak // of an alternating automaton; otherwise nil

	// Of an automaton with Büchi acceptance. If it is deterministic, it has none of these.
	parts omega.Components
	kinds []omega.Kind
	free  []bool           // by component: is it deterministic inside
	sizes []int            // by component
	order *reduce.Preorder // nil if not known
}

// Prepare reduces an automaton and finds out what it is. It fails with omega.ErrNotWeak, with an
// omega.LimitError past limits.Macrostates states, and when ctx is done.
func Prepare(ctx context.Context, a *omega.Automaton, limits omega.Limits) (_ *Subject, err error) {
	defer a.Alphabet().Bind(budget.New(ctx)).Release(&err)
	if a.Alternating() {
		w, err := newWeak(ctx, a)
		if err != nil {
			return nil, err
		}
		if w, err = w.dual(); err != nil {
			return nil, err
		}
		return &Subject{a: a, dual: w}, nil
	}
	if a, err = reduce.Reduce(ctx, a); err != nil {
		return nil, err
	}
	if a.IsDeterministic() {
		return &Subject{a: a}, nil
	}
	// Reduced before, since Buchi copies states, and after, since copies may be equal.
	b, err := Buchi(ctx, a, limits)
	if err != nil {
		return nil, err
	}
	if b, err = reduce.Reduce(ctx, b); err != nil {
		return nil, err
	}
	if b.IsDeterministic() {
		return &Subject{a: b}, nil
	}
	return ordered(ctx, b)
}

// ordered is classify with the simulation preorder.
func ordered(ctx context.Context, a *omega.Automaton) (*Subject, error) {
	s, err := classify(ctx, a)
	if err == nil {
		s.order, err = reduce.NewPreorder(ctx, a)
	}
	return s, err
}

// classify finds the class of an automaton with Büchi acceptance. It fails when ctx is done.
func classify(ctx context.Context, a *omega.Automaton) (_ *Subject, err error) {
	w := budget.New(ctx)
	defer a.Alphabet().Bind(w).Release(&err)
	s := &Subject{a: a, parts: a.Components()}
	if s.kinds, err = a.Kinds(ctx, s.parts); err != nil {
		return nil, err
	}
	s.free = make([]bool, s.parts.Count)
	s.sizes = make([]int, s.parts.Count)
	for i := range s.free {
		s.free[i] = true
	}
	all := a.Alphabet()
	for q := range omega.State(a.NumStates()) {
		i := s.parts.Of[q]
		s.sizes[i]++
		sum := omega.False
		for _, e := range a.Edges(q) {
			if w.Stop() {
				return nil, w.Err()
			}
			if s.parts.Of[e.Dst] != i {
				continue
			}
			// Two edges that stay in the component share a letter.
			if all.Meet(sum, e.Label) {
				s.free[i] = false
			}
			sum = all.Or(sum, e.Label)
		}
	}
	return s, nil
}

// Candidates returns the constructions that can complement the automaton. The first one should
// make the fewest macrostates. A construction that does the same as one before is left out.
func (s *Subject) Candidates() []Algorithm {
	var list []Algorithm
	var plans []*plan
	for _, c := range slices.SortedStableFunc(slices.Values(constructions), func(x, y construction) int { return cmp.Compare(x.turn, y.turn) }) {
		var p *plan // nil if the construction does not go by components, or has no way for one of them
		if c.choose != nil && s.kinds != nil {
			p = s.plan(c.choose)
		}
		switch {
		case c.turn == never || p == nil && (c.choose != nil || !c.fits(s)):
			continue
		case c.turn == alone:
			return []Algorithm{c.name}
		// Without the components that it treats in its own way, a construction is the same as one
		// before.
		case !slices.ContainsFunc(plans, p.equal):
			plans, list = append(plans, p), append(list, c.name)
		}
	}
	return list
}

// Complement returns the complement by the given construction. The Source fails with an
// omega.LimitError past limits.Macrostates, and when ctx is done. Complement itself
// fails for the same reasons, and with ErrUnfit if the construction can't complement the automaton.
func (s *Subject) Complement(ctx context.Context, algorithm Algorithm, limits omega.Limits) (_ *Complement, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	row, err := find(algorithm)
	if err != nil {
		return nil, err
	}
	c := &Complement{algorithm: algorithm, allowance: newAllowance(ctx, limits)}
	c.allowance.LimitMemory(budget.Memory(ctx), c.Memory)
	defer s.a.Alphabet().Bind(c.allowance.Budget).Release(&err)
	switch c.Source, err = row.build(ctx, s, c.allowance); {
	case err == ErrUnfit:
		instead := others(algorithm)
		return nil, fmt.Errorf("%s: %w: it is not %s: use %s or %s", algorithm, err, row.class, instead[0], instead[1])
	case errors.Is(err, ErrUnfit):
		return nil, fmt.Errorf("%s: %w", algorithm, err)
	case err != nil:
		return nil, err
	}
	if m, ok := c.Source.(*macrostates); ok && m.ordered {
		c.ordered = m
	}
	return c, nil
}

// Cost estimates the binary logarithm of the number of macrostates, for the first of the
// Candidates. It uses known bounds:
//
//	n          a deterministic automaton of n states
//	2^n        the sets of n states; for other automata this is multiplied by
//	(3/2)^k    for the k states of weak components (breakpoints)
//	2^k        for the k states of deterministic components (NCSB)
//	(0.8k)^k   for the k states of other components (trees)
func (s *Subject) Cost() float64 {
	n := float64(s.a.NumStates())
	if isDeterministic(s) {
		return math.Log2(n + 1)
	}
	cost := n
	for i, kind := range s.kinds {
		k := float64(s.sizes[i])
		switch {
		case kind == omega.Accepting:
			cost += 0.6 * k
		case kind == omega.Mixed && s.free[i]:
			cost += k
		case kind == omega.Mixed:
			cost += k * math.Log2(1+0.8*k)
		}
	}
	return cost
}
