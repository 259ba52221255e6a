package triage

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Unite unites the causes of all shards of a run, the most frequent first. Causes with
// the same Key become one. It has the formulas of all of them, and shows the smallest one. It
// belongs to several translators if they share it in every shard in which one of them has it. If x
// and y have a cause in one shard, and only x in another, x and y have a cause each.
//
// Shards shrink formulas independently. So one shard may explain a failure that another one
// could not shrink, and an undivided run might find more.
func Unite(shards [][]*outcome.Cause) []*outcome.Cause {
	type failure struct{ translator, key string }
	in := map[failure][]*outcome.Cause{}
	var order []failure
	for _, causes := range shards {
		for _, c := range causes {
			for _, name := range c.Translators {
				x := failure{name, c.Key}
				if in[x] == nil {
					order = append(order, x)
				}
				in[x] = append(in[x], c)
			}
		}
	}
	list := []*outcome.Cause{} // never nil: [] in JSON
	var of []failure           // of each cause, the first
	for _, x := range order {
		if i := slices.IndexFunc(of, func(y failure) bool { return slices.Equal(in[x], in[y]) }); i >= 0 {
			list[i].Translators = append(list[i].Translators, x.translator)
			continue
		}
		one := *in[x][0]
		for _, c := range in[x][1:] {
			unite(&one, c)
		}
		one.Translators = []string{x.translator}
		list, of = append(list, &one), append(of, x)
	}
	sortCauses(list)
	return list
}

// sortCauses puts the most frequent cause first.
func sortCauses(list []*outcome.Cause) {
	slices.SortStableFunc(list, func(a, b *outcome.Cause) int {
		return cmp.Or(cmp.Compare(b.Formulas, a.Formulas), cmp.Compare(a.Index, b.Index))
	})
}

// unite adds the formulas of a cause of another shard.
func unite(cause, other *outcome.Cause) {
	was := *cause
	if better(other.Formula, other.Index, cause.Formula, cause.Index) {
		*cause = *other
	}
	if !was.Ground && !other.Ground {
		cause.Options = common(was.Options, other.Options)
	}
	cause.Formulas = was.Formulas + other.Formulas
	cause.Samples = slices.Concat(was.Samples, other.Samples)
	if cause.Indexes = nil; len(was.Indexes) > 0 && len(other.Indexes) > 0 {
		cause.Indexes = slices.Concat(was.Indexes, other.Indexes)
	}
	from := &was
	if better(other.Original, other.Index, was.Original, was.Index) {
		from = other
	}
	cause.Original, cause.Index, cause.Seed = from.Original, from.Index, from.Seed
}

// better reports whether a formula is smaller than another one, or as small and before it.
func better(f string, i int, g string, k int) bool {
	return cmp.Or(cmp.Compare(ltl.TextSize(f), ltl.TextSize(g)), cmp.Compare(i, k)) < 0
}
