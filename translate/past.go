package translate

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

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
		if err := admit(ctx, f); err != nil {
			return nil, err
		}
		src, err := future(ctx, s, f)
		if err != nil {
			return nil, err
		}
		return project(src, alphabet), nil
	}
}

// withoutPast returns a formula of the future with more propositions, of which f
// is the projection: a word satisfies f if and only if it satisfies the result
// for some valuation of the new propositions, and then for exactly one. None of them
// is in the alphabet, which must have those of f.
//
// For each operator of the past there is a proposition q that says now what it
// says of the positions before (a temporal tester in the sense of Pnueli and
// Zaks 2006, with the state of the deterministic monitor of Havelund and Roşu
// 2002). It starts as below, and at each position its next value is that of the
// formula on the right, which also stands for the operator's truth now:
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
			for fresh++; has(alphabet, name); fresh++ {
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

func has(alphabet *omega.Alphabet, prop string) bool {
	_, ok := alphabet.Index(prop)
	return ok
}

// tester returns the line of the table in withoutPast, with q at first as a
// literal.
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

// projected is a Source without some of its propositions.
type projected struct {
	omega.Source
	alphabet   *omega.Alphabet
	projection *omega.Translation
}

func project(src omega.Source, alphabet *omega.Alphabet) *projected {
	return &projected{src, alphabet, omega.NewTranslation(src.Alphabet(), alphabet)}
}

func (p *projected) Alphabet() *omega.Alphabet { return p.alphabet }

func (p *projected) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	first := len(buf)
	buf, err := p.Source.AppendEdges(buf, s)
	for i := first; i < len(buf); i++ {
		buf[i].Label = p.projection.Label(buf[i].Label)
	}
	return buf, err
}
