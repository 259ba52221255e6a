package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// How much of an explanation is shown if not all is asked for: so much that it is below
// the disagreement on a screen.
const (
	mostExplanations = 2
	mostStepRows     = 12
	mostTruthRows    = 12
)

// explanations prints how the blamed automata of a disagreement come to their answers.
func (t *Text) explanations(d *outcome.Disagreement) error {
	if t.Quiet {
		return nil
	}
	shown := d.Explanations
	if len(shown) > mostExplanations && !t.Verbose {
		shown = shown[:mostExplanations]
	}
	for i := range shown {
		if err := t.Explanation(&shown[i]); err != nil {
			return err
		}
	}
	if n := len(d.Explanations) - len(shown); n > 0 {
		if _, err := fmt.Fprintf(t.W, "  (%s: use -v)\n", count(n, "more explanation")); err != nil {
			return err
		}
	}
	switch {
	case d.Table == nil:
		return nil
	case t.Verbose || len(d.Table.Rows)+min(d.Table.LeftOut, 1) <= mostTruthRows && truthWidth(d.Table) <= maxWidth:
		return t.Truths(d.Table)
	}
	_, err := fmt.Fprintf(t.W, "  (truth of %s along the word: use -v)\n", count(len(d.Table.Rows)+d.Table.LeftOut, "subformula"))
	return err
}

// Explanation prints why an automaton accepts or rejects a word, with the run. Each letter is
// a row; rows of the cycle have a star.
func (t *Text) Explanation(e *outcome.Explanation) error {
	var names []string
	for _, s := range e.Automata {
		names = append(names, nameOf(s, t.automata))
	}
	head := line(e.Why, 400)
	if len(names) > 0 {
		head = "  " + strings.Join(names, ", ") + ": " + head
	}
	if _, err := fmt.Fprintln(t.W, head); err != nil {
		return err
	}
	if e.Run != nil {
		if err := t.steps(e); err != nil {
			return err
		}
	}
	if e.From != nil {
		if err := t.from(e); err != nil {
			return err
		}
	}
	if len(e.Stays) > 1 {
		if err := t.stays(e); err != nil {
			return err
		}
	}
	if e.Divergence != nil {
		if _, err := fmt.Fprintln(t.W, "     "+t.paint(yellow, line(e.Divergence.Text, 400))); err != nil {
			return err
		}
	}
	return nil
}

// listed returns states separated by commas.
func listed(states []int, leftOut int) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(states), "[]"), " ", ", ")
	if leftOut > 0 {
		text += ", …"
	}
	return text
}

// from prints the table of an alternating automaton.
func (t *Text) from(e *outcome.Explanation) error {
	var rows [][]string
	shown := e.From
	if len(shown) > mostStepRows && !t.Verbose {
		shown = shown[:mostStepRows]
	}
	for i, f := range shown {
		at := strconv.Itoa(i + 1)
		if f.Again {
			at += "*"
		}
		states := listed(f.States, f.StatesLeftOut)
		if states == "" {
			states = "none"
		}
		rows = append(rows, []string{"    ", at, line(f.Letter, 60), states})
	}
	if err := t.table([]string{"    ", "", "letter", "states"}, rows, slices.Repeat([]tw.Align{tw.AlignLeft}, 4)); err != nil {
		return err
	}
	if n := len(e.From) - len(shown); n > 0 {
		_, err := fmt.Fprintf(t.W, "     (%s not shown: use -v)\n", count(n, "letter"))
		return err
	}
	return nil
}

// stays prints the places in which other runs stay.
func (t *Text) stays(e *outcome.Explanation) error {
	for i := 1; i < len(e.Stays); i++ {
		s := &e.Stays[i]
		where := "state "
		if len(s.States) > 1 {
			where = "states "
		}
		where += listed(s.States, s.StatesLeftOut)
		if _, err := fmt.Fprintf(t.W, "     a run that stays in %s %s\n", where, s.Why()); err != nil {
			return err
		}
	}
	if e.StaysLeftOut > 0 {
		_, err := fmt.Fprintf(t.W, "     (runs can also stay in %s)\n", count(e.StaysLeftOut, "other component"))
		return err
	}
	return nil
}

