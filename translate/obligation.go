package translate

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// weakSets bounds the search for a minimal deterministic weak automaton with fewer
// states than an automaton of n states has: the number of sets of these.
func weakSets(n int) int { return min(4*n+64, 4096) }

// weakSteps bounds the subset construction.
const weakSteps = 1 << 20

// weakMemory is how many bytes the expansions of the negation may take to confirm it.
const weakMemory = 16 << 20

// reduceCouvreur returns the smallest automaton that is found for the formula of src,
// of which a is one: a reduced, or the minimal deterministic weak automaton, if that has
// fewer states, or as many and no more edges.
func reduceCouvreur(ctx context.Context, s *ltl.Store, f *ltl.Formula, src omega.Source, a *omega.Automaton) (*omega.Automaton, error) {
	a, err := reduce.Backward(ctx, a)
	switch {
	case err != nil:
		return nil, err
	case a.NumStates() == 0:
		// The acceptance condition is f then.
		return omega.NewBuilder(a.Alphabet(), omega.GeneralizedBuchi(0)).Automaton(), nil
	case a.NumStates() == 1:
		return a, nil
	}
	if c, ok := src.(*couvreur); ok {
		f = c.formula
		if a, err = c.smallest(ctx, s, a); err != nil {
			return nil, err
		}
	} else {
		f = s.NNF(f) // with past
	}
	m, err := asObligation(ctx, s, f, a)
	if err != nil || m == nil {
		return a, unlessLimit(err)
	}
	m = trimmed(m)
	if omega.CompareSizes(m, a) > 0 {
		return a, nil
	}
	return m, nil
}

// smallest returns a, a reduced automaton of the formula of c, or a smaller one: without
// recurrences, if there are any, or of the formula without waiting. It gives up one that has many
// more states before it is reduced.
func (c *couvreur) smallest(ctx context.Context, s *ltl.Store, a *omega.Automaton) (*omega.Automaton, error) {
	try := func(f *ltl.Formula, r map[*ltl.Formula]*recurrence) error {
		b, err := expandedWith(ctx, s, c.alphabet, f, r, weakSets(a.NumStates()))
		if err == nil && omega.CompareSizes(b, a) < 0 {
			a = b
		}
		return unlessLimit(err)
	}
	if len(c.due.recurrences) > 0 {
		if err := try(prepare(ctx, s, c.formula), nil); err != nil {
			return nil, err
		}
	}
	f := withoutWaiting(s, c.formula)
	if f == c.formula {
		return a, nil
	}
	f, err := s.Reduce(ctx, f, ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	f, r, err := preparedFor(ctx, s, c.alphabet, f)
	if err != nil {
		return nil, err
	}
	return a, try(f, r)
}

// asObligation returns the minimal deterministic weak automaton of f, in negation
// normal form, of which a is a reduced automaton. It is nil if f is found not to be an
// obligation.
//
// The formula is an obligation by its form, or because a is deterministic and weak. If
// a is deterministic and not weak then it is not. Otherwise what minimalWeak returns,
// which accepts all that a does, is compared with f, by a product with the automaton of
// the negation.
//
// F a is an obligation by its form, and the result has two states. The automaton of GF a
// is deterministic and not weak, so GF a is none. That of FG a is not deterministic:
// minimalWeak returns one that accepts all words, and cycle{!a} does not satisfy FG a.
func asObligation(ctx context.Context, s *ltl.Store, f *ltl.Formula, a *omega.Automaton) (*omega.Automaton, error) {
	limit := weakSets(a.NumStates())
	certain := isObligation(f)
	if !certain && a.IsDeterministic() {
		if certain = a.IsWeak(); !certain {
			return nil, nil
		}
	}
	m, err := minimalWeak(ctx, a, limit)
	if err != nil || certain {
		return m, err
	}
	negation, err := couvreurOver(ctx, s, a.Alphabet(), s.NNF(s.Not(f)))
	if err != nil {
		return nil, err
	}
	parts := m.Components()
	wrong, err := acceptingComponents(ctx, m, parts, negation, 8*limit)
	if err != nil {
		return nil, err
	}
	for s := range omega.State(m.NumStates()) {
		for _, e := range m.Edges(s) {
			if i := parts.Of[s]; i == parts.Of[e.Dst] && e.Marks != 0 && wrong[i] {
				return nil, nil // m accepts a word that f does not
			}
		}
	}
	return m, nil
}

// couvreurOver returns an automaton of f, in negation normal form, over an alphabet
// that has its propositions.
func couvreurOver(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula) (omega.Source, error) {
	if !f.Ops().HasPast() {
		return newCouvreur(ctx, s, alphabet, f, weakMemory)
	}
	f, err := s.Reduce(ctx, withoutPast(s, s.Simplify(f), alphabet), ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	src, err := newCouvreur(ctx, s, omega.Union(alphabet, omega.NewAlphabet(f.Props()...)), f, weakMemory)
	if err != nil {
		return nil, err
	}
	return project(src, alphabet), nil
}

// unlessLimit returns err, unless it is an omega.LimitError.
func unlessLimit(err error) error {
	var limit *omega.LimitError
	if errors.As(err, &limit) {
		return nil
	}
	return err
}

// isObligation reports whether f, in negation normal form, is an obligation by its
// form alone: a Boolean combination of safety and guarantee properties (Manna and
// Pnueli; the grammar is that of Černá and Pelánek 2003, "Relating hierarchy of
// temporal properties to model checking", with the mixed rules for U, W, R, M).
func isObligation(f *ltl.Formula) bool {
	return propertyOf(f, make(map[*ltl.Formula]property))&obligation != 0
}

// A property is what a formula is known to be.
type property uint8

const (
	safety property = 1 << iota
	guarantee
	obligation
)

// mixed returns what is known of U or M (own is guarantee) and of W or R (own is
// safety): where the operand x has the property, the other one may be any obligation.
func mixed(own, x, y property) property {
	p := x & y & own
	if x&own != 0 {
		p |= y & obligation
	}
	return p
}

// propertyOf looks at operators only.
func propertyOf(f *ltl.Formula, known map[*ltl.Formula]property) property {
	if p, ok := known[f]; ok {
		return p
	}
	const every = safety | guarantee | obligation
	var l, r property
	if f.Left() != nil {
		l = propertyOf(f.Left(), known)
	}
	if f.Right() != nil {
		r = propertyOf(f.Right(), known)
	}
	var p property
	switch f.Op() {
	case ltl.OpTrue, ltl.OpFalse, ltl.OpProp:
		p = every
	case ltl.OpNot:
		p = every
		if f.Left().Op() == ltl.OpClosure {
			p = guarantee
		}
	case ltl.OpClosure, ltl.OpSuffixImplication:
		p = safety
		if f.Left() != nil {
			p &= l
		}
	case ltl.OpSuffixConjunction:
		p = l & guarantee
	case ltl.OpAnd, ltl.OpOr:
		p = l & r
	case ltl.OpNext:
		p = l
	case ltl.OpFinally:
		p = l & guarantee
	case ltl.OpGlobally:
		p = l & safety
	case ltl.OpUntil:
		p = mixed(guarantee, r, l)
	case ltl.OpStrongRelease:
		p = mixed(guarantee, l, r)
	case ltl.OpWeakUntil:
		p = mixed(safety, l, r)
	case ltl.OpRelease:
		p = mixed(safety, r, l)
	}
	if p&(safety|guarantee) != 0 {
		p |= obligation
	}
	known[f] = p
	return p
}
