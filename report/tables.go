package report

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/ltl/spelling"
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

// maxWidth is how wide the table of translators may be in a terminal, if it can be made so, and
// maxPageWidth in HTML and Markdown.
const (
	maxWidth     = 100
	maxPageWidth = 119
)

// A column is one of the table of translators.
type column struct {
	name string
	cell func(*ToolStats) string
	note string // what the note below the table says of it; "" of totals
}

func (t *Text) translators(summary *Summary) {
	header, rows, note := summary.table(maxWidth)
	t.printf("\n")
	t.table(header, rows, from(1, header)...)
	t.printf("(%s)\n", note)
}

// table returns the table of translators: its header, its rows, and a note. If it is wider than
// most, it has one column for all failures. In a terminal, it then leaves out more columns.
func (summary *Summary) table(most int) (header []string, rows [][]string, note string) {
	first := []column{
		{name: "translator", cell: func(x *ToolStats) string { return x.Name }},
		number("calls", func(x *ToolStats) int { return x.Formulas }),
		number("ok", func(x *ToolStats) int { return x.Statuses[outcome.OK] }),
	}
	ended, failures := summary.endings()
	last := slices.Concat(summary.faults(), summary.sizes(), summary.costs())
	all := slices.Concat(first, ended, last)
	header, rows = fill(all, summary.Translators)
	if width(header, rows) > most && failures > 0 {
		// Which failures they are is in the table of groups.
		ended = slices.DeleteFunc(ended, func(c column) bool { return c.name != string(outcome.Skipped) })
		ended = append(ended, number("failed", (*ToolStats).failures))
		all = slices.Concat(first, ended, last)
		header, rows = fill(all, summary.Translators)
	}
	for _, name := range []string{"CPU (s)", "MiB", "unstable", "sets", "edges"} {
		if most != maxWidth || width(header, rows) <= most {
			break
		}
		all = slices.DeleteFunc(all, func(c column) bool { return c.name == name })
		header, rows = fill(all, summary.Translators)
	}
	return header, rows, summary.tableNote(all)
}

// tableNote explains the numbers of a table of translators.
func (summary *Summary) tableNote(all []column) string {
	note := "two calls per formula: for it and its negation"
	if summary.Automata {
		note = "one call per automaton"
	}
	note += "; numbers are totals"
	for _, c := range all {
		if c.note != "" {
			note += ", " + c.note
		}
	}
	return note
}

func number(name string, count func(*ToolStats) int) column {
	return column{name: name, cell: func(x *ToolStats) string { return strconv.Itoa(count(x)) }}
}

// some reports whether any translator has a count above 0.
func (summary *Summary) some(count func(*ToolStats) int) bool {
	return slices.ContainsFunc(summary.Translators, func(x *ToolStats) bool { return count(x) > 0 })
}

// endings returns a column for each status besides ok that a call had, and how many of them are
// failures.
func (summary *Summary) endings() (ended []column, failures int) {
	for _, s := range outcome.Statuses[1:] {
		if calls := func(x *ToolStats) int { return x.Statuses[s] }; summary.some(calls) {
			ended = append(ended, number(string(s), calls))
			if s.Failed() {
				failures++
			}
		}
	}
	return ended, failures
}

// faults returns the columns of faults of automata. Without findings, it leaves out their column.
func (summary *Summary) faults() []column {
	negations := "wrong negations"
	if summary.Automata {
		negations = "wrong complements"
	}
	list := []column{
		number("wrong", func(x *ToolStats) int { return x.WrongP }),
		number(negations, func(x *ToolStats) int { return x.WrongN }),
	}
	if findings := func(x *ToolStats) int { return x.Findings }; summary.some(findings) {
		list = append(list, number("findings", findings))
	}
	if unstable := func(x *ToolStats) int { return x.Unstable }; summary.some(unstable) {
		list = append(list, number("unstable", unstable))
	}
	return list
}

// sizes returns the columns of sizes of automata.
func (summary *Summary) sizes() []column {
	list := []column{
		number("states", func(x *ToolStats) int { return x.States }),
		number("edges", func(x *ToolStats) int { return x.Edges }),
		number("sets", func(x *ToolStats) int { return x.Sets }),
	}
	if summary.some(func(x *ToolStats) int { return x.ExcessOf }) {
		list = append(list, column{"excess", (*ToolStats).meanExcess, "excess a mean"})
	}
	return list
}

// costs returns the columns of time and memory, if they are known.
func (summary *Summary) costs() []column {
	seconds := func(name string, of func(*ToolStats) float64) column {
		return column{name: name, cell: func(x *ToolStats) string { return fmt.Sprintf("%.2f", of(x)) }}
	}
	list := []column{seconds("time (s)", func(x *ToolStats) float64 { return x.Seconds })}
	if slices.ContainsFunc(summary.Translators, func(x *ToolStats) bool { return x.CPU > 0 }) {
		list = append(list, seconds("CPU (s)", func(x *ToolStats) float64 { return x.CPU }))
	}
	if summary.some(func(x *ToolStats) int { return int(x.MaxRSS >> 10) }) {
		list = append(list, column{"MiB", func(x *ToolStats) string { return mebibytes(x.MaxRSS) }, "MiB a maximum"})
	}
	return list
}

// meanExcess returns the mean excess length of a translator's automata, or "".
func (x *ToolStats) meanExcess() string {
	if x.ExcessOf == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(x.Excess)/float64(x.ExcessOf))
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

// others says that n rows are not shown, and which JSON field has them.
func (t *Text) others(n int, field string) {
	if n > 0 {
		t.printf("(%d more, less frequent: use -v, or see %s in --json)\n", n, field)
	}
}

// groups prints a line for each group of failures.
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

// A speller returns the text of the input of a result as ltlcross has it. Cases without one are
// spelled in the order in which they come, each once.
type speller struct {
	spelling.Speller
	of   *outcome.Case
	line *outcome.LogLine
}

func (s *speller) input(c *outcome.Case, p outcome.Polarity) string {
	if s.of != c {
		if s.of, s.line = c, c.Line; s.line == nil {
			s.line = &outcome.LogLine{}
			s.line.Formula, s.line.Negation = s.SpellText(c.Formula)
		}
	}
	if p == outcome.Negation {
		return s.line.Negation
	}
	return s.line.Formula
}
