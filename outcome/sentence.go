package outcome

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Sentence says what has changed since a run, such as "ltl3ba became 12 % slower since Tue
// 2026-11-17 (time, 812 formulas, p < 0.0001)".
func (c *Change) Sentence(since *RunID) string {
	var b strings.Builder
	b.WriteString(c.Translator)
	b.WriteByte(' ')
	b.WriteString(c.what())
	if since != nil {
		if since.Started.IsZero() {
			fmt.Fprintf(&b, " since run %d", since.Run)
		} else {
			b.WriteString(" since " + since.Started.Format("Mon 2006-01-02"))
		}
	}
	fmt.Fprintf(&b, " (%s, %d %s, %s)", c.Measure, c.Formulas, cmp.Or(c.Inputs, "formulas"), likely(c.P))
	if c.VersionBefore != c.VersionAfter && c.VersionBefore != "" && c.VersionAfter != "" {
		fmt.Fprintf(&b, "; it was %s and is %s", c.VersionBefore, c.VersionAfter)
	}
	return b.String()
}

// what says it without the circumstances: "became 12 % slower", "became 2.3 times as slow", "makes
// automata with 5 % fewer states".
func (c *Change) what() string {
	if c.Measure == "time" {
		switch {
		case c.Ratio >= 2:
			return fmt.Sprintf("became %s times as slow", factor(c.Ratio))
		case c.Ratio > 0 && c.Ratio <= 0.5:
			return fmt.Sprintf("became %s times as fast", factor(1/c.Ratio))
		}
		return "became " + Percent(c.Ratio, "slower", "faster")
	}
	if c.Ratio >= 2 {
		return fmt.Sprintf("makes %s times as many %s", factor(c.Ratio), c.Measure)
	}
	return "makes automata with " + Percent(c.Ratio, "more "+c.Measure, "fewer "+c.Measure)
}

// factor writes a factor of 2 or more with at least two digits: 2.3, 23.
func factor(ratio float64) string {
	if ratio < 10 {
		return strconv.FormatFloat(ratio, 'f', 1, 64)
	}
	return strconv.FormatFloat(ratio, 'f', 0, 64)
}

// Percent writes a ratio as a difference: 1.12 as "12 % slower". A small difference has one
// decimal: 0.995 as "0.5 % faster".
func Percent(ratio float64, more, less string) string {
	by, what := 100*(ratio-1), more
	if ratio < 1 {
		by, what = -by, less
	}
	digits := 0
	if by < 2 || by > 99 && ratio < 1 { // 99.6 % is not 100 %
		digits = 1
	}
	return strconv.FormatFloat(by, 'f', digits, 64) + " % " + what
}

// likely writes a probability: "p = 0.012", "p = 0.0004", and below that "p < 0.0001".
func likely(p float64) string {
	switch {
	case p < 0.0001:
		return "p < 0.0001"
	case p < 0.001:
		return fmt.Sprintf("p = %.4f", p)
	}
	return fmt.Sprintf("p = %.3f", p)
}

// An ExitStatus is the exit status of a run.
type ExitStatus int

// The exit statuses of a run.
const (
	ExitPassed      ExitStatus = 0   // no disagreement
	ExitFailed      ExitStatus = 1   // a disagreement, a false property, or a failure that counts as one
	ExitBroken      ExitStatus = 2   // the run could not do its work
	ExitIncomplete  ExitStatus = 3   // no disagreement, but a translator failed, or a check is undecided
	ExitInterrupted ExitStatus = 130 // the run was interrupted before its last input
)

// exits have the first word of the line that closes a report, and what the status means.
var exits = map[ExitStatus]struct{ word, meaning string }{
	ExitPassed:      {"PASS", "success"},
	ExitFailed:      {"FAIL", "disagreement found"},
	ExitBroken:      {"ERROR", "the run failed"},
	ExitIncomplete:  {"INCOMPLETE", "no disagreement, but some failures or undecided checks"},
	ExitInterrupted: {"INTERRUPTED", "interrupted"},
}

// Word returns PASS, FAIL, ERROR, INCOMPLETE or INTERRUPTED, or "" for another number.
func (e ExitStatus) Word() string { return exits[e].word }

// Meaning says in a few words how the run ended.
func (e ExitStatus) Meaning() string {
	if x, ok := exits[e]; ok {
		return x.meaning
	}
	return "unknown"
}
