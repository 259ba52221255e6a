package outcome

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"
)

// A Failure is a way in which translators fail on a formula, with all translators that fail
// that way.
type Failure struct {
	Translators []string // sorted
	Class       Class
}

// MarshalJSON returns {"translators": […], "class": "…"}, with the text of String.
func (f Failure) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // who encodes the whole decides that
	err := e.Encode(struct {
		Translators []string `json:"translators"`
		Class       string   `json:"class"`
	}{f.Translators, f.String()})
	return text.Bytes(), err
}

// Kind returns the kind of the disagreements that show the failure, or "".
func (f Failure) Kind() Kind { return f.Class.kind() }

// String returns the class: "missing", "crash 11: assertion failed".
func (f Failure) String() string { return f.Class.ofCase() }

func (c Class) kind() Kind {
	switch {
	case c.Extra:
		return Extra
	case c.Missing:
		return Missing
	}
	return ""
}

// ofCase is the text of the class of one case: "missing" for missing words.
func (c Class) ofCase() string { return cmp.Or(string(c.kind()), c.String()) }

// A Fault is what is wrong with one automaton, or with the call for it.
type Fault struct {
	Subject
	Class Class
}

// Key returns what is the same for the same failure on other formulas.
func (f Fault) Key() Key { return Key{f.Translator, f.Class.Category()} }

// Faults returns what is wrong in the case, by the order of its results.
func (c *Case) Faults() (list []Fault) {
	all := c.faults()
	for i := range c.Results {
		for _, f := range all {
			if f.Subject == c.Results[i].Subject {
				list = append(list, f)
			}
		}
	}
	return list
}

// faults returns what is wrong in the case, by class.
func (c *Case) faults() (list []Fault) {
	if c == nil {
		return nil
	}
	add := func(s Subject, class Class) {
		if f := (Fault{s, class}); !slices.Contains(list, f) { // wrong on several words is wrong once
			list = append(list, f)
		}
	}
	for _, d := range c.Disagreements {
		for _, s := range d.Blamed {
			add(s, WrongWords(d.Kind))
		}
	}
	for i := range c.Results {
		if r := &c.Results[i]; r.Failed() {
			add(r.Subject, r.Failure)
		}
	}
	for _, f := range c.Findings {
		if f.Class == FalseProperty {
			add(f.Subject, f.FailureClass())
		}
	}
	slices.SortStableFunc(list, func(a, b Fault) int { return strings.Compare(a.Class.ofCase(), b.Class.ofCase()) })
	return list
}

// Failures returns the failures of a case, ordered by their texts.
func (c *Case) Failures() (list []Failure) {
	for _, f := range c.faults() {
		if n := len(list); n == 0 || list[n-1].Class != f.Class { // faults are sorted by class
			list = append(list, Failure{Class: f.Class})
		}
		last := &list[len(list)-1]
		if i, found := slices.BinarySearch(last.Translators, f.Translator); !found {
			last.Translators = slices.Insert(last.Translators, i, f.Translator)
		}
	}
	return list
}

// In reports whether the same translators, and perhaps others, fail in the same way in a case.
func (f Failure) In(c *Case) bool { return f.among(c.faults()) }

// InPolarity is In for the automata of one polarity.
func (f Failure) InPolarity(c *Case, p Polarity) bool {
	return f.among(slices.DeleteFunc(c.faults(), func(g Fault) bool { return g.Polarity != p }))
}

func (f Failure) among(list []Fault) bool {
	return !slices.ContainsFunc(f.Translators, func(name string) bool {
		return !slices.ContainsFunc(list, func(g Fault) bool { return g.Class == f.Class && g.Translator == name })
	})
}

// A Signature stands for what one translator made of one formula: how it failed, or what its
// automaton looks like, and what the call covered if that is known. Times are no part of it, since
// they differ between runs.
type Signature uint64

// Signatures returns the signatures of a case, one for each translator and polarity that was asked.
// A signature may occur twice.
func (c *Case) Signatures() (list []Signature) {
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() || r.Status == Skipped { // there was no call
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, r.Translator, r.Status, r.Failure, rough(r.States), rough(r.Components), rough(r.Largest), r.Sets, r.Acceptance,
			r.Deterministic, r.Complete, r.StateMarks)
		if r.Coverage != "" {
			fmt.Fprint(h, " ", r.Coverage)
		}
		list = append(list, Signature(h.Sum64()))
	}
	return list
}

// rough is n up to 16. Larger numbers count as the same if their first four bits and their lengths
// are: 17 as 16, 18 and 19 as 18, 96 to 103 as 96.
func rough(n int) int {
	shift := max(0, bits.Len(uint(n))-4) // past the first four bits
	return n >> shift << shift
}
