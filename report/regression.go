package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// news reports whether a group was not there in the run before.
func news(g *outcome.Group) bool {
	return g.State == outcome.StateNew || g.State == outcome.StateBackAgain
}

// regression prints the states of the groups of failures, of this run and of earlier runs,
// and which measures have changed. It prints nothing without a history.
func (t *Text) regression(summary *Summary) {
	r := summary.Regression
	if r == nil {
		return
	}
	t.history(summary, r.Groups)
	lines := sentences(r)
	if t.Quiet || len(lines) == 0 {
		return
	}
	t.printf("\n")
	if r.Baseline != nil {
		t.printf("compared with %s:\n", runName(r.Baseline))
	}
	for _, text := range lines {
		t.printf("  %s\n", line(text, 400))
	}
}

// sentences says which measures have changed, and what could not be compared.
func sentences(r *outcome.Regression) (list []string) {
	for i := range r.Changes {
		list = append(list, r.Changes[i].Sentence(r.Baseline))
	}
	return append(list, r.Notes...)
}

// byState returns the groups in some states, at most so many in each, and how many more there are.
func byState(list []outcome.Group, states []outcome.State, most int) (shown []*outcome.Group, more int) {
	for _, state := range states {
		n := 0
		for i := range list {
			if list[i].State != state {
				continue
			}
			if n++; n > most {
				more++
			} else {
				shown = append(shown, &list[i])
			}
		}
	}
	return shown, more
}

// history prints the table of the groups that are no problem of this run, and the commands for those
// that are news and stand in no other table.
func (t *Text) history(summary *Summary, list []outcome.Group) {
	states := outcome.States
	if t.Quiet {
		states = []outcome.State{outcome.StateNew, outcome.StateBackAgain}
	}
	shown, more := byState(list, states, t.most(len(list)))
	shown = slices.DeleteFunc(shown, func(g *outcome.Group) bool { return slices.Contains(t.stated, g) })
	if len(shown) == 0 {
		return
	}
	var rows []record
	var commands strings.Builder
	for i, g := range shown {
		rows = append(rows, record{*g, strings.Join(g.Translators, ", "), nil})
		if news(g) && g.Command != "" && !t.shows(summary, g.Command) {
			fmt.Fprintf(&commands, "%5d  %s\n", i+1, g.Command)
		}
	}
	t.printf("\n")
	t.print(t.records(summary, "group", rows))
	t.b.WriteString(commands.String())
	if more > 0 {
		t.printf("(%d more: use -v, or see regression in --json)\n", more)
	}
}

// state returns the state of a group in its color.
func (t *Text) state(g *outcome.Group) string {
	switch {
	case news(g):
		return t.paint(red, string(g.State))
	case g.State == outcome.StateFixed:
		return t.paint(green, string(g.State))
	}
	return string(g.State)
}

// formulasOf is empty for a group that was not met.
func formulasOf(g *outcome.Group) string {
	if g.Formulas == 0 {
		return ""
	}
	return strconv.Itoa(g.Formulas)
}

func (t *Text) shows(summary *Summary, command string) bool {
	if t.atEnd() {
		problems := t.counting(summary)
		return slices.ContainsFunc(problems[:min(len(problems), maxProblems)], func(p outcome.Problem) bool {
			return summary.Causes[p.Causes[0]].Command == command
		})
	}
	if !t.withCauses(summary) {
		return false
	}
	causes, _ := t.shown(summary.Causes)
	return slices.ContainsFunc(causes, func(c Cause) bool { return c.Command == command })
}

// sized returns a word with what is known of its size.
func sized(word string, size int, shortest bool) string {
	if word == "" {
		return ""
	}
	about := "shortest"
	if !shortest {
		about = "at most"
	}
	return fmt.Sprintf("%s (%s: %s)", word, about, plural.Of(size, "letter"))
}

// runName names a run: by its day, and its name or number.
func runName(n *outcome.RunID) string {
	if n == nil {
		return ""
	}
	name := "run " + strconv.FormatInt(n.Run, 10)
	if n.Name != "" {
		name = line(n.Name, 40)
	}
	if n.Started.IsZero() {
		return name
	}
	return fmt.Sprintf("%s (%s)", n.Started.Format(time.DateOnly), name)
}

// standing counts the groups by their states, in words; "" if there are none.
func standing(r *outcome.Regression) string {
	if r == nil {
		return ""
	}
	var parts []string
	for _, state := range []outcome.State{outcome.StateKnown, outcome.StateNew, outcome.StateBackAgain, outcome.StateFixed, outcome.StateUnseen} {
		if n := r.Count(state); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(parts, ", ")
}
