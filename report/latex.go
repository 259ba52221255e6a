package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A LaTeX writes the translators of a run as a tabular for a paper, with the rules of the package
// booktabs. It is written at the end.
//
// The numbers are totals. The share of deterministic automata is missing if the cases do not have
// all automata of a translator, as in a compacted run.
type LaTeX struct {
	w             io.Writer
	automata      map[string]int // of the cases, by translator
	deterministic map[string]int // of these
}

// NewLaTeX returns a LaTeX that writes to w.
func NewLaTeX(w io.Writer) *LaTeX {
	return &LaTeX{w: w, automata: map[string]int{}, deterministic: map[string]int{}}
}

// Case counts the deterministic automata of a case.
func (l *LaTeX) Case(c *outcome.Case, _ News) error {
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
func (l *LaTeX) End(t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	list := []column{
		{name: "translator", cell: func(x *ToolStats) string { return `\texttt{` + escapeLaTeX(line(x.Name, 60)) + "}" }},
		number("automata", func(x *ToolStats) int { return x.Statuses[outcome.OK] }),
		number("failed", (*ToolStats).failures),
	}
	list = append(list, calls(outcome.Skipped), rare("wrong", func(x *ToolStats) int { return x.WrongP + x.WrongN }),
		measure("states").total, measure("edges").total, measure("acc").total,
		column{name: "deterministic", cell: l.share, some: func(x *ToolStats) bool { return l.share(x) != "" }}, measure("time").total)
	// Shares of some automata would pass for shares of all: then there is no column.
	x := fill(list, t.Translators)

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
func (l *LaTeX) share(x *ToolStats) string {
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

// escapeLaTeX returns a text as it stands in LaTeX.
func escapeLaTeX(text string) string { return latexEscaper.Replace(text) }
