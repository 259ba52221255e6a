package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Cause is a cause of the run's triage, with a command that shows it alone.
type Cause struct {
	*outcome.Cause
	Command string `json:"command"` // a command for the shell that reproduces this
}

// explained reports whether a group of failures is shown as a cause: with what remains of
// its formulas, or as one of the problems, if these are shown.
func (t *Summary) explained(g *Group, problems bool) bool {
	return slices.ContainsFunc(t.Causes, func(c Cause) bool {
		return (c.Ground || problems) && slices.Contains(c.Translators, g.Translator) && c.Includes(g.key.Class)
	})
}

// A record is a row of a table of failures.
type record struct {
	outcome.Group
	who   string
	cause *Cause // that the row is about; nil for a group of a history
}

// recordTable returns a table of failures. A format writes the cells of a row: the state, who fails, how,
// on how many formulas, the first and the last run, a formula and a word. Without a history, there is
// neither state nor run.
func (t *Summary) recordTable(list []record, cells func(*record) []string) Table {
	rows := [][]string{{"state", "translator", "kind", t.plural(), "first seen", "last seen", "smallest " + t.noun(), "word"}}
	for i := range list {
		rows = append(rows, cells(&list[i]))
	}
	if !slices.ContainsFunc(list, func(r record) bool { return r.State != "" }) {
		for i, row := range rows {
			rows[i] = slices.Concat(row[1:4], row[6:])
		}
	}
	return Table{Header: rows[0], Rows: rows[1:], Right: []int{slices.Index(rows[0], t.plural())}}
}

// records returns a table of failures for a terminal, with numbers below a name.
func (t *Text) records(summary *Summary, name string, list []record) Table {
	x := summary.recordTable(list, func(r *record) []string {
		formula := line(outcome.TitleOf(r.Formula), 40)
		if r.cause != nil {
			formula = r.cause.smallest()
		}
		return []string{t.state(&r.Group), r.who, line(ClassName(r.Class), 60), formulasOf(&r.Group), runName(r.First), runName(r.Last),
			formula, sized(line(r.Word, 40), r.Size, r.Shortest)}
	})
	x.Header = slices.Insert(x.Header, 0, name)
	x.Right = []int{0, x.Right[0] + 1} // one column further, behind the new one
	for i := range x.Rows {
		x.Rows[i] = slices.Insert(x.Rows[i], 0, strconv.Itoa(i+1))
	}
	return x
}

// causes prints what is wrong with the translators, a row for all failures of one cause,
// and how to see each.
func (t *Text) causes(summary *Summary) {
	shown, left := t.shown(summary.Causes)
	if len(shown) == 0 {
		return
	}
	var list []record
	for i := range shown {
		c := &shown[i]
		list = append(list, record{c.Group(c.Translators), strings.Join(c.Translators, ", "), c})
	}
	t.printf("\n")
	t.print(t.records(summary, "cause", list))
	for i, c := range shown {
		t.reproduction(i, c.Command)
	}
	t.others(left, "causes")
}

// reproduction prints the command that shows the failure in row i of a table.
func (t *Text) reproduction(i int, command string) {
	if command != "" {
		t.printf("%5d  %s\n", i+1, command)
	}
}

func (c *Cause) smallest() string {
	formula := c.Formula
	if !c.Ground || c.Unfinished {
		formula = line(formula, 40)
	}
	formula += c.with()
	switch {
	case c.Unfinished:
		formula += " (not shrunk to the end: " + cmp.Or(c.Limit, "limit reached") + ")"
	case c.Limit != "":
		formula += " (not shrunk: " + c.Limit + ")"
	}
	return formula
}

// with says which options the failure needs: " with -B --high", or "".
func (c *Cause) with() string {
	if !c.Ground || len(c.Options) == 0 {
		return ""
	}
	return " with " + strings.Join(c.Options, " ")
}

// shown returns the causes that have a row, and how many more there are. Calls that failed
// are in the table of groups, unless more is known.
func (t *Text) shown(list []Cause) (shown []Cause, left int) {
	shown = slices.DeleteFunc(slices.Clone(list), func(c Cause) bool { return !c.Ground && !c.Class.Words })
	most := t.most(len(shown))
	return shown[:most], len(shown) - most
}

