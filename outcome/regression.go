package outcome

import (
	"slices"
	"time"
)

// A State says what became of a group of failures in a run.
type State string

const (
	StateNew       State = "new"        // it was never met before
	StateKnown     State = "known"      // it was met in an earlier run, and has not been fixed since
	StateFixed     State = "fixed"      // it was there in the last run that could tell, and the formulas that showed it don't any more
	StateBackAgain State = "back again" // it was fixed in an earlier run, and is there again
	StateUnseen    State = "unseen"     // it was not met, but its formulas could not be checked either
)

// States are all states. News come first.
var States = []State{StateNew, StateBackAgain, StateKnown, StateFixed, StateUnseen}

// A Group is a set of failures that count as the same, over all runs.
type Group struct {
	State State `json:"state"` // what became of the group in this run
	// the translators that fail; several only if their error is the same
	Translators []string `json:"translators"`
	// what is wrong: missing or extra words, the status of a call with its message, or a false
	// property
	Class   Class  `json:"class"`
	Formula string `json:"formula"` // the smallest formula of any run that shows it
	// true if the formula was shrunk, and no limit ended that
	Shrunk bool `json:"shrunk,omitempty"`
	// true if this is about the negation of the formula
	Polarity Polarity `json:"negated"`
	// a word on which the automaton is wrong; missing if the group is not about words
	Word string `json:"word,omitempty"`
	Size int    `json:"size"` // number of letters of the word, before the cycle and in it
	// true if it is proved that no shorter word shows the same
	Shortest bool `json:"shortest"`
	Formulas int  `json:"formulas"` // number of formulas of this run in the group
	// a command for the shell that reproduces this
	Command string `json:"command,omitempty"`
	// the first run that met the failure; missing if it is new
	First *RunID `json:"first,omitempty"`
	// the last run before this one that met the failure; missing if it is new
	Last *RunID `json:"last,omitempty"`

	Key string `json:"key"` // identifies the group in all runs
}

// A RunID names a run of the history.
type RunID struct {
	Run     int64     `json:"run"`            // number of the run in the history
	Name    string    `json:"name,omitempty"` // name of the run; missing if it has none
	Started time.Time `json:"started"`        // when it started, in UTC
	// seed of the random formulas; missing if there are none
	Seed *uint64 `json:"seed,omitempty"`
}

// A Regression compares a run with earlier runs.
type Regression struct {
	RunID
	// groups of failures: new, back again, known, fixed, then unseen
	Groups []Group `json:"groups"`
	// the run that sizes and times are compared with; missing if there is none
	Baseline *RunID   `json:"baseline,omitempty"`
	Changes  []Change `json:"changes"` // significant changes of sizes and times
	// what could not be compared, and what all translators have in common
	Notes []string `json:"notes,omitempty"`
}

// Count returns the number of groups with one of the states.
func (r *Regression) Count(states ...State) int {
	n := 0
	for _, g := range r.Groups {
		if slices.Contains(states, g.State) {
			n++
		}
	}
	return n
}

// A Change is a measure of a translator that differs significantly from an earlier run. Only
// formulas for which both runs have an automaton count.
type Change struct {
	Translator string `json:"translator"` // name of the translator
	Measure    string `json:"measure"`    // "states", "edges" or "time"
	// number of formulas for which both runs have an automaton
	Formulas int `json:"formulas"`
	// "automata" if formulas counts automata; missing otherwise
	Inputs string `json:"inputs,omitempty"`
	// sum over the formulas in the earlier run, time in seconds
	Before float64 `json:"before"`
	After  float64 `json:"after"` // sum over the formulas in this run, time in seconds
	// after / before; for times the typical ratio of a formula, corrected for the speed of the
	// machine
	Ratio float64 `json:"ratio"`
	P     float64 `json:"p"` // probability that chance makes such a change
	// version in the earlier run; missing if it is not known
	VersionBefore string `json:"version_before,omitempty"`
	// version in this run; missing if it is not known
	VersionAfter string `json:"version_after,omitempty"`
}

// A Trend is what one run adds to the curves over many runs.
type Trend struct {
	RunID
	Formulas int `json:"formulas"` // number of formulas
	// number of formulas with a disagreement
	Disagreeing int          `json:"formulas_with_disagreement"`
	Failures    int          `json:"failures"`    // number of calls of translators that failed
	New         int          `json:"new"`         // number of groups of failures that are new or back again
	Tools       []TrendTotal `json:"translators"` // means of each translator
}

// A TrendTotal has the means over the automata of one translator in a run.
type TrendTotal struct {
	Name string `json:"name"` // name of the translator
	// version of the translator; missing if it is not known
	Version string  `json:"version,omitempty"`
	Made    int     `json:"made"`   // number of automata that it made
	States  float64 `json:"states"` // mean number of states
	Edges   float64 `json:"edges"`  // mean number of edges
	Seconds float64 `json:"time"`   // mean time in seconds
}

// A Timeline is a group of failures of one translator, with its state in each run that could
// decide it.
type Timeline struct {
	Translator string `json:"translator"` // name of the translator
	// what is wrong: missing or extra words, the status of a call with its message, or a false
	// property
	Class   Class  `json:"class"`
	Formula string `json:"formula"` // the smallest formula of any run that shows it
	// true if this is about the negation of the formula
	Polarity Polarity `json:"negated"`
	// a word on which the automaton is wrong; missing if the group is not about words
	Word    string `json:"word,omitempty"`
	Command string `json:"command"` // a command for the shell that reproduces this
	// formulas that each run replays to look for the group
	Replays []string `json:"replays"`
	Key     string   `json:"key"` // identifies the group in all runs
	// what became of the group in each run that could tell
	Occurrences []Occurrence `json:"sightings"`
}

// Met reports whether the group failed in a run.
func (t *Timeline) Met(run int64) bool {
	return slices.ContainsFunc(t.Occurrences, func(x Occurrence) bool { return x.Run == run && x.State != StateFixed })
}

// An Occurrence is the state of a group in a run.
type Occurrence struct {
	RunID
	State    State `json:"state"`    // what became of the group in this run
	Formulas int   `json:"formulas"` // number of formulas of this run in the group
}
