package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A pageGroup is failures that are taken for one, on a page.
type pageGroup struct {
	ID          string
	State       outcome.State // "" if there is no history
	Translators []string
	Class       string
	Kind        string // what Class begins with, to filter by
	Formula     string
	Word        string
	WordAbout   string
	Formulas    string // how many
	Command     string

	Facts    facts
	Words    []*pageWord
	Calls    []pageCall
	Findings []string
	// WordsLeft is how many more there are.
	WordsLeft int

	Details template.HTML // the rest of the group; or
	Later   template.JS   // that, as a string, to be there when it is opened

	class    outcome.Class
	formulas int
	cause    *Cause // nil if none was looked for, or it is not of this run
}

// A pageCall is one that failed.
type pageCall struct {
	Name, Status, Detail, Command, Stderr string
}

// How much of a group is shown.
const (
	groupWords = 2
	groupRuns  = 2
	groupSteps = 60
	callText   = 16 << 10 // bytes of standard error: the last ones
)

// groups returns the groups of this run and of earlier runs, ordered by state, then by
// number of formulas.
func (d *digest) groups(t *Summary) []*pageGroup {
	var list []*pageGroup
	for i := range t.Causes {
		list = append(list, causeGroup(&t.Causes[i]))
	}
	if !slices.ContainsFunc(t.Causes, func(c Cause) bool { return c.Class.Words }) {
		for _, key := range d.order {
			list = append(list, wrongPageGroup(key, d.wrong[key]))
		}
	}
	for _, g := range t.Groups() {
		known := slices.ContainsFunc(t.Causes, func(c Cause) bool {
			return slices.Contains(c.Translators, g.Translator) && c.Includes(g.key.Class)
		})
		if !known {
			list = append(list, failurePageGroup(g))
		}
	}
	list = withStates(list, t)
	slices.SortStableFunc(list, func(a, b *pageGroup) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.formulas, a.formulas))
	})
	return list
}

// rank orders groups by their states. Of odd output there is no history: it is as what is known.
func (g *pageGroup) rank() int {
	return slices.Index(outcome.States, cmp.Or(g.State, outcome.StateKnown))
}

// withStates puts what a regression knows into the groups, and adds those that are not of
// this run. What became of a cause may differ between its translators: then each has a group.
func withStates(list []*pageGroup, t *Summary) []*pageGroup {
	r := t.Regression
	if r == nil {
		return list
	}
	var all []*pageGroup
	met := map[*pageGroup]bool{}
	for i := range r.Groups {
		x := &r.Groups[i]
		g := newPageGroup(x, t.noun())
		if x.Formulas == 0 {
			g.Formulas = ""
		} else if k := slices.IndexFunc(list, func(g *pageGroup) bool { return g.cause != nil && g.cause.Has(x) || t.Automata && g.of(x) }); k >= 0 {
			met[list[k]] = true
			*g = *list[k]
			g.Facts = slices.Clone(g.Facts)
		}
		g.State, g.Translators = x.State, x.Translators
		g.Facts.add("first seen", runWithSeed(x.First))
		g.Facts.add("last seen before", runWithSeed(x.Last))
		all = append(all, g)
	}
	for _, g := range list {
		if !met[g] {
			all = append(all, g)
		}
	}
	return all
}

// of reports whether a group of automata, for which no cause is looked for, has the failures of a
// group of this run.
func (g *pageGroup) of(x *outcome.Group) bool {
	return slices.Contains(x.Translators, g.Translators[0]) && g.class.Category() == x.Class.Category()
}

