package outcome

import (
	"slices"
	"strings"
)

// A Cause is a group of failures with the same cause.
type Cause struct {
	Translators []string `json:"translators"`
	// Class says what is wrong on Formula.
	Class Class `json:"class"`
	// Formula is the formula that a failing formula of the run shrank to, if Ground is set,
	// and otherwise the smallest one of the run. The automaton for its negation fails if
	// Polarity is Negation.
	Formula  string   `json:"formula"`
	Ground   bool     `json:"ground"`
	Polarity Polarity `json:"negated"`
	// Options are a smallest set of drawn options with which Formula fails, if Ground is set, and
	// otherwise those that all failing formulas of the group share.
	Options []string `json:"options,omitempty"`
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
	// Indexes are those of the cases in the group. They are missing if the cause was read from a
	// document.
	Indexes []int32 `json:"-"`
}

// DrawnOptions returns the options with which Formula fails, as words of a command line.
func (cause *Cause) DrawnOptions() string {
	options := cause.Options
	if !cause.Ground && cause.Case != nil && len(cause.Translators) > 0 {
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
	g := Group{Translators: translators, Class: cause.Class, Formula: cause.Formula, Polarity: cause.Polarity,
		Word: cause.Word, Size: cause.Size, Shortest: cause.Shortest, Formulas: cause.Formulas}
	if cause.Key != "" && len(translators) > 0 {
		g.Key = translators[0] + " | " + cause.Key
	}
	return g
}

// Has reports whether a group, of this run or of earlier ones, has failures of the cause.
func (cause *Cause) Has(g *Group) bool {
	return g.Key != "" && len(g.Translators) > 0 && slices.Contains(cause.Translators, g.Translators[0]) && g.Key == cause.Group(g.Translators).Key
}

// A Problem is what a user sees first: all failures of one kind of some translators, whatever
// formulas they shrink to. A bug in a translator's post-processing has many different smallest
// formulas. Each is a Cause, and all are one Problem.
//
//	problem                                    causes
//	ltl2tgba -B, ltl2tgba -S: missing words    !(Ga U XXb), Xa & (b U Xa)
//	ltl2tgba -D -G: extra and missing words    a xor (a xor FGb)
//
// Two translators share a problem if they fail alike. On at least half of the formulas on
// which either fails, both must fail, with the same wrong answers on the same words.
type Problem struct {
	Translators []string `json:"translators"`
	Class       Class    `json:"class"`    // as of a Cause, of all formulas together
	Formulas    int      `json:"formulas"` // of the run on which one of them fails so
	// Causes are indexes into the list of causes. The cause with the smallest formula is
	// first.
	Causes []int `json:"causes"`
}
