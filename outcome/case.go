// Package outcome has the values that a run yields: what became of each formula, what is wrong with
// which translator, and what is new since earlier runs. Package cross makes them, history stores
// them, report prints them.
//
//	Case                the results of one formula, or of one automaton
//	  Result            an automaton, or how the call of the translator failed
//	  Check, Undecided  what was decided, and what was not
//	  Disagreement      a word, and who is wrong on it
//	  Finding           something odd about one automaton
//	Cause, Problem      failures of many cases that have one reason
//	Regression          what became of the failures of earlier runs
//
// These types are what is stored as well, and what --json prints: their tags are the format.
// A case of an old history and one of tonight are read by the same tags, so no tag ever changes.
// Golden files in report/testdata and history/testdata hold every field.
//
// The package imports omega, for the sizes of automata, and small packages for text.
package outcome

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Polarity says which of two formulas an automaton is for. In JSON and in histories it is true
// for the negation.
type Polarity bool

const (
	Formula  Polarity = false
	Negation Polarity = true
)

// BothPolarities returns the formula and its negation, in the order of results.
func BothPolarities() []Polarity { return []Polarity{Formula, Negation} }

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
	Translator string `json:"translator"` // name of the translator
	// true if this is about the negation of the formula
	Polarity Polarity `json:"negated"`
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

// RestOfCase is the check that a case leaves undecided when a limit of time or memory ends all its checks.
const RestOfCase = "the rest of the case"

// A Case is the result for one formula, or for one automaton given to tools. It holds no
// automata, except the texts that Options.Statistics requests.
type Case struct {
	Index int `json:"index"` // number of the input, from 0
	// the formula, in Spot's syntax; missing if the input is an automaton
	Formula string `json:"formula,omitempty"`
	// the input of xcheck aut; missing if the input is a formula
	Automaton *Given `json:"automaton,omitempty"`
	// seed of the random formula; missing if the formula was given
	Seed *uint64 `json:"seed,omitempty"`
	// true if the formula was replayed because it failed in an earlier run
	Replayed bool `json:"replayed,omitempty"`
	// two for each translator in order: of the formula and of its negation; with xcheck aut, one
	// for each tool
	Results []Result `json:"results"`
	// what the CSV of the run has of the case
	CSV *Listing `json:"csv,omitempty"`
	// the translator with which the others were compared first: builtin is xcheck's own; empty
	// without a reference, and if all automata are proved
	Reference string `json:"reference"`
	// true if something was compared; otherwise, having no disagreement means nothing
	Checked bool    `json:"checked"`
	Checks  []Check `json:"checks"` // the checks that were done; automata that are proved need none
	// words on which an automaton is wrong
	Disagreements []Disagreement `json:"disagreements"`
	Undecided     []Undecided    `json:"undecided"` // checks that were given up
	Findings      []Finding      `json:"findings"`  // what is odd but no disagreement
	// why the line or the automaton can't be read, and where; then there are no results
	Error  string   `json:"error,omitempty"`
	Errors []string `json:"errors,omitempty"` // failures of xcheck itself
	// passed checks that a short word contradicts
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	// all words up to this size were compared; missing without such a check
	Exhaustive *Exhaustive `json:"exhaustive,omitempty"`
	// Witnesses are the words of the checks that failed. Unlike Disagreements, they have a word for
	// each two automata that a check tells apart. They are missing if the case was read.
	Witnesses []Witness `json:"-"`
	// Line is how ltlcross shows the formula, or has the HOA text of the automaton; nil if nobody asks.
	Line *LogLine `json:"-"`
}

// A LogLine is a formula and its negation as ltlcross spells them. The other fields are for its log.
type LogLine struct {
	Formula, Negation string
	Place, Text       string // such as "f.ltl:3", and what was read there
	Wrong             string // what to print, if it is no formula
	Duplicate         bool   // it was not translated
}

// A Listing says which lines and columns the CSV of a run has, so that it can be written again.
type Listing struct {
	// built-in translators that nobody asked for: they have no lines
	Aside       []string `json:"aside,omitempty"`
	Products    int      `json:"products,omitempty"`     // number of products for each automaton; 0 has no columns
	Each        bool     `json:"each,omitempty"`         // true if each product has columns, not their average
	Strength    bool     `json:"strength,omitempty"`     // true with --strength
	Ambiguous   bool     `json:"ambiguous,omitempty"`    // true with --ambiguous
	Automata    bool     `json:"automata,omitempty"`     // true with --automata
	OmitMissing bool     `json:"omit_missing,omitempty"` // true with --omit-missing
	More        bool     `json:"more,omitempty"`         // true with --csv-more
}

// Exhaustive is all words up to a size.
type Exhaustive struct {
	// the greatest size of these words; 0 if not even all words of one letter were tried
	Size  int `json:"size"`
	Words int `json:"words"` // number of words
}