// ClassName returns a class of failures as people read it. In JSON and in a history a class has
// the number of a signal, which differs between systems:
//
//	crash 11: assertion failed              crash (SIGSEGV): assertion failed
//	extra words, of the negation only       extra words (negation only)
func ClassName(c outcome.Class) string {
	negation := ""
	if c.NegationOnly {
		negation = " (negation only)"
	}
	c.NegationOnly = false // String would say it as well
	name := c.String()
	switch {
	case c.Status == outcome.Timeout:
		name = string(c.Status) // without "killed after …"
	case c.Status == outcome.Crash && c.Code != 0:
		name = string(c.Status) + " (" + translators.SignalName(c.Code) + ")"
		if c.Said != "" {
			name += ": " + c.Said
		}
	}
	return name + negation
}

// failureName returns the class of a failure in a case as people read it.
func failureName(f outcome.Failure) string {
	if f.Class.Status == outcome.Crash {
		return ClassName(f.Class)
	}
	return f.String()
}

// kindOf returns the part of a class by which the page filters groups:
//
//	missing words, of the negation only      missing words
//	property: deterministic                  property
//	crash 11: assertion failed               crash
func kindOf(c outcome.Class) string {
	switch {
	case c.Words:
		c.NegationOnly = false
		return c.String()
	case c.Finding != "":
		return string(c.Finding)
	}
	return string(c.Status)
}

// failures returns the groups of failures: with what became of them if there is a history,
// and otherwise the causes, without a state.
func (t *Summary) failures() []outcome.Group {
	if t.Regression != nil {
		return t.Regression.Groups
	}
	var list []outcome.Group
	for _, c := range t.Causes {
		g := c.Group(c.Translators)
		g.Command = c.Command
		list = append(list, g)
	}
	return list
}

// cause returns the cause of a group of failures in this run, or nil.
func (t *Summary) cause(g *outcome.Group) *Cause {
	i := slices.IndexFunc(t.Causes, func(c Cause) bool { return c.Has(g) })
	if i < 0 {
		return nil
	}
	return &t.Causes[i]
}

// record returns what a problem is, on the smallest formula of its causes.
func (t *Summary) record(p *outcome.Problem) record {
	c := &t.Causes[p.Causes[0]]
	r := record{c.Group(p.Translators), line(strings.Join(p.Translators, ", "), 60), c}
	r.Class, r.Formulas = p.Class, p.Formulas
	return r
}

// A fact is a line of what is known of a run, or of a failure.
type fact struct {
	Name, Text string
	code       bool // it is no English
}

// IsCode reports whether the text is no English. It is for the template of HTML.
func (f fact) IsCode() bool { return f.code }

type facts []fact

// add adds what is known, in English, and code what is no English.
func (l *facts) add(name, text string)  { l.addIf(fact{name, text, false}) }
func (l *facts) code(name, text string) { l.addIf(fact{name, text, true}) }

func (l *facts) addIf(f fact) {
	if f.Text != "" {
		*l = append(*l, f)
	}
}

// facts returns what is known of a group of failures, but for its command.
func (t *Summary) facts(g *outcome.Group) []fact {
	formula := outcome.TitleOf(g.Formula)
	if g.Polarity == outcome.Negation {
		formula += "   (its negation)"
	}
	list := facts{{"translator", strings.Join(g.Translators, ", "), true}, {"kind", ClassName(g.Class), false}, {t.noun(), formula, true}}
	list.code("word", sized(g.Word, g.Size, g.Shortest))
	wrong := t.shows(g)
	for _, word := range general(wrong) {
		list.code("in general", word)
	}
	if len(wrong) > 0 && wrong[0].Prefix != "" { // all have one word
		list.code("settled by", fmt.Sprintf("%s   (%s)", wrong[0].Prefix, settled(&wrong[0])))
	}
	// The word of an automaton has no truth of a formula.
	if truth, err := truth(g); err == nil && g.Word != "" && !t.Automata {
		list.add("truth", satisfies(truth, g.Class.NegationOnly))
	}
	list.code("detail", t.detail(g))
	if g.Formulas > 0 {
		list.add("found on", t.inputs(g.Formulas))
	}
	if c := t.cause(g); c != nil {
		list.code("options", c.DrawnOptions())
		if len(wrong) > 0 {
			for _, r := range c.Case.Results {
				if isBlamed(wrong, r.Subject) {
					list.code("call", r.Command)
				}
			}
		}
		seen := fmt.Sprintf("%s   (number %d", c.Original, c.Index)
		if c.Seed != nil {
			seen += ", seed " + seedText(c.Seed)
		}
		list.code("example", seen+")")
	}
	list.add("first seen", runName(g.First))
	list.add("last seen", runName(g.Last))
	return list
}