// runWithSeed says which run it was, and with which seed.
func runWithSeed(n *outcome.RunID) string {
	if n == nil || n.Seed == nil {
		return runName(n)
	}
	return runName(n) + ", seed " + seedText(n.Seed)
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

// newPageGroup returns a page's group of failures, without its details.
func newPageGroup(x *outcome.Group, noun string) *pageGroup {
	return &pageGroup{Translators: x.Translators, class: x.Class, Class: ClassName(x.Class), Kind: kindOf(x.Class), Formula: input(x.Formula, x.Polarity),
		Word: x.Word, WordAbout: wordAbout(x.Word, x.Size, x.Shortest), Formulas: plural.Of(x.Formulas, noun), Command: x.Command, formulas: x.Formulas}
}

func (g *pageGroup) number(index int, seed *uint64) {
	g.Facts.add("number", strconv.Itoa(index))
	g.Facts.add("seed", seedText(seed))
}

func causeGroup(c *Cause) *pageGroup {
	x := c.Group(c.Translators)
	g := newPageGroup(&x, "formula")
	g.cause, g.Command = c, c.Command
	g.number(c.Index, c.Seed)
	g.Facts.add("options", c.DrawnOptions())
	if c.Ground {
		text := fmt.Sprintf("%s (%d)", c.Original, c.Index)
		if c.Unfinished {
			text += "; a limit was reached, so this may not be the smallest"
		}
		g.Facts[0] = fact{Name: "shrunk from", Text: text}
	}
	if c.Case != nil {
		g.fill(c.Case, c.Translators, c.Class.Words)
	}
	return g
}

// wrongPageGroup is one for which no cause was looked for.
func wrongPageGroup(key outcome.Key, w *wrongGroup) *pageGroup {
	c := w.smallest
	g := newPageGroup(&outcome.Group{Translators: []string{key.Translator}, Class: key.Class, Formula: c.Title(), Formulas: w.formulas}, noun(c))
	g.number(c.Index, c.Seed)
	part := *c
	part.Disagreements = slices.DeleteFunc(slices.Clone(c.Disagreements), func(d outcome.Disagreement) bool {
		return !key.Class.Shows(d.Kind) || !slices.ContainsFunc(d.Blamed, func(s outcome.Subject) bool { return s.Translator == key.Translator })
	})
	for _, d := range part.Disagreements {
		if g.Word == "" || len(d.Word) < len(g.Word) {
			g.Word, g.WordAbout = d.Word, wordAbout(d.Word, d.Size, d.Shortest)
		}
	}
	g.fill(&part, g.Translators, true)
	for i := range c.Results {
		if r := &c.Results[i]; r.Translator == key.Translator && r.Command != "" && g.Command == "" {
			g.Command = r.Command
		}
	}
	return g
}

// failurePageGroup is one of calls that failed, or of odd output.
func failurePageGroup(x *Group) *pageGroup {
	class := x.Class
	if !x.Finding && x.Signature != "" {
		class = ClassName(x.key.Class)
	}
	g := &pageGroup{Translators: []string{x.Translator}, class: x.key.Class, Class: class, Kind: x.Class, Formula: x.Input(),
		Formulas: plural.Of(x.Calls, "call"), Command: x.Command, formulas: x.Formulas}
	g.number(x.Index, x.Seed)
	if x.Finding {
		g.Findings = []string{x.Detail}
	} else {
		g.Calls = []pageCall{{x.Translator, x.Class, x.Detail, "", tail(x.Stderr)}}
	}
	return g
}

func tail(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text) - callText; n > 0 {
		text = "…" + strings.ToValidUTF8(text[n:], "")
	}
	return text
}

// fill adds what a case says of the translators: words, calls that failed, findings.
func (g *pageGroup) fill(c *outcome.Case, names []string, words bool) {
	of := func(s outcome.Subject) bool { return slices.Contains(names, s.Translator) }
	if words {
		list := slices.Clone(c.Disagreements)
		rank := func(d *outcome.Disagreement) (n int) { // what the group is named after comes first
			if d.Word != g.Word {
				n += 2
			}
			if !g.class.Shows(d.Kind) {
				n++
			}
			return n
		}
		slices.SortStableFunc(list, func(d, e outcome.Disagreement) int { return cmp.Compare(rank(&d), rank(&e)) })
		g.WordsLeft = max(0, len(list)-groupWords)
		for i := range list[:len(list)-g.WordsLeft] {
			g.Words = append(g.Words, newPageWord(c, &list[i], of))
		}
		return
	}
	for i := range c.Results {
		r := &c.Results[i]
		if of(r.Subject) && r.Failed() {
			g.Calls = append(g.Calls, pageCall{subjectName(r.Subject, c), string(r.Status), r.Detail, r.Command, tail(r.Stderr)})
		}
	}
	for _, f := range c.Findings {
		if of(f.Subject) && f.Class == outcome.FalseProperty {
			g.Findings = append(g.Findings, subjectName(f.Subject, c)+": "+f.Text)
		}
	}
}

// subjectName says whose automaton it is, and of what.
func subjectName(s outcome.Subject, c *outcome.Case) string { return nameOf(s, c.Automaton != nil) }

// nameOf is subjectName for a case that is of an automaton or not.
func nameOf(s outcome.Subject, automaton bool) string {
	if automaton && s.Polarity == outcome.Negation {
		return s.Translator + " (complement)"
	}
	return s.String()
}
