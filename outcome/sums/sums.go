// Package sums adds up the plain cases of a run, so that a history need not keep each of them.
//
// A case is plain if nothing about it needs a look: every translator gave an automaton or was not
// asked, and all checks were decided and passed. The [Sums] of the plain cases and all other cases
// make the same report as all cases do, except for comparisons of single formulas.
//
// The sums of parts, merged in any order, are the sums of the whole. All numbers are counts except
// Transitions, whose last digits may depend on the order.
package sums

import (
	"maps"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/quantile"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Sums add up the cases that a compacted run only counts. The zero value has no cases.
type Sums struct {
	Cases int `json:"cases"` // number of formulas, or of automata if these are the inputs
	// number of formulas with nothing to compare
	Unchecked int         `json:"unchecked,omitempty"`
	Passed    int         `json:"passed"`              // number of checks that passed
	Proved    int         `json:"proved"`              // number of automata that are proved
	Unproved  int         `json:"unproved"`            // number of automata that are not, where that was tried
	NoChecks  bool        `json:"no_checks,omitempty"` // true if the run had no checks
	Automata  bool        `json:"automata,omitempty"`  // true if the inputs are automata
	Sizes     map[int]int `json:"sizes,omitempty"`     // number of formulas of each size
	// number of formulas with each number of propositions
	Props map[int]int `json:"propositions,omitempty"`
	// number of formulas of each syntactic class
	Classes map[string]int `json:"classes,omitempty"`
	// number of inputs and words, for each size up to which all words were tried
	Short Short   `json:"exhaustive,omitempty"`
	Tools []*Tool `json:"translators"`          // sums of each translator
	Shown Shown   `json:"signatures,omitempty"` // the signatures that were shown
}

// Short counts cases by the size up to which all words were tried.
type Short map[int]Tried

// Tried adds up cases in which all words up to the same size were tried.
type Tried struct {
	Cases int `json:"cases"` // number of formulas, or of automata if these are the inputs
	Words int `json:"words"` // number of words
}

// Add adds a case. It returns s, or a new map if s is nil.
func (s Short) Add(c *outcome.Case) Short {
	if c == nil || c.Exhaustive == nil {
		return s
	}
	return s.Merge(Short{c.Exhaustive.Size: {1, c.Exhaustive.Words}})
}

// Merge adds others. It returns s, or a new map if s is nil.
func (s Short) Merge(others Short) Short {
	if s == nil {
		return maps.Clone(others) // others stay as they are
	}
	for size, x := range others {
		s[size] = Tried{s[size].Cases + x.Cases, s[size].Words + x.Words}
	}
	return s
}

// A Tool adds up what one translator made of these cases.
type Tool struct {
	Name    string `json:"name"`              // name of the translator
	OK      int    `json:"ok"`                // number of calls that gave an automaton
	Skipped int    `json:"skipped,omitempty"` // number of calls that were skipped
	// why the first skipped formula was skipped; missing if none was
	Skip        string  `json:"skip_reason,omitempty"`
	States      int     `json:"states"`      // number of states of all automata
	Edges       int     `json:"edges"`       // number of edges of all automata
	Transitions float64 `json:"transitions"` // number of transitions of all automata
	Sets        int     `json:"acc"`         // number of acceptance sets of all automata
	// by how many letters the shortest accepting runs are longer than the shortest words, summed up
	Excess   int           `json:"excess"`
	ExcessOf int           `json:"excess_automata"` // number of automata in the sum excess
	Time     time.Duration `json:"time"`            // time of all calls, in nanoseconds
	CPU      time.Duration `json:"cpu_time"`        // CPU time of all calls, in nanoseconds
	// memory in bytes, the most of any call; 0 if it is not known
	MaxRSS   int64    `json:"max_rss"`
	Sketches Sketches `json:"sketches"` // distributions of sizes and times
}

// Sketches have the distributions of states, edges, and seconds of each call that gave an
// automaton.
type Sketches struct {
	States  quantile.Sketch `json:"states"`  // distribution of the numbers of states
	Edges   quantile.Sketch `json:"edges"`   // distribution of the numbers of edges
	Seconds quantile.Sketch `json:"seconds"` // distribution of the times
}

// Plain reports whether a case is plain.
func Plain(c *outcome.Case) bool {
	if c == nil || c.Error != "" || c.Replayed || len(c.Disagreements)+len(c.Undecided)+len(c.Findings)+len(c.Errors)+len(c.Contradictions) > 0 {
		return false
	}
	return !slices.ContainsFunc(c.Checks, func(k outcome.Check) bool { return k.Verdict != outcome.Passed }) &&
		!slices.ContainsFunc(c.Results, func(r outcome.Result) bool {
			return r.Asked() && r.Status != outcome.OK && r.Status != outcome.Skipped
		})
}

// Add adds a plain case. place is its place among the cases of the run, from 1.
func (s *Sums) Add(c *outcome.Case, place int) {
	if c == nil {
		return
	}
	s.Cases++
	s.Passed += len(c.Checks)
	s.input(c)
	s.Short = s.Short.Add(c)
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() {
			s.NoChecks = true // without checks, negations are not asked
			continue
		}
		if r.Proved {
			s.Proved++
		} else if r.Unproved != "" {
			s.Unproved++
		}
		s.Of(r.Translator).add(r)
	}
	if !c.Checked && !s.NoChecks { // checks were made, but nothing was compared
		s.Unchecked++
	}
	s.Shown.Add(c.Signatures(), place)
}

