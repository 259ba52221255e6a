package patterns

import (
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Set is a list of formulas, or a family of formulas.
type Set struct {
	Name string
	Also []string // other names of it in the literature
	// About describes a list, and defines a family.
	About  string
	Source string // the publication
	// Parameters are the one or two parameters of a family. A list has none.
	Parameters []Parameter

	list []string // of a list, in Spot's syntax
	make func(b *builder, n, m int) *ltl.Formula
}

// A Parameter is a number that selects a formula of a family.
type Parameter struct {
	Name  string
	Least int
}

// Len returns the number of formulas of a list, and 0 for a family.
func (s *Set) Len() int { return len(s.list) }

// Sets returns the lists, then the families, each by name. Do not change the result.
func Sets() []*Set { return sets }

var sets = func() []*Set {
	families := slices.Concat(fairness, nested, counters, blowUps)
	slices.SortFunc(families, func(a, b *Set) int { return strings.Compare(a.Name, b.Name) })
	return slices.Concat(lists, families)
}()

var byName = func() map[string]*Set {
	m := map[string]*Set{}
	for _, s := range sets {
		m[s.Name] = s
		for _, name := range s.Also {
			m[name] = s
		}
	}
	return m
}()

// one is the parameter of most families.
var one = []Parameter{{"n", 1}}
