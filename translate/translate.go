package translate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is a construction that translates a formula.
type Algorithm struct {
	Name        string
	Description string // one line, with the source
	PSL         bool   // it takes formulas with regular expressions

	source  newSource
	reduced bool // the reduction is a part of the translation
}

// Algorithms returns all constructions, always in the same order.
func Algorithms() []Algorithm {
	return []Algorithm{
		{Name: "gpvw", Description: "tableau (Gerth, Peled, Vardi, Wolper, PSTV 1995), transition-based, generalized Büchi",
			source: withPast(gpvwSource)},
		{Name: "gastin-oddoux", Description: "very weak alternating automaton (Gastin, Oddoux, CAV 2001) to transition-based generalized Büchi",
			source: withPast(gastinOddouxSource)},
		{Name: "couvreur", Description: "expansion into decision diagrams (Couvreur, FM 1999), transition-based generalized Büchi, reduced",
			PSL: true, source: withPast(couvreurSource), reduced: true},
	}
}

// New returns a construction of generalized Büchi automata that no run uses. source gets a formula of the
// store, and returns an automaton as [Algorithm.Source] does.
func New(name, description string, source func(context.Context, *ltl.Store, *ltl.Formula) (omega.Source, error)) Algorithm {
	return Algorithm{Name: name, Description: description, source: source}
}

// Default is the construction that makes the smallest automata.
const Default = "couvreur"

// Of translates a formula by the Default construction; see With.
func Of(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	return With(ctx, Default, s, f)
}

// Source returns the automaton of f, a formula of store s, made on request. It fails with an
// omega.LimitError if f is too large, if f has regular expressions and the construction does not
// take them, and when ctx is canceled, even later, while it is in use.
func (a Algorithm) Source(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	f = s.Import(f)
	switch {
	case f == nil:
		return nil, errors.New("no formula given")
	case a.source == nil:
		return nil, errors.New("no translation algorithm given")
	case f.Ops().HasPSL() && !a.PSL:
		return nil, fmt.Errorf("%s does not support regular expressions: use %s", a.Name, Default)
	}
	if err := ondemand.Admit(ctx, f); err != nil {
		return nil, err
	}
	return a.source(ctx, s, f)
}

// ParseAlgorithm returns the construction with the given name. The error lists all names.
func ParseAlgorithm(name string) (Algorithm, error) {
	return spelling.Find("translation algorithm", name, Algorithms(), func(a Algorithm) string { return a.Name })
}

// With returns the automaton of f, a formula of store s, by the named construction. The
// alphabet has the propositions of f, in order of occurrence. The name of the automaton is f.
//
// All states are reachable and on infinite runs. The same formula always gives the same automaton.
// Only couvreur reduces its automata. With fails if there is no such construction, and soon after
// ctx is canceled. At worst it takes time exponential in the size of f.
func With(ctx context.Context, algorithm string, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	a, err := ParseAlgorithm(algorithm)
	if err != nil {
		return nil, err
	}
	return a.Automaton(ctx, s, f)
}

// Automaton is With for this construction.
func (a Algorithm) Automaton(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	f = s.Import(f)
	src, err := a.Source(ctx, s, f)
	if err != nil {
		return nil, err
	}
	aut, err := omega.Explore(ctx, src, omega.NoLimits())
	if err != nil {
		return nil, err
	}
	if a.reduced {
		if aut, err = reduce.Reduce(ctx, aut); err != nil {
			return nil, err
		}
		if aut.NumStates() == 0 { // its condition is false now, and generalized Büchi is promised
			aut = omega.NewBuilder(aut.Alphabet(), omega.GeneralizedBuchi(0)).Automaton()
		}
	}
	aut = reduce.WithoutDeadEnds(aut)
	aut.Name = f.String()
	return aut, nil
}

// A newSource prepares the automaton of a formula of the store. The alphabet has the propositions
// of the formula, in order of occurrence, and the automaton is generalized Büchi. The edges of a
// state are made at the first request, and kept. Both steps fail once ctx is canceled, and with an
// omega.LimitError if they take too much memory.
type newSource func(context.Context, *ltl.Store, *ltl.Formula) (omega.Source, error)

