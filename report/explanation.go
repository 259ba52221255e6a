package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Explanation prints why an automaton accepts or rejects a word, with the run. Each letter is a
// row; rows of the cycle have a star.
func (t *Text) Explanation(e *outcome.Explanation) error {
	t.explanation(cmp.Or(e, &outcome.Explanation{}), "")
	return t.flush()
}

// explanation prints an explanation. The text about comes after the automaton's name.
func (t *Text) explanation(e *outcome.Explanation, about string) {
	var names []string
	for _, s := range e.Automata {
		names = append(names, nameOf(s, t.automata))
	}
	if len(names) > 0 {
		t.printf("  %s%s: ", strings.Join(names, ", "), about)
	}
	t.printf("%s\n", e)
	if e.Run != nil {
		t.run(e)
	}
	if e.From != nil {
		t.alternating(e.From)
	}
	if len(e.Stays) > 1 { // the first is shown as the run
		for i := range e.Stays[1:] {
			s := &e.Stays[i+1]
			where := "state "
			if len(s.States) > 1 {
				where = "states "
			}
			t.printf("     a run that stays in %s%s %s\n", where, s.List(), s.Why())
		}
		if n := e.StaysLeftOut; n > 0 {
			t.printf("     (runs can also stay in %s)\n", plural.Of(n, "other component"))
		}
	}
	if e.Repair != nil {
		t.printf("     %s\n", t.paint(yellow, line(e.Repair.Text, 400)))
	}
}

// run prints the table of a run. A long one lacks letters in the middle, unless Verbose is set.
func (t *Text) run(e *outcome.Explanation) {
	r := e.Run
	n := len(r.Prefix) + len(r.Cycle)
	rows := [][]string{{"    ", "", "letter", "state", "marks", "state's name", "must hold from here"}}
	for i := range n {
		s := r.At(i)
		rows = append(rows, []string{"    ", starred(i, i >= len(r.Prefix)), line(s.Letter, 60), fmt.Sprintf("%d -> %d", s.State, s.To), marksText(s.Marks), s.Named(), line(s.Obligation, 70)})
	}
	skip := n - maxStepRows
	if skip > 0 && !t.Verbose { // how a run ends matters as much as how it begins
		rows = slices.Replace(rows, 1+maxStepRows/2, 1+maxStepRows/2+skip, []string{"    ", "…", "", "", "", "", ""})
	}
	if r.End != nil {
		name := "" // an automaton may have no names
		for _, s := range e.Stuck {
			if s.State == *r.End {
				name = s.Name
			}
		}
		rows = append(rows, []string{"    ", strconv.Itoa(n + 1), "", fmt.Sprintf("%d stuck", *r.End), "", line(name, 30), line(r.Obligation, 70)})
	}
	t.letters(rows)
	if skip > 0 && !t.Verbose {
		t.printf("     (%s of the run not shown: use -v)\n", plural.Of(skip, "letter"))
	}
}

// letters prints a table with a row for each letter.
func (t *Text) letters(rows [][]string) {
	t.print(table.New(rows))
	t.star(slices.ContainsFunc(rows, func(r []string) bool { return strings.HasSuffix(r[1], "*") }))
}

// star says what a star means, below the first table of a word that has one.
func (t *Text) star(has bool) {
	if has && !t.starred {
		t.printf("      * marks the cycle\n")
	}
	t.starred = t.starred || has
}

// alternating prints the table of an alternating automaton.
func (t *Text) alternating(list []outcome.From) {
	shown := list
	if !t.Verbose {
		shown = shown[:min(len(shown), maxStepRows)]
	}
	rows := [][]string{{"    ", "", "letter", "states"}}
	for i, f := range shown {
		// These states come again: a cycle.
		rows = append(rows, []string{"    ", starred(i, f.Again), line(f.Letter, 60), f.List()})
	}
	t.letters(rows)
	if n := len(list) - len(shown); n > 0 {
		t.printf("     (%s not shown: use -v)\n", plural.Of(n, "letter"))
	}
}

// Truths prints a truth table. Each subformula is a row, and each letter a column; columns of
// the cycle have a star.
func (t *Text) Truths(truths *outcome.TruthTable) error {
	t.truths(cmp.Or(truths, &outcome.TruthTable{}))
	return t.flush()
}

func (t *Text) truths(truths *outcome.TruthTable) {
	t.print(truthTable(truths))
	t.star(truths.Cycle < len(truths.Letters))
	if truths.LeftOut > 0 {
		t.printf("     (%s not shown)\n", plural.Of(truths.LeftOut, "smaller subformula"))
	}
}

func truthTable(truths *outcome.TruthTable) table.Table {
	x := table.Table{Header: []string{"    ", "truth at letter"}}
	for i := range truths.Letters {
		x.Header = append(x.Header, starred(i, i >= truths.Cycle))
	}
	for _, r := range truths.Rows {
		x.Rows = append(x.Rows, append([]string{"    ", line(r.Formula, 60)}, strings.Split(r.Truth, "")...))
	}
	x.Right = table.From(2, x.Header)
	return x
}

// Obligations prints what must hold from each letter on.
func (t *Text) Obligations(o *outcome.Progression) error {
	o = cmp.Or(o, &outcome.Progression{})
	var rows [][]string
	for i, f := range o.Formulas {
		rows = append(rows, []string{"    ", starred(i, o.Cycle >= 0 && i >= o.Cycle), line(o.Letters[i], 60), line(f, 100)})
	}
	t.print(table.Table{Header: []string{"    ", "", "letter", "must hold from here"}, Rows: rows})
	t.star(o.Cycle >= 0 && o.Cycle < len(o.Formulas))
	return t.flush()
}

// starred returns the number of a letter, or of a step, with a star in the cycle.
func starred(i int, cycle bool) string {
	if cycle {
		return strconv.Itoa(i+1) + "*"
	}
	return strconv.Itoa(i + 1)
}