// input counts the kind of the input. A case does not keep a formula that is not UTF-8 as it was.
// If its text is no formula, it has no kind.
func (s *Sums) input(c *outcome.Case) {
	if c.Automaton != nil {
		s.Automata = true
		return
	}
	f, err := ltl.NewStore().Parse(c.Formula, ltl.Spot)
	if err != nil {
		return
	}
	if s.Sizes == nil {
		s.Sizes, s.Props, s.Classes = map[int]int{}, map[int]int{}, map[string]int{}
	}
	s.Sizes[f.Size()]++
	s.Props[len(f.Props())]++
	s.Classes[f.SyntacticClass().String()]++
}

// Of returns the sums of the translator with a name, which may be new.
func (s *Sums) Of(name string) *Tool {
	k := slices.IndexFunc(s.Tools, func(t *Tool) bool { return t.Name == name })
	if k < 0 {
		k = len(s.Tools)
		s.Tools = append(s.Tools, &Tool{Name: name})
	}
	return s.Tools[k]
}

func (t *Tool) add(r *outcome.Result) {
	if r.Status == outcome.Skipped {
		t.Skipped++
		if t.Skip == "" {
			t.Skip = r.Detail
		}
	} else {
		t.OK++
		t.States += r.States
		t.Edges += r.Edges
		t.Transitions += r.Transitions
		t.Sets += r.Sets
		if r.Excess != nil {
			t.Excess += *r.Excess
			t.ExcessOf++
		}
		t.Sketches.States.Add(float64(r.States))
		t.Sketches.Edges.Add(float64(r.Edges))
		t.Sketches.Seconds.Add(r.Seconds)
	}
	t.Time += duration(r.Seconds)
	t.CPU += duration(r.CPU)
	t.MaxRSS = max(t.MaxRSS, r.MaxRSS)
}

// duration rounds to nanoseconds.
func duration(seconds float64) time.Duration { return time.Duration(seconds*1e9 + 0.5) }

// Merge adds other sums, and does not change them.
func (s *Sums) Merge(other *Sums) {
	if other == nil {
		return
	}
	s.Cases += other.Cases
	s.Unchecked += other.Unchecked
	s.Passed += other.Passed
	s.Proved += other.Proved
	s.Unproved += other.Unproved
	s.NoChecks = s.NoChecks || other.NoChecks
	s.Automata = s.Automata || other.Automata
	s.Sizes, s.Props, s.Classes = added(s.Sizes, other.Sizes), added(s.Props, other.Props), added(s.Classes, other.Classes)
	s.Short = s.Short.Merge(other.Short)
	for _, t := range other.Tools {
		s.Of(t.Name).merge(t)
	}
	s.Shown.Merge(other.Shown)
}

func (t *Tool) merge(other *Tool) {
	t.OK += other.OK
	t.Skipped += other.Skipped
	if t.Skip == "" || other.Skip != "" && other.Skip < t.Skip { // whatever the order of merges
		t.Skip = other.Skip
	}
	t.States += other.States
	t.Edges += other.Edges
	t.Transitions += other.Transitions
	t.Sets += other.Sets
	t.Excess += other.Excess
	t.ExcessOf += other.ExcessOf
	t.Time += other.Time
	t.CPU += other.CPU
	t.MaxRSS = max(t.MaxRSS, other.MaxRSS)
	t.Sketches.States.Merge(&other.Sketches.States)
	t.Sketches.Edges.Merge(&other.Sketches.Edges)
	t.Sketches.Seconds.Merge(&other.Sketches.Seconds)
}

// added adds counts to others, and returns these.
func added[K comparable](to, counts map[K]int) map[K]int {
	if to == nil { // others stay as they are
		return maps.Clone(counts)
	}
	for key, n := range counts {
		to[key] += n
	}
	return to
}
