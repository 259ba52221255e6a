package translate

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// An Algorithm is a construction that translates a formula.
type Algorithm struct {
	Name        string
	Description string // one line, with the source
	OnDemand    bool   // most of its automata are too large to be explored
	PSL         bool   // it takes formulas with regular expressions

	source newSource
	// reduce makes the automaton smaller that the source of the formula explored is,
	// if that is part of the translation.
	reduce func(context.Context, *ltl.Store, *ltl.Formula, omega.Source, *omega.Automaton) (*omega.Automaton, error)
	tight  func(*ltl.Formula) bool // are the automata of such formulas tight? nil: maybe not
}

// Algorithms returns all constructions, always in the same order.
func Algorithms() []Algorithm {
	return []Algorithm{
		{
			Name:        "gpvw",
			Description: "tableau (Gerth, Peled, Vardi, Wolper, PSTV 1995), transition-based, generalized Büchi",
			source:      withPast(gpvwSource),
		},
		{
			Name:        "gastin-oddoux",
			Description: "very weak alternating automaton (Gastin, Oddoux, CAV 2001) to transition-based generalized Büchi",
			source:      withPast(gastinOddouxSource),
		},
		{
			Name:        "couvreur",
			Description: "expansion into decision diagrams (Couvreur, FM 1999), transition-based generalized Büchi, reduced",
			PSL:         true,
			source:      withPast(couvreurSource),
			reduce:      reduceCouvreur,
		},
		{
			Name:        "cgh",
			Description: "valuations of the temporal subformulas (Clarke, Grumberg, Hamaguchi, FMSD 1997), past included, generalized Büchi",
			OnDemand:    true,
			source:      cghSource,
			tight:       func(f *ltl.Formula) bool { return !f.Ops().HasPast() },
		},
		{
			Name:        "tight",
			Description: "the same, with past unrolled virtually (Schuppan, Biere 2005): tight, generalized Büchi",
			OnDemand:    true,
			source:      tightSource,
			tight:       func(*ltl.Formula) bool { return true },
		},
		{
			Name:        "unrolled",
			Description: "the automaton of cgh made smaller, then unrolled virtually (Schuppan, Biere 2005, section 7): tight, generalized Büchi",
			OnDemand:    true,
			source:      unrolledSource,
			tight:       func(*ltl.Formula) bool { return true },
		},
	}
}

// Default is the construction that makes the smallest automata.
const Default = "couvreur"

// Of translates a formula by the Default construction; see With.
func Of(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	return With(ctx, Default, s, f)
}

// Source returns the automaton of f, a formula of store s, made on request. It fails with an
// omega.LimitError if f is too large, if f has regular expressions and the construction does not
// take them, and when ctx is canceled, even later, while it is in use.
func (a Algorithm) Source(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	f = s.Import(f)
	switch {
	case f == nil:
		return nil, errors.New("no formula given")
	case a.source == nil:
		return nil, errors.New("no translation algorithm given")
	case f.Ops().HasPSL() && !a.PSL:
		return nil, fmt.Errorf("%s does not support regular expressions: use %s", a.Name, Default)
	}
	if err := admit(ctx, f); err != nil {
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

// With returns the automaton of f, a formula of store s, by the named construction. The
// alphabet has the propositions of f, in order of occurrence. The name of the automaton is f.
// It declares that it is tight, if the construction guarantees that.
//
// All states are reachable and on infinite runs. The same formula always gives the same
// automaton. Only couvreur reduces its automata. With fails if there is no such
// construction, and soon after ctx is canceled. At worst it takes time exponential in the size
// of f.
func With(ctx context.Context, algorithm string, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	a, err := ParseAlgorithm(algorithm)
	if err != nil {
		return nil, err
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
	if a.reduce != nil {
		if aut, err = a.reduce(ctx, s, f, src, aut); err != nil {
			return nil, err
		}
	}
	aut = reduce.WithoutDeadEnds(aut)
	aut.Name = f.String()
	if a.tight != nil && a.tight(f) {
		aut.Declared.Properties = []string{"tight"}
	}
	return aut, nil
}
