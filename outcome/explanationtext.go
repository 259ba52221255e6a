package outcome

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/internal/plural"
)

// String says why the automaton accepts or rejects the word, and shows the run below: a letter in
// each row, with a star in the cycle.
func (e *Explanation) String() string {
	text := Line(e.Why, 400) + "\n" + e.Details(0)
	if e.Repair != nil {
		text += "     " + Line(e.Repair.Text, 400)
	}
	return strings.TrimSuffix(text, "\n")
}

// Details returns the lines below the sentence that says why, but for the repair. With most >
// 0, a table has at most so many letters, and a line says how many are not shown.
func (e *Explanation) Details(most int) string {
	var b strings.Builder
	if e.Run != nil {
		e.writeRun(&b, most)
	}
	if e.From != nil {
		e.writeFrom(&b, most)
	}
	e.writeStays(&b)
	return b.String()
}

// writeRun writes the table of the run. With most > 0, letters in the middle are left out: how it
// ends matters as much as how it begins.
func (e *Explanation) writeRun(b *strings.Builder, most int) {
	r := e.Run
	n := len(r.Prefix) + len(r.Cycle)
	skip := 0
	if most > 0 {
		skip = max(0, n-most)
	}
	rows := [][]string{{"    ", "", "letter", "state", "marks", "state's name", "must hold from here"}}
	for i := 0; i < n; i++ {
		if skip > 0 && i == most/2 { // the middle is left out
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
			marks = MarksText(s.Marks)
		}
		rows = append(rows, []string{"    ", at, Line(s.Letter, 60), fmt.Sprintf("%d -> %d", s.State, s.To), marks, s.Named(), Line(s.Obligation, 70)})
	}
	if r.End != nil {
		name := ""
		for _, s := range e.Stuck {
			if s.State == *r.End {
				name = s.Name
			}
		}
		rows = append(rows, []string{"    ", strconv.Itoa(n + 1), "", fmt.Sprintf("%d stuck", *r.End), "", Line(name, 30), Line(r.Obligation, 70)})
	}
	b.WriteString(columns.Format(columns.WithoutEmpty(rows, 2)))
	if skip > 0 {
		fmt.Fprintf(b, "     (%s of the run not shown: use -v)\n", plural.Of(skip, "letter"))
	}
}

// writeFrom writes the table of an alternating automaton.
func (e *Explanation) writeFrom(b *strings.Builder, most int) {
	shown := e.From
	if most > 0 {
		shown = shown[:min(len(shown), most)]
	}
	rows := [][]string{{"    ", "", "letter", "states"}}
	for i, f := range shown {
		at := strconv.Itoa(i + 1)
		if f.Again {
			at += "*"
		}
		rows = append(rows, []string{"    ", at, Line(f.Letter, 60), f.List()})
	}
	b.WriteString(columns.Format(rows))
	if n := len(e.From) - len(shown); n > 0 {
		fmt.Fprintf(b, "     (%s not shown: use -v)\n", plural.Of(n, "letter"))
	}
}

// writeStays writes the places where runs stay, besides the one that is shown.
func (e *Explanation) writeStays(b *strings.Builder) {
	if len(e.Stays) <= 1 {
		return
	}
	for i := range e.Stays[1:] {
		s := &e.Stays[i+1]
		where := "state "
		if len(s.States) > 1 {
			where = "states "
		}
		fmt.Fprintf(b, "     a run that stays in %s%s %s\n", where, s.List(), s.Why())
	}
	if n := e.StaysLeftOut; n > 0 {
		fmt.Fprintf(b, "     (runs can also stay in %s)\n", plural.Of(n, "other component"))
	}
}

// List returns the states separated by commas.
func (s *Stay) List() string { return listed(s.States, s.StatesLeftOut) }

// List returns the states separated by commas, or "none".
func (f *From) List() string { return cmp.Or(listed(f.States, f.StatesLeftOut), "none") }

func listed(states []int, leftOut int) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(states), "[]"), " ", ", ")
	if leftOut > 0 {
		text += ", …"
	}
	return text
}

// Named returns the start of the state's name, and whether that is false of the rest of the word.
func (s *Step) Named() string {
	name := Line(s.Name, 30)
	if s.NameHolds != nil && !*s.NameHolds {
		name += " (false)"
	}
	return name
}

// Line returns the start of a text, as one line that is fit for a terminal.
func Line(text string, most int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // it might change the terminal
			return ' '
		}
		return r
	}, text))
	if runes := []rune(text); len(runes) > max(0, most) {
		text = strings.TrimSpace(string(runes[:max(1, most)-1])) + "…"
	}
	return text
}