// shows returns the disagreements of a group that its word shows. There are none if this run has
// another formula of the group, or none.
func (t *Summary) shows(g *outcome.Group) (list []outcome.Disagreement) {
	c := t.cause(g)
	if c == nil || c.Case == nil || c.Case.Formula != g.Formula {
		return nil
	}
	for _, d := range c.Case.Disagreements {
		blamed := func(s outcome.Subject) bool { return slices.Contains(g.Translators, s.Translator) }
		if d.Word == g.Word && slices.ContainsFunc(d.Blamed, blamed) {
			list = append(list, d)
		}
	}
	return list
}

// detail returns what a failed call, or a false property, has said on the formula of a group
// itself: more than what all of the group have in common. It is "" if this run does not know.
func (t *Summary) detail(g *outcome.Group) string {
	of := func(s outcome.Subject) bool {
		return slices.Contains(g.Translators, s.Translator) && s.Polarity == g.Polarity
	}
	if c := t.cause(g); c != nil && c.Case != nil && c.Case.Formula == g.Formula {
		for i := range c.Case.Results {
			if r := &c.Case.Results[i]; of(r.Subject) && r.Failed() && c.Includes(r.Failure) {
				return r.Detail
			}
		}
		for _, f := range c.Case.Findings {
			if of(f.Subject) && c.Includes(f.FailureClass()) {
				return f.Text
			}
		}
	}
	// Without a cause, a group knows what was said on its own smallest formula.
	for _, x := range t.groups.list {
		if slices.Contains(g.Translators, x.Translator) && x.key.Class == g.Class && x.Formula == outcome.TitleOf(g.Formula) && x.Polarity == g.Polarity {
			return x.Detail
		}
	}
	return ""
}

func truth(g *outcome.Group) (bool, error) {
	f, err := ltl.NewStore().Parse(g.Formula, ltl.Spot)
	if err != nil {
		return false, err
	}
	w, err := omega.ParseWord(context.Background(), g.Word)
	if err != nil {
		return false, err
	}
	return w.Holds(f)
}

// A Group is a set of calls of one translator that failed alike, or whose output is odd in the
// same way. It has the smallest formula that shows it.
type Group struct {
	Translator string `json:"translator"` // name of the translator
	// status of the failed calls, or class of the findings; "other" for all after the first 1000
	// groups of the translator
	Class   string `json:"class"`
	Finding bool   `json:"finding"` // true for findings, false for failed calls
	// what the calls have in common, with … for what differs; empty for "other"
	Signature string `json:"signature"`
	Calls     int    `json:"calls"`    // number of calls; a formula and its negation are two
	Formulas  int    `json:"formulas"` // number of formulas
	Index     int    `json:"index"`    // number of the smallest formula that shows it, from 0
	// the smallest formula that shows it, or the source of the smallest automaton
	Formula string  `json:"formula"`
	Seed    *uint64 `json:"seed,omitempty"` // seed of that formula; missing if it was given
	// true if this is about the negation of the formula
	Polarity outcome.Polarity `json:"negated"`
	ExitCode int              `json:"exit_code"` // exit status of that call, or number of the signal
	Detail   string           `json:"detail"`    // what happened in that call
	// a command for the shell that reproduces that call
	Command string `json:"command,omitempty"`
	// start and end of the standard error of that call
	Stderr string `json:"stderr,omitempty"`

	key          outcome.Key
	lastCase     int              // in which it was met
	lastPolarity outcome.Polarity // in the last call in which it was met

	automaton bool // Formula is the source of one
	size      int
}

