package triage

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
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
	wrong   *ltl.Formula // the last formula reached: what is left, for which the automaton is wrong
	formula *ltl.Formula // that, without the negations around it
	scope   scope        // of formula
	minimal bool         // nothing smaller remains of wrong
	larger  bool         // no bare proposition may be left
	least   int          // of what the scope measures
	words   kinds        // that are wrong there
	slip    *ltl.Formula // the first candidate with other wrong words, or nil
	others  kinds        // that are wrong there
}

// kinds are kinds of wrong words. Failures without words have both.
type kinds uint8

const (
	missing kinds = 1 << iota
	extra
)

func kindsOf(c outcome.Class) (k kinds) {
	if c.Missing || !c.Words {
		k |= missing
	}
	if c.Extra || !c.Words {
		k |= extra
	}
	return k
}

// turns reports whether words that are missing from an operand may be extra for f: X!(a U b), c xor (a U b).
func turns(f *ltl.Formula) bool {
	return slices.ContainsFunc(f.Subformulas(), func(g *ltl.Formula) bool {
		return g.Ops()&ltl.Ops(ltl.OpImplies, ltl.OpEquiv, ltl.OpXor) != 0 || g.Op() == ltl.OpNot && !isAtom(g)
	})
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
	// In those that measure as much, and have the operators that are part of the cause:
	repeated // by how often a proposition occurs
	byProps  // by the number of propositions
	bySize
)

