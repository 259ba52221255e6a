package triage

import (
	"context"
	"errors"
	"fmt"
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
	least   int          // of what the scope measures
	minimal bool         // nothing smaller remains of wrong
	larger  bool         // no bare proposition may be left
	// words has, for each formula that the search reached, what is wrong with the words there; by its text.
	words map[string]kinds
	// refuted has the numbers that no search of the triage needs to measure.
	refuted map[scope]int
	slip    *ltl.Formula // the first candidate with wrong words of another kind, or nil
}

// kinds are kinds of wrong words: those that are missing, those that are extra, or both.
type kinds uint8

const (
	missing kinds = 1 << iota
	extra
)

// kindsOf returns the kinds of words that are wrong in a class.
func kindsOf(c outcome.Class) (k kinds) {
	if c.Missing {
		k |= missing
	}
	if c.Extra {
		k |= extra
	}
	return k
}

// turns reports whether what is missing on a formula may be extra on the other one for the same reason:
// they have different numbers of negations, or an operator that negates an operand at times.
//
//	F(a U b), a U b        no
//	F!(a U b), F(a U b)    yes
//	c xor (a U b), a U b   yes
func turns(f, g *ltl.Formula) bool {
	negations := func(f *ltl.Formula) (n int) {
		for _, h := range f.Subformulas() {
			if h.Op() == ltl.OpNot || h.Op() == ltl.OpImplies {
				n++
			}
		}
		return n
	}
	return (f.Ops()|g.Ops())&ltl.Ops(ltl.OpXor, ltl.OpEquiv) != 0 || negations(f) != negations(g)
}

// unlimited is more calls than are made.
const unlimited = math.MaxInt

// errCalls is the end of a search that has made enough calls.
var errCalls = errors.New("limit of calls")

// A scope says in which formulas the cause may be met of which a formula remained.
type scope uint8

const (
	everywhere scope = iota // in those of which it can remain
	named                   // it is a proposition: in those with a proposition of that name
	bare                    // it is a proposition: in no larger ones
	// In those that measure as much, and have the operators that are part of the cause:
	repeated // by how often a proposition occurs
	byProps  // by their propositions
	bySize
)

// of returns what the scope measures of a formula.
func (x scope) of(f *ltl.Formula) int {
	switch x {
	case repeated:
		most, count := 0, map[*ltl.Formula]int{f: 1}
		for _, g := range slices.Backward(f.Subformulas()) {
			if g.Op() == ltl.OpProp {
				most = max(most, count[g])
			}
			for _, h := range []*ltl.Formula{g.Left(), g.Right()} {
				if h != nil {
					count[h] = min(count[h]+count[g], unlimited/2)
				}
			}
		}
		return most
	case byProps:
		return len(f.Props())
	case bySize:
		return f.Size()
	}
	return 0
}

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
	if err = l.measure(ctx); err != nil {
		return err
	}
	if l.scope == everywhere {
		l.kept, err = l.smallest(ctx, l.kept, ltl.Structural)
		l.reached(l.kept)
		if err != nil {
			return err
		}
		if l.part, err = l.parts(ctx, l.kept); err != nil {
			return err
		}
		if err := l.measure(ctx); err != nil {
			return err
		}
	}
	if l.scope == bySize {
		l.minimal = true // no formula with fewer nodes fails
		return nil
	}
	small, err := l.smallest(ctx, l.wrong, ltl.AllSteps)
	l.reached(small)
	if err != nil || l.known(l.wrong) {
		return err
	}
	if l.formula != l.wrong { // people see more in a formula than in its negation
		if c, err := l.try(ctx, l.formula); err != nil {
			return err
		} else if l.same(l.wrong, l.formula, c) {
			l.wrong = l.formula
		}
	}
	l.minimal = true
	if err = l.first(ctx); errors.Is(err, errCalls) {
		err = nil // what is left is smallest, if not the first of its size
	}
	return err
}

