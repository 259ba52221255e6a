package report

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Group is a set of calls of one translator that failed alike, or whose output is odd in the
// same way. It has the smallest formula that shows it.
type Group struct {
	Translator string `json:"translator"` // name of the translator
	// status of the failed calls, or class of the findings; "other" for all after the first 1000
	// groups of the translator
	Class   string `json:"class"`
	Finding bool   `json:"finding"` // true for findings, false for failed calls
	// what the calls have in common, with … for what differs; empty for "other"
	Signature string `json:"signature"`
	Calls     int    `json:"calls"`    // number of calls; a formula and its negation are two
	Formulas  int    `json:"formulas"` // number of formulas
	Index     int    `json:"index"`    // number of the smallest formula that shows it, from 0
	// the smallest formula that shows it, or the source of the smallest automaton
	Formula string  `json:"formula"`
	Seed    *uint64 `json:"seed,omitempty"` // seed of that formula; missing if it was given
	// true if this is about the negation of the formula
	Polarity outcome.Polarity `json:"negated"`
	ExitCode int              `json:"exit_code"` // exit status of that call, or number of the signal
	Detail   string           `json:"detail"`    // what happened in that call
	// a command for the shell that reproduces that call
	Command string `json:"command,omitempty"`
	// start and end of the standard error of that call
	Stderr string `json:"stderr,omitempty"`

	key          outcome.Key
	lastCase     int              // in which it was met
	lastPolarity outcome.Polarity // in the last call in which it was met

	automaton bool // Formula is the source of one
	size      int
}

// Input returns the input of the translator: a formula, or the source of an automaton.
func (g *Group) Input() string {
	if g.automaton {
		return g.Formula
	}
	return input(g.Formula, g.Polarity)
}

func input(formula string, p outcome.Polarity) string {
	if p == outcome.Negation {
		return "!(" + formula + ")"
	}
	return outcome.TitleOf(formula)
}

// maxGroups is the maximum number of groups of a translator. One more group is for all other
// failures.
const maxGroups = 1000

// groups finds the Group of what is wrong with a call.
type groups struct {
	list  []*Group
	byKey map[outcome.Key]*Group
	count map[string]int // of each translator
}

// failure adds a failed call of a case, and reports whether it is the first of its group. Cases are
// numbered as they come. If mine crashes twice with "assertion failed" and once with "out of
// memory", the answers are true, false and true.
func (g *groups) failure(number int, c *outcome.Case, r *outcome.Result) bool {
	class := r.Failure
	if class.Status != r.Status { // it has no signature
		class = outcome.Class{Status: r.Status, Said: class.String()}
	}
	return g.add(number, c, r, class, r.Failure.String(), r.Detail)
}

func (g *groups) finding(number int, c *outcome.Case, r *outcome.Result, f *outcome.Finding) bool {
	class := f.FailureClass() // without the states and words of the text
	switch {
	case f.Formula != "":
		class.Said = f.Text
		return g.add(number, &outcome.Case{Index: c.Index, Formula: f.Formula}, &outcome.Result{Subject: r.Subject}, class, class.String(), f.Text)
	case f.Property == "":
		class.Said = translators.Pattern(f.Text, c.Formula)
	}
	return g.add(number, c, r, class, class.String(), f.Text)
}

func (g *groups) add(number int, c *outcome.Case, r *outcome.Result, class outcome.Class, signature, detail string) (first bool) {
	if g.byKey == nil {
		g.byKey, g.count = map[outcome.Key]*Group{}, map[string]int{}
	}
	key := outcome.Key{Translator: r.Translator, Class: class}
	x := g.byKey[key]
	other := x == nil && g.count[key.Translator] == maxGroups
	if other {
		key.Class = outcome.Class{}
		x = g.byKey[key]
	}
	if first = x == nil; first {
		x = &Group{Translator: key.Translator, key: key, lastCase: -1}
		g.list = append(g.list, x)
		g.byKey[key] = x
		if other {
			x.Class = "other"
		} else {
			g.count[key.Translator]++
			x.Class, x.Finding, x.Signature = cmp.Or(string(class.Finding), string(class.Status)), class.Finding != "", signature
		}
	}
	// An automaton may have several findings of a group.
	if x.lastCase != number || x.lastPolarity != r.Polarity {
		x.Calls++
	}
	if x.lastCase != number {
		x.Formulas++
	}
	x.lastCase, x.lastPolarity = number, r.Polarity
	// Cases may come in another order than their formulas.
	size := sizeOf(c, r.Polarity)
	if first || cmp.Or(cmp.Compare(size, x.size), cmp.Compare(c.Index, x.Index)) < 0 {
		x.size, x.automaton = size, c.Automaton != nil
		x.Index, x.Formula, x.Seed, x.Polarity = c.Index, c.Title(), c.Seed, r.Polarity
		x.ExitCode, x.Detail, x.Command, x.Stderr = r.ExitCode, detail, r.Command, r.Stderr
	}
	return first
}

// sizeOf measures what a translator was given: a formula by its length, an automaton by its
// states and edges.
func sizeOf(c *outcome.Case, p outcome.Polarity) int {
	if c.Automaton != nil {
		return c.Automaton.States + c.Automaton.Edges
	}
	return len(input(c.Formula, p))
}

// Groups returns the groups so far, the most frequent first. Groups with equally many calls
// are ordered by the index of their formulas.
func (t *Summary) Groups() []*Group {
	list := append([]*Group{}, t.groups.list...) // never nil: [] in JSON
	slices.SortStableFunc(list, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Index, b.Index))
	})
	return list
}
