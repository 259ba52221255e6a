package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A failure is a failure as all reports show it: its record with what became of it, how it counts, and
// what is known of it. Summary.failures makes it.
type failure struct {
	outcome.Group // without a history, it has no state
	Level         level

	cause *outcome.Cause // nil if none was looked for, or it is not of this run
	calls *Group         // calls that failed alike, if there is no cause
	noun  string
}

// A level says how a failure counts for the exit status.
type level string

const (
	bad   level = "bad"   // it fails the run
	poor  level = "poor"  // it leaves the run incomplete, or is beside what decides
	past  level = "past"  // this run has not met it
	minor level = "minor" // it never counts
)

var levels = []level{bad, poor, past, minor}

// A severity says how much a failure matters, the most severe first.
type severity int

const (
	wrongAnswer  severity = iota
	falseClaim            // a declared property is false
	crashed               // by a signal
	ended                 // with a status other than 0, or with no automaton that can be checked
	exhausting            // a limit of time, memory or output
	unsteady              // answers that a fresh process does not give
	minorFinding          // odd output, which never counts
)

// severityOf returns how much failures of a class matter.
func severityOf(c outcome.Class) severity {
	switch {
	case c.Words:
		return wrongAnswer
	case c.IsProperty():
		return falseClaim
	case c.Finding == outcome.Unstable:
		return unsteady
	case c.Finding != "":
		return minorFinding
	case c.Status == outcome.Crash:
		return crashed
	case c.Exhausted():
		return exhausting
	}
	return ended
}

// level decides how a failure counts.
func (t *Summary) level(g *outcome.Group) level {
	s := &t.Counts
	// Whether a call that failed fails the run without --strict-failures.
	fails := s.FailOnNew && t.Regression != nil
	if g.Class.Status.TimedOut() {
		fails = s.FailOnTimeout
	}
	switch {
	case g.State == outcome.StateFixed || g.State == outcome.StateUnseen:
		return past
	case severityOf(g.Class) == minorFinding:
		return minor
	case !t.counts(g) || g.Class.IsCall() && (s.IgnoreFailures || !fails && !s.StrictFailures):
		return poor
	}
	return bad
}

// counts reports whether a failure of this run counts: not a call with a status that is ignored, and not a known one
// if only new failures count.
func (t *Summary) counts(g *outcome.Group) bool {
	s := &t.Counts
	return (!g.Class.IsCall() || !slices.Contains(s.Ignored, g.Class.Status)) && (!s.FailOnNew || t.Regression == nil || news(g))
}

// failures returns the failures of this run and of earlier runs. Those that decide the status come first. The rest
// is sorted by severity.
func (t *Summary) failures() []*failure {
	var list []*failure
	add := func(g outcome.Group, c *outcome.Cause, x *Group) {
		list = append(list, &failure{g, t.level(&g), c, x, t.noun()})
	}
	groups := t.groups.list
	metCauses, metCalls := map[*outcome.Cause]bool{}, map[*Group]bool{}
	if t.Regression != nil {
		for _, g := range t.Regression.Groups {
			var c *outcome.Cause
			var x *Group
			if g.State != outcome.StateFixed && g.State != outcome.StateUnseen {
				if c = t.cause(&g); c == nil { // no causes are looked for on automata
					if i := slices.IndexFunc(groups, func(x *Group) bool { return x.of(&g) }); i >= 0 {
						x = groups[i]
					}
				}
			}
			metCauses[c], metCalls[x] = true, true
			add(g, c, x)
		}
	}
	for _, c := range t.Causes {
		if !metCauses[c] {
			add(c.Group(c.Translators), c, nil)
		}
	}
	for _, x := range groups {
		explained := func(c *outcome.Cause) bool {
			return slices.Contains(c.Translators, x.Translator) && c.Includes(x.key.Class)
		}
		if !metCalls[x] && !slices.ContainsFunc(t.Causes, explained) {
			add(x.record(), nil, x)
		}
	}
	slices.SortStableFunc(list, func(a, b *failure) int {
		rank := func(f *failure) int { return slices.Index(levels, f.Level) }
		state := func(f *failure) int { return slices.Index(outcome.States(), cmp.Or(f.State, outcome.StateKnown)) }
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(state(a), state(b)),
			cmp.Compare(severityOf(a.Class), severityOf(b.Class)), cmp.Compare(b.Formulas, a.Formulas))
	})
	return list
}

// serious returns the failures without the minor findings.
func (t *Summary) serious() []*failure {
	return slices.DeleteFunc(t.failures(), func(f *failure) bool { return f.Level == minor })
}

// cause returns the cause of a group of failures in this run, or nil.
func (t *Summary) cause(g *outcome.Group) *outcome.Cause {
	i := slices.IndexFunc(t.Causes, func(c *outcome.Cause) bool { return c.Has(g) })
	if i < 0 {
		return nil
	}
	return t.Causes[i]
}

