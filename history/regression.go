package history

import "time"

// A State says what became of a group of failures in a run.
type State string

const (
	New       State = "new"        // it was never met before
	Known     State = "known"      // it was met in an earlier run, and has not been fixed since
	Fixed     State = "fixed"      // it was there in the last run that could tell, and the formulas that showed it don't any more
	BackAgain State = "back again" // it was fixed in an earlier run, and is there again
	Unseen    State = "unseen"     // it was not met, but its formulas could not be checked either
)

// States are all states. News come first.
var States = []State{New, BackAgain, Known, Fixed, Unseen}

// A Group is a set of failures that count as the same, over all runs.
type Group struct {
	State       State    `json:"state"`
	Translators []string `json:"translators"`
	// Class says what is wrong, like the Class of a [cross.Cause].
	Class string `json:"class"`
	// Formula is the smallest formula of any run that shows the failure. If Negated is set,
	// its negation does.
	Formula string `json:"formula"`
	Negated bool   `json:"negated"`
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
	First *Night `json:"first,omitempty"`
	Last  *Night `json:"last,omitempty"`

	Key string `json:"key"` // the same in all runs
}

// A Night names a run of the history.
type Night struct {
	Run     int64     `json:"run"` // its number in the history
	Name    string    `json:"name,omitempty"`
	Started time.Time `json:"started"`
	Seed    *uint64   `json:"seed,omitempty"` // of its random formulas, if it had some
}

// A Change is a measure of a translator that differs significantly from an earlier run. Only
// formulas for which both runs have an automaton count.
type Change struct {
	Translator string `json:"translator"`
	Measure    string `json:"measure"` // "states", "edges", "time"
	Formulas   int    `json:"formulas"`
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

// A Regression compares a run with earlier runs.
type Regression struct {
	Night
	// Groups are the groups of this and earlier runs: new, back again, known, fixed, then
	// unseen. Groups that were fixed before the last run are left out.
	Groups []Group `json:"groups"`
	// Baseline is the run that sizes and times are compared with, or nil.
	Baseline *Night   `json:"baseline,omitempty"`
	Changes  []Change `json:"changes"`
	// Notes say what could not be compared, and what all translators have in common, such as a
	// slower machine.
	Notes []string `json:"notes,omitempty"`
}

// Count returns the number of groups with one of the states.
func (r *Regression) Count(states ...State) int {
	n := 0
	for _, g := range r.Groups {
		for _, s := range states {
			if g.State == s {
				n++
			}
		}
	}
	return n
}

// A Trend is what one run adds to the curves over many runs.
type Trend struct {
	Night
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
