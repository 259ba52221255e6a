package report

import (
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// ClassName returns a class of failures as people read it. In JSON and in a history a class has
// the number of a signal, which differs between systems:
//
//	crash 11: assertion failed              crash (SIGSEGV): assertion failed
//	extra words, of the negation only       extra words (negation only)
func ClassName(c outcome.Class) string {
	negation := ""
	if c.NegationOnly {
		negation = " (negation only)"
	}
	c.NegationOnly = false
	name := c.String()
	if c.Status == outcome.Crash && c.Code != 0 {
		name = string(c.Status) + " (" + translators.SignalName(c.Code) + ")"
		if c.Said != "" {
			name += ": " + c.Said
		}
	}
	return name + negation
}

// kindOf returns the class without what differs between groups of a kind.
func kindOf(c outcome.Class) string {
	switch {
	case c.Words:
		c.NegationOnly = false
		return c.String()
	case c.Finding != "":
		return string(c.Finding)
	}
	return string(c.Status)
}
