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
	State       State    `json:"state"`
	Translators []string `json:"translators"`
	// Class says what is wrong, like the Class of a [Cause].
	Class Class `json:"class"`
	// Formula is the smallest formula of any run that shows the failure. If Polarity is Negation,
	// its negation does. Of automata, it is the Text of a [Case].
	Formula  string   `json:"formula"`
	Polarity Polarity `json:"negated"`
	// Word is a word on which the automaton is wrong, or "" if the group is not about words.
	Word     string `json:"word,omitempty"`
	Size     int    `json:"size"`     // letters of Word
	Shortest bool   `json:"shortest"` // no word is shorter
	// Formulas is the number of formulas of this run in the group.
	Formulas int `json:"formulas"`
	// Command shows the failure alone.
	Command string `json:"command,omitempty"`
	// First and Last are the first run with the failure, and the last one before this run. For
	// a new failure both are nil.
	First *RunID `json:"first,omitempty"`
	Last  *RunID `json:"last,omitempty"`

	Key string `json:"key"` // the same in all runs
}

// A RunID names a run of the history.
type RunID struct {
	Run     int64     `json:"run"` // its number in the history
	Name    string    `json:"name,omitempty"`
	Started time.Time `json:"started"`
	Seed    *uint64   `json:"seed,omitempty"` // of its random formulas, if it had some
}

// A Regression compares a run with earlier runs.
type Regression struct {
	RunID
	// Groups are the groups of this and earlier runs: new, back again, known, fixed, then
	// unseen. Groups that were fixed before the last run are left out.
	Groups []Group `json:"groups"`
	// Baseline is the run that sizes and times are compared with, or nil.
	Baseline *RunID   `json:"baseline,omitempty"`
	Changes  []Change `json:"changes"`
	// Notes say what could not be compared, and what all translators have in common, such as a
	// slower machine.
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
	Translator string `json:"translator"`
	Measure    string `json:"measure"` // "states", "edges", "time"
	Formulas   int    `json:"formulas"`
	// Inputs names what Formulas counts, if they are no formulas.
	Inputs string `json:"inputs,omitempty"`
	// Before and After are sums over these formulas: states, edges, or seconds.
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Ratio is After/Before for states and edges. For times, it estimates the typical ratio of
	// a formula, corrected for what the machine did to all translators. So it may differ from
	// the ratio of the sums. P is the probability of such a change by chance, corrected for
	// all translators and measures.
	Ratio float64 `json:"ratio"`
	P     float64 `json:"p"`
	// The versions of the translator in both runs, if known.
	VersionBefore string `json:"version_before,omitempty"`
	VersionAfter  string `json:"version_after,omitempty"`
}

// A Trend is what one run adds to the curves over many runs.
type Trend struct {
	RunID
	Formulas    int          `json:"formulas"`
	Disagreeing int          `json:"formulas_with_disagreement"`
	Failures    int          `json:"failures"`
	New         int          `json:"new"` // groups that were new, or back again
	Tools       []TrendTotal `json:"translators"`
}

// A TrendTotal has the means over the automata of one translator in a run.
type TrendTotal struct {
	Name    string  `json:"name"`
	Version string  `json:"version,omitempty"`
	Made    int     `json:"made"`
	States  float64 `json:"states"`
	Edges   float64 `json:"edges"`
	Seconds float64 `json:"time"`
}

// A Timeline is a group of failures of one translator, with its state in each run that could
// decide it.
type Timeline struct {
	Translator  string       `json:"translator"`
	Class       Class        `json:"class"`
	Formula     string       `json:"formula"` // the smallest that shows it; its negation, if Polarity is Negation
	Polarity    Polarity     `json:"negated"`
	Word        string       `json:"word,omitempty"`
	Command     string       `json:"command"`
	Replays     []string     `json:"replays"` // formulas by which it is looked for in each run
	Key         string       `json:"key"`
	Occurrences []Occurrence `json:"sightings"`
	// Bisection is the latest one; nil if there was none.
	Bisection *Bisection `json:"bisection,omitempty"`
}

// Met reports whether the group failed in a run.
func (t *Timeline) Met(run int64) bool {
	return slices.ContainsFunc(t.Occurrences, func(x Occurrence) bool { return x.Run == run && x.State != StateFixed })
}

// An Occurrence is the state of a group in a run.
type Occurrence struct {
	RunID
	State    State `json:"state"`
	Formulas int   `json:"formulas"` // of the run that show it
}
