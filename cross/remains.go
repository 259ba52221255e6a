package cross

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// looking is the search for the cause of a failure.
type looking struct {
	g     *Grinder
	store *ltl.Store
	fault fault
	part  ltl.OpSet // the operators that are part of the cause

	kept    *ltl.Formula // what is left after the first round
	formula *ltl.Formula // what is left
	scope   scope        // of that
	larger  bool         // no bare proposition may be left
	large   bool         // it is a message that is left with no small formula and with no operator
}

// A scope says in which formulas the cause may be met of which a formula remained.
type scope uint8

const (
	everywhere scope = iota // in those of which it can remain
	named                   // it is a proposition: in those with a proposition of that name
	bare                    // it is a proposition: in no larger ones
	bySize                  // in those that are as large
)

// isAtom reports whether f is a proposition, or the negation of one.
func isAtom(f *ltl.Formula) bool {
	for f.Op() == ltl.OpNot {
		f = f.Left()
	}
	return f.Op() == ltl.OpProp
}

// reach returns the scope of what is left: if that is a proposition, it depends on whether others
// fail, and if so, whether most formulas do.
func (l *looking) reach(ctx context.Context) (scope, error) {
	if l.formula.Op() != ltl.OpProp {
		return everywhere, nil
	}
	s := l.store
	p, q := s.Prop("p"), s.Prop("q")
	if l.formula == p {
		p = s.Prop("r")
	}
	failing := 0
	for i, f := range []*ltl.Formula{p, s.Next(p), s.Finally(p), s.Globally(s.Finally(p)), s.And(p, q), s.Until(p, q)} {
		c, err := l.g.Try(ctx, f)
		switch {
		case err != nil:
			return everywhere, err
		case l.fails(c):
			failing++
		case i == 0:
			return named, nil
		}
	}
	if failing <= 3 { // p, and at most half of the others
		return bare, nil
	}
	return everywhere, nil
}

// search goes through the rounds. The error is that ctx is done, or trouble of our own; kept
// and formula are what was reached until then.
func (l *looking) search(ctx context.Context) (err error) {
	l.kept, err = l.smallest(ctx, l.kept, ltl.Structural)
	l.formula = l.kept
	if err != nil {
		return err
	}
	if l.part, err = l.parts(ctx, l.kept); err != nil {
		return err
	}
	l.formula, err = l.smallest(ctx, l.kept, ltl.AllSteps)
	for l.formula.Op() == ltl.OpNot {
		l.formula = l.formula.Left()
	}
	if err != nil {
		return err
	}
	whatever := l.part&^ltl.Ops(ltl.OpNext) == 0 && l.fault.category() != words
	l.formula, err = l.least(ctx, l.formula)
	l.large = whatever && l.formula.Size() > maxLeastSize
	return err
}

// fails reports whether the translator fails on a formula, or on its negation.
func (l *looking) fails(c *Case) bool {
	return slices.ContainsFunc(c.faults(), func(y fault) bool { return y.category() == l.fault.category() })
}

// parts returns the operators that are part of the cause of a failure on f: those without
// which the same can be said, in some way, such that the translator is right. X can't be
// done without, and counts as one of them.
func (l *looking) parts(ctx context.Context, f *ltl.Formula) (part ltl.OpSet, err error) {
	for op := range ltl.OpTriggered + 1 {
		if !f.Ops().Has(op) || op.Arity() == 0 || op == ltl.OpNot {
			continue
		}
		fails := op != ltl.OpNext
		for _, g := range l.store.Rewritten(f, op) {
			if c, err := l.g.Try(ctx, g); err != nil {
				return part, err
			} else if fails = l.fails(c); !fails {
				break
			}
		}
		if !fails {
			part = part.With(op)
		}
	}
	return part, nil
}

// like reports whether g, which is smaller than f, may fail for the same reason.
func (l *looking) like(f, g *ltl.Formula) bool {
	return sameProps(f, g) && l.part&^g.Ops() == 0 && !(l.larger && isAtom(g))
}

// smallest makes a formula smaller, by steps of the given kinds, as long as the automaton
// for it fails in the same category. With an error, it is the smallest so far.
func (l *looking) smallest(ctx context.Context, f *ltl.Formula, kinds ltl.Steps) (*ltl.Formula, error) {
	ground, err := l.g.Grind(ctx, Grind{
		Formula:  f,
		Polarity: Positive,
		Steps:    kinds,
		MaxCalls: maxGrindCalls,
		Want:     func(g *ltl.Formula) bool { return l.like(f, g) },
		Fails: func(c *Case) bool {
			return slices.ContainsFunc(c.faults(), func(y fault) bool { return !y.Negated && y.category() == l.fault.category() })
		},
	})
	return l.store.Import(ground.Formula), err
}

// maxGrindCalls bounds what one formula may take.
const maxGrindCalls = 2000

// maxLeast is how many formulas least tries for each set of operators, and of what size.
const (
	maxLeast     = 1000
	maxLeastSize = 5
)

// least returns the first of all formulas that fail in the same category and are no larger
// than f, which does. They have the operators of f and those of propositional logic, or
// any, if none is part of the cause, or it is a message that tells what the cause is.
// Where there are too many such formulas, or with an error, it is f.
func (l *looking) least(ctx context.Context, f *ltl.Formula) (*ltl.Formula, error) {
	ops := f.Ops() | ltl.Ops(ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpFalse, ltl.OpTrue)
	f, err := l.first(ctx, f, ops)
	if err == nil && (l.part == 0 || l.fault.category() != words) {
		l.part = 0
		for op := range ltl.OpYesterday {
			ops = ops.With(op)
		}
		f, err = l.first(ctx, f, ops)
	}
	return f, err
}

func (l *looking) first(ctx context.Context, f *ltl.Formula, ops ltl.OpSet) (*ltl.Formula, error) {
	names := f.Props()
	tried := 0
	for size := 1; size <= min(f.Size(), maxLeastSize); size++ {
		for g := range l.store.Enumerate(size, min(len(names), 2), ops) {
			if !l.like(f, g) {
				continue
			}
			if tried++; tried > maxLeast {
				return f, nil
			}
			g = l.store.Rename(g, func(p string) string { return names[p[1]-'0'] })
			c, err := l.g.Try(ctx, g)
			if err != nil {
				return f, err
			}
			if !l.fails(c) {
				continue
			}
			foreign, err := l.foreign(ctx, f, g)
			if err != nil {
				return f, err
			}
			if !foreign {
				return g, nil
			}
		}
	}
	return f, nil
}

// foreign reports whether g fails for a cause of its own, of which an operator is part that f
// does not have. (A message tells what the cause is, so it is not asked then.)
func (l *looking) foreign(ctx context.Context, f, g *ltl.Formula) (bool, error) {
	if g.Ops()&^f.Ops() == 0 || l.fault.category() != words {
		return false, nil
	}
	part, err := l.parts(ctx, g)
	return part&^f.Ops() != 0, err
}

// sameProps reports whether both formulas have propositions, or neither.
func sameProps(f, g *ltl.Formula) bool { return f.Ops().Has(ltl.OpProp) == g.Ops().Has(ltl.OpProp) }
