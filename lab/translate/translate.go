// Package translate has the translations of the papers: those of the product, and three variants of
// the construction of Clarke, Grumberg and Hamaguchi, which no run of xcheck uses.
//
//	cgh        valuations: Clarke, Grumberg and Hamaguchi, FMSD 1997
//	tight      cgh, unrolled for the past: Schuppan and Biere, TACAS 2005
//	unrolled   the same, from a smaller automaton
//
// They handle the past directly, and give shortest runs and large automata: for tight, the number of
// states is exponential in the square of the size of the formula at worst. Use them in products with
// something small, which visit few of their states.
//
// The file of each construction has its theory: cgh.go (also of tight, by basis.go) and unrolled.go.
package translate

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
	product "github.com/xcheck-ltl/xcheck/translate"
)

// An Algorithm is a construction that translates a formula.
type Algorithm struct {
	Name        string
	Description string // one line, with the source
	OnDemand    bool   // most of its automata are too large to be explored

	own    *product.Algorithm // nil for a rival
	source func(context.Context, *ltl.Store, *ltl.Formula) (omega.Source, error)
	tight  func(*ltl.Formula) bool // are the automata of such formulas tight?
}

// Algorithms returns all constructions, always in the same order.
func Algorithms() []Algorithm {
	var list []Algorithm
	for _, a := range product.Algorithms() {
		list = append(list, Algorithm{Name: a.Name, Description: a.Description, own: &a})
	}
	always := func(*ltl.Formula) bool { return true }
	return append(list,
		Algorithm{Name: "cgh", Description: "valuations of the temporal subformulas (Clarke, Grumberg, Hamaguchi, FMSD 1997), past included, generalized Büchi",
			OnDemand: true, source: valuationsOf(false),
			tight: func(f *ltl.Formula) bool { return !f.Ops().HasPast() }},
		Algorithm{Name: "tight", Description: "the same, with past unrolled virtually (Schuppan, Biere 2005): tight, generalized Büchi",
			OnDemand: true, source: valuationsOf(true), tight: always},
		Algorithm{Name: "unrolled", Description: "the automaton of cgh made smaller, then unrolled virtually (Schuppan, Biere 2005, section 7): tight, generalized Büchi",
			OnDemand: true, source: unrolledSource, tight: always})
}

// Default is the product's.
const Default = product.Default

// Source returns the automaton of f, a formula of store s, made on request, as the product's
// Algorithm.Source does.
func (a Algorithm) Source(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	if a.own != nil {
		return a.own.Source(ctx, s, f)
	}
	f = s.Import(f)
	switch {
	case f == nil:
		return nil, errors.New("no formula given")
	case a.source == nil:
		return nil, errors.New("no translation algorithm given")
	case f.Ops().HasPSL():
		return nil, fmt.Errorf("%s does not support regular expressions: use %s", a.Name, Default)
	}
	if err := ondemand.Admit(ctx, f); err != nil {
		return nil, err
	}
	return a.source(ctx, s, f)
}

// ParseAlgorithm returns the construction with the given name. The error lists all names.
func ParseAlgorithm(name string) (Algorithm, error) {
	var names []string
	for _, a := range Algorithms() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Algorithm{}, fmt.Errorf("unknown translation algorithm %q%s", name, spelling.Of(name, names))
}

// With returns the automaton of f, a formula of store s, by the named construction, as the product's
// With does. It declares that it is tight, if the construction guarantees that.
func With(ctx context.Context, algorithm string, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	a, err := ParseAlgorithm(algorithm)
	if err != nil {
		return nil, err
	}
	if a.own != nil {
		return product.With(ctx, algorithm, s, f)
	}
	f = s.Import(f)
	src, err := a.Source(ctx, s, f)
	if err != nil {
		return nil, err
	}
	aut, err := omega.Explore(ctx, src, 0)
	if err != nil {
		return nil, err
	}
	aut = reduce.WithoutDeadEnds(aut)
	aut.Name = f.String()
	if a.tight(f) {
		aut.Declared.Properties = []string{"tight"}
	}
	return aut, nil
}
