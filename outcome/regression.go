package outcome

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/plural"
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

// States returns all states. News come first.
func States() []State {
	return []State{StateNew, StateBackAgain, StateKnown, StateFixed, StateUnseen}
}

// A Group is a record of a failure over all runs. Its formula is the smallest of any run.
type Group struct {
	State State `json:"state"` // what became of the group in this run
	Record
	// true if the formula was shrunk, and no limit ended that
	Shrunk bool `json:"shrunk,omitempty"`
	// the first run that met the failure; missing if it is new
	First *RunID `json:"first,omitempty"`
	// the last run before this one that met the failure; missing if it is new
	Last *RunID `json:"last,omitempty"`
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

// Sentence says what has changed since a run, such as "ltl3ba became 12 % slower since Tue
// 2026-11-17 (time, 812 formulas, p < 0.0001)".
func (c *Change) Sentence(since *RunID) string {
	var b strings.Builder
	b.WriteString(c.Translator)
	b.WriteByte(' ')
	b.WriteString(c.what())
	if since != nil {
		if since.Started.IsZero() {
			fmt.Fprintf(&b, " since run %d", since.Run)
		} else {
			b.WriteString(" since " + since.Started.Format("Mon 2006-01-02"))
		}
	}
	fmt.Fprintf(&b, " (%s, %d %s, %s)", c.Measure, c.Formulas, cmp.Or(c.Inputs, "formulas"), likely(c.P))
	if c.VersionBefore != c.VersionAfter && c.VersionBefore != "" && c.VersionAfter != "" {
		fmt.Fprintf(&b, "; it was %s and is %s", c.VersionBefore, c.VersionAfter)
	}
	return b.String()
}

// what returns the verb phrase of the sentence: "became 12 % slower", "became 2.3 times as slow", "makes
// automata with 5 % fewer states".
func (c *Change) what() string {
	if c.Measure == "time" {
		switch {
		case c.Ratio >= 2:
			return fmt.Sprintf("became %s times as slow", factor(c.Ratio))
		case c.Ratio > 0 && c.Ratio <= 0.5:
			return fmt.Sprintf("became %s times as fast", factor(1/c.Ratio))
		}
		return "became " + plural.Percent(c.Ratio, "slower", "faster")
	}
	if c.Ratio >= 2 {
		return fmt.Sprintf("makes %s times as many %s", factor(c.Ratio), c.Measure)
	}
	return "makes automata with " + plural.Percent(c.Ratio, "more "+c.Measure, "fewer "+c.Measure)
}

// factor writes a factor of 2 or more with at least two digits: 2.3, 23.
func factor(ratio float64) string {
	if ratio < 10 {
		return strconv.FormatFloat(ratio, 'f', 1, 64)
	}
	return strconv.FormatFloat(ratio, 'f', 0, 64)
}

// likely writes a probability: "p = 0.012", "p = 0.0004", and below that "p < 0.0001".
func likely(p float64) string {
	switch {
	case p < 0.0001:
		return "p < 0.0001"
	case p < 0.001:
		return fmt.Sprintf("p = %.4f", p)
	}
	return fmt.Sprintf("p = %.3f", p)
}

// An ExitStatus is the exit status of a run.
type ExitStatus int

// The exit statuses of a run.
const (
	ExitPassed      ExitStatus = 0   // no disagreement
	ExitFailed      ExitStatus = 1   // a disagreement, a false property, or a failure that counts as one
	ExitBroken      ExitStatus = 2   // the run could not do its work
	ExitIncomplete  ExitStatus = 3   // no disagreement, but a translator failed, or a check is undecided
	ExitInterrupted ExitStatus = 130 // the run was interrupted before its last input
)

// exits have the first word of the line that closes a report.
var exits = map[ExitStatus]string{ExitPassed: "PASS", ExitFailed: "FAIL", ExitBroken: "ERROR", ExitIncomplete: "INCOMPLETE", ExitInterrupted: "INTERRUPTED"}

// Word returns PASS, FAIL, ERROR, INCOMPLETE or INTERRUPTED, or "" for another number. A run that passes
// without having checked anything is DONE: it must not look like one that found nothing.
func (e ExitStatus) Word(checked bool) string {
	if e == ExitPassed && !checked {
		return "DONE"
	}
	return exits[e]
}
