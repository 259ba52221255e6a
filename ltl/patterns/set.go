package patterns

import (
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Set is a list of formulas, or a family of them.
type Set struct {
	Name string
	Also []string // other names of it in the literature
	// About says what is in a list, and of a family it is the definition.
	About  string
	Source string // the publication
	// Parameters are those of a family, one or two; a list has none.
	Parameters []Parameter

	list []string // of a list, in Spot's syntax
	make func(b *builder, n, m int) *ltl.Formula
}

// A Parameter of a family is a number.
type Parameter struct {
	Name  string
	Least int
}

// Len returns the number of formulas of a list, and 0 for a family.
func (s *Set) Len() int { return len(s.list) }

// Sets returns the lists, and behind them the families by name. It is for
// reading.
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
