package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// failures returns the groups of failures: with what became of them if there is a history,
// and otherwise the causes, without a state.
func (t *Summary) failures() []outcome.Group {
	if t.Regression != nil {
		return t.Regression.Groups
	}
	var list []outcome.Group
	for _, c := range t.Causes {
		g := outcome.Group{Translators: c.Translators, Class: c.Class, Formula: c.Formula, Polarity: c.Polarity,
			Word: c.Word, Size: c.Size, Shortest: c.Shortest, Formulas: c.Formulas, Command: c.Command}
		if c.Key != "" && len(c.Translators) > 0 {
			g.Key = c.GroupKey(c.Translators[0])
		}
		list = append(list, g)
	}
	return list
}

// cause returns the cause that is a group of failures in this run, nil if there is none.
func (t *Summary) cause(g *outcome.Group) *Cause {
	if len(g.Translators) == 0 {
		return nil
	}
	i := slices.IndexFunc(t.Causes, func(c Cause) bool {
		return slices.Contains(c.Translators, g.Translators[0]) && g.Key == c.GroupKey(g.Translators[0])
	})
	if i < 0 {
		return nil
	}
	return &t.Causes[i]
}

// A fact is a line of what is known of a failure.
type fact struct {
	name, text string
	code       bool // it is no English
}

// facts returns what is known of a group of failures, but for its command.
func (t *Summary) facts(g *outcome.Group) []fact {
	input := g.Formula
	if g.Polarity == outcome.Negation {
		input += "   (its negation)"
	}
	list := []fact{{"translator", strings.Join(g.Translators, ", "), true}, {"kind", ClassName(g.Class), false}, {t.noun(), input, true}}
	if g.Word != "" {
		list = append(list, fact{"word", sized(g.Word, g.Size, g.Shortest), true})
		if truth, err := truth(g); err == nil && !t.Automata {
			list = append(list, fact{"truth", satisfies(truth), false})
		}
	}
	if detail := t.detail(g); detail != "" {
		list = append(list, fact{"detail", detail, true})
	}
	if g.Formulas > 0 {
		list = append(list, fact{"found on", t.inputs(g.Formulas), false})
	}
	if c := t.cause(g); c != nil {
		seen := fmt.Sprintf("%s   (number %d", c.Original, c.Index)
		if c.Seed != nil {
			seen += ", seed " + strconv.FormatUint(*c.Seed, 10)
		}
		list = append(list, fact{"example", seen + ")", true})
	}
	if g.First != nil {
		list = append(list, fact{"first seen", runName(g.First), false})
	}
	if g.Last != nil {
		list = append(list, fact{"last seen", runName(g.Last), false})
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
			if of(f.Subject) && c.Includes(outcome.Class{Finding: f.Class, Said: f.Property}) {
				return f.Text
			}
		}
	}
	for _, x := range t.groups.list {
		if slices.Contains(g.Translators, x.Translator) && x.key.Class == g.Class && x.Formula == g.Formula && x.Polarity == g.Polarity {
			return x.Detail
		}
	}
	return ""
}

// truth evaluates the formula of a group on its word.
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
