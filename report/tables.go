package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// print prints a table without its note.
func (t *Text) print(x table.Table) {
	x = x.Fit(t.Width)
	t.b.WriteString(x.String())
}

// maxWidth is how wide the table of translators may be where the width is not known, if it can be made
// so, and maxPageWidth in HTML and Markdown.
const (
	maxWidth     = 100
	maxPageWidth = 119
	maxSpare     = 102
)

// A column is one of the table of translators.
type column struct {
	name string
	cell func(*ToolStats) string
	some func(*ToolStats) bool // there is no column if this holds for no translator; nil: there always is one
	note string                // what the note below the table says of it; "" of totals
	// In a narrow terminal, columns are left out from maxSpare down to 1. Those with 0 stay.
	spare int
	mark  string // of numbers other than 0: "bad" or "poor"
	less  bool   // the least number is the best
}

// marked returns the column with a mark for numbers other than 0.
func (c column) marked(mark string) column {
	c.mark = mark
	return c
}

// spared returns the column as one that a narrow terminal leaves out; see spare.
func (c column) spared(spare int) column {
	c.spare = spare
	return c
}

// number returns a column of counts.
func number(name string, count func(*ToolStats) int) column {
	return column{name: name, cell: func(x *ToolStats) string { return strconv.Itoa(count(x)) }}
}

// rare returns a column of counts that is left out if all are 0.
func rare(name string, count func(*ToolStats) int) column {
	c := number(name, count)
	c.some = func(x *ToolStats) bool { return count(x) > 0 }
	return c
}

// calls returns a column with the number of calls that ended with a status.
func calls(status outcome.Status) column {
	return rare(string(status), func(x *ToolStats) int { return x.Statuses[status] })
}

// duration returns a column of times.
func duration(name string, seconds func(*ToolStats) float64, some func(*ToolStats) bool, spare int) column {
	return column{name: name, cell: func(x *ToolStats) string { return fmt.Sprintf("%.2f", seconds(x)) }, some: some, spare: spare}
}

// table returns the table of translators. If it is wider than most, it has one column for all
// failures. A page can be scrolled; elsewhere it then leaves out more columns.
func (summary *Summary) table(most int, page bool) table.Table {
	note, negations := "two calls per formula: for it and its negation (¬)", "wrong ¬"
	if summary.Automata {
		note, negations = "one call per automaton", "wrong complements"
	}
	first := []column{
		{name: "translator", cell: func(x *ToolStats) string { return x.Name }},
		number("calls", func(x *ToolStats) int { return x.Formulas }),
		number("ok", func(x *ToolStats) int { return x.Statuses[outcome.OK] }),
	}
	var ended []column
	for _, s := range outcome.Statuses()[1:] { // the first is ok
		c := calls(s)
		if s.Failed() {
			c = c.marked("poor")
		}
		ended = append(ended, c)
	}
	unstable := rare("unstable", func(x *ToolStats) int { return x.Unstable })
	unstable.spare = maxSpare - 2
	last := []column{
		number("wrong", func(x *ToolStats) int { return x.WrongP }).marked("bad"),
		number(negations, func(x *ToolStats) int { return x.WrongN }).marked("bad"),
		rare("findings", func(x *ToolStats) int { return x.Findings }),
		unstable,
	}
	for _, m := range allMeasures {
		if m.total.cell != nil {
			c := m.total
			c.less = true
			last = append(last, c)
		}
	}
	all := slices.Concat(first, ended, last)
	x := fill(all, summary.Translators)
	if x.Width() > most {
		// Which failures they are is in the table of groups.
		all = slices.Concat(first, []column{calls(outcome.Skipped), rare("failed", (*ToolStats).failures).marked("poor")}, last)
		x = fill(all, summary.Translators)
	}
	for spare := maxSpare; spare > 0 && !page && x.Width() > most; spare-- {
		all = slices.DeleteFunc(all, func(c column) bool { return c.spare == spare })
		x = fill(all, summary.Translators)
	}
	x.Note = note + "; numbers are totals" + x.Note
	return x
}

// fill returns a table with a row for each translator. Its note has what the notes of columns say.
func fill(all []column, list []*ToolStats) (x table.Table) {
	x.Rows, x.Marks = make([][]string, len(list)), make([][]string, len(list))
	// Translators with fewer automata are not compared, and neither are those that are wrong.
	made := 0
	for _, tool := range list {
		made = max(made, tool.Statuses[outcome.OK])
	}
	comparable := func(tool *ToolStats) bool { return tool.Statuses[outcome.OK] == made && tool.WrongP+tool.WrongN == 0 }
	for _, c := range all {
		if c.some != nil && !slices.ContainsFunc(list, c.some) {
			continue
		}
		x.Header = append(x.Header, c.name)
		best, compared := math.Inf(1), 0
		for _, tool := range list {
			if v, err := strconv.ParseFloat(c.cell(tool), 64); err == nil && c.less && comparable(tool) {
				best = min(best, v)
				compared++
			}
		}
		for i, tool := range list {
			cell, mark := c.cell(tool), ""
			switch v, err := strconv.ParseFloat(cell, 64); {
			case err == nil && c.mark != "" && v > 0:
				mark = c.mark
			case err == nil && compared > 1 && v == best && comparable(tool):
				mark = "best"
			}
			x.Rows[i], x.Marks[i] = append(x.Rows[i], cell), append(x.Marks[i], mark)
		}
		if c.note != "" {
			x.Note += ", " + c.note
		}
	}
	x.Right = table.From(1, x.Header)
	return x
}

