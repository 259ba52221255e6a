package triage

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A causeSearch looks for the cause of a failure: it makes a formula small.
type causeSearch struct {
	failure // with the options that are left
	grinder func(options []string) (*grinder, error)
	calls   func() int // of the translator so far
	store   *ltl.Store
	most    int                     // the search ends when there were so many calls; or unlimited
	timeout time.Duration           // of a call for a candidate
	known   func(*ltl.Formula) bool // some cause explains the formula

	part    ltl.OpSet    // the operators that are part of the cause
	kept    *ltl.Formula // what is left after the first round
	wrong   *ltl.Formula // what is left, for which the automaton is wrong
	formula *ltl.Formula // that, without the negations around it
	scope   scope        // of formula
	minimal bool         // nothing smaller remains of wrong
	larger  bool         // no bare proposition may be left
	large   bool         // it is a message that is left with no small formula and with no operator
}

// unlimited is more calls than are made.
const unlimited = math.MaxInt

// errCalls is the end of a search that has made enough calls.
var errCalls = errors.New("limit of calls")

// A scope says in which formulas the cause may be met of which a formula remained.
type scope uint8

const (
	everywhere scope = iota // in formulas that can shrink to it
	named                   // it is a proposition: in those with a proposition of that name
	bare                    // it is a proposition: in no larger ones
	bySize                  // in those that are as large
)

// isAtom reports whether f is a proposition, or the negation of one.
func isAtom(f *ltl.Formula) bool { return unnegated(f).Op() == ltl.OpProp }

// unnegated returns f without the negations around it.
func unnegated(f *ltl.Formula) *ltl.Formula {
	for f.Op() == ltl.OpNot {
		f = f.Left()
	}
	return f
}

// search goes through the rounds, from the formula in kept. The error is that ctx is done, that
// there are no calls left (errCalls), or an internal error; kept and formula are what was
// reached until then.
func (l *causeSearch) search(ctx context.Context) (err error) {
	l.kept, err = l.smallest(ctx, l.kept, ltl.Structural)
	l.reached(l.kept)
	if err != nil {
		return err
	}
	if l.part, err = l.parts(ctx, l.kept); err != nil {
		return err
	}
	small, err := l.smallest(ctx, l.kept, ltl.AllSteps)
	l.reached(small)
	if err != nil || l.known(l.wrong) {
		return err
	}
	if l.formula != l.wrong { // people see more in a formula than in its negation
		if c, err := l.try(ctx, l.formula); err != nil {
			return err
		} else if l.fails(c) {
			l.wrong = l.formula
		}
	}
	l.minimal = true
	whatever := l.part&^ltl.Ops(ltl.OpNext) == 0 && !l.Class.Words
	if err = l.least(ctx); errors.Is(err, errCalls) {
		err = nil // what is left is smallest, if not the first of its size
	}
	l.large = whatever && l.formula.Size() > maxLeastSize
	return err
}

// reached takes note of a formula for which the automaton is wrong.
func (l *causeSearch) reached(f *ltl.Formula) { l.wrong, l.formula = f, unnegated(f) }

