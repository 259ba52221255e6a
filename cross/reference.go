package cross

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Translation translates a formula of the store within the process.
type Translation func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error)

// referenceTime is how long the reference may take for each of a formula and its
// negation, unless a check has less. An automaton that takes longer to make would
// not be quickly compared.
const referenceTime = 10 * time.Second

// referenceName is the translator that the reference's automata are ascribed to
// in checks and answers.
const referenceName = "builtin"

// reference returns the subjects and the automata of the run's reference, for
// the formula and for its negation; none if the run has no reference, or one of its
// tools is it and gave both. One that takes too long to make is missing, and said
// to be undecided. The error is that the whole run was canceled.
func (o *Options) reference(ctx context.Context, c *outcome.Case, store *ltl.Store, formula *ltl.Formula) ([]outcome.Subject, []*omega.Automaton, error) {
	name := referenceName
	for _, tool := range o.Tools {
		if tool.Reference && gave(c, tool.Name) {
			c.Reference = tool.Name
			return nil, nil, nil
		}
		if tool.Name == name {
			name = "built-in reference"
		}
	}
	if o.Reference == nil {
		return nil, nil, nil
	}
	var subjects []outcome.Subject
	var automata []*omega.Automaton
	for _, p := range outcome.BothPolarities {
		s, f := outcome.Subject{Translator: name, Polarity: p}, formula
		if p == outcome.Negation {
			f = store.Not(formula)
		}
		a, err := o.translate(ctx, store, f)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			c.Undecided = append(c.Undecided, newUndecided(err.Error(), "comparison with %s", s))
			continue
		}
		c.Reference = name
		subjects = append(subjects, s)
		automata = append(automata, a)
	}
	return subjects, automata, nil
}

// gave reports whether all calls of a tool gave automata.
func gave(c *outcome.Case, tool string) bool {
	return !slices.ContainsFunc(c.Results, func(r outcome.Result) bool { return r.Translator == tool && r.Status != outcome.OK })
}

// translate returns the reference's automaton of f. It fails when it takes too long.
func (o *Options) translate(ctx context.Context, store *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	limit := referenceTime
	if o.Limits.Time > 0 {
		limit = min(limit, o.Limits.Time)
	}
	inTime, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	a, err := o.Reference(inTime, store, f)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("time limit of %v", limit)
	}
	return a, err
}

// addReference makes the reference's automata members, or its subjects those of
// the members with identical automata.
func addReference(pos, neg []*member, subjects []outcome.Subject, automata []*omega.Automaton) (_, _ []*member) {
	for i, a := range automata {
		side := &pos
		if subjects[i].Polarity == outcome.Negation {
			side = &neg
		}
		m := find(*side, identity(a))
		if m == nil {
			m = newMember(a, subjects[i].Polarity)
			*side = append(*side, m)
		}
		m.subjects = append(m.subjects, subjects[i])
		m.reference, m.own = true, true
	}
	return pos, neg
}
