package triage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A causeGroup is a Cause to which failures are still added.
type causeGroup struct {
	outcome.Cause
	key     string         // key of the remaining formula, "" if nothing was ground
	remains []*ltl.Formula // what remained: formulas for which the automaton is wrong
	least   *ltl.Formula   // the last of them
	scope   scope
	measure int            // the least that the scope measures
	part    ltl.OpSet      // operators that are part of the cause
	limited bool           // the calls for it were
	indexes []int32        // of the formulas, increasing
	samples []*ltl.Formula // of Samples; of automata, true
	more    int            // that there was no place for
}

// explains reports whether something that remained of the group can remain of f, on which words of some
// kinds are wrong. Others must turn, or there must be no operator that matters but in the group's formula.
func (cause *causeGroup) explains(f *ltl.Formula, words kinds, part ltl.OpSet) bool {
	switch cause.scope {
	case named:
		return slices.Contains(f.Props(), cause.least.Props()[0])
	case bare:
		return isAtom(f)
	case repeated, byProps, bySize:
		return cause.part&^f.Ops() == 0 && cause.scope.of(f) >= cause.measure
	}
	if cause.least == nil || kindsOf(cause.Class)&words == 0 && cause.key != "any" && !turns(f) && !turns(cause.least) && part&^cause.least.Ops() != 0 {
		return false
	}
	props := f.Ops().Has(ltl.OpProp) // a constant embeds in everything, but explains only constants
	return slices.ContainsFunc(cause.remains, func(m *ltl.Formula) bool {
		return (m.Ops().Has(ltl.OpProp) || !props) && ltl.Embeds(m, f)
	})
}

// name returns the Key. A message identifies failures whose formula may be another one the next time:
// there were too few calls, or too little time, to always come to the same.
func (cause *causeGroup) name() string {
	unsure := !cause.Ground || cause.Unfinished || cause.limited
	switch {
	case !cause.Ground, unsure && cause.Class.Speaks():
		return cause.identity("")
	}
	return cause.identity(cause.key)
}

// identity is what a failure of a translator has in common in all runs: its category, a formula up to
// what does not matter, and the options that it needs.
func (cause *causeGroup) identity(formula string) string {
	parts := []string{cause.Class.Category().String()}
	if formula != "" {
		parts = append(parts, formula)
	}
	if cause.Ground && len(cause.Options) > 0 {
		parts = append(parts, strings.Join(cause.Options, " "))
	}
	return strings.Join(parts, " | ")
}

// maxSamples bounds the samples of a cause. The last one stands for further formulas, too.
const maxSamples = 100

// sample adds an input that was not shrunk. If an earlier sample explains it, or maxSamples are
// reached, that sample or the last one only counts it.
func (cause *causeGroup) sample(s *ltl.Store, f *ltl.Formula, c *outcome.Case, x outcome.Fault) {
	one := outcome.Sample{Formula: c.Text(), Polarity: x.Polarity, Class: x.Class, Formulas: 1}
	explains := func(_ int, g *ltl.Formula) bool {
		// If a smaller formula exhausts a limit, a larger one may do so by its size alone.
		return x.Class.Exhausted() && g.Size() <= f.Size() || ltl.Embeds(g, f)
	}
	if c.Automaton != nil {
		one.Key = cause.identity(c.Automaton.Identity(x.Class))
		explains = func(i int, _ *ltl.Formula) bool {
			return (&outcome.Record{Key: cause.Samples[i].Key}).Explains(one.Key)
		}
	} else {
		one.Key = cause.identity(keyOf(s, f))
	}
	for i, g := range cause.samples {
		switch {
		case explains(i, g):
		case i == maxSamples-1: // the last sample also counts what no other explains
			cause.more++
		default:
			continue
		}
		cause.Samples[i].Formulas++
		return
	}
	// The fault of the formula itself may have a cause of its own, which is known already.
	one.Class.NegationOnly = x.Polarity == outcome.Negation && answered(c, x) && !slices.ContainsFunc(c.Faults(), func(y outcome.Fault) bool {
		return y.Key() == x.Key() && y.Polarity == outcome.Formula
	})
	cause.Samples, cause.samples = append(cause.Samples, one), append(cause.samples, f)
}

// answered reports whether the translator of a fault gave an automaton for the formula itself, which was checked
// if it could have wrong words. Otherwise nobody knows whether it fails on the negation only.
func answered(c *outcome.Case, x outcome.Fault) bool {
	return slices.ContainsFunc(c.Results, func(r outcome.Result) bool {
		return r.Translator == x.Translator && r.Polarity == outcome.Formula && r.Status == outcome.OK && (!x.Class.Words || c.Judged(&r))
	})
}

// failure returns what all failures of the group are.
func (cause *causeGroup) failure() outcome.Fault {
	return outcome.Fault{Subject: outcome.Subject{Translator: cause.Translators[0]}, Class: cause.Class}.Key()
}

// of reports whether the group is of the same failure.
func (cause *causeGroup) of(x failure) bool {
	return cause.failure() == x.Key()
}

