package outcome

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A Class says what is wrong, whatever the formula: with a language, with a call, or with what is
// declared. Classes are comparable. As text, and so in JSON, they are
//
//	extra and missing words                     Words, Extra, Missing
//	missing words, of the negation only         Words, Missing, NegationOnly
//	crash 11: assertion failed: …               Status Crash, Code 11, Said "assertion failed: …"
//	property: deterministic                     Finding FalseProperty, Said "deterministic"
type Class struct {
	// Words is set for wrong languages: automata that lack words, or have others.
	Words          bool
	Extra, Missing bool
	// Status is how a call failed, with the exit status or the number of the signal.
	Status Status
	Code   int
	// Finding is the class of what is odd about an automaton.
	Finding FindingClass
	// Said is what the messages of all calls of the class have in common, or the property.
	Said string
	// NegationOnly: the call for the formula itself gave an automaton, and that does not fail so.
	NegationOnly bool
}

// Class returns the class of wrong languages that disagreements of the kind show.
func (k Kind) Class() Class { return Class{Words: true, Extra: k == Extra, Missing: k == Missing} }

// Category returns the part of the class that is the same on smaller formulas. Failures of one
// translator with the same category are the same failure on different formulas:
//
//	missing words, of the negation only    words
//	crash 11: assertion failed             crash 11: assertion failed
//	timeout: killed after 20 s             timeout
func (c Class) Category() Class {
	c.Extra, c.Missing, c.NegationOnly = false, false, false
	if c.Exhausted() {
		c.Code, c.Said = 0, "" // they depend on the limit, and on when it was reached
	}
	return c
}

// Join returns the class of failures of two classes of one category: the words that either shows, and of the
// negation only if both are.
func (c Class) Join(other Class) Class {
	c.Extra, c.Missing, c.NegationOnly = c.Extra || other.Extra, c.Missing || other.Missing, c.NegationOnly && other.NegationOnly
	return c
}

// Exhausted reports whether a limit of time, memory or output ended the call. Such failures have
// the size of their formulas in common.
func (c Class) Exhausted() bool {
	return c.Status.TimedOut() || c.Status == Memory || c.Status == TooBig
}

// Speaks reports whether failures of the class are told apart by what the translator said or
// declared, whatever the formula.
func (c Class) Speaks() bool { return !c.Words && !c.Exhausted() && c.Said != "" }

// Shows reports whether words of a kind are among what is wrong.
func (c Class) Shows(kind Kind) bool { return kind == Extra && c.Extra || kind == Missing && c.Missing }

// IsProperty reports whether a declared property is false.
func (c Class) IsProperty() bool { return c.Finding == FalseProperty }

// IsCall reports whether it is a class of calls that failed: nothing is known to be wrong.
func (c Class) IsCall() bool { return !c.Words && !c.IsProperty() }

const (
	propertyStart = "property: "
	ofNegation    = ", of the negation only"
)

// String returns the text that ParseClass reads.
func (c Class) String() string {
	var b strings.Builder
	switch {
	case c.Words:
		if c.Extra {
			b.WriteString("extra ")
		}
		if c.Extra && c.Missing {
			b.WriteString("and ")
		}
		if c.Missing {
			b.WriteString("missing ")
		}
		b.WriteString("words")
	case c.Finding != "":
		b.WriteString(string(c.Finding) + ": " + c.Said)
	default:
		b.WriteString(string(c.Status))
		if c.Code != 0 {
			b.WriteString(" " + strconv.Itoa(c.Code))
		}
		if c.Status != "" && c.Said != "" { // the class of any other text has no status
			b.WriteString(": ")
		}
		b.WriteString(c.Said)
	}
	if c.NegationOnly {
		b.WriteString(ofNegation)
	}
	return b.String()
}

// ParseClass returns the class with a text. The class of any other text is a call that said it.
func ParseClass(text string) Class {
	rest, negation := strings.CutSuffix(text, ofNegation)
	c := Class{NegationOnly: negation}
	switch property, found := strings.CutPrefix(rest, propertyStart); {
	case found:
		c.Finding, c.Said = FalseProperty, property
	case rest == "words", rest == "extra words", rest == "missing words", rest == "extra and missing words":
		c.Words, c.Extra, c.Missing = true, strings.HasPrefix(rest, "extra"), strings.HasSuffix(rest, "missing words")
	default:
		head, said, _ := strings.Cut(rest, ": ")
		status, code, _ := strings.Cut(head, " ")
		c.Status, c.Said = Status(status), said
		c.Code, _ = strconv.Atoi(code) // 0 without a code
	}
	if c.String() != text { // not a text of String
		return Class{Said: text}
	}
	return c
}

// MarshalText returns the text.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText is ParseClass. It never fails.
func (c *Class) UnmarshalText(text []byte) error {
	*c = ParseClass(string(text))
	return nil
}

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

// Key returns the fault without its polarity, with the category of its class. Faults with one key are the same failure
// on different formulas.
func (f Fault) Key() Fault { return Fault{Subject{Translator: f.Translator}, f.Class.Category()} }

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
			add(s, d.Kind.Class())
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

// Signatures returns a signature for each translator and polarity that was asked. It stands for what one
// translator made of one formula: how it failed, or what its automaton looks like. Times are no part of it,
// since they differ between runs. A
// signature may occur twice.
func (c *Case) Signatures() (list []uint64) {
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() || r.Status == Skipped { // there was no call
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, r.Translator, r.Status, r.Failure, rough(r.States), rough(r.Components), rough(r.Largest), r.Sets, r.Acceptance,
			r.Deterministic, r.Complete, r.StateMarks)
		list = append(list, h.Sum64())
	}
	return list
}

// rough is n up to 16. Larger numbers count as the same if their first four bits and their lengths
// are: 17 as 16, 18 and 19 as 18, 96 to 103 as 96.
func rough(n int) int {
	shift := max(0, bits.Len(uint(n))-4) // past the first four bits
	return n >> shift << shift
}
