package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// How much of the problems is shown if not all is asked for.
const (
	maxProblems = 5  // that are explained; maxRows have a row
	maxSmallest = 3  // other formulas of a problem
	maxNotes    = 20 // lines on what is no problem
)

// keep keeps what is no problem, and worth a line at the end.
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
func (t *Text) problems(summary *Summary) {
	list := t.counting(summary)
	t.problemTable(summary, list)
	if t.Verbose {
		// They have been explained as they came.
		for i, p := range list {
			for _, k := range p.Causes {
				if command := summary.Causes[k].Command; command != "" {
					t.printf("%5d  %s\n", i+1, t.shell(command, 7))
				}
			}
		}
		return
	}
	for i := range list[:min(len(list), maxProblems)] {
		number := ""
		if len(list) > 1 {
			number = fmt.Sprintf(" (problem %d)", i+1)
		}
		t.problem(summary, &list[i], number)
	}
	if n := len(list) - maxProblems; n > 0 {
		t.printf("\n(%s: use -v)\n", plural.Of(n, "more problem"))
	}
	if len(t.notes) > 0 {
		t.printf("\n%s", strings.Join(t.notes, ""))
	}
	if t.unnoted > 0 {
		t.printf("(%s: use -v)\n", plural.Of(t.unnoted, "more note"))
	}
}

// record returns what a problem is, on the smallest formula of its causes, with its state if it has one.
func (t *Summary) record(p *outcome.Problem) *failure {
	c := t.Causes[p.Causes[0]]
	f := &failure{Group: c.Group(p.Translators), cause: c, noun: t.noun()}
	f.Class, f.Formulas = p.Class, p.Formulas
	if g := t.group(p); g != nil {
		f.State, f.First, f.Last, f.Key = g.State, g.First, g.Last, g.Key
	}
	f.Level = t.level(&f.Group)
	return f
}

// records returns a table of failures, with numbers below a name.
func (t *Text) records(summary *Summary, name string, list []*failure) table.Table {
	x := summary.recordTable(list, func(f *failure) []string {
		return []string{t.state(&f.Group), line(f.Who(), 60), t.paint(colors[f.Level], line(f.Name(), 60)), formulasOf(&f.Group), runName(f.First), runName(f.Last),
			f.smallest(), sized(line(f.Word, 40), f.Size, f.Shortest)}
	})
	x.Header = slices.Insert(x.Header, 0, name)
	x.Right = []int{0, x.Right[0] + 1} // one column further, behind the new one
	for i := range x.Rows {
		x.Rows[i] = slices.Insert(x.Rows[i], 0, strconv.Itoa(i+1))
	}
	if t.Width > 0 && x.Width() > t.Width { // the word goes below the formula
		end := len(x.Header) - 2
		for _, row := range append(x.Rows, x.Header) {
			row[end] = strings.TrimSuffix(row[end]+"\n"+row[end+1], "\n")
			row[end+1] = ""
		}
		x.Header[end] = strings.ReplaceAll(x.Header[end], "\n", ", ")
	}
	return x
}

// counting returns the problems, but not the failed calls that do not count if the report is quiet.
func (t *Text) counting(summary *Summary) []outcome.Problem {
	return slices.DeleteFunc(summary.Problems(), func(p outcome.Problem) bool {
		return t.Quiet && slices.Contains(summary.Counts.Ignored, p.Class.Status)
	})
}

// problemTable prints how many problems there are, and a row for each.
func (t *Text) problemTable(summary *Summary, list []outcome.Problem) {
	if len(list) == 0 {
		return
	}
	shown := list[:t.most(len(list))]
	var rows []*failure
	for i := range shown {
		rows = append(rows, summary.record(&shown[i]))
	}
	t.stated = rows // the table of the history leaves these out
	t.printf("%s\n", t.paint(red, plural.Of(len(list), "problem")))
	t.print(t.records(summary, "problem", rows))
	if n := summary.Counts.GrindCalls; n > 0 {
		more := ""
		if slices.ContainsFunc(summary.Causes, func(c *outcome.Cause) bool { return c.Limit != "" }) {
			more = "; to go on, raise --grind-calls, or call xcheck grind with the formula"
		}
		t.printf("(shrinking the formulas took %s%s)\n", plural.Of(n, "call"), more)
	}
	t.others(len(list)-len(shown), "problems")
}

