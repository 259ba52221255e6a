package translators

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Signature returns the class of a failed call. It is the same for all calls that failed in the
// same way, and zero for a call that did not fail. It has the status, the exit status or signal
// number, and the message of the command; see [Pattern]. For example:
//
//	exit 1: ValueError: bad operator … (in parse, translate, main)
//
// formula is the formula that the command got, in any syntax, or "". It tells Signature which
// propositions to ignore.
func (o *Outcome) Signature(formula string) outcome.Class {
	c, text := outcome.Class{Status: o.Status}, ""
	switch o.Status {
	case outcome.OK, outcome.Skipped:
		return outcome.Class{}
	case outcome.Crash, outcome.Exit:
		// Detail has no more than the number, and what is recognized anyway.
		c.Code = o.ExitCode
		text = o.failure().pattern(formula)
	case outcome.NoOutput:
		if text = o.failure().pattern(formula); text == "" {
			text = Pattern(o.Detail, formula)
		}
	case outcome.Syntax, outcome.Unsupported, outcome.Aborted:
		// The output counts, and also a failure behind it: the command may end in a pipe
		// whose last program does not fail.
		text = answerPattern(o.Detail, formula)
		if said := failed(o.Stderr, true).pattern(formula); said != "" {
			text += "; " + said
		}
	case outcome.MissingState:
		return c // whichever states they are
	default:
		// It was killed: what it said last is by chance.
		if text = Pattern(firstLine(o.Stderr), formula); text == "" {
			text = Pattern(o.Detail, formula)
		}
	}
	c.Said = text
	return c
}

// failure returns what a command said on standard error. If that is nothing, standard output counts,
// where only error messages are looked for: it may have the start of an automaton.
func (o *Outcome) failure() *failure {
	f := failed(o.Stderr, false)
	if len(f.lines) == 0 {
		f = failed(o.said, true)
	}
	return f
}

// distinct returns the texts that are not empty, each once.
func distinct(texts []string) (list []string) {
	seen := map[string]bool{"": true}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	return list
}

// outputStarts is in details in front of an excerpt from the output.
const outputStarts = "; the output starts with "

// answerPattern returns the pattern of what is wrong with an output. What is printed
// instead of an automaton is often an error message.
func answerPattern(detail, formula string) string {
	if message, output, found := strings.Cut(detail, outputStarts); found {
		return Pattern(message, formula) + outputStarts + Pattern(unquoted(output), formula)
	}
	return Pattern(detail, formula)
}

// unquoted returns the text of an excerpt, without a last word that may be cut off.
func unquoted(excerpt string) string {
	whole, cut := strings.CutSuffix(excerpt, gap)
	text, err := strconv.Unquote(whole)
	if err != nil {
		return excerpt
	}
	if cut {
		text = strings.TrimRightFunc(text, func(r rune) bool { return letter(r) || digit(r) })
	}
	return text
}

// firstLine returns the first line that is not empty.
func firstLine(text string) string {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	return text
}
