package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// How much of the problems is shown if not all is asked for.
const (
	maxProblems = 5  // that are explained; maxRows have a row
	maxSmallest = 3  // other formulas of a problem
	maxNotes    = 20 // lines on what is no problem
)

// atEnd reports whether problems are explained at the end.
func (t *Text) atEnd() bool { return t.AtEnd && !t.Verbose }

// note prints what has nothing to do with the translators, and keeps what is worth a line at the
// end: findings that are no problems, checks that were given up, and formulas that were skipped.
func (t *Text) note(c *outcome.Case, news News) error {
	var b strings.Builder
	t.errors(&b, c)
	for i := range c.Results {
		if r := &c.Results[i]; news.Results[i] && !r.Failed() {
			var skipped strings.Builder
			t.failure(&skipped, r)
			t.keep(skipped.String())
		}
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		if news.Findings[i] && f.Class != outcome.FalseProperty && (!t.Quiet || f.Class == outcome.Unstable) {
			t.keep(t.finding(c, f))
		}
	}
	for _, u := range c.Undecided {
		if !t.Quiet {
			t.keep(t.undecided(c, u))
		}
	}
	_, err := io.WriteString(t.W, b.String())
	return err
}

func (t *Text) keep(text string) {
	switch {
	case text == "":
	case len(t.notes) == maxNotes:
		t.unnoted++
	default:
		t.notes = append(t.notes, text)
	}
}

// problems prints how many problems there are, a row for each, and an example of each in full, if
// formulas have not been explained as they came. Then come the notes.
func (t *Text) problems(summary *Summary) error {
	if !t.AtEnd {
		return nil
	}
	list := t.counting(summary)
	if err := t.problemTable(summary, list); err != nil || t.Verbose {
		return err
	}
	for i := range list[:min(len(list), maxProblems)] {
		number := ""
		if len(list) > 1 {
			number = fmt.Sprintf(" (problem %d)", i+1)
		}
		if err := t.problem(summary, &list[i], number); err != nil {
			return err
		}
	}
	var b strings.Builder
	if n := len(list) - maxProblems; n > 0 {
		fmt.Fprintf(&b, "\n(%s: use -v)\n", plural.Of(n, "more problem"))
	}
	if len(t.notes) > 0 {
		b.WriteString("\n" + strings.Join(t.notes, ""))
	}
	if t.unnoted > 0 {
		fmt.Fprintf(&b, "(%s: use -v)\n", plural.Of(t.unnoted, "more note"))
	}
	_, err := io.WriteString(t.W, b.String())
	return err
}

// counting returns the problems, but not the failed calls that do not count if the report is quiet.
func (t *Text) counting(summary *Summary) []outcome.Problem {
	return slices.DeleteFunc(summary.Problems(), func(p outcome.Problem) bool {
		return t.Quiet && slices.Contains(summary.Counts.Ignored, p.Class.Status)
	})
}

// problemTable prints how many problems there are, and a row for each.
func (t *Text) problemTable(summary *Summary, list []outcome.Problem) error {
	if len(list) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(t.W, t.paint(red, plural.Of(len(list), "problem"))); err != nil {
		return err
	}
	shown := list[:t.most(len(list))]
	var rows [][]string
	for i := range shown {
		p := &shown[i]
		c := &summary.Causes[p.Causes[0]]
		rows = append(rows, []string{strconv.Itoa(i + 1), line(strings.Join(p.Translators, ", "), 60), line(ClassName(p.Class), 60), strconv.Itoa(p.Formulas),
			smallestOf(c), word(c.Word, c.Size, c.Shortest)})
	}
	if err := t.table([]string{"problem", "translator", "kind", "formulas", "smallest formula", "word"}, rows, 0, 3); err != nil {
		return err
	}
	if n := summary.Counts.GrindCalls; n > 0 {
		if _, err := fmt.Fprintf(t.W, "(shrinking the formulas took %s)\n", plural.Of(n, "call")); err != nil {
			return err
		}
	}
	return t.others(len(list)-len(shown), "problems")
}

// smallestOf returns the formula of a cause for a table.
func smallestOf(c *Cause) string {
	formula := c.Formula
	if !c.Ground || c.Unfinished {
		formula = line(formula, 40)
	}
	if c.Unfinished {
		formula += " (may not be smallest)"
	}
	return formula
}

