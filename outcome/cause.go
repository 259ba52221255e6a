package outcome

import (
	"slices"
	"strings"
)

// A Record is one failure: who fails, how and on what. Triage makes it, with its Cause. A Group is the
// same record in a history. All reports show it.
type Record struct {
	// the translators that fail; several only if their error is the same
	Translators []string `json:"translators"`
	// what is wrong: missing or extra words, the status of a call with its message, or a false
	// property
	Class   Class  `json:"class"`
	Formula string `json:"formula"` // the smallest formula that is known to show it
	// true if this is about the negation of the formula
	Polarity Polarity `json:"negated"`
	// a word on which the automaton is wrong; missing if the failure is not about words
	Word string `json:"word,omitempty"`
	Size int    `json:"size"` // number of letters of the word, before the cycle and in it
	// true if it is proved that no shorter word shows the same
	Shortest bool `json:"shortest"`
	Formulas int  `json:"formulas"` // number of formulas of the run that show it
	// a command for the shell that reproduces this
	Command string `json:"command,omitempty"`
	Key     string `json:"key"` // identifies the failure of the same translator in all runs
}

// A Cause is a group of failures with the same cause.
type Cause struct {
	Record
	// true if the formula was shrunk with --grind; otherwise it is the smallest of the run
	Ground bool `json:"ground"`
	// a smallest set of drawn options with which the formula fails; without --grind, the options
	// that all failing formulas share
	Options []string `json:"options,omitempty"`
	// true if a limit ended the shrinking early
	Unfinished bool `json:"unfinished,omitempty"`
	// the limit that ended the shrinking, or kept it from beginning: "100 calls" or "1m0s"
	Limit string `json:"limit,omitempty"`
	// the smallest formula of the run that has this cause
	Original string `json:"original"`
	Index    int    `json:"index"` // number of the original formula, from 0
	// seed of the original formula; missing if it was given
	Seed *uint64 `json:"seed,omitempty"`
	// failing formulas that were not shrunk, none of which can shrink to another; missing if the
	// message of the failures identifies them
	Samples []Sample `json:"samples,omitempty"`
	// keys of the groups of failures that the cause belongs to; missing without a history
	Groups []string `json:"groups,omitempty"`
	// the results for the formula of this cause, as far as they are about the first of its
	// translators
	Case *Case `json:"case,omitempty"`
	// Indexes are the indexes of the cases in the group. They are missing if the cause was read
	// from a document.
	Indexes []int32 `json:"-"`
}

// DrawnOptions returns the options with which Formula fails, as words of a command line.
func (cause *Cause) DrawnOptions() string {
	options := cause.Options
	if !cause.Ground && cause.Case != nil && len(cause.Translators) > 0 { // the case has Formula
		options = cause.Case.Options(cause.Translators[0])
	}
	return strings.Join(options, " ")
}

// Includes reports whether the cause covers failures of a class. All false properties are one.
func (cause *Cause) Includes(class Class) bool {
	if class.IsProperty() {
		return cause.Class.IsProperty()
	}
	return cause.Class.Category() == class.Category()
}

// Group returns the cause's failures of some of its translators as a group, without its state, and
// without the runs that it was met in.
func (cause *Cause) Group(translators []string) Group {
	g := Group{Record: cause.Record, Shrunk: cause.Ground && !cause.Unfinished}
	g.Translators, g.Key = translators, ""
	if cause.Key != "" && len(translators) > 0 {
		g.Key = translators[0] + " | " + cause.Key
	}
	return g
}

// Split returns the cause's failures of one of its translators as groups: one for each sample, or a
// single one.
func (cause *Cause) Split(translator string) []Group {
	whole := cause.Group([]string{translator})
	if len(cause.Samples) == 0 {
		return []Group{whole}
	}
	var list []Group
	for _, s := range cause.Samples {
		g := whole
		g.Class, g.Formula, g.Polarity, g.Formulas, g.Key = s.Class, s.Formula, s.Polarity, s.Formulas, translator+" | "+s.Key
		if s.Formula != cause.Formula { // the word is one of cause.Formula
			g.Word, g.Size, g.Shortest = "", 0, false
		}
		list = append(list, g)
	}
	return list
}

// Keys returns the keys of the groups that the cause belongs to. Without a history, these are its own.
func (cause *Cause) Keys() (list []string) {
	if len(cause.Groups) > 0 || cause.Key == "" {
		return cause.Groups
	}
	for _, translator := range cause.Translators {
		list = append(list, cause.Group([]string{translator}).Key)
	}
	return list
}

// Has reports whether a group, of this run or of earlier ones, has failures of the cause.
func (cause *Cause) Has(g *Group) bool { return g != nil && slices.Contains(cause.Keys(), g.Key) }

// A Sample is a failing formula that was not shrunk. It stands for the formulas that can shrink to it.
type Sample struct {
	Formula  string   `json:"formula"`  // the formula, or the text of an automaton
	Polarity Polarity `json:"negated"`  // true if this is about the negation of the formula
	Class    Class    `json:"class"`    // what is wrong
	Formulas int      `json:"formulas"` // number of formulas of the run that it stands for
	Key      string   `json:"key"`      // identifies the failure of the same translator in all runs
}

// A Limit is a limit of a run that leaves no check undecided.
type Limit string

const (
	GrindCalls  Limit = "grind-calls"  // of a translator, for shrinking
	GrindTime   Limit = "grind-time"   // of a translator, for shrinking
	GrindCauses Limit = "grind-causes" // causes of a translator that are looked for
	Samples     Limit = "samples"      // failing formulas that are kept if they are not shrunk
	Groups      Limit = "groups"       // groups of failures and findings of a translator
	Shrunk      Limit = "automata"     // ways to fail on automata that are shrunk
)

// A Problem is all failures of one kind of some translators, whatever formulas they shrink to. It
// is what a user sees first. A bug in a translator's post-processing has many different smallest
// formulas. Each is a Cause, and all are one Problem.
//
//	problem                                    causes
//	ltl2tgba -B, ltl2tgba -S: missing words    !(Ga U XXb), Xa & (b U Xa)
//	ltl2tgba -D -G: extra and missing words    a xor (a xor FGb)
//
// Two translators share a problem if they fail alike. On at least half of the formulas on
// which either fails, both must fail, with the same wrong answers on the same words.
type Problem struct {
	Translators []string `json:"translators"` // the translators that fail alike
	Class       Class    `json:"class"`       // what is wrong, for all causes together
	// number of formulas of the run on which one of the translators fails so
	Formulas int `json:"formulas"`
	// positions in the list causes, from 0; the one with the smallest formula first
	Causes []int `json:"causes"`
}