// Who names the translators.
func (f *failure) Who() string { return strings.Join(f.Translators, ", ") }

// Name returns the class as people read it.
func (f *failure) Name() string {
	if f.calls != nil && f.calls.Finding && !f.Class.IsProperty() {
		return f.calls.Class
	}
	return ClassName(f.Class)
}

// Input returns what the translators were given: a formula, or the source of an automaton.
func (f *failure) Input() string {
	if f.noun == "automaton" {
		return screen.TitleOf(f.Formula)
	}
	return input(f.Formula, f.Polarity)
}

// Count says on how many inputs this run met the failure, or in how many calls; "" if it did not.
func (f *failure) Count() string {
	switch {
	case f.calls != nil && !f.Class.Words && f.State == "":
		return plural.Of(f.calls.Calls, "call")
	case f.Formulas == 0:
		return ""
	}
	return plural.Of(f.Formulas, f.noun)
}

// About says what is known of the size of the word.
func (f *failure) About() string { return wordAbout(f.Word, f.Size, f.Shortest) }

// ID returns a name for links. It depends on the key alone, as the name of a page in a site.
func (f *failure) ID() string {
	return linkName(cmp.Or(f.Key, f.Who()+" | "+f.Class.String()+" | "+f.Input()))
}

// linkName returns a name for a key, with what is readable of it: "mine-words-fa-0123456789abcdef".
func linkName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return slug(key, 48) + "-" + hex.EncodeToString(sum[:8])
}

// slug returns what is readable of a text in file names of all systems: "mine | words | Fa" is
// "mine-words-fa".
func slug(text string, most int) string {
	var b strings.Builder
	gap := false
	for _, r := range text {
		r = unicode.ToLower(r)
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			if gap && b.Len() > 0 { // no hyphen at the start
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
		} else {
			gap = true
		}
		if b.Len() >= most {
			break
		}
	}
	return cmp.Or(b.String(), "cause")
}

// recordTable returns a table of failures. A format writes the cells of a row: the state, who fails, how,
// on how many formulas, the first and the last run, a formula and a word. Without a history, there is
// neither state nor run.
func (t *Summary) recordTable(list []*failure, cells func(*failure) []string) table.Table {
	rows := [][]string{{"state", "translator", "kind", t.plural(), "first seen", "last seen", "smallest " + t.noun(), "word"}}
	for _, f := range list {
		rows = append(rows, cells(f))
	}
	if !slices.ContainsFunc(list, func(f *failure) bool { return f.State != "" }) {
		for i, row := range rows {
			rows[i] = slices.Concat(row[1:4], row[6:])
		}
	}
	return table.Table{Header: rows[0], Rows: rows[1:], Right: []int{slices.Index(rows[0], t.plural())}}
}

// smallest returns the formula, with what is known of how it was shrunk.
func (f *failure) smallest() string {
	formula := screen.TitleOf(f.Formula)
	c := f.cause
	if c == nil || c.Formula != f.Formula {
		return line(formula, 40)
	}
	if !c.Ground || c.Unfinished {
		formula = line(formula, 40)
	}
	formula += f.with()
	switch {
	case c.Unfinished:
		formula += " (not shrunk to the end: " + cmp.Or(c.Limit, "limit reached") + ")"
	case c.Limit != "":
		formula += " (not shrunk: " + c.Limit + ")"
	}
	return formula
}