// examples returns the causes that are explained.
func (t *Text) examples(summary *Summary) (list []*Cause) {
	problems := t.counting(summary)
	for i := range problems[:min(len(problems), maxProblems)] {
		list = append(list, &summary.Causes[problems[i].Causes[0]])
	}
	return list
}

// problem explains the example of a problem, and says which other formulas there are.
func (t *Text) problem(summary *Summary, p *outcome.Problem, number string) error {
	c := &summary.Causes[p.Causes[0]]
	if err := t.example(c, number); err != nil {
		return err
	}
	var b strings.Builder
	var others []string
	for _, k := range p.Causes[1:] {
		if text := smallestOf(&summary.Causes[k]); summary.Causes[k].Formula != c.Formula && !slices.Contains(others, text) {
			others = append(others, text)
		}
	}
	if n := len(others) - maxSmallest; n > 0 {
		others = append(others[:maxSmallest], fmt.Sprintf("… (%d more: use -v)", n))
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, "  also wrong: %s\n", strings.Join(others, ",  "))
	}
	if c.Original != "" && c.Original != c.Formula {
		fmt.Fprintf(&b, "  found with: formula %d, %s\n", c.Index, line(c.Original, 80))
	}
	if c.Command != "" {
		fmt.Fprintf(&b, "  reproduce:  %s\n", c.Command)
	}
	_, err := io.WriteString(t.W, b.String())
	return err
}

// example explains a failure on the formula of a cause: the word on which it is wrong, the call
// that failed, or the property that is false.
func (t *Text) example(c *Cause, number string) error {
	mine := func(s outcome.Subject) bool {
		return slices.Contains(c.Translators, s.Translator) && s.Polarity == c.Polarity
	}
	about := c.Case
	if about == nil {
		about = &outcome.Case{} // the document is of an earlier version
	}
	var wrong []outcome.Disagreement // on the word of the cause
	words := map[string]bool{}
	for _, d := range about.Disagreements {
		if words[d.Word] = true; c.Class.Words && d.Word == c.Word {
			wrong = append(wrong, d)
		}
	}
	title := "failure"
	switch {
	case c.Class.Words && len(wrong) == 0:
		title = "disagreement: " + ClassName(c.Class)
	case c.Class.Words:
		var kinds []string
		for _, d := range wrong {
			kinds = append(kinds, string(d.Kind))
		}
		title = "disagreement: " + strings.Join(kinds, " and ") + " word"
	case c.Class.IsProperty():
		title = "false property"
	}
	formula := "formula:   "
	if !c.Ground {
		formula = fmt.Sprintf("formula %d: ", c.Index)
	}
	if _, err := fmt.Fprintf(t.W, "\n%s%s\n  %s %s\n", t.paint(red, title), number, formula, c.Formula); err != nil {
		return err
	}
	var b strings.Builder
	if len(wrong) > 0 {
		if err := t.wrong(about, wrong); err != nil {
			return err
		}
		if n := len(words) - 1; n > 0 && !t.Quiet {
			fmt.Fprintf(&b, "  (%s: use -v)\n", plural.Of(n, "more word"))
		}
	}
	for i := range about.Results {
		if r := &about.Results[i]; r.Failed() && mine(r.Subject) && c.Includes(r.Failure) {
			t.failure(&b, r)
			break
		}
	}
	for i := range about.Findings {
		if f := &about.Findings[i]; f.Class == outcome.FalseProperty && mine(f.Subject) && c.Class.IsProperty() && c.Class.Said == f.Property {
			fmt.Fprintf(&b, "%s: %s: %s\n", t.paint(red, "property"), f.Subject, f.Text)
			break
		}
	}
	_, err := io.WriteString(t.W, b.String())
	return err
}

// problems writes a row for each problem.
func (m *markdown) problems() {
	t := m.summary
	list := t.Problems()
	if len(list) == 0 {
		return
	}
	m.add("\n### " + plural.Of(len(list), "problem") + "\n\n" + cells("translator", "kind", t.plural(), "smallest "+t.noun(), "word") + cells("---", "---", "---:", "---", "---"))
	for i := range list[:min(len(list), maxRows)] {
		p := &list[i]
		c := &t.Causes[p.Causes[0]]
		if !m.add(cells(code(strings.Join(p.Translators, ", "), 60), code(ClassName(p.Class), 80), strconv.Itoa(p.Formulas), code(c.Formula, 80), code(c.Word, 80))) {
			return
		}
	}
	if n := len(list) - maxRows; n > 0 {
		m.add(fmt.Sprintf("\n%d more: see the JSON report.\n", n))
	}
}