// measure finds out whether all formulas fail that measure as much as some number, and none that
// measures less. It tries a few of both:
//
//	bySize, 6      XXXXXp0, FXFXFp0, GXGXGp0, !X!X!p0, XFXXFp0; and XXXXp0, XFXFp0, …
//	byProps, 3     p0 & p1 & p2, p0 | p1 | p2, …; and p0 & p1, p0 | p1, …
//	repeated, 2    p0 & Fp0, p0 | Gp0, p0 <-> Gp0, p0 U Xp0, p0 R Xp0; and p0, Xp0, Fp0
//
// They measure little by the others of these, and nothing but X is in most of them. Most failures
// have another cause, and two calls show that. So this comes before all else: to leave out each part
// of a formula takes more. It comes again when one operator is known to matter. If it finds a number,
// the search goes on from the smallest of these formulas.
func (l *causeSearch) measure(ctx context.Context) error {
	if !l.formula.Ops().Has(ltl.OpProp) {
		return nil
	}
	for _, by := range []scope{bySize, byProps, repeated} {
		low, high := 1, max(3, by.of(l.wrong)) // most formulas have no more, so that these serve other searches, too
		if by == bySize {
			low, high = 4, max(16, by.of(l.wrong))
		}
		matters := l.matters() != 0
		if by.of(l.wrong) <= low || high > maxMeasure || matters && by != bySize || !matters && high <= l.refuted[by] {
			continue
		}
		// Those that measure high fail, those that measure low do not.
		ok, least, err := l.all(ctx, by, high, true)
		if !ok && err == nil && !matters {
			l.refuted[by] = high
		}
		if ok {
			ok, _, err = l.all(ctx, by, low, false)
		}
		for ok && err == nil && high-low > 1 {
			n := (low + high) / 2
			var f *ltl.Formula
			if ok, f, err = l.all(ctx, by, n, true); ok {
				least, high = f, n
			} else if err == nil {
				low = n
				ok, _, err = l.all(ctx, by, n, false)
			}
		}
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		l.scope, l.least = by, high
		names := l.formula.Props()
		f := l.store.Rename(least, func(p string) string { return names[int(p[1]-'0')%len(names)] })
		if by == byProps && len(names) < high || f.Size() > l.wrong.Size() {
			return nil
		}
		c, err := l.try(ctx, f)
		if err == nil && l.wrongWords(c) != 0 {
			l.words[f.String()] = l.wrongWords(c)
			l.reached(f)
		}
		return err
	}
	return nil
}

// matters returns the operators that are part of the cause, except X, which counts as such anyway.
func (l *causeSearch) matters() ltl.OpSet { return l.part &^ ltl.Ops(ltl.OpNext) }

// maxMeasure bounds the formulas that measure tries.
const maxMeasure = 32

// all reports whether all formulas that measure n fail, but for one in five, or whether all are right.
// It returns the smallest that fails, too.
func (l *causeSearch) all(ctx context.Context, by scope, n int, fail bool) (ok bool, smallest *ltl.Formula, err error) {
	list := l.measured(by, n)
	exceptions := 0
	if fail {
		exceptions = len(list) / 5
	}
	for _, f := range list {
		c, err := l.try(ctx, f)
		if err != nil {
			return false, nil, err
		}
		fails := l.wrongWords(c) != 0
		if fails && (smallest == nil || f.Size() < smallest.Size()) {
			smallest = f
		}
		if fails != fail {
			exceptions--
		}
		if exceptions < 0 {
			return false, nil, nil
		}
	}
	return !fail || smallest != nil, smallest, nil
}

