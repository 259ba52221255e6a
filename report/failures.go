package report

import (
	"context"
	"fmt"
	"slices"
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
		g := c.Group(c.Translators)
		g.Command = c.Command
		list = append(list, g)
	}
	return list
}

// cause returns the cause that is a group of failures in this run, nil if there is none.
func (t *Summary) cause(g *outcome.Group) *Cause {
	i := slices.IndexFunc(t.Causes, func(c Cause) bool { return c.Has(g) })
	if i < 0 {
		return nil
	}
	return &t.Causes[i]
}

// A fact is a line of what is known of a run, or of a failure.
type fact struct {
	Name, Text string
	code       bool // it is no English
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

// facts returns what is known of a group of failures, but for its command.
func (t *Summary) facts(g *outcome.Group) []fact {
	formula := g.Formula
	if g.Polarity == outcome.Negation {
		formula += "   (its negation)"
	}
	list := facts{{"translator", strings.Join(g.Translators, ", "), true}, {"kind", ClassName(g.Class), false}, {t.noun(), formula, true}}
	list.code("word", sized(g.Word, g.Size, g.Shortest))
	if truth, err := truth(g); err == nil && g.Word != "" && !t.Automata {
		list.add("truth", satisfies(truth))
	}
	list.code("detail", t.detail(g))
	if g.Formulas > 0 {
		list.add("found on", t.inputs(g.Formulas))
	}
	if c := t.cause(g); c != nil {
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