// of returns what the scope measures of a formula.
func (x scope) of(f *ltl.Formula) (most int) {
	switch x {
	case byProps:
		return len(f.Props())
	case bySize:
		return f.Size()
	}
	count := map[*ltl.Formula]int{f: 1}
	for _, g := range slices.Backward(f.Subformulas()) {
		if g.Op() == ltl.OpProp {
			most = max(most, count[g])
		}
		for _, h := range []*ltl.Formula{g.Left(), g.Right()} { // or nil
			count[h] = min(count[h]+count[g], 1<<30)
		}
	}
	return most
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

// search goes through the rounds, from the formula in kept. The error is that ctx is done, that there are no
// calls left (errCalls), or an internal error; kept and formula are what was reached until then.
func (l *causeSearch) search(ctx context.Context) (err error) {
	if err = l.measure(ctx, repeated, byProps, bySize); err != nil {
		return err
	}
	if l.scope == everywhere {
		l.kept, err = l.smallest(ctx, l.kept, ltl.Structural)
		if err != nil {
			return err
		}
		if l.part, err = l.parts(ctx, l.kept); err != nil {
			return err
		}
		if _, ok := l.only(); ok {
			if err = l.measure(ctx, bySize); err != nil {
				return err
			}
		}
	}
	if l.scope == bySize && l.wrong.Size() == l.least {
		l.minimal = true // no formula with fewer nodes fails
		return nil
	}
	if _, err = l.smallest(ctx, l.wrong, ltl.AllSteps); err != nil || l.known(l.wrong) {
		return err
	}
	if l.formula != l.wrong { // people see more in a formula than in its negation
		if c, err := l.try(ctx, l.formula); err != nil {
			return err
		} else if words := l.fails(c); words != 0 {
			l.reached(l.formula, words)
		}
	}
	l.minimal = true
	if err = l.first(ctx); errors.Is(err, errCalls) {
		err = nil // what is left is smallest, if not the first of its size
	}
	return err
}

// measure looks for a number such that all formulas that measure as much fail, and none that measures
// less. For each, it tries a few:
//
//	repeated, 2    p0 & Xp0, p0 | Xp0, p0 <-> Xp0, p0 U Xp0, p0 R Xp0; not XFp0, …
//	byProps, 3     p0 & p1 & p2, p0 | p1 | p2, …; not p0 & p1, …
//	bySize, 6      FXFXFp0, GXGXGp0, …; not XFXFp0, …
//
// If one binary operator is part of the cause, it stands between two propositions in place of p0. Most
// failures have another cause, and one call shows that. So this comes before all else. If there is such a
// number, the search goes on from the first of these formulas.
func (l *causeSearch) measure(ctx context.Context, scopes ...scope) error {
	names := l.wrong.Props()
	if len(names) == 0 {
		return nil // constants have other failures
	}
	for _, by := range scopes {
		// A few other operators are right around what may matter. The numbers are the same for most
		// formulas, so that these calls serve all searches.
		few := l.measured(bySize, 0)[0].Size() + 2
		low, high := 1, 4
		if by == bySize {
			low, high = few, 16
		}
		for high < by.of(l.wrong) {
			high *= 2
		}
		if by.of(l.wrong) <= low || high > 32 || by == byProps && high > 8 {
			continue // too large a formula: p0 <-> p1 <-> ... has exponentially many edges
		}
		ok, err := l.all(ctx, true, l.measured(by, high)[:1])
		if ok && err == nil {
			ok, err = l.all(ctx, false, l.measured(bySize, few)) // they measure low, whatever is measured
		}
		if ok && err == nil {
			ok, err = l.all(ctx, true, l.measured(by, high))
		}
		for ok && err == nil && high-low > 1 { // those that measure high fail, and those that measure low do not
			n := (low + high) / 2
			var fails bool
			if fails, err = l.all(ctx, true, l.measured(by, n)); fails {
				high = n
			} else if low = n; err == nil {
				ok, err = l.all(ctx, false, l.measured(by, n))
			}
		}
		if err != nil {
			return err
		}
		if !ok || by.of(l.wrong) < high {
			continue
		}
		l.scope, l.least = by, high
		if f := l.measured(by, high)[0]; f.Size() <= l.wrong.Size() {
			f = l.store.Rename(f, func(p string) string { i, _ := strconv.Atoi(p[1:]); return names[i%len(names)] })
			if c, err := l.try(ctx, f); err != nil {
				return err
			} else if k := l.found(c); k != 0 { // which words are wrong depends on the operators
				l.reached(f, k)
			}
		}
		return nil
	}
	return nil
}

// all reports whether all formulas of a list fail, or none.
func (l *causeSearch) all(ctx context.Context, fail bool, list []*ltl.Formula) (bool, error) {
	for _, f := range list {
		if c, err := l.try(ctx, f); err != nil || (l.found(c) != 0) != fail {
			return false, err
		}
	}
	return true, nil
}

// measured returns formulas that measure n, if it is at least what the smallest one measures.
func (l *causeSearch) measured(by scope, n int) (list []*ltl.Formula) {
	s := l.store
	only, ok := l.only()
	prop := func(i int) *ltl.Formula { return s.Prop("p" + strconv.Itoa(i)) }
	for i, op := range []ltl.Op{ltl.OpAnd, ltl.OpOr, ltl.OpEquiv, ltl.OpUntil, ltl.OpRelease} {
		around := []ltl.Op{ltl.OpNext, ltl.OpFinally, ltl.OpGlobally, ltl.OpNot, ltl.OpNext}[i]
		f, again := prop(0), prop(0)
		if ok {
			f = s.Binary(only, f, prop(1))
		}
		for by.of(f) < n {
			switch k := by.of(f); by {
			case repeated:
				again = s.Next(again)
				f = s.Binary(op, f, again)
			case byProps:
				f = s.Binary(op, f, prop(k))
			default:
				f = s.Unary([]ltl.Op{around, ltl.OpNext}[k%2], f)
			}
		}
		if list = append(list, f); i > 0 && ok {
			break // few calls are left
		}
	}
	return list
}

// only returns the operator that is the only part of the cause but X, and whether there is one that is binary.
func (l *causeSearch) only() (op ltl.Op, ok bool) {
	for op = range ltl.OpTriggered + 1 {
		if op.Arity() == 2 && l.part&^ltl.Ops(ltl.OpNext) == ltl.Ops(op) {
			return op, true
		}
	}
	return op, false
}

// start goes back to a formula for which the automaton is wrong.
func (l *causeSearch) start(f *ltl.Formula) {
	l.kept, l.part, l.scope, l.minimal = f, 0, everywhere, false
	l.reached(f, kindsOf(l.Class))
}

// reached takes note of a formula for which the automaton is wrong, on words of some kinds.
func (l *causeSearch) reached(f *ltl.Formula, words kinds) {
	l.wrong, l.formula, l.words = f, unnegated(f), words
}

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
		_, words, err := l.failing(ctx, f)
		switch {
		case err != nil:
			return everywhere, err
		case words != 0:
			failing++
		case i == 0: // p itself is right: the name matters
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

// failing returns f if the automaton of f is wrong; if not, the negation of f if its automaton is wrong, each
// with the kinds of wrong words; otherwise nil.
func (l *causeSearch) failing(ctx context.Context, f *ltl.Formula) (*ltl.Formula, kinds, error) {
	for _, g := range []*ltl.Formula{f, l.store.Not(f)} {
		if c, err := l.try(ctx, g); err != nil {
			return nil, 0, err
		} else if words := l.fails(c); words != 0 {
			return g, words, nil
		}
	}
	return nil, 0, nil
}

// found returns the kinds of wrong words in a case; 0 if it shows no failure of the same category.
func (l *causeSearch) found(c *outcome.Case) (k kinds) {
	for _, y := range c.Faults() {
		if y.Class.Category() == l.Class.Category() {
			k |= kindsOf(y.Class)
		}
	}
	return k
}

// fails returns the kinds of wrong words with which a case shows the same failure as the last formula
// reached; 0 if it does not. It is in the same category, with the same kind of wrong words unless a negation
// turns them. Otherwise it is a failure of its own.
func (l *causeSearch) fails(c *outcome.Case) kinds {
	found := l.found(c)
	if same := found & l.words; same != 0 || found == 0 {
		return same
	}
	g, err := l.store.Parse(c.Formula, ltl.Spot)
	switch {
	case err != nil:
		return 0
	case turns(l.wrong) || turns(g):
		return found
	case l.slip == nil:
		l.slip, l.others = g, found
	}
	return 0
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
		fails := op != ltl.OpNext // X can't be rewritten
		for _, g := range l.store.Rewritten(f, op) {
			_, words, err := l.failing(ctx, g)
			if err != nil {
				return part, err
			}
			if fails = words != 0; !fails {
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
	return f.Ops().Has(ltl.OpProp) == g.Ops().Has(ltl.OpProp) && l.part&^g.Ops() == 0 && !(l.larger && isAtom(g)) && (l.scope < repeated || l.scope.of(g) >= l.least)
}

// smallest makes a formula smaller, by steps of the given kinds, as long as the automaton for it fails in the
// same category. With an error, it is the smallest so far.
func (l *causeSearch) smallest(ctx context.Context, f *ltl.Formula, steps ltl.Steps) (*ltl.Formula, error) {
	left := l.most - l.calls()
	if left <= 0 {
		return f, errCalls // the calls for this search are used up
	}
	g, err := l.grinder(l.options)
	if err != nil {
		return f, err
	}
	words := l.words // of the last candidate that fails
	ground, err := g.Shrink(ctx, cross.GrindRequest{
		GrindOptions: cross.GrindOptions{Steps: steps, MaxCalls: left, Smaller: func(g *ltl.Formula) { l.reached(l.store.Import(g), words) }},
		Formula:      f,
		Timeout:      l.timeout,
		Wants:        func(g *ltl.Formula) bool { return l.like(f, g) },
		Fails: func(c *outcome.Case) bool {
			words = l.fails(c)
			return words != 0
		},
	})
	if err == nil && !ground.Minimal { // the search ended before all smaller formulas were tried
		err = errCalls
	}
	small := l.store.Import(ground.Formula)
	l.reached(small, l.words)
	return small, err
}

const (
	maxLeast        = 1000 // formulas that first tries for each set of operators
	maxLeastSize    = 5    // of what size
	maxLimitedLeast = 20   // calls for them, if calls are limited
)

// first goes on to the first of all formulas that fail in the same category and are no larger
// than the current formula. They use its operators and the operators of propositional logic.
// They use any operators if no operator is part of the cause, or if a message tells the
// cause. Where there are too many such formulas, or with an error, the current formula stays.
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

// enumerated is first for formulas with some operators.
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
			wrong, words, err := l.failing(ctx, g)
			if err != nil {
				return err
			}
			if wrong == nil {
				continue
			}
			// An operator that f does not have may be part of a cause of its own. A message tells what the cause is.
			var part ltl.OpSet
			if g.Ops()&^f.Ops() != 0 && l.Class.Words {
				if part, err = l.parts(ctx, g); err != nil {
					return err
				}
			}
			if part&^f.Ops() == 0 {
				l.formula, l.wrong, l.words = g, wrong, words
				return nil
			}
		}
	}
	return nil
}

// A failure is a Fault with the options that were drawn for its translator.
type failure struct {
	outcome.Fault
	options []string
}

// within reports whether all options of a list are among others.
func within(some, options []string) bool { return len(common(some, options)) == len(some) }

// common returns the options of a list that are among others.
func common(list, others []string) (both []string) {
	for _, option := range list {
		if slices.Contains(others, option) {
			both = append(both, option)
		}
	}
	return both
}

// fewerOptions leaves out options as long as the automaton for the formula reached fails in the same
// category: all of them, then halves, quarters and so on, then single ones until each one that is left is
// needed:
//
//	-B -C --high -U    fails
//	(none)             right
//	--high -U          right
//	-B -C              right
//	-C --high -U       right
//	-B --high -U       fails
//	--high -U, -B -U   right
//	-B --high          fails, and each of the two alone is right
//
// With an error, the options are the fewest so far.
func (l *causeSearch) fewerOptions(ctx context.Context) error {
	for n := len(l.options); n > 1; n /= 2 {
		if _, err := l.without(ctx, n); err != nil {
			return err
		}
	}
	for left := len(l.options) > 0; left; {
		var err error
		if left, err = l.without(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}

// without leaves out parts of n options, one after the other, as long as the failure shows, and reports
// whether some were.
func (l *causeSearch) without(ctx context.Context, n int) (left bool, err error) {
	all := l.options
	for at := 0; at < len(l.options); {
		before := l.options
		l.options = slices.Delete(slices.Clone(before), at, min(at+n, len(before)))
		c, err := l.try(ctx, l.wrong)
		if err != nil || l.fails(c) == 0 {
			l.options = before
			at += n
		}
		if err != nil {
			return false, err
		}
	}
	return len(l.options) < len(all), nil
}
