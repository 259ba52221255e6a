package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// How much of an explanation is shown if not all is asked for: so much that it is below
// the disagreement on a screen.
const (
	maxExplanations = 2
	maxStepRows     = 12
	maxTruthRows    = 12
)

// explanations prints how the blamed automata of a disagreement come to their answers.
func (t *Text) explanations(d *outcome.Disagreement) error {
	if t.Quiet {
		return nil
	}
	shown := d.Explanations
	if len(shown) > maxExplanations && !t.Verbose {
		shown = shown[:maxExplanations]
	}
	for i := range shown {
		if err := t.explanation(&shown[i]); err != nil {
			return err
		}
	}
	if n := len(d.Explanations) - len(shown); n > 0 {
		if _, err := fmt.Fprintf(t.W, "  (%s: use -v)\n", plural.Of(n, "more explanation")); err != nil {
			return err
		}
	}
	switch {
	case d.Table == nil:
		return nil
	case t.Verbose || len(d.Table.Rows)+min(d.Table.LeftOut, 1) <= maxTruthRows && truthWidth(d.Table) <= maxWidth:
		return t.Truths(d.Table)
	}
	_, err := fmt.Fprintf(t.W, "  (truth of %s along the word: use -v)\n", plural.Of(len(d.Table.Rows)+d.Table.LeftOut, "subformula"))
	return err
}

// explanation prints why an automaton accepts or rejects a word, with the run. Each letter is
// a row; rows of the cycle have a star.
func (t *Text) explanation(e *outcome.Explanation) error {
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
	most := maxStepRows
	if t.Verbose {
		most = 0
	}
	if _, err := io.WriteString(t.W, e.Details(most)); err != nil {
		return err
	}
	if e.Divergence != nil {
		if _, err := fmt.Fprintln(t.W, "     "+t.paint(yellow, line(e.Divergence.Text, 400))); err != nil {
			return err
		}
	}
	return nil
}

// Truths prints a truth table. Each subformula is a row, and each letter a column; columns of
// the cycle have a star.
func (t *Text) Truths(table *outcome.TruthTable) error {
	header, rows := truthRows(table)
	if err := t.table(header, rows, from(2, header)...); err != nil {
		return err
	}
	if table.LeftOut == 0 {
		return nil
	}
	_, err := fmt.Fprintf(t.W, "     (%s not shown)\n", plural.Of(table.LeftOut, "smaller subformula"))
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
func (t *Text) Obligations(o *outcome.Progression) error {
	var rows [][]string
	for i, f := range o.Formulas {
		at := strconv.Itoa(i + 1)
		if o.Cycle >= 0 && i >= o.Cycle {
			at += "*"
		}
		rows = append(rows, []string{"    ", at, line(o.Letters[i], 60), line(f, 100)})
	}
	return t.table([]string{"    ", "", "letter", "must hold from here"}, rows)
}
