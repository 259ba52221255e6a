package cross

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Case is the result for one formula, or for one automaton given to tools. It holds no
// automata, except the texts that Options.Statistics requests.
type Case struct {
	Index   int    `json:"index"`
	Formula string `json:"formula,omitempty"`
	// Automaton is the input if there is no formula. Then each translator has one result,
	// which is negated if it should be the complement.
	Automaton *Given  `json:"automaton,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"` // of the random formulas, if it is one
	// Replayed says that the case repeats a failure of an earlier run.
	Replayed bool     `json:"replayed,omitempty"`
	Results  []Result `json:"results"` // a translator's positive, its negative, the next's
	// Reference is the translator that the others were compared with first, or "".
	Reference string `json:"reference"`
	// Checked is set if something was compared: two automata, or one with its formula on
	// random words. Otherwise, having no disagreement means nothing.
	Checked       bool           `json:"checked"`
	Checks        []Check        `json:"checks"`
	Disagreements []Disagreement `json:"disagreements"`
	Undecided     []Undecided    `json:"undecided"`
	Findings      []Finding      `json:"findings"`
	// Error says why a line of a formulas file, or an automaton, can't be read, and where.
	// Then Formula (or the HOA of Automaton) is the text as given, and Results is empty.
	Error string `json:"error,omitempty"`
	// Errors are internal errors of xcheck: words that could not be certified, and panics.
	Errors []string `json:"errors,omitempty"`
	// Contradictions are the Errors that the audit found, with the data to reproduce them.
	Contradictions []Contradiction `json:"contradictions,omitempty"`
}

// A Subject is one automaton of a case: of a translator, for the formula or for its negation.
type Subject struct {
	Translator string `json:"translator"`
	Negated    bool   `json:"negated"`
}

// String returns the name that people read: "spin" or "spin (negation)".
func (s Subject) String() string {
	if s.Negated {
		return s.Translator + " (negation)"
	}
	return s.Translator
}

// Symbol returns the name that checks have in JSON: "P spin" or "N spin".
func (s Subject) Symbol() string {
	if s.Negated {
		return "N " + s.Translator
	}
	return "P " + s.Translator
}

// A Result is what a translator made of a formula, or of its negation. The sizes count
// the reachable part of the automaton as printed. They are set if Status is ok, and for
// automata that were read but can't be checked.
type Result struct {
	Subject
	Status        string  `json:"status"`           // "unasked" for negations when there are no checks
	Detail        string  `json:"detail,omitempty"` // of a failure or a skip, for people
	ExitCode      int     `json:"exit_code"`        // or the number of the signal; -1 after a timeout
	Command       string  `json:"command,omitempty"`
	Stderr        string  `json:"stderr,omitempty"`
	Group         string  `json:"group,omitempty"` // of a failure: the same for all that failed alike
	Seconds       float64 `json:"time"`
	CPU           float64 `json:"cpu_time"`
	MaxRSS        int64   `json:"max_rss"` // bytes
	Props         int     `json:"ap"`
	States        int     `json:"states"`
	Unreachable   int     `json:"unreachable"` // states that all other fields leave out
	Edges         int     `json:"edges"`
	Universal     int     `json:"universal_edges,omitempty"` // to several states at once
	Transitions   float64 `json:"transitions"`
	Sets          int     `json:"acc"`
	Components    int     `json:"scc"`
	Largest       int     `json:"largest_scc"` // states
	Nondet        int     `json:"nondet_states"`
	NondetEdges   int     `json:"nondet_edges"`
	Deterministic bool    `json:"deterministic"`
	Complete      bool    `json:"complete"`
	StateMarks    bool    `json:"state_acc"`
	VeryWeak      bool    `json:"very_weak"`
	Alternating   bool    `json:"alternating"`
	Acceptance    string  `json:"acceptance,omitempty"` // the name, or the condition if it has none
	// Strength is nil if unknown.
	*Strength
	// Ambiguous is nil if unknown.
	Ambiguous *bool `json:"ambiguous,omitempty"`
	// The reachable part of the product with each state space, from the first state of both.
	// They end before the first product that was given up.
	ProductStates      []int     `json:"product_states,omitempty"`
	ProductTransitions []float64 `json:"product_transitions,omitempty"`
	ProductSCC         []int     `json:"product_scc,omitempty"`
	// Automaton is the text in HOA, on one line.
	Automaton string `json:"automaton,omitempty"`
}