// with says which options the failure needs: " with -B --high", or "".
func (f *failure) with() string {
	if c := f.cause; c != nil && c.Ground && len(c.Options) > 0 {
		return " with " + strings.Join(c.Options, " ")
	}
	return ""
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

// A fact is a line of what is known of a run, or of a failure.
type fact struct {
	Name, Text string
	Code       bool // it is no English
}

type facts []fact

// add adds what is known, in English, and code what is no English.
func (l *facts) add(name, text string)  { l.addIf(fact{name, text, false}) }
func (l *facts) code(name, text string) { l.addIf(fact{name, text, true}) }

func (l *facts) addIf(f fact) {
	if f.Text != "" {
		*l = append(*l, f)
	}
}

// facts returns what is known of a failure, without how to reproduce it: list says what it is, and about where
// and when it was met.
func (f *failure) facts() (list, about facts) {
	formula := screen.TitleOf(f.Formula)
	if f.Polarity == outcome.Negation {
		formula += "   (its negation)"
	}
	list = facts{{"translator", f.Who(), true}, {"kind", f.Name(), false}, {f.noun, formula, true}}
	list.code("word", sized(f.Word, f.Size, f.Shortest))
	wrong := f.shows()
	for _, word := range general(wrong) {
		list.code("in general", word)
	}
	if len(wrong) > 0 && wrong[0].Prefix != "" { // all have one word
		list.code("settled by", fmt.Sprintf("%s   (%s)", wrong[0].Prefix, settled(&wrong[0])))
	}
	// The word of an automaton has no truth of a formula.
	if truth, err := f.truth(); err == nil && f.Word != "" && f.noun == "formula" {
		list.add("truth", satisfies(truth, f.Polarity == outcome.Negation))
	}
	detail, stderr := f.detail()
	list.code("detail", detail)
	list.code("stderr", tail(stderr))
	list.add("found on", f.Count())
	if f.cause != nil {
		for _, r := range f.shown().Results {
			if len(wrong) > 0 && isBlamed(wrong, r.Subject) {
				list.code("call", r.Command)
			}
		}
	}
	about = f.origin()
	about.add("first seen", runWithSeed(f.First))
	about.add("last seen before", runWithSeed(f.Last))
	return list, about
}

// origin says on which input of the run the failure was met, and how far it shrank.
func (f *failure) origin() (about facts) {
	if c := f.cause; c != nil {
		about.code("options", c.DrawnOptions())
		name, original := "example", cmp.Or(c.Original, c.Formula)
		if original != c.Formula {
			name = "found with" // the formula shrank
		}
		about.code(name, example(original, c.Index, c.Seed))
		switch {
		case c.Unfinished:
			about.add("limit", "reached while the formula shrank; a smaller one may fail")
		case c.Limit != "" && f.Formulas > 1:
			about.add("limit", c.Limit+": the formulas were not shrunk; they probably have one cause")
		case c.Limit != "":
			about.add("limit", c.Limit+": the formula was not shrunk")
		}
	} else if x := f.calls; x != nil {
		about.code("example", example(x.Input(), x.Index, x.Seed))
	}
	return about
}

// example names an input of the run that shows a failure.
func example(text string, index int, seed *uint64) string {
	text = fmt.Sprintf("%s   (number %d", screen.TitleOf(text), index)
	if seed != nil {
		text += ", seed " + plural.Seed(seed)
	}
	return text + ")"
}

// shows returns the disagreements that the word of the failure shows. There are none if this run has
// another formula of the failure, or none.
func (f *failure) shows() (list []outcome.Disagreement) {
	c := f.shown()
	if f.Word == "" || c.Title() != screen.TitleOf(f.Formula) {
		return nil
	}
	for _, d := range c.Disagreements {
		if d.Word == f.Word && slices.ContainsFunc(d.Blamed, f.has) {
			list = append(list, d)
		}
	}
	return list
}

// has reports whether an automaton is of a translator that fails in this way. Translators that share a cause accept
// the same words, and the case of the cause may have the automata of only one of them.
func (f *failure) has(s outcome.Subject) bool {
	return slices.Contains(f.Translators, s.Translator) || f.cause != nil && slices.Contains(f.cause.Translators, s.Translator)
}

// shown returns the case that shows the failure in this run, an empty one if there is none.
func (f *failure) shown() *outcome.Case {
	switch {
	case f.cause != nil && f.cause.Case != nil:
		return f.cause.Case
	case f.calls != nil && f.calls.example != nil:
		return f.calls.example
	}
	return &outcome.Case{}
}

// told returns what shows the failure in the case of the cause: the call that failed, or the finding that a property
// is false. What the case does not have is nil.
func (f *failure) told() (*outcome.Result, *outcome.Finding) {
	c := f.shown()
	mine := func(s outcome.Subject) bool { return f.has(s) && s.Polarity == f.Polarity }
	for i := range c.Results {
		if r := &c.Results[i]; r.Failed() && mine(r.Subject) && f.cause.Includes(r.Failure) {
			return r, nil
		}
	}
	for i := range c.Findings {
		if x := &c.Findings[i]; mine(x.Subject) && x.FailureClass().Category() == f.cause.Class.Category() {
			return nil, x
		}
	}
	return nil, nil
}

// detail returns all that a failed call, or a false property, has said on the failure's own formula, and what the
// call wrote to standard error; "" if this run does not know. Causes are of formulas alone, so only the input of
// calls may be an automaton, and needs TitleOf.
func (f *failure) detail() (text, stderr string) {
	if f.cause != nil && f.shown().Formula == f.Formula {
		if r, x := f.told(); r != nil {
			return r.Detail, r.Stderr
		} else if x != nil {
			return x.Text, ""
		}
	}
	if x := f.calls; x != nil && x.Formula == screen.TitleOf(f.Formula) && x.Polarity == f.Polarity {
		return x.Detail, x.Stderr
	}
	return "", ""
}

func (f *failure) truth() (bool, error) {
	formula, err := ltl.NewStore().Parse(f.Formula, ltl.Spot)
	if err != nil {
		return false, err
	}
	w, err := omega.ParseWord(context.Background(), f.Word)
	if err != nil {
		return false, err
	}
	return w.Holds(formula)
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

	key          outcome.Fault
	lastCase     int              // in which it was met
	lastPolarity outcome.Polarity // in the last call in which it was met

	automaton bool // Formula is the source of one
	size      int
	kinds     outcome.Class // of the words that automata get wrong
	example   *outcome.Case // with such words, the smallest
}

// of reports whether the group has calls that a failure of a history is about.
func (g *Group) of(x *outcome.Group) bool {
	return slices.Contains(x.Translators, g.Translator) && g.key.Class.Category() == x.Class.Category()
}

// record returns the record of the calls.
func (g *Group) record() outcome.Group {
	x := outcome.Group{Record: outcome.Record{Translators: []string{g.Translator}, Class: g.key.Class, Formula: g.Formula, Polarity: g.Polarity, Formulas: g.Formulas, Command: g.Command}}
	if g.Class == "other" {
		x.Class.Said = g.Class
	}
	if c := g.example; c != nil {
		x.Class = g.kinds
		for _, d := range c.Disagreements {
			if slices.Contains(d.Blamed, outcome.Subject{Translator: g.Translator, Polarity: g.Polarity}) && (x.Word == "" || d.Size < x.Size) {
				x.Word, x.Size, x.Shortest = d.Word, d.Size, d.Shortest
			}
		}
	}
	return x
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
	return screen.TitleOf(formula)
}

// maxGroups is the maximum number of groups of a translator. One more group is for all other
// failures.
const maxGroups = 1000

// groups finds the Group of what is wrong with a call.
type groups struct {
	list  []*Group
	byKey map[outcome.Fault]*Group
	count map[string]int // of each translator
	wrong int            // groups with an example
}

// maxExamples bounds the cases that are kept.
const maxExamples = 100

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

// wrongWords adds the wrong automata of a case. They stand for the causes where there are none: of
// automata, and of a document that is cut off.
func (g *groups) wrongWords(number int, c *outcome.Case) {
	for _, f := range c.Faults() {
		if f.Class.Words {
			g.add(number, c, &outcome.Result{Subject: f.Subject}, f.Class, "", "")
		}
	}
}

func (g *groups) add(number int, c *outcome.Case, r *outcome.Result, class outcome.Class, signature, detail string) (first bool) {
	if g.byKey == nil {
		g.byKey, g.count = map[outcome.Fault]*Group{}, map[string]int{}
	}
	key := outcome.Fault{Subject: outcome.Subject{Translator: r.Translator}, Class: class}
	if class.Words { // an automaton that has words too many and lacks others is wrong once
		key.Class = class.Category()
	}
	x := g.byKey[key]
	other := x == nil && g.count[key.Translator] == maxGroups
	if other {
		key.Class = outcome.Class{} // one group has all that are too many
		x = g.byKey[key]
	}
	if first = x == nil; first {
		if class.Words {
			if g.wrong++; g.wrong > maxExamples {
				return false
			}
		}
		x = &Group{Translator: key.Translator, key: key, lastCase: -1}
		g.list = append(g.list, x)
		g.byKey[key] = x
		if other {
			x.Class = "other"
		} else {
			if !class.Words {
				g.count[key.Translator]++
			}
			x.Class, x.Finding, x.Signature = cmp.Or(string(class.Finding), string(class.Status)), class.Finding != "", signature
		}
	}
	x.kinds.Words, x.kinds.Extra, x.kinds.Missing = class.Words, x.kinds.Extra || class.Extra, x.kinds.Missing || class.Missing
	// An automaton may have several findings of a group.
	if x.lastCase != number || x.lastPolarity != r.Polarity {
		x.Calls++
	}
	if x.lastCase != number {
		x.Formulas++
	}
	x.lastCase, x.lastPolarity = number, r.Polarity
	// Cases may come in another order than their formulas.
	size := len(input(c.Formula, r.Polarity))
	if c.Automaton != nil {
		size = c.Automaton.States + c.Automaton.Edges
	}
	if first || cmp.Or(cmp.Compare(size, x.size), cmp.Compare(c.Index, x.Index)) < 0 {
		x.size, x.automaton = size, c.Automaton != nil
		x.Index, x.Formula, x.Seed, x.Polarity = c.Index, c.Title(), c.Seed, r.Polarity
		x.ExitCode, x.Detail, x.Command, x.Stderr = r.ExitCode, detail, r.Command, r.Stderr
		if class.Words {
			x.example = c
		}
	}
	return first
}

// Groups returns the groups of failed calls and odd outputs so far, the most frequent first.
func (t *Summary) Groups() []*Group {
	list := []*Group{} // never nil: [] in JSON
	for _, x := range t.groups.list {
		if x.example == nil {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Index, b.Index))
	})
	return list
}