// reach returns the scope of what is left: if that is a proposition, it depends on whether others
// fail, and if so, whether most formulas do.
func (l *causeSearch) reach(ctx context.Context) (scope, error) {
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
		wrong, err := l.failing(ctx, f)
		switch {
		case err != nil:
			return everywhere, err
		case wrong != nil:
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

// try asks for the automaton of a formula. The error may be errCalls.
func (l *causeSearch) try(ctx context.Context, f *ltl.Formula) (*outcome.Case, error) {
	g, err := l.grinder(l.options)
	if err != nil {
		return nil, err
	}
	if l.calls() >= l.most && !g.Tried(f) {
		return nil, errCalls
	}
	return g.Try(ctx, f, l.timeout)
}

// failing returns f if the automaton of f is wrong; if not, the negation of f if its automaton is
// wrong; otherwise nil.
func (l *causeSearch) failing(ctx context.Context, f *ltl.Formula) (*ltl.Formula, error) {
	for _, g := range []*ltl.Formula{f, l.store.Not(f)} {
		if c, err := l.try(ctx, g); err != nil {
			return nil, err
		} else if l.fails(c) {
			return g, nil
		}
	}
	return nil, nil
}

// fails reports whether a case shows a failure in the same category.
func (l *causeSearch) fails(c *outcome.Case) bool {
	return slices.ContainsFunc(c.Faults(), func(y outcome.Fault) bool { return y.Class.Category() == l.Class.Category() })
}

// parts returns the operators that are part of the cause of a failure on f: those without
// which the same can be said, in some way, such that the translator is right. X and regular
// expressions can't be done without, and count as such. A translator that takes U for W is wrong on
// F(a U b), on 1 U (a U b), and right on F(b M (a | b)). So U is part of the cause, and F is not.
func (l *causeSearch) parts(ctx context.Context, f *ltl.Formula) (part ltl.OpSet, err error) {
	part = f.Ops() & ltl.PSLOps
	for op := range ltl.OpTriggered + 1 {
		if !f.Ops().Has(op) || op.Arity() == 0 || op == ltl.OpNot {
			continue
		}
		fails := op != ltl.OpNext
		for _, g := range l.store.Rewritten(f, op) {
			wrong, err := l.failing(ctx, g)
			if err != nil {
				return part, err
			}
			if fails = wrong != nil; !fails {
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
func (l *causeSearch) like(f, g *ltl.Formula) bool {
	return sameProps(f, g) && l.part&^g.Ops() == 0 && !(l.larger && isAtom(g))
}

// smallest makes a formula smaller, by steps of the given kinds, as long as the automaton
// for it fails in the same category. With an error, it is the smallest so far.
func (l *causeSearch) smallest(ctx context.Context, f *ltl.Formula, kinds ltl.Steps) (*ltl.Formula, error) {
	left := l.most - l.calls()
	if left <= 0 {
		return f, errCalls
	}
	g, err := l.grinder(l.options)
	if err != nil {
		return f, err
	}
	ground, err := g.Shrink(ctx, cross.GrindRequest{
		GrindOptions: cross.GrindOptions{Steps: kinds, MaxCalls: left},
		Formula:      f,
		Timeout:      l.timeout,
		Wants:        func(g *ltl.Formula) bool { return l.like(f, g) },
		Fails:        l.fails,
	})
	if err == nil && !ground.Minimal {
		err = errCalls
	}
	return l.store.Import(ground.Formula), err
}

const (
	maxLeast        = 1000 // formulas that least tries for each set of operators
	maxLeastSize    = 5    // of what size
	maxLimitedLeast = 20   // calls for them, if calls are limited
)

// least goes on to the first of all formulas that fail in the same category and are no larger
// than the current formula. They use its operators and the operators of propositional logic.
// They use any operators if no operator is part of the cause, or if a message tells the
// cause. Where there are too many such formulas, or with an error, the current formula stays.
func (l *causeSearch) least(ctx context.Context) error {
	if l.most != unlimited {
		defer func(most int) { l.most = most }(l.most)
		l.most = min(l.most, l.calls()+maxLimitedLeast)
	}
	ops := l.formula.Ops()&^ltl.PSLOps | ltl.Ops(ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpFalse, ltl.OpTrue)
	var err error
	if !l.part.HasPSL() { // no expressions are enumerated
		err = l.first(ctx, ops)
	}
	if err == nil && (l.part == 0 || !l.Class.Words) {
		l.part = 0
		for op := range ltl.OpYesterday {
			ops = ops.With(op)
		}
		err = l.first(ctx, ops)
	}
	return err
}

func (l *causeSearch) first(ctx context.Context, ops ltl.OpSet) error {
	f, names := l.formula, l.formula.Props()
	tried := 0
	for size := 1; size <= min(f.Size(), maxLeastSize); size++ {
		for g := range l.store.Enumerate(size, min(len(names), 2), ops) {
			if !l.like(f, g) {
				continue
			}
			if tried++; tried > maxLeast {
				return nil
			}
			g = l.store.Rename(g, func(p string) string { return names[p[1]-'0'] })
			wrong, err := l.failing(ctx, g)
			if err != nil {
				return err
			}
			if wrong == nil {
				continue
			}
			foreign, err := l.foreign(ctx, f, g)
			if err != nil {
				return err
			}
			if !foreign {
				l.formula, l.wrong = g, wrong
				return nil
			}
		}
	}
	return nil
}

// foreign reports whether g fails for a cause of its own, of which an operator is part that f
// does not have. (A message tells what the cause is, so it is not asked then.)
func (l *causeSearch) foreign(ctx context.Context, f, g *ltl.Formula) (bool, error) {
	if g.Ops()&^f.Ops() == 0 || !l.Class.Words {
		return false, nil
	}
	part, err := l.parts(ctx, g)
	return part&^f.Ops() != 0, err
}

// sameProps reports whether both formulas have propositions, or neither.
func sameProps(f, g *ltl.Formula) bool { return f.Ops().Has(ltl.OpProp) == g.Ops().Has(ltl.OpProp) }