// A Disagreement is a word on which some automaton is wrong.
type Disagreement struct {
	Word     string `json:"word"`
	Size     int    `json:"size"`
	Shortest bool   `json:"shortest"` // proved that no shorter word shows the same
	// Truth says whether the formula holds on the word. An automaton for the formula is right
	// if it accepts the word exactly when Truth is set. One for the negation is right if it
	// rejects the word exactly then.
	Truth bool `json:"truth"`
	// Kind is "missing" where the blamed automata reject a word that they should
	// accept, "extra" where they accept one that they should reject.
	Kind    string    `json:"kind"`
	Accepts []Answer  `json:"accepts"`
	Blamed  []Subject `json:"blamed"`
	// Explanations say how each blamed automaton arrives at its answer. Table says which parts
	// of the formula hold along the word; it is nil if the word is too long.
	Explanations []Explanation `json:"explanations,omitempty"`
	Table        *TruthTable   `json:"truth_table,omitempty"`

	word *omega.Word
}

// An Answer says whether an automaton accepts the word of a disagreement.
type Answer struct {
	Subject
	Accepts bool `json:"accepts"`
	Right   bool `json:"right"`
}

// A Check is a check that was done: do two automata, or their complements, share a word?
type Check struct {
	Check   string `json:"check"`   // "P a & N b", "P a & !(P b)", "!(P a) & !(N b)", "products with state space 0"
	Verdict string `json:"verdict"` // "passed", "failed" or "undecided"
	// Constructions has the construction of each complement, from left to right. "negation" means that
	// the automaton for the negation served as the complement.
	Constructions []string `json:"constructions"`
	Macrostates   int      `json:"macrostates"`    // of the complements, made for this check
	ProductStates int      `json:"product_states"` // pairs of states visited
	// Emptiness is the requested emptiness check, if it applied to the product.
	Emptiness string `json:"emptiness,omitempty"`
	// Audited says that the check passed, and was decided again in another way.
	Audited bool `json:"audited,omitempty"`
}

// An Undecided is a check that was given up.
type Undecided struct {
	Check string `json:"check"` // that of a Check, "comparison with P a", "P a is tight", "P a on cycle{…}", "P a in products with state space 0"
	// Text is Check for people: "a is included in b (negation)", "comparison with a".
	Text string `json:"text,omitempty"`
	Why  string `json:"why"`
}

// newUndecided returns a check that was given up. The format has a %s for each subject.
func newUndecided(why, format string, subjects ...Subject) Undecided {
	var symbols, names []any
	for _, s := range subjects {
		symbols = append(symbols, s.Symbol())
		names = append(names, s.String())
	}
	return Undecided{Check: fmt.Sprintf(format, symbols...), Text: fmt.Sprintf(format, names...), Why: why}
}

// A Finding is something odd about an automaton that is no disagreement of languages.
type Finding struct {
	Subject
	// Class is "property", "proposition", "proposition-case", "alternation" (of an automaton
	// that was given to the tool without), or that of an oddity of translators.
	Class    string `json:"class"`
	Property string `json:"property,omitempty"` // the name that is false, if Class is "property"
	Text     string `json:"text"`
}

// seconds returns how long the call took that made an automaton; 0 if there was none.
func (c *Case) seconds(s Subject) float64 {
	i := slices.IndexFunc(c.Results, func(r Result) bool { return r.Subject == s })
	if i < 0 {
		return 0
	}
	return c.Results[i].Seconds
}

// Failed reports whether a result is a failure of the translator: it was called, and gave no
// automaton.
func (r *Result) Failed() bool { return r.Status != "ok" && r.Status != "skipped" && r.Asked() }

// Wrong reports whether some automaton is known to be wrong: it disagrees with the formula, or
// declares a false property.
func (c *Case) Wrong() bool {
	return len(c.Disagreements) > 0 || slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Class == "property" })
}

// Asked reports whether the translator was to get the formula at all. Without checks, it does
// not get negations.
func (r *Result) Asked() bool { return r.Status != "unasked" }
