package outcome

import "strings"

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
}

// Words reports whether the cause is about languages.
func (cause *Cause) Words() bool { return cause.Category() == Words }

// kind is the category of its failures.
func (cause *Cause) Category() string {
	if WrongWords(cause.Class) {
		return Words
	}
	return strings.TrimSuffix(cause.Class, OfNegation)
}

// ofNegation ends the class of a cause that only automata of negations have.
const OfNegation = ", of the negation only"

// WrongWords reports whether the class of a cause means wrong languages.
func WrongWords(class string) bool {
	switch strings.TrimSuffix(class, OfNegation) {
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
		return FalseProperty(cause.Category())
	}
	return cause.Category() == signature
}

// words is the category of automata with a wrong language.
const Words = "words"

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
	Class       string   `json:"class"`    // as of a Cause, of all formulas together
	Formulas    int      `json:"formulas"` // of the run on which one of them fails so
	// Causes are indexes into the list of causes. The cause with the smallest formula is
	// first.
	Causes []int `json:"causes"`
}
