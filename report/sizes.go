package report

import (
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Sizes add up sizes of the automata of a translator.
type Sizes struct {
	States int `json:"states"` // number of states of all automata
	Edges  int `json:"edges"`  // number of edges of all automata
	omega.Totals
	// by how many letters the shortest accepting runs are longer than the shortest words, summed up
	Excess   int `json:"excess"`
	ExcessOf int `json:"excess_automata"` // number of automata in the sum excess
}

// A size is a number in Sizes, of one automaton or summed up.
type size struct {
	Name    string // in JSON, of its column in CSV, and of the measure
	Heading string // in the table of translators; "" if it is not there
	Of      func(*Sizes) float64
	add     func(sum, more *Sizes)
}

// sizeTable lists the sizes that are summed up and compared. The last ones are the first to be left out
// of a narrow table of translators. Adding one takes a field in [omega.Totals], which
// [omega.Automaton.Statistics] counts, and a row here.
var sizeTable = []size{
	sizeAt("states", "states", func(s *Sizes) *int { return &s.States }),
	sizeAt("edges", "edges", func(s *Sizes) *int { return &s.Edges }),
	sizeAt("transitions", "", func(s *Sizes) *float64 { return &s.Transitions }),
	sizeAt("acc", "sets", func(s *Sizes) *int { return &s.Sets }),
}

func sizeAt[T int | float64](name, heading string, at func(*Sizes) *T) size {
	return size{name, heading, func(s *Sizes) float64 { return float64(*at(s)) }, func(sum, more *Sizes) { *at(sum) += *at(more) }}
}

// sumsOf returns the sizes of one automaton.
func sumsOf(r *outcome.Result) Sizes {
	if r == nil {
		return Sizes{}
	}
	s := Sizes{States: r.States, Edges: r.Edges, Totals: r.Totals}
	if r.Excess != nil {
		s.Excess, s.ExcessOf = *r.Excess, 1
	}
	return s
}

// Add adds the sizes of other automata.
func (s *Sizes) Add(other Sizes) {
	for _, x := range sizeTable {
		x.add(s, &other)
	}
	s.Excess += other.Excess
	s.ExcessOf += other.ExcessOf
}
