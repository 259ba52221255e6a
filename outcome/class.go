package outcome

import (
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
	// NegationOnly: the automaton for the formula itself is right.
	NegationOnly bool
}

// WrongWords returns the class of wrong languages that a disagreement shows.
func WrongWords(kind Kind) Class {
	return Class{Words: true, Extra: kind == Extra, Missing: kind == Missing}
}

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
		if c.Status != "" && c.Said != "" {
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
		c.Code, _ = strconv.Atoi(code)
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

// A Key names what counts as the same failure: of one translator, on whatever formulas. Its class
// is a Category.
type Key struct {
	Translator string
	Class      Class
}
