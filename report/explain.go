package report

import (
	"cmp"
	"slices"
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

// explanations prints how the blamed automata of a disagreement come to their answers, and the
// one on the other side that accepts an extra word too.
func (t *Text) explanations(d *outcome.Disagreement) {
	if t.Quiet {
		return
	}
	shown := d.Explanations
	if len(shown) > maxExplanations && !t.Verbose {
		shown = shown[:maxExplanations]
	}
	for i := range shown {
		t.explanation(&shown[i], "")
	}
	if n := len(d.Explanations) - len(shown); n > 0 {
		t.printf("  (%s: use -v)\n", plural.Of(n, "more explanation"))
	}
	if d.Opposite != nil {
		t.explanation(opposite(d), ", right")
	}
	if d.Table == nil {
		return
	}
	truths, n := truthTable(d.Table), len(d.Table.Rows)
	if t.Verbose || n+min(d.Table.LeftOut, 1) <= maxTruthRows && truths.width() <= maxWidth {
		t.truths(d.Table)
	} else {
		t.printf("  (truth of %s along the word: use -v)\n", plural.Of(n+d.Table.LeftOut, "subformula"))
	}
}

// opposite returns the explanation of the automaton on the other side, with one of its names: a
// translator that is not blamed, if there is one.
func opposite(d *outcome.Disagreement) *outcome.Explanation {
	e := *d.Opposite
	blamed := func(s outcome.Subject) bool {
		return slices.ContainsFunc(d.Blamed, func(b outcome.Subject) bool { return b.Translator == s.Translator })
	}
	i := max(0, slices.IndexFunc(e.Automata, func(s outcome.Subject) bool { return !blamed(s) }))
	e.Automata = e.Automata[i:min(i+1, len(e.Automata))]
	return &e
}

// explanation prints why an automaton accepts or rejects a word, with the run. Each letter is
// a row; rows of the cycle have a star. The text about comes after the automaton's name.
func (t *Text) explanation(e *outcome.Explanation, about string) {
	var names []string
	for _, s := range e.Automata {
		names = append(names, nameOf(s, t.automata))
	}
	if len(names) > 0 {
		t.printf("  %s%s: ", strings.Join(names, ", "), about)
	}
	most := maxStepRows
	if t.Verbose {
		most = 0
	}
	t.printf("%s\n%s", line(e.Why, 400), e.Details(most))
	if e.Repair != nil {
		t.printf("     %s\n", t.paint(yellow, line(e.Repair.Text, 400)))
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
	if truths.LeftOut > 0 {
		t.printf("     (%s not shown)\n", plural.Of(truths.LeftOut, "smaller subformula"))
	}
}

func truthTable(truths *outcome.TruthTable) table {
	x := table{Header: []string{"    ", "truth at letter"}}
	for i := range truths.Letters {
		x.Header = append(x.Header, starred(i, i >= truths.Cycle))
	}
	for _, r := range truths.Rows {
		x.Rows = append(x.Rows, append([]string{"    ", line(r.Formula, 60)}, strings.Split(r.Truth, "")...))
	}
	x.Right = from(2, x.Header)
	return x
}

// Obligations prints what must hold from each letter on.
func (t *Text) Obligations(o *outcome.Progression) error {
	o = cmp.Or(o, &outcome.Progression{})
	var rows [][]string
	for i, f := range o.Formulas {
		rows = append(rows, []string{"    ", starred(i, o.Cycle >= 0 && i >= o.Cycle), line(o.Letters[i], 60), line(f, 100)})
	}
	t.print(table{Header: []string{"    ", "", "letter", "must hold from here"}, Rows: rows})
	return t.flush()
}

// starred returns the number of a letter, or of a step, with a star in the cycle.
func starred(i int, cycle bool) string {
	if cycle {
		return strconv.Itoa(i+1) + "*"
	}
	return strconv.Itoa(i + 1)
}