// meanExcess returns Excess by the number of automata that it sums, ExcessOf, or "" if there are none.
func (x *ToolStats) meanExcess() string {
	if x.ExcessOf == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(x.Excess)/float64(x.ExcessOf))
}

// mebibytes returns the memory of a translator, or "" if it is not known.
func (x *ToolStats) mebibytes() string {
	if x.MaxRSS == 0 {
		return ""
	}
	return strconv.FormatInt((x.MaxRSS+1<<20-1)>>20, 10)
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

// groups prints a row for each failure that has no row among the problems: calls that failed alike, and
// minor findings.
func (t *Text) groups(summary *Summary) {
	list := slices.DeleteFunc(summary.failures(), func(f *failure) bool { return f.calls == nil || f.Class.Words && summary.Automata })
	if len(list) == 0 {
		return
	}
	shown := list[:t.most(len(list))]
	x := table.Table{Header: []string{"translator", "kind", "calls", "smallest " + summary.noun(), "detail"}, Right: []int{2}}
	for _, f := range shown {
		g := f.calls
		x.Rows = append(x.Rows, []string{g.Translator, t.paint(colors[f.Level], cmp.Or(g.Class, f.Name())), strconv.Itoa(g.Calls), line(f.Input(), 30), line(cmp.Or(g.Detail, f.Word), 80)})
	}
	t.printf("\n")
	if list[0].Level == minor {
		t.printf("minor findings\n")
	}
	t.print(x)
	t.others(len(list)-len(shown), "groups")
}

func line(text string, most int) string { return screen.Line(text, most) }

// A latexTable writes the translators of a run as a tabular for a paper, with the rules of the package
// booktabs. It is written at the end.
//
// The numbers are totals.
type latexTable struct {
	w             io.Writer
	automata      map[string]int // of the cases, by translator
	deterministic map[string]int // of these
}

// newLaTeX returns a latexTable that writes to w.
func newLaTeX(w io.Writer) *latexTable {
	return &latexTable{w: w, automata: map[string]int{}, deterministic: map[string]int{}}
}

// Case counts the deterministic automata of a case.
func (l *latexTable) Case(c *outcome.Case, _ News) error {
	c = cmp.Or(c, &outcome.Case{})
	for i := range c.Results {
		r := &c.Results[i]
		if r.Status != outcome.OK {
			continue
		}
		l.automata[r.Translator]++
		if r.Deterministic {
			l.deterministic[r.Translator]++
		}
	}
	return nil
}

// End writes the table.
func (l *latexTable) End(t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	list := []column{
		{name: "translator", cell: func(x *ToolStats) string { return `\texttt{` + latexEscaper.Replace(line(x.Name, 60)) + "}" }},
		number("automata", func(x *ToolStats) int { return x.Statuses[outcome.OK] }),
		number("failed", (*ToolStats).failures),
	}
	list = append(list, calls(outcome.Skipped), rare("wrong", func(x *ToolStats) int { return x.WrongP + x.WrongN }),
		measure("states").total, measure("edges").total, measure("acc").total,
		column{name: "deterministic", cell: l.share, some: func(x *ToolStats) bool { return l.share(x) != "" }}, measure("time").total)
	// Shares of some automata would pass for shares of all: then there is no column.
	x := fill(list, t.Translators)

	// In a comment of LaTeX, as a caption is the author's business.
	about := "two calls for each, for it and its negation"
	if t.Automata {
		about = "one call for each"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s, %s. Needs \\usepackage{booktabs}.\n", plural.Of(t.Counts.Formulas, t.noun()), about)
	b.WriteString("% Sizes: totals of the automata that each translator made. Time: of all its calls.\n")
	fmt.Fprintf(&b, "\\begin{tabular}{l%s}\n\\toprule\n", strings.Repeat("r", len(x.Right)))
	for i, row := range append([][]string{x.Header}, x.Rows...) {
		fmt.Fprintf(&b, "%s \\\\\n", strings.Join(row, " & "))
		if i == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	_, err := io.WriteString(l.w, b.String())
	return err
}

// share returns how many of a translator's automata are deterministic, in percent, or "" if that is
// not known.
func (l *latexTable) share(x *ToolStats) string {
	n := x.Statuses[outcome.OK]
	if n == 0 || l.automata[x.Name] != n {
		return ""
	}
	return fmt.Sprintf(`%.1f\,\%%`, 100*float64(l.deterministic[x.Name])/float64(n))
}

// latexEscaper writes each special character of LaTeX as one that is printed.
var latexEscaper = strings.NewReplacer(
	`\`, `\textbackslash{}`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`_`, `\_`, `%`, `\%`, `&`, `\&`, `#`, `\#`, `$`, `\$`, `{`, `\{`, `}`, `\}`)
