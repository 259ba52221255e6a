package complement

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Subject is an automaton ready to be complemented: reduced, and with Büchi acceptance
// unless it is deterministic or alternating.
type Subject struct {
	a     *omega.Automaton
	class class
	dual  *weak // of an alternating automaton

	// Of an automaton with Büchi acceptance.
	parts omega.Components
	kinds []omega.Kind
	free  []bool          // by component: is it deterministic inside
	sizes []int           // by component
	order *omega.Preorder // nil if not known
}

type class uint8

const (
	classDeterministic class = iota
	classAlternating
	classWeak // inherently
	classGeneral
)

// Prepare reduces an automaton and determines its class. It fails as With does.
func Prepare(ctx context.Context, a *omega.Automaton, limit int) (_ *Subject, err error) {
	defer a.Alphabet().Bind(budget.New(ctx)).Release(&err)
	if a.Alternating() {
		w, err := newWeak(ctx, a)
		if err != nil {
			return nil, err
		}
		if w, err = w.dual(); err != nil {
			return nil, err
		}
		return &Subject{a: a, class: classAlternating, dual: w}, nil
	}
	if a, err = omega.Reduce(ctx, a); err != nil {
		return nil, err
	}
	if a.IsDeterministic() {
		return &Subject{a: a, class: classDeterministic}, nil
	}
	b, err := Buchi(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	if b, err = omega.Reduce(ctx, b); err != nil {
		return nil, err
	}
	if b.IsDeterministic() {
		return &Subject{a: b, class: classDeterministic}, nil
	}
	s, err := classify(ctx, b)
	if err != nil {
		return nil, err
	}
	if s.order, err = b.Preorder(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// classify finds the class of an automaton with Büchi acceptance, be it
// deterministic or not. It fails when ctx is done.
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
			if all.Meet(sum, e.Label) {
				s.free[i] = false
			}
			sum = all.Or(sum, e.Label)
		}
	}
	s.class = classWeak
	if slices.Contains(s.kinds, omega.Mixed) {
		s.class = classGeneral
	}
	return s, nil
}

// Candidates returns the constructions that can complement the automaton. The first one should
// make the fewest macrostates.
func (s *Subject) Candidates() []Algorithm {
	switch s.class {
	case classDeterministic:
		return []Algorithm{ByDeterministic}
	case classAlternating:
		return []Algorithm{ByDualization}
	case classWeak:
		return []Algorithm{ByBreakpoint}
	}
	return []Algorithm{ByModular, ByDeterminizationSCC, ByDeterminization}
}

// Complement returns the complement by the given construction. See With.
func (s *Subject) Complement(ctx context.Context, algorithm Algorithm, limit int) (_ *Complement, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := &Complement{algorithm: algorithm, allowance: newAllowance(ctx, limit)}
	c.allowance.LimitMemory(budget.Memory(ctx), c.Memory)
	defer s.a.Alphabet().Bind(c.allowance.Budget).Release(&err)
	unfit := func(why string) error {
		return fmt.Errorf("%s: %w: %s", algorithm, ErrUnfit, why)
	}
	switch {
	case algorithm == ByDeterministic && s.class != classDeterministic:
		return nil, unfit("it is not deterministic")
	case algorithm == ByDeterministic:
		c.Source = deterministic(s.a, c.allowance)
		return c, nil
	case algorithm == ByDualization && s.class != classAlternating:
		return nil, unfit("it is not alternating")
	case algorithm == ByDualization:
		c.Source = s.dual.nondeterministic(c.allowance)
		return c, nil
	case s.class == classAlternating:
		return nil, unfit("it is alternating: use dualization")
	case s.class == classDeterministic:
		b, err := Buchi(ctx, s.a, limit)
		if err != nil {
			return nil, err
		}
		if s, err = classify(ctx, b); err != nil {
			return nil, err
		}
	}
	source, why := s.build(c.allowance, algorithm)
	if source == nil {
		return nil, unfit(why)
	}
	if c.Source = source; source.ordered {
		c.ordered = source
	}
	return c, nil
}

// A shape is how the runs that stay in a component are refuted.
type shape uint8

const (
	unable shape = iota
	byBreakpoint
	byEagerNCSB
	byLazyNCSB
	byNCSB
	byTree    // one for all components
	byOwnTree // one for each
	byRanks
)

// shapes says what a construction does with a component: one in which all cycles
// are accepting, one that is deterministic, and others.
var shapes = map[Algorithm]struct{ weak, free, general shape }{
	ByBreakpoint:         {byBreakpoint, unable, unable},
	ByNCSB:               {unable, byEagerNCSB, unable},
	ByLazyNCSB:           {unable, byLazyNCSB, unable},
	ByJointNCSB:          {unable, byNCSB, unable},
	ByModular:            {byBreakpoint, byNCSB, byOwnTree},
	ByDeterminization:    {byTree, byTree, byTree},
	ByDeterminizationSCC: {byBreakpoint, byOwnTree, byOwnTree},
	ByRanks:              {byRanks, byRanks, byRanks},
}

// smallFree is the number of states up to which deterministic components have
// fewer trees than NCSB has macrostates: on average over random limit-deterministic
// automata and those of LTL formulas, by a factor of 1.2 to 2.5. From 6 states on
// NCSB has fewer, by up to 5.
const smallFree = 5

// build returns the Source, or nil and why the construction does not fit.
func (s *Subject) build(m *allowance, algorithm Algorithm) (*macrostates, string) {
	of := make([]int32, s.a.NumStates())
	var list []shape                       // of the blocks
	blockOf := make([]int32, len(s.kinds)) // of a component, or -1
	for i := range blockOf {
		blockOf[i] = -1
	}
	for i, kind := range s.kinds {
		if kind != omega.Accepting && kind != omega.Mixed {
			continue
		}
		row := shapes[algorithm]
		shape := row.general
		if kind == omega.Accepting && row.weak != unable {
			shape = row.weak
		} else if s.free[i] {
			shape = row.free
		}
		if algorithm == ByModular && shape == byNCSB && s.sizes[i] <= smallFree {
			shape = byOwnTree
		}
		if shape == unable {
			if algorithm == ByBreakpoint {
				return nil, "it is not inherently weak"
			}
			return nil, "it is not limit-deterministic"
		}
		block := slices.Index(list, shape)
		if block < 0 || shape == byOwnTree {
			block = len(list)
			list = append(list, shape)
		}
		blockOf[i] = int32(block)
	}
	for q, part := range s.parts.Of {
		of[q] = blockOf[part]
	}
	var blocks []block
	for i, shape := range list {
		blocks = append(blocks, s.block(m, shape, of, int32(i)))
	}
	return newMacrostates(newSubsets(m, s, of, len(blocks)), blocks), ""
}

// block returns block i, where of says for each state in which it is.
func (s *Subject) block(m *allowance, shape shape, of []int32, i int32) block {
	n := len(of)
	switch shape {
	case byBreakpoint:
		return &breakpoint{seen: newStamps(n)}
	case byTree, byOwnTree:
		return newTrees(s, of, i)
	case byRanks:
		return newRanks(m, n)
	case byEagerNCSB:
		return newNCSB(m, n, eager)
	case byLazyNCSB:
		return newNCSB(m, n, lazy)
	}
	return newNCSB(m, n, together)
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
	if s.class == classDeterministic {
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
