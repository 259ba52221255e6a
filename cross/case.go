package cross

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Case is what came out for one formula, or for one automaton that tools were given. It
// holds no automaton, but for the text of those that Options.Statistics asks for.
type Case struct {
	Index   int    `json:"index"`
	Formula string `json:"formula,omitempty"`
	// Automaton is given instead of a formula. Then each translator has one result,
	// which is negated if it was to be the complement.
	Automaton *Given  `json:"automaton,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"` // of the random formulas, if it is one
	// Replayed says that the case is there since something failed on it in an earlier run.
	Replayed bool     `json:"replayed,omitempty"`
	Results  []Result `json:"results"` // a translator's positive, its negative, the next's
	// Reference is the translator whose automata the others were compared with
	// first; "" if there was none.
	Reference string `json:"reference"`
	// Checked is set if something was compared: two automata, or one with its
	// formula on random words. Otherwise it means nothing that there is no
	// disagreement.
	Checked       bool           `json:"checked"`
	Checks        []Check        `json:"checks"`
	Disagreements []Disagreement `json:"disagreements"`
	Undecided     []Undecided    `json:"undecided"`
	Findings      []Finding      `json:"findings"`
	// Error says where and what is wrong with a line of a formulas file, or an automaton,
	// that can't be read. Formula (or the HOA of Automaton) is then the text as given, and
	// Results is empty.
	Error string `json:"error,omitempty"`
	// Errors are failures of xcheck itself: words that could not be certified, panics.
	Errors []string `json:"errors,omitempty"`
	// Contradictions are those of Errors that an audit has found, to reproduce them.
	Contradictions []Contradiction `json:"contradictions,omitempty"`
}

// A Subject is one automaton of a case: of a translator, for the formula or for
// its negation.
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

// A Result is what a translator made of a formula, or of its negation. The sizes
// are of the reachable part of the automaton as printed; they are given if Status is ok,
// and for automata that were read but can't be checked.
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
	// Strength is nil if it is not known.
	*Strength
	// Ambiguous is nil if it is not known.
	Ambiguous *bool `json:"ambiguous,omitempty"`
	// Of the products with each state space, the part that is reached from the first
	// state of both. There is none for those from the first on that was given up.
	ProductStates      []int     `json:"product_states,omitempty"`
	ProductTransitions []float64 `json:"product_transitions,omitempty"`
	ProductSCC         []int     `json:"product_scc,omitempty"`
	// Automaton is the text in HOA format, on one line.
	Automaton string `json:"automaton,omitempty"`
}

// A Disagreement is a word on which some automaton is wrong.
type Disagreement struct {
	Word     string `json:"word"`
	Size     int    `json:"size"`
	Shortest bool   `json:"shortest"` // proved that no shorter word shows the same
	// Truth of the formula on the word. An automaton of the formula is right if it
	// accepts the word if and only if Truth, one of the negation if and only if
	// not.
	Truth bool `json:"truth"`
	// Kind is "missing" where the blamed automata reject a word that they should
	// accept, "extra" where they accept one that they should reject.
	Kind    string    `json:"kind"`
	Accepts []Answer  `json:"accepts"`
	Blamed  []Subject `json:"blamed"`
	// Explanations say of each automaton that is blamed how it comes to its answer, and
	// Table what holds of the formula's parts along the word; it is missing if the word is
	// too long for one.
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

// A Check is one that was done: do two automata, or their complements, share a
// word?
type Check struct {
	Check   string `json:"check"`   // "P a & N b", "P a & !(P b)", "!(P a) & !(N b)", "products with state space 0"
	Verdict string `json:"verdict"` // "passed", "failed" or "undecided"
	// Constructions of the complements in it, from left to right; "negation" where
	// an automaton that is known to accept it was taken for one.
	Constructions []string `json:"constructions"`
	Macrostates   int      `json:"macrostates"`    // of the complements, made for this check
	ProductStates int      `json:"product_states"` // pairs of states visited
	// Emptiness is the check that was asked for, if it fitted the product.
	Emptiness string `json:"emptiness,omitempty"`
	// Audited says that it has passed, and was decided again in another way.
	Audited bool `json:"audited,omitempty"`
}

// Undecided is a check that was given up.
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

// A Finding is odd about an automaton, but no disagreement of languages.
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

// Failed reports whether a result is a failure of the translator: neither an
// automaton, nor a formula that it was not given.
func (r *Result) Failed() bool { return r.Status != "ok" && r.Status != "skipped" && r.Asked() }

// Wrong reports whether some automaton is known to be wrong: it disagrees with the
// formula, or does not have a property that it declares.
func (c *Case) Wrong() bool {
	return len(c.Disagreements) > 0 || slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Class == "property" })
}

// Asked reports whether the translator was to be given the formula at all: it is not
// given negations when there are no checks.
func (r *Result) Asked() bool { return r.Status != "unasked" }