// steps prints the table of a run.
func (t *Text) steps(e *outcome.Explanation) error {
	r := e.Run
	n := len(r.Prefix) + len(r.Cycle)
	skip := 0 // in the middle: how it ends matters as much as how it begins
	if n > mostStepRows && !t.Verbose {
		skip = n - mostStepRows
	}
	var rows [][]string
	for i := 0; i < n; i++ {
		if skip > 0 && i == mostStepRows/2 {
			i += skip
			rows = append(rows, []string{"    ", "…", "", "", "", "", ""})
		}
		s := r.At(i)
		at := strconv.Itoa(i + 1)
		if i >= len(r.Prefix) {
			at += "*"
		}
		marks := ""
		if len(s.Marks) > 0 {
			marks = "{" + strings.Trim(fmt.Sprint(s.Marks), "[]") + "}"
		}
		rows = append(rows, []string{"    ", at, line(s.Letter, 60), fmt.Sprintf("%d -> %d", s.State, s.To), marks, named(s.Name, s.NameHolds), line(s.Obligation, 70)})
	}
	if r.End != nil {
		name := ""
		for _, s := range e.Stuck {
			if s.State == *r.End {
				name = s.Name
			}
		}
		rows = append(rows, []string{"    ", strconv.Itoa(n + 1), "", fmt.Sprintf("%d stuck", *r.End), "", named(name, nil), line(r.Obligation, 70)})
	}
	header := []string{"    ", "", "letter", "state", "marks", "state's name", "must hold from here"}
	header, rows = withoutEmpty(header, rows)
	if err := t.table(header, rows, slices.Repeat([]tw.Align{tw.AlignLeft}, len(header))); err != nil {
		return err
	}
	if skip > 0 {
		_, err := fmt.Fprintf(t.W, "     (%s of the run not shown: use -v)\n", count(skip, "letter"))
		return err
	}
	return nil
}

// named returns the name of a state for a table, and what it says of the rest of the word
// if it is a formula.
func named(name string, holds *bool) string {
	name = line(name, 30)
	if holds != nil && !*holds {
		name += " (false)"
	}
	return name
}

// withoutEmpty drops the columns but the first two in which nothing stands.
func withoutEmpty(header []string, rows [][]string) ([]string, [][]string) {
	var keep []int
	for i := range header {
		if i < 2 || slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			keep = append(keep, i)
		}
	}
	pick := func(row []string) []string {
		var list []string
		for _, i := range keep {
			list = append(list, row[i])
		}
		return list
	}
	var kept [][]string
	for _, row := range rows {
		kept = append(kept, pick(row))
	}
	return pick(header), kept
}

// Truths prints a truth table. Each subformula is a row, and each letter a column; columns of
// the cycle have a star.
func (t *Text) Truths(table *outcome.TruthTable) error {
	header, rows := truthRows(table)
	align := slices.Repeat([]tw.Align{tw.AlignRight}, len(header))
	align[0], align[1] = tw.AlignLeft, tw.AlignLeft
	if err := t.table(header, rows, align); err != nil {
		return err
	}
	if table.LeftOut == 0 {
		return nil
	}
	_, err := fmt.Fprintf(t.W, "     (%s not shown)\n", count(table.LeftOut, "smaller subformula"))
	return err
}

func truthRows(table *outcome.TruthTable) (header []string, rows [][]string) {
	header = []string{"    ", "truth at letter"}
	for i := range table.Letters {
		at := strconv.Itoa(i + 1)
		if i >= table.Cycle {
			at += "*"
		}
		header = append(header, at)
	}
	for _, r := range table.Rows {
		row := []string{"    ", line(r.Formula, 60)}
		for _, c := range r.Truth {
			row = append(row, string(c))
		}
		rows = append(rows, row)
	}
	return header, rows
}

func truthWidth(table *outcome.TruthTable) int { return width(truthRows(table)) }

// Obligations prints what must hold from each letter on.
func (t *Text) Obligations(o *outcome.Obligations) error {
	var rows [][]string
	for i, f := range o.Formulas {
		at := strconv.Itoa(i + 1)
		if o.Cycle >= 0 && i >= o.Cycle {
			at += "*"
		}
		rows = append(rows, []string{"    ", at, line(o.Letters[i], 60), line(f, 100)})
	}
	return t.table([]string{"    ", "", "letter", "must hold from here"}, rows, slices.Repeat([]tw.Align{tw.AlignLeft}, 4))
}
