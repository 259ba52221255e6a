package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// patternSet is the JSON of a list or a family of formulas.
type patternSet struct {
	Name     string   `json:"name"`               // name of the list or family
	Also     []string `json:"also,omitempty"`     // other names
	Formulas int      `json:"formulas,omitempty"` // number of formulas of a list
	// the parameters of the family
	Parameters []patternParameter `json:"parameters,omitempty"`
	About      string             `json:"about"`  // what the formulas are
	Source     string             `json:"source"` // where the formulas were published
}

// A patternParameter is a parameter of a family.
type patternParameter struct {
	Name  string `json:"name"`  // name of the parameter
	Least int    `json:"least"` // the least value
}

// pattern is the JSON of a formula.
type pattern struct {
	Set   string `json:"set"`             // name of the list or family
	Index int    `json:"index,omitempty"` // number of the formula in the list, from 1
	// the parameters of the family
	Parameters map[string]int `json:"parameters,omitempty"`
	// true if this is the negation of the published formula
	Negated bool   `json:"negated,omitempty"`
	Formula string `json:"formula"` // the formula, in Spot's syntax
	Size    int    `json:"size"`    // number of operators and propositions of the formula
}

func (a *app) patternsCommand() *cobra.Command {
	var which polarities
	out := formulaFlags{published: true}
	c := &cobra.Command{
		Use: "patterns [flags] [NAME [RANGE]…]…",
		Long: `Prints the formulas of published lists and families. Without NAME, prints the
lists and families, with their sources.

RANGE selects formulas of a list or parameters of a family: 3, or 1..10.

` + formulaHelp,
		Example: `  xcheck patterns
  xcheck patterns dac
  xcheck patterns eh 3..5 go-theta 1..4 ms-example 1..2 3
  xcheck patterns --negations sb | xcheck translate -F -
  xcheck patterns --to spin eh`,
		ValidArgsFunction: cobra.FixedCompletions(patternNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.patternSets()
			}
			p, err := a.printer(&out)
			if err != nil {
				return err
			}
			var requests []patterns.Request
			for _, text := range patternRequests(args) {
				r, err := patterns.Parse(text)
				if err != nil {
					return err
				}
				requests = append(requests, r)
			}
			for _, r := range requests {
				if err := a.patternFormulas(r, &which, p); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&which.both, "negations", false, "also print the negation of each formula")
	c.Flags().BoolVar(&which.negative, "negative", false, "print the negation of each formula instead")
	c.Flags().BoolVar(&which.positive, "positive", false, "print the formulas, with --negative as well")
	out.add(c)
	return c
}

// patternRequests puts numbers behind the names that they belong to, so that they need
// not be in one argument.
func patternRequests(args []string) []string {
	var list []string
	for _, arg := range args {
		if len(list) > 0 && arg != "" && '0' <= arg[0] && arg[0] <= '9' {
			list[len(list)-1] += " " + arg
		} else {
			list = append(list, arg)
		}
	}
	return list
}

func (a *app) patternSets() error {
	for _, s := range patterns.Sets() {
		numbers := fmt.Sprintf("1..%d", s.Len())
		value := patternSet{Name: s.Name, Also: s.Also, Formulas: s.Len(), About: s.About, Source: s.Source}
		if s.Len() == 0 {
			var names []string
			for _, p := range s.Parameters {
				names = append(names, p.Name)
				value.Parameters = append(value.Parameters, patternParameter(p))
			}
			numbers = strings.Join(names, " ")
		}
		text := fmt.Sprintf("%-24s%-7s%s\n%31s%s", s.Name, numbers, s.About, "", s.Source)
		if len(s.Also) > 0 {
			text += fmt.Sprintf("\n%31salso called %s", "", strings.Join(s.Also, ", "))
		}
		if err := a.answer(text, value); err != nil {
			return err
		}
	}
	return nil
}

// polarities say whether formulas, their negations, or both are printed.
type polarities struct{ positive, negative, both bool }

// of returns what is printed of a formula.
func (w *polarities) of(f *ltl.Formula) (list []*ltl.Formula) {
	if w.both || w.positive || !w.negative {
		list = append(list, f)
	}
	if w.both || w.negative {
		store := ltl.NewStore()
		list = append(list, store.Not(store.Import(f)))
	}
	return list
}

func (a *app) patternFormulas(r patterns.Request, which *polarities, p *formulaPrinter) error {
	for f := range r.All() {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		value := pattern{Set: f.Set.Name}
		p.from.Arguments = numbers(f.Numbers)
		if f.Set.Len() > 0 {
			value.Index = f.Numbers[0]
		} else {
			value.Parameters = map[string]int{}
			for i, p := range f.Set.Parameters {
				value.Parameters[p.Name] = f.Numbers[i]
			}
		}
		for _, g := range which.of(f.Formula) {
			value.Negated, value.Size = g != f.Formula, g.Size()
			if p.from.Set = genltlName(f.Set); value.Negated {
				p.from.Set = "!" + p.from.Set
			}
			err := a.print(p, g, func(text string) any {
				value.Formula = text
				return value
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// genltlName returns the name that genltl prints for a list or family.
func genltlName(s *patterns.Set) string {
	if long := s.Name + "-patterns"; slices.Contains(s.Also, long) {
		return long
	}
	return s.Name
}

// numbers returns what genltl prints as the arguments of a family: 2,1.
func numbers(list []int) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ",")
}