// withPast makes a translation for formulas of the future into one for all: see
// withoutPast. A formula without past is handed on as it is; one with past is
// simplified before, as each of its operators costs a proposition.
func withPast(future newSource) newSource {
	return func(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
		if !f.Ops().HasPast() {
			return future(ctx, s, f)
		}
		alphabet := omega.NewAlphabet(f.Props()...)
		f = withoutPast(s, s.Simplify(f), alphabet)
		if err := ondemand.Admit(ctx, f); err != nil {
			return nil, err
		}
		src, err := future(ctx, s, f)
		if err != nil {
			return nil, err
		}
		return ondemand.Project(src, alphabet), nil
	}
}

// withoutPast returns a formula without past operators, but with more propositions.
// A word satisfies f if and only if it satisfies the result for some valuation of
// the new propositions. That valuation is unique. The alphabet must have the
// propositions of f, and has no new ones.
//
// For each operator of the past there is a proposition q that remembers the positions before (a
// temporal tester in the sense of Pnueli and Zaks 2006, with the state of the deterministic
// monitor of Havelund and Roşu 2002). The table gives its first value, the operator's truth now,
// and its next value:
//
//	         q at first    truth now    next q
//	Y a      false         q            a
//	Z a      true          q            a
//	O a      false         a | q        a | q
//	H a      true          a & q        a & q
//	a S b    false         b | a & q    b | a & q
//	a T b    true          b & (a | q)  b & (a | q)
//
// For example,
//
//	G(b -> O a)  becomes  G(b -> a | q) & !q & G((a | q) <-> X q)
//
// The formula grows by a constant for each distinct subformula, as a graph. (So does its
// negation normal form, as the next value, which may be a long conjunction, comes first
// in the equivalence with X q, and conjunctions are left combs.)
func withoutPast(s *ltl.Store, f *ltl.Formula, alphabet *omega.Alphabet) *ltl.Formula {
	fresh := 0
	testers := s.True() // their values at first, and from each position to the next
	steps := s.True()
	made := map[*ltl.Formula]*ltl.Formula{}
	var rebuild func(f *ltl.Formula) *ltl.Formula
	rebuild = func(g *ltl.Formula) *ltl.Formula {
		if g == nil || !g.Ops().HasPast() {
			return g
		}
		if h, ok := made[g]; ok {
			return h
		}
		a, b := rebuild(g.Left()), rebuild(g.Right())
		var h *ltl.Formula
		if ltl.PastOps.Has(g.Op()) {
			name := fmt.Sprintf("past%d", fresh)
			// The user may have a proposition of this name.
			for fresh++; slices.Contains(alphabet.Props(), name); fresh++ {
				name = fmt.Sprintf("past%d", fresh)
			}
			q := s.Prop(name)
			first, now, next := tester(s, g.Op(), q, a, b)
			testers = s.And(testers, first)
			steps = s.And(steps, s.Equiv(next, s.Next(q)))
			h = now
		} else {
			h = s.WithOperands(g, a, b)
		}
		made[g] = h
		return h
	}
	f = rebuild(f)
	return s.And(s.And(f, testers), s.Globally(steps))
}

// tester returns the line of the table in withoutPast, with q at first as a literal.
func tester(s *ltl.Store, op ltl.Op, q, a, b *ltl.Formula) (first, now, next *ltl.Formula) {
	switch op {
	case ltl.OpYesterday:
		return s.Not(q), q, a
	case ltl.OpWeakYesterday:
		return q, q, a
	case ltl.OpOnce:
		first, now = s.Not(q), s.Or(a, q)
	case ltl.OpHistorically:
		first, now = q, s.And(a, q)
	case ltl.OpSince:
		first, now = s.Not(q), s.Or(b, s.And(a, q))
	case ltl.OpTriggered:
		first, now = q, s.And(b, s.Or(a, q))
	}
	return first, now, now
}
