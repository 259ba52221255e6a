package cross

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/properties"
)

// properties decides what the automata declare. It comes after the checks, since then it is
// known which languages are equal and which are complements of each other: whether words may be
// stuttered is a question to ask once for all of them, and needs no other complement. It
// fails when ctx is done, and with an internal error.
func (x *caseRun) properties(ctx context.Context, c *outcome.Case, ch *checker) error {
	for i := range x.calls {
		s, out := x.calls[i].Subject, x.calls[i].out
		if out.Automaton == nil {
			continue
		}
		x.stage.enter("properties of %s", s)
		by := properties.Checker{Decider: &ch.decider}
		for _, m := range ch.members.all() {
			if slices.Contains(m.subjects, s) {
				by.Language = m.class().language
			}
		}
		answers, err := by.CheckDeclared(ctx, out.Automaton)
		for _, a := range answers {
			if a.Undecided != nil {
				c.Undecided = append(c.Undecided, newUndecided(a.Undecided.Error(), "%s is "+a.Property, s))
			} else {
				c.Findings = append(c.Findings, outcome.Finding{Subject: s, Class: outcome.FalseProperty, Property: outcome.Property(a.Property), Text: a.Message()})
			}
		}
		if err != nil {
			return err
		}
	}
	// Those of an output stand together.
	place := func(f outcome.Finding) int {
		return slices.IndexFunc(x.calls, func(c call) bool { return c.Subject == f.Subject })
	}
	slices.SortStableFunc(c.Findings, func(f, g outcome.Finding) int { return place(f) - place(g) })
	return nil
}
