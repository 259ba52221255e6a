package report

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Tally adds up the cases of a run.
type Tally struct {
	Translators []*Totals
	Summary     Summary
}

// Totals are what came of one translator. An automaton is asked for twice a
// formula, of it and of its negation.
type Totals struct {
	Name    string `json:"name"`
	Command string `json:"command"`
	Version string `json:"version,omitempty"` // missing if it is not known
	// Formulas is the number of automata asked for, Statuses how many of them
	// ended in which way: "ok", "skipped" or a class of failure.
	Formulas int            `json:"formulas"`
	Statuses map[string]int `json:"statuses"`
	Skip     string         `json:"skip_reason,omitempty"` // of the first that was skipped
	// WrongP and WrongN count the formulas for which the automaton of the formula,
	// and of its negation, is wrong.
	WrongP   int `json:"wrong_positive"`
	WrongN   int `json:"wrong_negative"`
	Findings int `json:"findings"` // false properties and odd output
	// Sums over all automata that are ok.
	States      int     `json:"states"`
	Edges       int     `json:"edges"`
	Transitions float64 `json:"transitions"`
	Sets        int     `json:"acc"`
	Seconds     float64 `json:"time"` // of all calls, failed ones too
	CPU         float64 `json:"cpu_time"`
}

// A Summary counts over all cases.
type Summary struct {
	Formulas      int    `json:"formulas"`
	Unchecked     int    `json:"unchecked"` // formulas of which there was nothing to compare
	Disagreeing   int    `json:"formulas_with_disagreement"`
	Disagreements int    `json:"disagreements"`
	Failures      int    `json:"failures"` // calls of translators that failed
	Skipped       int    `json:"skipped"`
	Undecided     int    `json:"undecided"` // checks
	Findings      int    `json:"findings"`
	FalseProps    int    `json:"false_properties"` // findings that are false declared properties
	Errors        int    `json:"internal_errors"`
	Interrupted   bool   `json:"interrupted"`
	Error         string `json:"error,omitempty"` // what ended the run before its end
	Status        int    `json:"exit_status"`
}

// NewTally starts at zero for the given translators.
func NewTally(tools []*translators.Tool) *Tally {
	t := &Tally{}
	for _, tool := range tools {
		t.Translators = append(t.Translators, &Totals{Name: tool.Name, Command: tool.Command.Text(), Version: tool.Version, Statuses: map[string]int{}})
	}
	return t
}

// Add adds a case.
func (t *Tally) Add(c *cross.Case) {
	s := &t.Summary
	s.Formulas++
	s.Disagreements += len(c.Disagreements)
	if len(c.Disagreements) > 0 {
		s.Disagreeing++
	}
	if !c.Checked {
		s.Unchecked++
	}
	s.Undecided += len(c.Undecided)
	s.Findings += len(c.Findings)
	for _, f := range c.Findings {
		if f.Class == "property" {
			s.FalseProps++
		}
	}
	s.Errors += len(c.Errors)
	for i, r := range c.Results {
		tool := t.Translators[i/2]
		tool.Formulas++
		tool.Statuses[r.Status]++
		if r.Status == "skipped" && tool.Skip == "" {
			tool.Skip = r.Detail
		}
		tool.Seconds += r.Seconds
		tool.CPU += r.CPU
		switch {
		case r.Failed():
			s.Failures++
		case r.Status == "skipped":
			s.Skipped++
		default:
			tool.States += r.States
			tool.Edges += r.Edges
			tool.Transitions += r.Transitions
			tool.Sets += r.Sets
		}
		blamed := slices.ContainsFunc(c.Disagreements, func(d cross.Disagreement) bool {
			return slices.Contains(d.Blamed, r.Subject)
		})
		if blamed && r.Negated {
			tool.WrongN++
		} else if blamed {
			tool.WrongP++
		}
		for _, f := range c.Findings {
			if f.Subject == r.Subject {
				tool.Findings++
			}
		}
	}
}

// failed returns how many calls of the translator failed.
func (t *Totals) failed() int {
	n := 0
	for status, k := range t.Statuses {
		if status != "ok" && status != "skipped" {
			n += k
		}
	}
	return n
}
