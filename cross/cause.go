package cross

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Cause is a group of failures with the same cause.
type Cause struct {
	Translators []string `json:"translators"`
	// Class says what is wrong on Formula: "missing words", "extra words" or "extra and
	// missing words". If the automaton for the formula itself is right, ", of the negation
	// only" follows. For other failures, it is the class of the Failure.
	Class string `json:"class"`
	// Formula is the formula that a failing formula of the run shrank to, if Ground is set,
	// and otherwise the smallest one of the run. The automaton for its negation fails if
	// Negated is set.
	Formula string `json:"formula"`
	Ground  bool   `json:"ground"`
	Negated bool   `json:"negated"`
	// Unfinished is set if time ran out before the formula was as small as possible.
	Unfinished bool `json:"unfinished,omitempty"`
	// Word is a word on which the automaton is wrong, and Shortest says whether it is proved
	// shortest. Word is "" if the cause is not about words.
	Word     string `json:"word,omitempty"`
	Size     int    `json:"size"`
	Shortest bool   `json:"shortest"`
	Formulas int    `json:"formulas"` // of the run that are in the group
	// Original is the smallest formula of the run in the group, with its index and seed.
	Original string  `json:"original"`
	Index    int     `json:"index"`
	Seed     *uint64 `json:"seed,omitempty"`
	// Key is the same for the same cause of the same translator in other runs.
	Key string `json:"key"`
	// Case is the case of Formula, reduced to this cause: the answers of its translators, and
	// the words on which they are wrong.
	Case *Case `json:"case,omitempty"`

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
func (cause *Cause) explains(f *ltl.Formula) bool {
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
func (cause *Cause) name() string {
	switch {
	case !cause.Ground || cause.Unfinished:
		return cause.category
	case cause.limited && cause.category != words:
		return cause.category // there are too few calls to always come to the same formula
	case cause.large:
		return cause.category + " | large"
	}
	return cause.category + " | " + cause.key
}

// of reports whether the group is of that translator, which fails in the same category.
func (cause *Cause) of(x fault) bool {
	return cause.Translators[0] == x.Translator && cause.category == x.category()
}

// show says what is wrong on the case of the smallest formula.
func (cause *Cause) show(c *Case, x fault) {
	cause.Case = c.about(x.Translator)
	if cause.Ground {
		cause.Case.Index = 0 // it is none of the run's
	}
	var positive, negative []string
	for _, y := range c.faults() {
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
	if x.category() == words {
		cause.Class += " words"
	}
	if cause.Negated {
		cause.Class += ofNegation
	}
	for _, d := range c.Disagreements {
		if x.category() == words && slices.Contains(d.Blamed, Subject{x.Translator, cause.Negated}) && (cause.Word == "" || d.Size < cause.Size) {
			cause.Word, cause.Size, cause.Shortest = d.Word, d.Size, d.Shortest
		}
	}
}

// add adds a formula of the run.
func (cause *Cause) add(c *Case, f *ltl.Formula, x fault) {
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
func (cause *Cause) count(index int) bool {
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
func (c *Case) about(translator string) *Case {
	part := &Case{Index: c.Index, Formula: c.Formula, Seed: c.Seed, Reference: c.Reference, Checked: c.Checked,
		Checks: []Check{}, Disagreements: []Disagreement{}, Undecided: []Undecided{}, Findings: []Finding{}}
	of := func(s Subject) bool { return s.Translator == translator }
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
		d.word = nil
		part.Disagreements = append(part.Disagreements, d)
	}
	return part
}

// Words reports whether the cause is about languages.
func (cause *Cause) Words() bool { return cause.kind() == words }

// kind is the category, also of a cause that was read from a document.
func (cause *Cause) kind() string {
	if cause.category != "" {
		return cause.category
	}
	if WrongWords(cause.Class) {
		return words
	}
	return strings.TrimSuffix(cause.Class, ofNegation)
}

// ofNegation ends the class of a cause that only automata of negations have.
const ofNegation = ", of the negation only"

// WrongWords reports whether the class of a cause means wrong languages.
func WrongWords(class string) bool {
	switch strings.TrimSuffix(class, ofNegation) {
	case "missing words", "extra words", "extra and missing words":
		return true
	}
	return false // what a translator says when it fails may end in the same way
}

// FalseProperty reports whether the class of a cause means a false declared property.
func FalseProperty(class string) bool { return strings.HasPrefix(class, "property: ") }

// Includes reports whether the cause covers failures with this class and signature. That is a
// status and the common part of the messages, or a false property and its text.
func (cause *Cause) Includes(class, signature string) bool {
	if class == "property" {
		return FalseProperty(cause.kind())
	}
	return cause.kind() == signature
}

// A fault is a failure of one automaton.
type fault struct {
	Subject
	class string // of a Failure
}

// faults returns what is wrong in a case, by the order of its results.
func (c *Case) faults() []fault {
	var list []fault
	for i := range c.Results {
		s := c.Results[i].Subject
		for _, f := range c.failures(func(other Subject) bool { return other == s }) {
			list = append(list, fault{s, f.Class})
		}
	}
	return list
}

// category is what stays the same when a formula is made smaller.
func (f fault) category() string {
	if f.class == "missing" || f.class == "extra" {
		return words
	}
	return f.class
}

// words is the category of automata with a wrong language.
const words = "words"

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
