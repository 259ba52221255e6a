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

// what says it without the circumstances.
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

// factor writes a factor of 2 or more with two digits.
func factor(ratio float64) string {
	if ratio < 10 {
		return strconv.FormatFloat(ratio, 'f', 1, 64)
	}
	return strconv.FormatFloat(ratio, 'f', 0, 64)
}

// Percent writes a ratio as how much more or less it is: "12 % slower". A small change has one decimal.
func Percent(ratio float64, more, less string) string {
	by, what := 100*(ratio-1), more
	if ratio < 1 {
		by, what = -by, less
	}
	digits := 0
	if by < 2 || by > 99 && ratio < 1 {
		digits = 1
	}
	return strconv.FormatFloat(by, 'f', digits, 64) + " % " + what
}

// likely writes a probability, and of a small one only how small.
func likely(p float64) string {
	switch {
	case p < 0.0001:
		return "p < 0.0001"
	case p < 0.001:
		return fmt.Sprintf("p = %.4f", p)
	}
	return fmt.Sprintf("p = %.3f", p)
}
