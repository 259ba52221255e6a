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

// States are all of them, what is news first.
var States = []State{New, BackAgain, Known, Fixed, Unseen}

// A Group is failures that are taken for one, over all runs.
type Group struct {
	State       State    `json:"state"`
	Translators []string `json:"translators"`
	// Class says what is wrong: that of a [cross.Cause].
	Class string `json:"class"`
	// Formula is the smallest one that shows it, in any run; its negation, if Negated.
	Formula string `json:"formula"`
	Negated bool   `json:"negated"`
	// Word is one on which the automaton is wrong; "" where it is no matter of words.
	Word     string `json:"word,omitempty"`
	Size     int    `json:"size"`     // letters of Word
	Shortest bool   `json:"shortest"` // no word is shorter
	// Formulas is how many of this run are in the group.
	Formulas int `json:"formulas"`
	// Command shows it alone.
	Command string `json:"command,omitempty"`
	// First and Last are the runs in which it was met first, and last before this one. Of a
	// new one both are nil.
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

// A Change is a measure of a translator that is not what it was in an earlier run. The two
// are compared on the formulas for which both have an automaton.
type Change struct {
	Translator string `json:"translator"`
	Measure    string `json:"measure"` // "states", "edges", "time"
	Formulas   int    `json:"formulas"`
	// Before and After are sums over these: states, edges, seconds.
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Ratio is After/Before of states and edges. Of times it estimates the typical one of a
	// formula, beyond what the machine did to all translators, so that it need not be that of
	// the sums. P is the probability of as much by chance, with that of all other translators
	// and measures.
	Ratio float64 `json:"ratio"`
	P     float64 `json:"p"`
	// Versions of the translator in both runs, if they are known.
	VersionBefore string `json:"version_before,omitempty"`
	VersionAfter  string `json:"version_after,omitempty"`
}

// A Regression compares a run with those before it.
type Regression struct {
	Night
	// Groups that were met in this run, or ever before: first new ones and those that are
	// back again, then known, fixed and unseen ones. Those that had been fixed before the last
	// run are left out.
	Groups []Group `json:"groups"`
	// Baseline is the run that measures are compared with, nil if there is none.
	Baseline *Night   `json:"baseline,omitempty"`
	Changes  []Change `json:"changes"`
	// Notes say what could not be compared, and what all translators have in common, such as
	// a slower machine.
	Notes []string `json:"notes,omitempty"`
}

// Count returns how many groups have one of the states.
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

// A Trend is what one run adds to curves over many.
type Trend struct {
	Night
	Formulas    int          `json:"formulas"`
	Disagreeing int          `json:"formulas_with_disagreement"`
	Failures    int          `json:"failures"`
	New         int          `json:"new"` // groups that were new, or back again
	Tools       []TrendTotal `json:"translators"`
}

// A TrendTotal is what a run says of one translator: means over the automata that it made.
type TrendTotal struct {
	Name    string  `json:"name"`
	Version string  `json:"version,omitempty"`
	Made    int     `json:"made"`
	States  float64 `json:"states"`
	Edges   float64 `json:"edges"`
	Seconds float64 `json:"time"`
}
