package cross

import (
	"context"
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

// addReference adds the automata of the run's reference, for the formula and for its negation, and
// returns how many it made. It makes none if the run has no reference, or if one of its tools is the
// reference and gave both. An automaton that takes too long to make is missing, and undecided. The
// error is that the whole run was canceled.
func (x *caseRun) addReference(ctx context.Context, c *outcome.Case, alphabet *omega.Alphabet, list *members) (made int, err error) {
	for _, tool := range x.Tools {
		failed := func(r outcome.Result) bool { return r.Translator == tool.Name && r.Status != outcome.OK }
		if tool.Reference && !slices.ContainsFunc(c.Results, failed) {
			c.Reference = tool.Name
			return 0, nil
		}
	}
	if x.Reference == nil {
		return 0, nil
	}
	name := x.unused("builtin", "built-in reference")
	for _, p := range outcome.BothPolarities {
		s := outcome.Subject{Translator: name, Polarity: p}
		a, err := x.translated(ctx, x.asked(p))
		if ctx.Err() != nil {
			return made, ctx.Err()
		}
		if err != nil {
			c.Undecided = append(c.Undecided, newUndecided(err.Error(), "comparison with %s", s))
			continue
		}
		c.Reference = name
		made++
		if a, err = over(ctx, c, s, a, alphabet); err != nil {
			return made, err
		}
		if x.own[p.Index()] = a; a != nil {
			m := list.add(s, a)
			m.reference, m.own = true, true
		}
	}
	return made, nil
}

// translated returns the reference's automaton of f. It fails when it takes too long.
func (x *caseRun) translated(ctx context.Context, f *ltl.Formula) (*omega.Automaton, error) {
	limit := referenceTime
	if x.Limits.Time > 0 {
		limit = min(limit, x.Limits.Time)
	}
	inTime, cancel := within(ctx, limit)
	defer cancel()
	a, err := x.Reference(inTime, x.store, f)
	return a, timeLimit(inTime, err)
}
