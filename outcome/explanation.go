package outcome

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
)

// An Explanation says why an automaton accepts a word or rejects it.
type Explanation struct {
	// the automata that the explanation is about
	Automata []Subject `json:"automata,omitempty"`
	Accepts  bool      `json:"accepts"` // true if the automata accept the word
	Why      string    `json:"why"`     // a sentence that says the same
	// a run on the word; missing if none can be shown, or if it has more than 200 steps
	Run *Path `json:"run,omitempty"`
	// states in which the longest runs end, at most 20, if all runs end
	Stuck []Stuck `json:"stuck,omitempty"`
	// where infinite runs stay, at most 3 places, if all are rejecting
	Stays []Stay `json:"stays,omitempty"`
	// number of such places that are not listed
	StaysLeftOut int `json:"stays_left_out,omitempty"`
	// the place of the mistake; missing if that is not known
	Repair *Repair `json:"departure,omitempty"`
	// of an alternating automaton: the states from which the rest of the word is accepted, for each
	// letter
	From []From `json:"accepted_from,omitempty"`
	// the automaton in HOA format, with the state numbers of the run; missing if it is large
	HOA string `json:"hoa,omitempty"`
}

// From has the states of an automaton from which the rest of a word is accepted.
type From struct {
	Letter string `json:"letter"` // the letter, a full valuation of the propositions
	States []int  `json:"states"` // the states, at most 20
	// number of states that are not listed
	StatesLeftOut int  `json:"states_left_out,omitempty"`
	Again         bool `json:"again"` // true if the letter is in the cycle of the word
}

// A Path is a run on a word, as a lasso. It may unroll the cycle of the word. A run that ends
// has no cycle.
type Path struct {
	Prefix []Step `json:"prefix"` // steps before the cycle
	Cycle  []Step `json:"cycle"`  // steps of the cycle, which repeat; empty if the run ends
	// the state in which the run ends; missing if it has a cycle
	End *int `json:"end,omitempty"`
	// what must hold from the letter at which the run ends
	Obligation string `json:"obligation,omitempty"`
}

// At returns step i, or nil if there is none. The steps of the cycle come after the prefix.
func (r *Path) At(i int) *Step {
	n := len(r.Prefix)
	switch {
	case i >= n && i-n < len(r.Cycle):
		return &r.Cycle[i-n]
	case i >= 0 && i < n:
		return &r.Prefix[i]
	}
	return nil
}

// A Step is an edge of a run.
type Step struct {
	Letter string `json:"letter"`         // the letter, a full valuation of the propositions
	State  int    `json:"state"`          // the state before the step
	Name   string `json:"name,omitempty"` // name of that state; missing if it has none
	Label  string `json:"label"`          // label of the edge
	Marks  []int  `json:"marks"`          // marks of the edge
	To     int    `json:"to"`             // the state after the step
	// what must hold from this letter on, if the formula holds; missing if unknown
	Obligation string `json:"obligation,omitempty"`
	// true if the formula that names the state holds from this letter on; missing if no formula
	// names it
	NameHolds *bool `json:"name_holds,omitempty"`
}

// Stuck is a state in which a run ends, with the labels of its edges.
type Stuck struct {
	State  int      `json:"state"`          // number of the state
	Name   string   `json:"name,omitempty"` // name of the state; missing if it has none
	Labels []string `json:"labels"`         // labels of its edges
}

// A Stay is a set of states that a run can stay in.
type Stay struct {
	States []int `json:"states"` // states of the place, at most 20
	// number of states that are not listed
	StatesLeftOut int   `json:"states_left_out,omitempty"`
	Marks         []int `json:"marks"` // marks seen there
	// parts of the acceptance condition that all runs there violate
	Fails []string `json:"fails,omitempty"`
	// what remains of the condition, if runs violate different parts
	Rest string `json:"rest,omitempty"`
}

// Why says why a run that stays is rejecting, without its subject: "sees {0} infinitely often, …".
func (s *Stay) Why() string {
	if s.Rest != "" {
		return fmt.Sprintf("sees marks of %s infinitely often, but never so that %s holds", plural.Marks(s.Marks), s.Rest)
	}
	return fmt.Sprintf("sees %s infinitely often, which violates %s", plural.Marks(s.Marks), strings.Join(s.Fails, " and "))
}

// A Repair is the only place of a wrong automaton where a change makes it right. So it names the
// place of a mistake, if there is only one. See [explain.Repair] for the changes that are tried.
// Results of earlier versions have steps of a run instead, which need not be wrong.
type Repair struct {
	// "edge": the edges change; "state": edges of the states, or one more; "start": the initial
	// states. Results of earlier versions have other kinds
	Kind string `json:"kind"`
	At   int    `json:"at"` // of earlier versions: a position in the run
	// of earlier versions: another word that leads to the state there
	Other  []string `json:"other,omitempty"`
	States []int    `json:"states,omitempty"` // the states whose edges change
	Edges  []int    `json:"edges,omitempty"`  // the edges, by their places in these states, from 0
	Text   string   `json:"text"`             // a sentence that says the same
}

// A TruthTable has the truth of a formula's subformulas along a word.
type TruthTable struct {
	Letters []string   `json:"letters"`  // the letter at each position of the word
	Cycle   int        `json:"cycle"`    // the position, from 0, that follows the last one
	Rows    []TruthRow `json:"rows"`     // subformulas, the smallest first
	LeftOut int        `json:"left_out"` // number of small subformulas without a row
}

// A TruthRow is the truth of a formula at each position, 0 or 1.
type TruthRow struct {
	Formula string `json:"formula"` // the formula, in Spot's syntax
	Truth   string `json:"truth"`   // a 0 or 1 for each position
}

// A Progression says what must hold from each position of a word, if a formula holds on the whole
// word: the formulas that remain after progression along the letters.
type Progression struct {
	Letters  []string `json:"letters"`  // the letter at each position of the word
	Formulas []string `json:"formulas"` // what must hold from each position on
	// the position, from 0, that follows the last one; -1 if there is none
	Cycle int `json:"cycle"`
}

// String says why the automaton accepts or rejects the word. [report.Text.Explanation] also prints
// the run.
func (e *Explanation) String() string { return screen.Line(e.Why, 400) }

// List returns the states separated by commas.
func (s *Stay) List() string { return listed(s.States, s.StatesLeftOut) }

// List returns the states separated by commas, or "none".
func (f *From) List() string { return cmp.Or(listed(f.States, f.StatesLeftOut), "none") }

func listed(states []int, leftOut int) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(states), "[]"), " ", ", ")
	if leftOut > 0 {
		text += ", …"
	}
	return text
}

// Named returns the start of the state's name, and whether that is false of the rest of the word.
func (s *Step) Named() string {
	name := screen.Line(s.Name, 30)
	if s.NameHolds != nil && !*s.NameHolds {
		name += " (false)"
	}
	return name
}