// measured returns formulas that measure n: with the operator that matters, or with several if none is
// known to; none if more than one matters.
func (l *causeSearch) measured(by scope, n int) (list []*ltl.Formula) {
	s := l.store
	prop := func(i int) *ltl.Formula { return s.Prop(fmt.Sprintf("p%d", i%10)) }
	// nested returns a formula of size n, with the operators in turn around f.
	nested := func(f *ltl.Formula, ops ...ltl.Op) *ltl.Formula {
		for i := 0; f.Size() < n; i++ {
			f = s.Unary(ops[i%len(ops)], f)
		}
		return f
	}
	switch matters := l.matters(); {
	case matters != 0:
		for op := range ltl.OpTriggered + 1 {
			if matters != ltl.Ops(op) {
				continue
			}
			for _, operand := range []*ltl.Formula{prop(0), s.Next(prop(0))} {
				if op.Arity() == 2 {
					list = append(list, nested(s.Binary(op, prop(1), operand), ltl.OpNext))
				} else {
					list = append(list, nested(s.Unary(op, operand), ltl.OpNext))
				}
			}
		}
		return list
	case by == bySize:
		p := prop(0)
		return []*ltl.Formula{nested(p, ltl.OpNext), nested(p, ltl.OpFinally, ltl.OpNext), nested(p, ltl.OpGlobally, ltl.OpNext), nested(p, ltl.OpNot, ltl.OpNext), nested(p, ltl.OpNext, ltl.OpNext, ltl.OpFinally)}
	case n == 1:
		return []*ltl.Formula{prop(0), s.Next(prop(0)), s.Finally(prop(0))}
	}
	for _, x := range []struct{ op, around ltl.Op }{{ltl.OpAnd, ltl.OpFinally}, {ltl.OpOr, ltl.OpGlobally}, {ltl.OpEquiv, ltl.OpGlobally}, {ltl.OpUntil, ltl.OpNext}, {ltl.OpRelease, ltl.OpNext}} {
		f, again := prop(0), prop(0)
		for i := range n - 1 {
			if by == byProps {
				f = s.Binary(x.op, f, prop(i+1))
				continue
			}
			if again = s.Unary(x.around, again); i%2 > 0 { // not FFp0, which says the same as Fp0
				again = s.Next(again.Left())
			}
			f = s.Binary(x.op, f, again)
		}
		list = append(list, f)
	}
	return list
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
		c, err := l.try(ctx, f)
		if err == nil && l.wrongWords(c) == 0 {
			c, err = l.try(ctx, s.Not(f))
		}
		switch {
		case err != nil:
			return everywhere, err
		case l.wrongWords(c) != 0:
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

// failing returns g if its automaton is wrong as that of f is; if not, its negation if that of the
// negation is; otherwise nil.
func (l *causeSearch) failing(ctx context.Context, f, g *ltl.Formula) (*ltl.Formula, error) {
	for _, g := range []*ltl.Formula{g, l.store.Not(g)} {
		if c, err := l.try(ctx, g); err != nil {
			return nil, err
		} else if l.same(f, g, c) {
			return g, nil
		}
	}
	return nil, nil
}

// same reports whether a case of g shows the failure that the search has met on f. Wrong words must be
// of a kind that is wrong on f, too, unless the one formula negates what the other does not. Otherwise
// it is another failure, and may become one for itself.
func (l *causeSearch) same(f, g *ltl.Formula, c *outcome.Case) bool {
	found := l.wrongWords(c)
	if found == 0 {
		return false
	}
	kept := found & l.words[f.String()]
	if kept == 0 && turns(f, g) {
		kept = found
	}
	if kept == 0 && l.slip == nil {
		l.slip = l.store.Import(g)
	}
	if kept != 0 {
		l.words[g.String()] |= kept
	}
	return kept != 0
}

// wrongWords returns the kinds of words that are wrong in a case; for failures of another category
// than words, whether it has one of that category.
func (l *causeSearch) wrongWords(c *outcome.Case) (found kinds) {
	for _, y := range c.Faults() {
		switch {
		case y.Class.Category() != l.Class.Category():
		case l.Class.Words:
			found |= kindsOf(y.Class)
		default:
			found = missing | extra
		}
	}
	return found
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
			wrong, err := l.failing(ctx, f, g)
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
		Fails:        l.same,
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

// first goes on to the first of all formulas that fail in the same way and are no larger than
// what is left. They have its operators and those of propositional logic, or any, if none is part of the
// cause, or it is a message that tells what the cause is. Where there are too many such formulas, or
// with an error, what is left stays.
func (l *causeSearch) first(ctx context.Context) error {
	if l.most != unlimited {
		defer func(most int) { l.most = most }(l.most)
		l.most = min(l.most, l.calls()+maxLimitedLeast)
	}
	ops := l.formula.Ops()&^ltl.PSLOps | ltl.Ops(ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpFalse, ltl.OpTrue)
	var err error
	if !l.part.HasPSL() { // no expressions are enumerated
		err = l.enumerated(ctx, ops)
	}
	if err == nil && (l.part == 0 || !l.Class.Words) {
		l.part = 0
		for op := range ltl.OpYesterday {
			ops = ops.With(op)
		}
		err = l.enumerated(ctx, ops)
	}
	return err
}

func (l *causeSearch) enumerated(ctx context.Context, ops ltl.OpSet) error {
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
			wrong, err := l.failing(ctx, l.wrong, g)
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
