package cross

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A causeGroup is a Cause to which failures are still added.
type causeGroup struct {
	outcome.Cause
	category string
	key      string         // that of what remained, "" if nothing was ground
	remains  []*ltl.Formula // what remained: formulas for which the automaton is wrong
	least    *ltl.Formula   // the last of them
	scope    scope
	large    bool    // as of causeSearch
	limited  bool    // the calls for it were
	indexes  []int32 // of the formulas, increasing
	size     int     // of Original
}

// explains reports whether something that remained of the group can remain of f.
func (cause *causeGroup) explains(f *ltl.Formula) bool {
	switch cause.scope {
	case named:
		return slices.Contains(f.Props(), cause.least.Props()[0])
	case bare:
		return isAtom(f)
	case bySize:
		return f.Size() >= cause.least.Size()
	}
	props := f.Ops().Has(ltl.OpProp)
	return slices.ContainsFunc(cause.remains, func(m *ltl.Formula) bool {
		return (m.Ops().Has(ltl.OpProp) || !props) && ltl.Embeds(m, f)
	})
}

// name returns the Key. A formula that was reached at the time limit may be another one the
// next time, and so may what is left of a formula where the cause is its size.
func (cause *causeGroup) name() string {
	switch {
	case !cause.Ground || cause.Unfinished:
		return cause.category
	case cause.limited && cause.category != outcome.Words:
		return cause.category // there are too few calls to always come to the same formula
	case cause.large:
		return cause.category + " | large"
	}
	return cause.category + " | " + cause.key
}

// of reports whether the group is of that translator, which fails in the same category.
func (cause *causeGroup) of(x fault) bool {
	return cause.Translators[0] == x.Translator && cause.category == x.category()
}

// show says what is wrong on the case of the smallest formula.
func (cause *causeGroup) show(c *outcome.Case, x fault) {
	cause.Case = about(c, x.Translator)
	if cause.Ground {
		cause.Case.Index = 0 // it is none of the run's
	}
	var positive, negative []string
	for _, y := range faults(c) {
		switch {
		case y.Translator != x.Translator || y.category() != x.category():
		case y.Negated:
			negative = append(negative, y.class)
		default:
			positive = append(positive, y.class)
		}
	}
	classes := positive
	if cause.Negated = len(positive) == 0; cause.Negated {
		classes = negative
	}
	cause.Class = strings.Join(classes, " and ")
	if x.category() == outcome.Words {
		cause.Class += " words"
	}
	if cause.Negated {
		cause.Class += outcome.OfNegation
	}
	for _, d := range c.Disagreements {
		if x.category() == outcome.Words && slices.Contains(d.Blamed, outcome.Subject{Translator: x.Translator, Negated: cause.Negated}) && (cause.Word == "" || d.Size < cause.Size) {
			cause.Word, cause.Size, cause.Shortest = d.Word, d.Size, d.Shortest
		}
	}
}

// add adds a formula of the run.
func (cause *causeGroup) add(c *outcome.Case, f *ltl.Formula, x fault) {
	if !cause.count(c.Index) {
		return
	}
	if cause.size == 0 || cmp.Or(cmp.Compare(f.Size(), cause.size), cmp.Compare(c.Index, cause.Index)) < 0 {
		cause.Original, cause.Index, cause.Seed, cause.size = c.Formula, c.Index, c.Seed, f.Size()
		if !cause.Ground {
			cause.Formula, cause.Word = c.Formula, ""
			cause.show(c, x)
		}
	}
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

// mostWords is how many words of a case a cause keeps: one of each kind for the formula, and
// for its negation.
const mostWords = 4

// about returns the case as far as it is about one translator. What the case knows of
// others, and how it was checked, is left out.
func about(c *outcome.Case, translator string) *outcome.Case {
	part := &outcome.Case{Index: c.Index, Formula: c.Formula, Seed: c.Seed, Reference: c.Reference, Checked: c.Checked,
		Checks: []outcome.Check{}, Disagreements: []outcome.Disagreement{}, Undecided: []outcome.Undecided{}, Findings: []outcome.Finding{}}
	of := func(s outcome.Subject) bool { return s.Translator == translator }
	for _, r := range c.Results {
		if of(r.Subject) {
			part.Results = append(part.Results, r)
		}
	}
	for _, f := range c.Findings {
		if of(f.Subject) && len(part.Findings) < mostWords {
			part.Findings = append(part.Findings, f)
		}
	}
	for _, d := range c.Disagreements {
		if !slices.ContainsFunc(d.Blamed, of) || len(part.Disagreements) == mostWords {
			continue
		}
		// Of several translators with the same automaton, one explanation is for all.
		all := d.Explanations
		d.Explanations = nil
		for _, e := range all {
			if slices.ContainsFunc(e.Automata, of) {
				d.Explanations = append(d.Explanations, e)
			}
		}
		part.Disagreements = append(part.Disagreements, d)
	}
	return part
}

// A fault is a failure of one automaton.
type fault struct {
	outcome.Subject
	class string // of a Failure
}

// faults returns what is wrong in a case, by the order of its results.
func faults(c *outcome.Case) []fault {
	var list []fault
	for i := range c.Results {
		s := c.Results[i].Subject
		for _, f := range c.FailuresOf(func(other outcome.Subject) bool { return other == s }) {
			list = append(list, fault{s, f.Class})
		}
	}
	return list
}

// category is what stays the same when a formula is made smaller.
func (f fault) category() string {
	if f.class == "missing" || f.class == "extra" {
		return outcome.Words
	}
	return f.class
}

// quick reports whether a failure takes no time of its own, so that it can be met again
// and again.
func (f fault) quick() bool {
	for _, status := range []translators.Status{translators.Timeout, translators.CPUTime, translators.Memory, translators.TooBig} {
		if strings.HasPrefix(f.class, status.String()) {
			return false
		}
	}
	return true
}
