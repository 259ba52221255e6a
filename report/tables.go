package report

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// table prints rows below a header. The columns of right are aligned right, the others left.
func (t *Text) table(header []string, rows [][]string, right ...int) {
	t.b.WriteString(columns.Format(slices.Concat([][]string{header}, rows), right...))
}

// from lists the columns of a header from column i on.
func from(i int, header []string) []int {
	var list []int
	for ; i < len(header); i++ {
		list = append(list, i)
	}
	return list
}

// maxWidth is how wide the table of translators may be, if it can be made so.
const maxWidth = 119

// A column is one of the table of translators.
type column struct {
	name string
	cell func(*ToolStats) string
}

func (t *Text) translators(summary *Summary) {
	header, rows, note := summary.table()
	t.printf("\n")
	t.table(header, rows, from(1, header)...)
	t.printf("(%s)\n", note)
}

// table returns that of translators: its header, a row each, and what the numbers are.
func (summary *Summary) table() (header []string, rows [][]string, note string) {
	some := func(count func(*ToolStats) int) bool {
		return slices.ContainsFunc(summary.Translators, func(x *ToolStats) bool { return count(x) > 0 })
	}
	number := func(name string, count func(*ToolStats) int) column {
		return column{name, func(x *ToolStats) string { return strconv.Itoa(count(x)) }}
	}
	first := []column{
		{"translator", func(x *ToolStats) string { return x.Name }},
		number("calls", func(x *ToolStats) int { return x.Formulas }),
		number("ok", func(x *ToolStats) int { return x.Statuses[outcome.OK] }),
	}
	// Columns of what nobody had are left out.
	var ended []column
	failures := 0
	for _, s := range outcome.Statuses[1:] {
		if calls := func(x *ToolStats) int { return x.Statuses[s] }; some(calls) {
			ended = append(ended, number(string(s), calls))
			if s.Failed() {
				failures++
			}
		}
	}
	negations := "wrong negations"
	if summary.Automata {
		negations = "wrong complements"
	}
	last := []column{
		number("wrong", func(x *ToolStats) int { return x.WrongP }),
		number(negations, func(x *ToolStats) int { return x.WrongN }),
		number("findings", func(x *ToolStats) int { return x.Findings }),
	}
	if unstable := func(x *ToolStats) int { return x.Unstable }; some(unstable) {
		last = append(last, number("unstable", unstable))
	}
	last = append(last,
		number("states", func(x *ToolStats) int { return x.States }),
		number("edges", func(x *ToolStats) int { return x.Edges }),
		number("sets", func(x *ToolStats) int { return x.Sets }),
		column{"time (s)", func(x *ToolStats) string { return fmt.Sprintf("%.2f", x.Seconds) }},
	)
	sums := "sets and time"
	if slices.ContainsFunc(summary.Translators, func(x *ToolStats) bool { return x.CPU > 0 }) {
		last = append(last, column{"CPU (s)", func(x *ToolStats) string { return fmt.Sprintf("%.2f", x.CPU) }})
		sums = "sets, time and CPU"
	}
	if some(func(x *ToolStats) int { return int(x.MaxRSS >> 10) }) {
		last = append(last, column{"peak (MiB)", func(x *ToolStats) string { return mebibytes(x.MaxRSS) }})
	}
	header, rows = fill(slices.Concat(first, ended, last), summary.Translators)
	if width(header, rows) > maxWidth && failures > 1 {
		// Which failures they are is in the table of groups.
		ended = slices.DeleteFunc(ended, func(c column) bool { return c.name != string(outcome.Skipped) })
		ended = append(ended, number("failed", (*ToolStats).failures))
		header, rows = fill(slices.Concat(first, ended, last), summary.Translators)
	}
	of := "two calls for each formula: one for it, one for its negation"
	if summary.Automata {
		of = "one call for each automaton"
	}
	return header, rows, fmt.Sprintf("%s; states, edges, %s are totals", of, sums)
}

func fill(columns []column, list []*ToolStats) (header []string, rows [][]string) {
	for _, c := range columns {
		header = append(header, c.name)
	}
	for _, x := range list {
		var row []string
		for _, c := range columns {
			row = append(row, c.cell(x))
		}
		rows = append(rows, row)
	}
	return header, rows
}

// width returns how many characters wide a table is.
func width(header []string, rows [][]string) int {
	total := 2 * (len(header) - 1)
	for i := range header {
		widest := 0
		for _, row := range append(rows, header) {
			widest = max(widest, utf8.RuneCountInString(row[i]))
		}
		total += widest
	}
	return total
}

// mebibytes is empty if nothing is known.
func mebibytes(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return strconv.FormatInt((bytes+1<<20-1)>>20, 10)
}

// maxRows is how many groups or causes are shown if not all are asked for.
const maxRows = 20

// most returns how many of n groups or causes are shown.
func (t *Text) most(n int) int {
	if t.Verbose {
		return n
	}
	return min(n, maxRows)
}

// others says that n rows are not shown, and which field of JSON has them.
func (t *Text) others(n int, field string) {
	if n > 0 {
		t.printf("(%d more, less frequent: use -v, or see %s in --json)\n", n, field)
	}
}

// groups prints what went wrong, a line for all calls that did so alike.
func (t *Text) groups(summary *Summary) {
	list := slices.DeleteFunc(summary.Groups(), func(g *Group) bool { return summary.explained(g, t.AtEnd) })
	if len(list) == 0 {
		return
	}
	shown := list[:t.most(len(list))]
	var rows [][]string
	for _, g := range shown {
		rows = append(rows, []string{g.Translator, g.Class, strconv.Itoa(g.Calls), line(g.Input(), 30), line(g.Detail, 80)})
	}
	t.printf("\n")
	t.table([]string{"translator", "kind", "calls", "smallest " + summary.noun(), "detail"}, rows, 2)
	t.others(len(list)-len(shown), "groups")
}

func line(text string, most int) string { return outcome.Line(text, most) }
