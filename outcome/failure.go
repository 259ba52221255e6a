package outcome

import (
	"slices"
	"strings"
)

// A Failure is a way in which translators fail on a formula, with all translators that fail
// that way.
type Failure struct {
	Translators []string `json:"translators"` // sorted
	// Class is "missing" or "extra" for wrong automata, like the kind of a disagreement. For a
	// failed call it is the group of the result: the status, and the common part of the
	// messages ("exit 1: …"). For a false property it names the property ("property:
	// deterministic").
	Class string `json:"class"`
}

// Failures returns the failures of a case, ordered by class.
func (c *Case) Failures() []Failure {
	return c.FailuresOf(func(Subject) bool { return true })
}

// FailuresOf returns the failures that the given subjects show, ordered by class.
func (c *Case) FailuresOf(of func(Subject) bool) []Failure {
	byClass := map[string][]string{}
	add := func(s Subject, class string) {
		if of(s) && !slices.Contains(byClass[class], s.Translator) {
			byClass[class] = append(byClass[class], s.Translator)
		}
	}
	for _, d := range c.Disagreements {
		for _, s := range d.Blamed {
			add(s, d.Kind)
		}
	}
	for i := range c.Results {
		if r := &c.Results[i]; r.Failed() {
			add(r.Subject, r.Group)
		}
	}
	for _, f := range c.Findings {
		if f.Class == "property" {
			add(f.Subject, f.Class+": "+f.Property)
		}
	}
	var list []Failure
	for class, names := range byClass {
		slices.Sort(names)
		list = append(list, Failure{names, class})
	}
	slices.SortFunc(list, func(a, b Failure) int { return strings.Compare(a.Class, b.Class) })
	return list
}

// In reports whether the same translators, and perhaps others, fail in the same way in a case.
func (f Failure) In(c *Case) bool { return f.Among(c.Failures()) }

// Among reports whether the same translators, and perhaps others, fail in the same way in a list.
func (f Failure) Among(list []Failure) bool {
	return slices.ContainsFunc(list, func(g Failure) bool {
		return f.Class == g.Class && !slices.ContainsFunc(f.Translators, func(name string) bool { return !slices.Contains(g.Translators, name) })
	})
}