// describe says what is wrong on the case of the smallest formula.
func (cause *causeGroup) describe(c *outcome.Case, x outcome.Fault) {
	cause.Case = about(c, x.Translator)
	if cause.Ground {
		cause.Case.Index = 0 // it is none of the run's
	}
	class := [2]outcome.Class{x.Class.Category(), x.Class.Category()}
	var wrong [2]bool
	for _, y := range c.Faults() {
		if y.Key() == x.Key() {
			at := y.Polarity.Index()
			wrong[at] = true
			class[at] = class[at].Join(y.Class)
		}
	}
	cause.Polarity = outcome.Polarity(!wrong[outcome.Formula.Index()]) // the formula, if it is wrong itself
	cause.Class = class[cause.Polarity.Index()]
	cause.Class.NegationOnly = cause.Polarity == outcome.Negation && answered(c, x)
	cause.Word, cause.Size, cause.Shortest = "", 0, false
	for _, d := range c.Disagreements {
		if x.Class.Words && slices.Contains(d.Blamed, outcome.Subject{Translator: x.Translator, Polarity: cause.Polarity}) && (cause.Word == "" || d.Size < cause.Size) {
			cause.Word, cause.Size, cause.Shortest = d.Word, d.Size, d.Shortest
		}
	}
	if c.Automaton != nil { // each tool has one output for it
		cause.Polarity, cause.Class.NegationOnly = outcome.Formula, false
	}
}

func (cause *causeGroup) add(s *ltl.Store, f *ltl.Formula, c *outcome.Case, x failure) {
	if !cause.count(c.Index) {
		return
	}
	if !cause.Ground && !x.Class.Speaks() { // else the message tells the cause
		cause.sample(s, s.Import(f), c, x.Fault)
	}
	switch {
	case cause.Ground:
	case cause.Formulas == 1:
		cause.Options = x.options
	default:
		cause.Options = common(cause.Options, x.options)
	}
	if cause.comesFrom(c.Text(), c.Index, c.Seed) && !cause.Ground {
		cause.Formula = c.Text()
		cause.describe(c, x.Fault)
	}
}

// comesFrom makes a formula of the run the Original if it is the smallest, and reports whether it is.
func (cause *causeGroup) comesFrom(original string, index int, seed *uint64) bool {
	if cause.Original != "" && !better(original, index, cause.Original, cause.Index) {
		return false
	}
	cause.Original, cause.Index, cause.Seed = original, index, seed
	return true
}

// count notes that a formula is in the group, and reports whether it was not before.
func (cause *causeGroup) count(index int) bool {
	i, found := slices.BinarySearch(cause.indexes, int32(index))
	if !found {
		cause.indexes = slices.Insert(cause.indexes, i, int32(index))
		cause.Formulas++
	}
	return !found
}

// take takes what was found of another group, which is no more.
func (cause *causeGroup) take(other *causeGroup) {
	for _, index := range other.indexes {
		cause.count(int(index))
	}
	cause.comesFrom(other.Original, other.Index, other.Seed)
	cause.remains = append(cause.remains, other.remains...)
}

// maxWords is how many words of a case a cause keeps: one of each kind for the formula, and for its negation.
const maxWords = 4

// about returns the case as far as it is about one translator. What the case knows of
// others, and how it was checked, is left out.
func about(c *outcome.Case, translator string) *outcome.Case {
	part := outcome.NewCase(c.Index, c.Formula, c.Seed)
	part.Reference, part.Checked = c.Reference, c.Checked
	of := func(s outcome.Subject) bool { return s.Translator == translator }
	part.Results = slices.DeleteFunc(slices.Clone(c.Results), func(r outcome.Result) bool { return !of(r.Subject) })
	for _, f := range c.Findings {
		if of(f.Subject) && len(part.Findings) < maxWords {
			part.Findings = append(part.Findings, f)
		}
	}
	for _, d := range c.Disagreements {
		if !slices.ContainsFunc(d.Blamed, of) || len(part.Disagreements) == maxWords {
			continue
		}
		// Of several translators with the same automaton, one explanation is for all.
		d.Explanations = slices.DeleteFunc(slices.Clone(d.Explanations), func(e outcome.Explanation) bool { return !slices.ContainsFunc(e.Automata, of) })
		part.Disagreements = append(part.Disagreements, d)
	}
	return part
}

// Causes returns the causes so far, the most frequent first. Causes of several translators become one if they
// come from the same formulas, shrink to the same formula, and their automata for it have the same language.
// This takes some calls of the translators, until ctx is done. The error is internal.
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
			same, err := t.agree(ctx, cause, other) // last, since it calls translators
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
		for _, p := range outcome.BothPolarities() {
			if answers[outcome.Subject{Translator: both[0], Polarity: p}] != answers[outcome.Subject{Translator: both[1], Polarity: p}] {
				return false, nil
			}
		}
	}
	return len(c.Undecided) == 0, nil
}

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
