package triage

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Causes returns the causes so far, the most frequent first. Causes of several translators
// become one if they come from the same formulas, shrink to the same formula, and their
// automata for it have the same language. This takes some calls of the translators, until ctx
// is done. The error is internal.
func (t *Triage) Causes(ctx context.Context) ([]*outcome.Cause, error) {
	if err := t.finish(ctx); err != nil {
		return nil, err
	}
	var list []*causeGroup
	for _, cause := range t.united() {
		i := -1
		for k, other := range list {
			if !cause.Ground || other.Class != cause.Class || other.key != cause.key || !slices.Equal(other.Options, cause.Options) ||
				!slices.Equal(other.indexes, cause.indexes) {
				continue
			}
			same, err := t.agree(ctx, cause, other)
			if err != nil && ctx.Err() == nil {
				return nil, err
			}
			if same {
				i = k
			}
		}
		if i < 0 {
			list = append(list, cause)
			continue
		}
		list[i].Translators = append(list[i].Translators, cause.Translators...)
	}
	causes := []*outcome.Cause{} // never nil: [] in JSON
	for _, cause := range list {
		cause.Indexes = cause.indexes
		causes = append(causes, &cause.Cause)
	}
	sortCauses(causes)
	return causes, nil
}

// Known returns copies of the causes so far, in the order in which they were found. It takes no
// calls: a cause of several translators stands there for each.
func (t *Triage) Known() (list []outcome.Cause) {
	for _, cause := range t.causes {
		one := cause.Cause
		one.Key = cause.name()
		list = append(list, one)
	}
	return list
}

// united returns copies of the groups, with their keys. Failed calls and false properties of one key are
// one group, as they are for those who know no more than the key; it shows the smallest formula.
func (t *Triage) united() (list []*causeGroup) {
	for _, cause := range t.causes {
		one := *cause
		one.Translators, one.indexes, one.Key = slices.Clone(cause.Translators), slices.Clone(cause.indexes), cause.name()
		i := slices.IndexFunc(list, func(other *causeGroup) bool {
			return !one.Class.Words && one.failure() == other.failure() && one.Key == other.Key
		})
		if i < 0 {
			list = append(list, &one)
			continue
		}
		other := list[i]
		indexes := slices.Concat(other.indexes, one.indexes)
		shown := other.Cause
		unite(&shown, &one.Cause)
		if better(one.Formula, one.Index, other.Formula, other.Index) {
			*other = one // with its key
		}
		other.Cause = shown
		slices.Sort(indexes)
		other.indexes = slices.Compact(indexes)
		other.Formulas = len(other.indexes)
	}
	return list
}

// agree reports whether the first translators of two groups have automata of the same
// languages for the formula of the first group.
func (t *Triage) agree(ctx context.Context, x, y *causeGroup) (bool, error) {
	if !x.Class.Words {
		return true, nil
	}
	if min(t.left(x.Translators[0]), t.left(y.Translators[0])) < showCalls {
		return false, nil
	}
	f, err := t.store.Parse(x.Formula, ltl.Spot)
	if err != nil {
		return false, err
	}
	both := []string{x.Translators[0], y.Translators[0]}
	g, err := t.grinder(x.Options, both...)
	if err != nil {
		return false, err
	}
	c, err := g.Case(ctx, f)
	if err != nil {
		return false, err
	}
	for _, d := range c.Disagreements {
		answers := map[outcome.Subject]bool{}
		for _, a := range d.Accepts {
			answers[a.Subject] = a.Accepts
		}
		for _, p := range outcome.BothPolarities {
			if answers[outcome.Subject{Translator: both[0], Polarity: p}] != answers[outcome.Subject{Translator: both[1], Polarity: p}] {
				return false, nil
			}
		}
	}
	return len(c.Undecided) == 0, nil
}