// group returns what a history knows of a problem with one cause, or nil.
func (t *Summary) group(p *outcome.Problem) *outcome.Group {
	if t.Regression == nil || len(p.Causes) > 1 {
		return nil
	}
	list := t.Regression.Groups
	i := slices.IndexFunc(list, func(g outcome.Group) bool { return t.Causes[p.Causes[0]].Has(&g) })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// problem explains the example of a problem, and says which other formulas there are.
func (t *Text) problem(summary *Summary, p *outcome.Problem, number string) {
	c, f := summary.Causes[p.Causes[0]], summary.record(p)
	t.example(f, number)
	var others []string
	// Causes of one problem often shrink to one formula.
	for _, k := range p.Causes[1:] {
		of := summary.Causes[k]
		if text := (&failure{Group: of.Group(nil), cause: of}).smallest(); text != f.smallest() && !slices.Contains(others, text) {
			others = append(others, text)
		}
	}
	if n := len(others) - maxSmallest; n > 0 {
		others = append(others[:maxSmallest], fmt.Sprintf("… (%d more: use -v)", n))
	}
	if len(others) > 0 {
		t.printf("  also wrong: %s\n", strings.Join(others, ",  "))
	}
	if c.Original != "" && c.Original != c.Formula {
		t.printf("  found with: formula %d, %s\n", c.Index, line(c.Original, 80))
	}
	if !c.Ground && len(c.Options) > 0 && c.Formulas > 1 {
		t.printf("  all have:   %s\n", strings.Join(c.Options, " "))
	}
	if c.Command != "" {
		t.printf("  reproduce:  %s\n", t.shell(c.Command, 14))
	}
}

// example explains a failure on the formula of a cause: the word on which it is wrong, the call
// that failed, or the property that is false.
func (t *Text) example(f *failure, number string) {
	c, about := f.cause, f.shown()
	var wrong []outcome.Disagreement // on the word of the cause
	words := map[string]bool{}
	for _, d := range about.Disagreements {
		if words[d.Word] = true; c.Class.Words && d.Word == c.Word {
			wrong = append(wrong, d)
		}
	}
	t.printed = map[string]bool{}
	title := "failure"
	switch {
	case len(wrong) > 0:
		title = "disagreement: " + titleOf(about, wrong)
	case c.Class.Words:
		title = "disagreement: " + ClassName(c.Class)
	case c.Class.IsProperty():
		title = "false property"
	}
	formula := "formula:   "
	if !c.Ground {
		formula = fmt.Sprintf("formula %d: ", c.Index)
	}
	t.printf("\n%s%s\n  %s %s\n", t.paint(colors[f.Level], title), number, formula, t.paint(bold, c.Formula))
	if len(wrong) > 0 {
		t.wrong(about, wrong)
		if n := len(words) - 1; n > 0 && !t.Quiet {
			t.printf("  (%s: use -v)\n", plural.Of(n, "more word"))
		}
	}
	if r, x := f.told(); r != nil {
		t.b.WriteString("  " + t.failure(r))
	} else if x != nil {
		t.printf("  %s: %s: %s\n", t.paint(red, "property"), x.Subject, x.Text)
	}
}

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
	t.history(summary)
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

// history prints the table of the failures of this run and of earlier runs that are no problem of this run, and the
// commands for those that are news and stand in no other table.
func (t *Text) history(summary *Summary) {
	list := slices.DeleteFunc(summary.failures(), func(f *failure) bool {
		stated := slices.ContainsFunc(t.stated, func(g *failure) bool { return g.State != "" && g.Key == f.Key })
		return f.State == "" || stated || t.Quiet && !news(&f.Group)
	})
	if len(list) == 0 {
		return
	}
	// Many failures with one state do not push out the others.
	count, most := map[outcome.State]int{}, t.most(len(list))
	shown := slices.DeleteFunc(slices.Clone(list), func(f *failure) bool {
		count[f.State]++
		return count[f.State] > most
	})
	var commands strings.Builder
	for i, f := range shown {
		if news(&f.Group) && f.Command != "" && !t.shows(summary, f.Command) {
			fmt.Fprintf(&commands, "%5d  %s\n", i+1, t.shell(f.Command, 7))
		}
	}
	t.printf("\n")
	t.print(t.records(summary, "group", shown))
	t.b.WriteString(commands.String())
	if more := len(list) - len(shown); more > 0 {
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

// shows reports whether the command of a cause is printed: of each if Verbose, else of the first of each problem.
func (t *Text) shows(summary *Summary, command string) bool {
	if t.Verbose {
		return slices.ContainsFunc(summary.Causes, func(c *outcome.Cause) bool { return c.Command == command })
	}
	problems := t.counting(summary)
	return slices.ContainsFunc(problems[:min(len(problems), maxProblems)], func(p outcome.Problem) bool {
		return summary.Causes[p.Causes[0]].Command == command
	})
}

// sized returns a word with what is known of its size.
func sized(word string, size int, shortest bool) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s)", word, wordAbout(word, size, shortest))
}

func wordAbout(word string, size int, shortest bool) string {
	switch {
	case word == "":
		return ""
	case shortest:
		return "shortest: " + plural.Of(size, "letter")
	}
	return "at most " + plural.Of(size, "letter")
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
