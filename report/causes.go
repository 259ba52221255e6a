package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Cause is a cause of the run's triage, with a command that shows it alone.
type Cause struct {
	*outcome.Cause
	Command string `json:"command"`
}

// explained reports whether a group of failures is shown as a cause: with what remains of
// its formulas, or as one of the problems, if these are shown.
func (t *Summary) explained(g *Group, problems bool) bool {
	return slices.ContainsFunc(t.Causes, func(c Cause) bool {
		return (c.Ground || problems) && slices.Contains(c.Translators, g.Translator) && c.Includes(g.key.Class)
	})
}

// causes prints what is wrong with the translators, a row for all failures of one cause,
// and how to see each.
func (t *Text) causes(list []Cause) {
	shown, left := t.shown(list)
	if len(shown) == 0 {
		return
	}
	var rows [][]string
	for i := range shown {
		c := &shown[i]
		rows = append(rows, c.row(i, strings.Join(c.Translators, ", "), c.Class, c.Formulas))
	}
	t.printf("\n")
	t.table(causeHeader("cause"), rows, 0, 3)
	for i, c := range shown {
		t.printf("%5d  %s\n", i+1, c.Command)
	}
	t.others(left, "causes")
}

// causeHeader is that of a table of causes, or of problems.
func causeHeader(what string) []string {
	return []string{what, "translator", "kind", "formulas", "smallest formula", "word"}
}

// row returns row i of such a table.
func (c *Cause) row(i int, translators string, class outcome.Class, formulas int) []string {
	return []string{strconv.Itoa(i + 1), translators, line(ClassName(class), 60), strconv.Itoa(formulas), c.smallest(), word(c.Word, c.Size, c.Shortest)}
}

// smallest returns the formula of a cause for a table.
func (c *Cause) smallest() string {
	formula := c.Formula
	if !c.Ground || c.Unfinished {
		formula = line(formula, 40)
	}
	if c.Unfinished {
		formula += " (may not be smallest)"
	}
	return formula
}

// shown returns the causes that have a row, and how many more there are. Calls that failed
// are in the table of groups, unless more is known.
func (t *Text) shown(list []Cause) (shown []Cause, left int) {
	shown = slices.DeleteFunc(slices.Clone(list), func(c Cause) bool { return !c.Ground && !c.Class.Words })
	most := t.most(len(shown))
	return shown[:most], len(shown) - most
}

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
