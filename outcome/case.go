package outcome

import (
	"slices"
	"strings"
)

// A Polarity says which of two formulas an automaton is for. In JSON and in histories it is true
// for the negation.
type Polarity bool

const (
	Formula  Polarity = false
	Negation Polarity = true
)

// BothPolarities are the formula and its negation, in the order of results.
var BothPolarities = [...]Polarity{Formula, Negation}

// String returns "formula" or "negation".
func (p Polarity) String() string {
	if p == Negation {
		return "negation"
	}
	return "formula"
}

// Index returns 0 for the formula and 1 for its negation.
func (p Polarity) Index() int {
	if p == Negation {
		return 1
	}
	return 0
}

// A Subject is one automaton of a case: of a translator, for the formula or for its negation.
type Subject struct {
	Translator string   `json:"translator"`
	Polarity   Polarity `json:"negated"`
}

// String returns the name that people read: "spin" or "spin (negation)".
func (s Subject) String() string {
	if s.Polarity == Negation {
		return s.Translator + " (negation)"
	}
	return s.Translator
}

// Symbol returns the name that checks have in JSON: "P spin" or "N spin".
func (s Subject) Symbol() string {
	if s.Polarity == Negation {
		return "N " + s.Translator
	}
	return "P " + s.Translator
}

// A Case is the result for one formula, or for one automaton given to tools. It holds no
// automata, except the texts that Options.Statistics requests.
type Case struct {
	Index   int    `json:"index"`
	Formula string `json:"formula,omitempty"`
	// Automaton is the input if there is no formula. Then each translator has one result,
	// which is negated if it should be the complement.
	Automaton *Given  `json:"automaton,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"` // of the random formulas, if it is one
	// Parents are the formulas that a random one was made of, since they showed something new.
	Parents []string `json:"parents,omitempty"`
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
	// Contradictions are the Errors that the audit and short words found, with the data to
	// reproduce them.
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	// Exhaustive says on which words all automata were compared with the formula. It is nil if no
	// such size was asked for, or nothing was compared.
	Exhaustive *Exhaustive `json:"exhaustive,omitempty"`
}

// Exhaustive is all words up to a size.
type Exhaustive struct {
	Size  int `json:"size"`  // 0 if not even all words of one letter were tried
	Words int `json:"words"` // of these sizes
}

// NewCase returns a case without results. Its lists are empty, not nil, because JSON has [] for them.
func NewCase(index int, formula string, seed *uint64) *Case {
	return &Case{Index: index, Formula: strings.ToValidUTF8(formula, "\uFFFD"), Seed: seed, Results: []Result{},
		Checks: []Check{}, Disagreements: []Disagreement{}, Undecided: []Undecided{}, Findings: []Finding{}}
}

// Options returns the options that were drawn for a translator.
func (c *Case) Options(translator string) []string {
	i := slices.IndexFunc(c.Results, func(r Result) bool { return r.Translator == translator })
	if i < 0 {
		return nil
	}
	return c.Results[i].Options
}

// Title returns the formula of the case, or the source of its automaton.
func (c *Case) Title() string {
	if c.Automaton != nil {
		return c.Automaton.Source
	}
	return c.Formula
}

// Text returns what is the same for the same input in every run: the formula of the case, or the
// source of its automaton and, on the lines behind, the HOA text.
func (c *Case) Text() string {
	if c.Automaton != nil {
		return c.Automaton.Source + "\n" + c.Automaton.HOA
	}
	return c.Formula
}

// TitleOf returns the Title of the case that has a Text.
func TitleOf(text string) string {
	title, _, _ := CutText(text)
	return title
}

// CutText splits the Text of a case into its Title and the HOA text of its automaton, if it has one.
func CutText(text string) (title, hoa string, ok bool) {
	if i := strings.Index(text, "\nHOA: v1\n"); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

// Wrong reports whether some automaton is known to be wrong: it disagrees with the formula, or
// declares a false property.
func (c *Case) Wrong() bool {
	return len(c.Disagreements) > 0 || slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Class == FalseProperty })
}

// A Given is the automaton that the tools of a case got.
type Given struct {
	Source        string  `json:"source"`         // "automata.hoa:12", "random 3"
	Span          string  `json:"span,omitempty"` // its place in a file, as autcross has it: "12.1-20.7"
	Name          string  `json:"name,omitempty"` // that the automaton has
	HOA           string  `json:"hoa"`
	Props         int     `json:"ap"`
	States        int     `json:"states"`
	Edges         int     `json:"edges"`
	Transitions   float64 `json:"transitions"`
	Sets          int     `json:"acc"`
	Components    int     `json:"scc"`
	Nondet        int     `json:"nondet_states"`
	Deterministic bool    `json:"deterministic"`
	Alternating   bool    `json:"alternating"`
	Acceptance    string  `json:"acceptance"`
}