// Input returns the input of the translator: a formula, or the source of an automaton.
func (g *Group) Input() string {
	if g.automaton {
		return g.Formula
	}
	return input(g.Formula, g.Polarity)
}

func input(formula string, p outcome.Polarity) string {
	if p == outcome.Negation {
		return "!(" + formula + ")"
	}
	return outcome.TitleOf(formula)
}

// maxGroups is the maximum number of groups of a translator. One more group is for all other
// failures.
const maxGroups = 1000

// groups finds the Group of what is wrong with a call.
type groups struct {
	list  []*Group
	byKey map[outcome.Key]*Group
	count map[string]int // of each translator
}

// failure adds a failed call of a case, and reports whether it is the first of its group. Cases are
// numbered as they come. If mine crashes twice with "assertion failed" and once with "out of
// memory", the answers are true, false and true.
func (g *groups) failure(number int, c *outcome.Case, r *outcome.Result) bool {
	class := r.Failure
	if class.Status != r.Status { // it has no signature
		class = outcome.Class{Status: r.Status, Said: class.String()}
	}
	return g.add(number, c, r, class, r.Failure.String(), r.Detail)
}

func (g *groups) finding(number int, c *outcome.Case, r *outcome.Result, f *outcome.Finding) bool {
	class := f.FailureClass() // without the states and words of the text
	switch {
	case f.Formula != "": // how the translator reads formulas is one thing, whichever show it
		class.Said = "how operators are grouped"
		return g.add(number, &outcome.Case{Index: c.Index, Formula: f.Formula}, &outcome.Result{Subject: r.Subject}, class, class.String(), f.Text)
	case f.Property == "":
		class.Said = translators.Pattern(f.Text, c.Formula)
	}
	return g.add(number, c, r, class, class.String(), f.Text)
}

func (g *groups) add(number int, c *outcome.Case, r *outcome.Result, class outcome.Class, signature, detail string) (first bool) {
	if g.byKey == nil {
		g.byKey, g.count = map[outcome.Key]*Group{}, map[string]int{}
	}
	key := outcome.Key{Translator: r.Translator, Class: class}
	x := g.byKey[key]
	other := x == nil && g.count[key.Translator] == maxGroups
	if other {
		key.Class = outcome.Class{} // one group has all that are too many
		x = g.byKey[key]
	}
	if first = x == nil; first {
		x = &Group{Translator: key.Translator, key: key, lastCase: -1}
		g.list = append(g.list, x)
		g.byKey[key] = x
		if other {
			x.Class = "other"
		} else {
			g.count[key.Translator]++
			x.Class, x.Finding, x.Signature = cmp.Or(string(class.Finding), string(class.Status)), class.Finding != "", signature
		}
	}
	// An automaton may have several findings of a group.
	if x.lastCase != number || x.lastPolarity != r.Polarity {
		x.Calls++
	}
	if x.lastCase != number {
		x.Formulas++
	}
	x.lastCase, x.lastPolarity = number, r.Polarity
	// Cases may come in another order than their formulas.
	size := sizeOf(c, r.Polarity)
	if first || cmp.Or(cmp.Compare(size, x.size), cmp.Compare(c.Index, x.Index)) < 0 {
		x.size, x.automaton = size, c.Automaton != nil
		x.Index, x.Formula, x.Seed, x.Polarity = c.Index, c.Title(), c.Seed, r.Polarity
		x.ExitCode, x.Detail, x.Command, x.Stderr = r.ExitCode, detail, r.Command, r.Stderr
	}
	return first
}

// sizeOf measures what a translator was given: a formula by its length, an automaton by its
// states and edges.
func sizeOf(c *outcome.Case, p outcome.Polarity) int {
	if c.Automaton != nil {
		return c.Automaton.States + c.Automaton.Edges
	}
	return len(input(c.Formula, p))
}

// Groups returns the groups so far, the most frequent first.
func (t *Summary) Groups() []*Group {
	list := append([]*Group{}, t.groups.list...) // never nil: [] in JSON
	slices.SortStableFunc(list, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Index, b.Index))
	})
	return list
}