// NewCase returns a case without results. Its lists are empty, not nil, because JSON has [] for
// them.
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

// Abandoned reports whether a limit of time or memory has ended the checks of the case.
func (c *Case) Abandoned() bool {
	return c != nil && slices.ContainsFunc(c.Undecided, func(u Undecided) bool { return u.Check == RestOfCase })
}

// Judged reports whether the automaton of a result was compared with something, or proved.
func (c *Case) Judged(r *Result) bool {
	if c == nil || r == nil {
		return false
	}
	symbol := r.Symbol()
	open := func(u Undecided) bool { return u.Check == RestOfCase || strings.Contains(u.Check, symbol) }
	switch {
	case r.Proved:
		return true
	case !c.Checked || !slices.ContainsFunc(c.Undecided, open):
		return c.Checked
	}
	// Some check of it is undecided. Another one may be decided, or a word may show what it accepts.
	return len(c.Disagreements) > 0 || slices.ContainsFunc(c.Checks, func(k Check) bool {
		return k.Verdict != NotDecided && slices.ContainsFunc(strings.Split(k.Check, " & "), func(side string) bool {
			return side == symbol || side == "!("+symbol+")"
		})
	})
}

// Wrong reports whether some automaton is known to be wrong: it disagrees with the formula, or
// declares a false property.
func (c *Case) Wrong() bool {
	return len(c.Disagreements) > 0 || slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Class == FalseProperty })
}

// Identity returns what tells failures of a class on this automaton from others: what a tool may get
// wrong in it, and a hash of the automaton. Time and memory depend on its size alone.
//
//	Buchi, incomplete, missing words, 2 states or more | 5f0c1a22
func (g *Given) Identity(class Class) string {
	var list []string
	add := func(ok bool, feature string) {
		if ok {
			list = append(list, feature)
		}
	}
	if !class.Exhausted() {
		kind := strings.TrimRight(g.Acceptance, " 0123456789") // without the number of sets
		if strings.Contains(kind, "(") {                       // a condition without a name
			kind = "generic"
		}
		add(true, kind)
		initial := strings.Count(g.HOA, "\nStart:")
		add(initial == 0, "no initial state")
		add(initial > 1, "several initial states")
		add(g.Nondet > 0, "nondeterministic")
		add(g.Alternating, "alternating")
		add(g.Deterministic && g.Transitions < float64(g.States)*omega.Letters(g.Props), "incomplete")
		add(g.Props == 0, "no proposition")
		add(g.Components > 1, "several components")
		add(class.Extra, "extra words")
		add(class.Missing, "missing words")
	}
	add(true, "an automaton")
	add(g.States > 1, "2 states or more")
	add(g.States > 4, "5 states or more")
	h := fnv.New32a()
	io.WriteString(h, g.HOA)
	return fmt.Sprintf("%s | %08x", strings.Join(list, ", "), h.Sum32())
}

// Explains reports whether the failure may be the reason of another one on an automaton, with a key: a tool
// gets wrong in both what it gets wrong in this one.
func (r *Record) Explains(key string) bool {
	features := func(key string) []string {
		parts := strings.Split(key, " | ")
		return strings.Split(parts[max(0, len(parts)-2)], ", ") // the hash is last
	}
	return !slices.ContainsFunc(features(r.Key), func(f string) bool { return !slices.Contains(features(key), f) })
}

// Place returns where an automaton is from, with lines and columns if it is from a file.
func (g *Given) Place() string {
	if i := strings.LastIndexByte(g.Source, ':'); g.Span != "" && i >= 0 {
		return g.Source[:i+1] + g.Span
	}
	return g.Source
}

// A Given is the automaton that the tools of a case got.
type Given struct {
	// where the automaton is from: "FILE:LINE" or "random K"
	Source string `json:"source"`
	// its place in the file: "LINE.COLUMN-LINE.COLUMN"
	Span string `json:"span,omitempty"`
	// name that the automaton declares; missing if it has none
	Name   string `json:"name,omitempty"`
	HOA    string `json:"hoa"`    // the automaton in HOA format
	Props  int    `json:"ap"`     // number of propositions
	States int    `json:"states"` // number of states
	Edges  int    `json:"edges"`  // number of edges
	// number of edges, each counted once for each letter
	Transitions float64 `json:"transitions"`
	Sets        int     `json:"acc"` // number of acceptance sets
	Components  int     `json:"scc"` // number of strongly connected components
	// number of states with two edges that share a letter
	Nondet        int  `json:"nondet_states"`
	Deterministic bool `json:"deterministic"` // true if the automaton is deterministic
	Alternating   bool `json:"alternating"`   // true if the automaton is alternating
	// name of the acceptance condition, or the condition if it has no name
	Acceptance string `json:"acceptance"`
}
