package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
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
func (t *Text) causes(list []Cause) error {
	shown, left := t.shown(list)
	if len(shown) == 0 {
		return nil
	}
	var rows [][]string
	for i, c := range shown {
		formula := c.Formula
		if !c.Ground || c.Unfinished {
			formula = line(formula, 40)
		}
		if c.Unfinished {
			formula += " (may not be smallest)"
		}
		rows = append(rows, []string{strconv.Itoa(i + 1), strings.Join(c.Translators, ", "), line(ClassName(c.Class), 60), strconv.Itoa(c.Formulas), formula,
			word(c.Word, c.Size, c.Shortest)})
	}
	if _, err := fmt.Fprintln(t.W); err != nil {
		return err
	}
	if err := t.table([]string{"cause", "translator", "kind", "formulas", "smallest formula", "word"}, rows, 0, 3); err != nil {
		return err
	}
	for i, c := range shown {
		if _, err := fmt.Fprintf(t.W, "%5d  %s\n", i+1, c.Command); err != nil {
			return err
		}
	}
	return t.others(left, "causes")
}

// shown returns the causes that have a row, and how many more there are. Calls that failed
// are in the table of groups, unless more is known.
func (t *Text) shown(list []Cause) (shown []Cause, left int) {
	shown = slices.DeleteFunc(slices.Clone(list), func(c Cause) bool { return !c.Ground && !c.Class.Words })
	most := t.most(len(shown))
	return shown[:most], len(shown) - most
}
