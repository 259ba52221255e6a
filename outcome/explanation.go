package outcome

import (
	"fmt"
	"strings"
)

// An Explanation says why an automaton accepts a word or rejects it.
type Explanation struct {
	// Automata are the automata of the case that the explanation applies to. They are
	// identical except for names.
	Automata []Subject `json:"automata,omitempty"`
	Accepts  bool      `json:"accepts"`
	// Why is a sentence for people.
	Why string `json:"why"`
	// Run is an accepting run, a run that ends because no edge matches, or an infinite
	// rejecting run. It is nil if there is no initial state, and if no run can be shown.
	Run *Path `json:"run,omitempty"`
	// Stuck are the states in which the longest runs end, if all runs end.
	Stuck []Stuck `json:"stuck,omitempty"`
	// Stays are the places where infinite runs stay, if all are rejecting.
	Stays        []Stay      `json:"stays,omitempty"`
	StaysLeftOut int         `json:"stays_left_out,omitempty"`
	Divergence   *Divergence `json:"departure,omitempty"`
	// From has, for each letter of the word, the states of an alternating automaton from which
	// the rest is accepted. The runs of such an automaton are no paths, so none is shown.
	From []From `json:"accepted_from,omitempty"`
	// HOA is the text of the automaton, with the state numbers of the run. It is missing if
	// the automaton is too large.
	HOA string `json:"hoa,omitempty"`
}

// From has the states of an automaton from which the rest of a word is accepted.
type From struct {
	Letter        string `json:"letter"`
	States        []int  `json:"states"` // some of them, if they are many
	StatesLeftOut int    `json:"states_left_out,omitempty"`
	Again         bool   `json:"again"` // the letter is in the cycle of the word
}

// A Path is a run on a word, as a lasso. It may unroll the cycle of the word. A run that ends
// has no Cycle, and ends in state End.
type Path struct {
	Prefix []Step `json:"prefix"`
	Cycle  []Step `json:"cycle"`
	End    *int   `json:"end,omitempty"`
	// Obligation is what must hold from the letter at which the run ends.
	Obligation string `json:"obligation,omitempty"`
}

// At returns step i. The steps of the cycle come after the prefix.
func (r *Path) At(i int) *Step {
	if i < len(r.Prefix) {
		return &r.Prefix[i]
	}
	return &r.Cycle[i-len(r.Prefix)]
}

// A Step is an edge of a run.
type Step struct {
	Letter string `json:"letter"`
	State  int    `json:"state"`
	Name   string `json:"name,omitempty"` // of the state, if it has one
	Label  string `json:"label"`
	Marks  []int  `json:"marks"`
	To     int    `json:"to"`
	// Obligation is what must hold of the word from this letter on, if the formula holds on
	// the whole word; "" if unknown.
	Obligation string `json:"obligation,omitempty"`
	// NameHolds says whether the state's name holds from this letter on, if the states of the
	// automaton are named by formulas.
	NameHolds *bool `json:"name_holds,omitempty"`
}

// Stuck is a state in which a run ends, with the labels of its edges.
type Stuck struct {
	State  int      `json:"state"`
	Name   string   `json:"name,omitempty"`
	Labels []string `json:"labels"`
}

// A Stay is a set of states that a run can stay in.
type Stay struct {
	States        []int `json:"states"` // some of them, if they are many
	StatesLeftOut int   `json:"states_left_out,omitempty"`
	Marks         []int `json:"marks"` // seen there
	// Fails says why no run that stays is accepting: parts of the acceptance condition that
	// all of them violate. If runs violate different parts, Rest is the part of the condition
	// that none satisfies.
	Fails []string `json:"fails,omitempty"`
	Rest  string   `json:"rest,omitempty"`
}

// Why says why a run that stays is rejecting, without its subject: "sees {0} infinitely often, …".
func (s *Stay) Why() string {
	if s.Rest != "" {
		return fmt.Sprintf("sees marks of %s infinitely often, but never so that %s holds", MarksText(s.Marks), s.Rest)
	}
	return fmt.Sprintf("sees %s infinitely often, which violates %s", MarksText(s.Marks), strings.Join(s.Fails, " and "))
}

// MarksText returns marks as a set: "{0 2}", or "no marks".
func MarksText(list []int) string {
	if len(list) == 0 {
		return "no marks"
	}
	return "{" + strings.Trim(fmt.Sprint(list), "[]") + "}"
}

// A Divergence says where a run of a wrong automaton leaves the semantics, as far as the
// automaton shows it.
//
// A state should accept exactly the right continuations of each word that leads to it. A run that
// accepts a word wrongly does so from each of its states. There are three cases:
//
//   - Merge: on another word that leads to the state, acceptance is right. The states before
//     are wrong on all words that lead to them. Then the edge into the state is wrong, because
//     it merges two things that the states should distinguish.
//   - Cycle: all states of the run are wrong on all words that lead to them. Then its cycle
//     has wrong labels or marks.
//   - Name: the states are named by formulas. Then an edge is wrong if it leads from a state
//     whose name is false of the rest of the word to a state whose name is true.
//
// For a run that rejects wrongly, the same holds if it is the only run, with true and false
// exchanged. In a nondeterministic automaton, the set of possible states takes the place of
// the state.
type Divergence struct {
	// Kind is one of
	//
	//	merge           an edge merges what should be distinguished
	//	name            the names of the states show that an edge is wrong
	//	missing-edge    the last state of the run lacks an edge
	//	settled         the letters before decide the word, and the run still continues
	//	cycle           the cycle itself is wrong
	Kind string `json:"kind"`
	// At is the position of a state in the run, from 0: after the wrong edge, without the
	// missing edge, where the run continues, or at the start of the cycle.
	At int `json:"at"`
	// Other is a word that leads to the same state of a merge, and after which the state is
	// right.
	Other []string `json:"other,omitempty"`
	// States are the possible states of a nondeterministic automaton that rejects. Then At is
	// a number of letters.
	States []int  `json:"states,omitempty"`
	Text   string `json:"text"` // for people
}

// A TruthTable has the truth of a formula's subformulas along a word.
type TruthTable struct {
	// Letters are the letters at each position. After the last one comes position Cycle again.
	// Rounds of the cycle that a past operator distinguishes are unrolled.
	Letters []string   `json:"letters"`
	Cycle   int        `json:"cycle"`
	Rows    []TruthRow `json:"rows"` // the smallest subformula first
	// LeftOut is the number of small subformulas that have no row, because there are too many.
	LeftOut int `json:"left_out"`
}

// A TruthRow is the truth of a formula at each position, 0 or 1.
type TruthRow struct {
	Formula string `json:"formula"`
	Truth   string `json:"truth"`
}

// A Progression says what must hold from each position of a word, if a formula holds on the whole
// word: the formulas that remain after progression along the letters.
type Progression struct {
	Letters  []string `json:"letters"`
	Formulas []string `json:"formulas"`
	// Cycle is the position that follows the last one. It is -1 if the formulas do not repeat
	// by the third round of the word's cycle, or become too large.
	Cycle int `json:"cycle"`
}
