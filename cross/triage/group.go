package triage

import (
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
	props := f.Ops().Has(ltl.OpProp)
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

// sample adds an input that was not shrunk, unless one that was added before explains it.
func (cause *causeGroup) sample(s *ltl.Store, f *ltl.Formula, c *outcome.Case, x outcome.Fault) {
	one := outcome.Sample{Formula: c.Text(), Polarity: x.Polarity, Class: x.Class, Formulas: 1}
	explains := func(_ int, g *ltl.Formula) bool {
		return x.Class.Exhausted() && g.Size() <= f.Size() || ltl.Embeds(g, f)
	}
	if c.Automaton != nil {
		one.Key = cause.identity(c.Automaton.Identity(x.Class))
		explains = func(i int, _ *ltl.Formula) bool { return outcome.Explains(cause.Samples[i].Key, one.Key) }
	} else {
		one.Key = cause.identity(keyOf(s, f))
	}
	for i, g := range cause.samples {
		switch {
		case explains(i, g):
		case i == maxSamples-1:
			cause.more++
		default:
			continue
		}
		cause.Samples[i].Formulas++
		return
	}
	one.Class.NegationOnly = x.Polarity == outcome.Negation
	cause.Samples, cause.samples = append(cause.Samples, one), append(cause.samples, f)
}

// failure returns what all failures of the group are.
func (cause *causeGroup) failure() outcome.Key {
	return outcome.Key{Translator: cause.Translators[0], Class: cause.Class.Category()}
}

// of reports whether the group is of the same failure.
func (cause *causeGroup) of(x failure) bool {
	return cause.failure() == x.Key()
}

// show says what is wrong on the case of the smallest formula.
func (cause *causeGroup) show(c *outcome.Case, x outcome.Fault) {
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
			class[at].Extra = class[at].Extra || y.Class.Extra
			class[at].Missing = class[at].Missing || y.Class.Missing
		}
	}
	cause.Polarity = outcome.Polarity(!wrong[outcome.Formula.Index()])
	cause.Class = class[cause.Polarity.Index()]
	cause.Class.NegationOnly = cause.Polarity == outcome.Negation
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
	if !cause.Ground && !x.Class.Speaks() {
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
		cause.Formula, cause.Word = c.Text(), ""
		cause.show(c, x.Fault)
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

// maxWords is how many words of a case a cause keeps: one of each kind for the formula, and
// for its negation.
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
