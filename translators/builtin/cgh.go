package builtin

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// NewCGH returns the automaton of f, a formula of store s, by the construction of
// Clarke, Grumberg and Hamaguchi (1997) with operators of the past (Schuppan and
// Biere 2005, Table 1), over the alphabet of f's propositions in order of
// occurrence. It is generalized Büchi, with one acceptance set for each U after
// all operators are expressed by !, &, xor, X, U, Y and S. For formulas without
// past it is tight. The edges of a state are made when first asked for, and
// kept; this fails once ctx is canceled. NewCGH itself makes the initial states,
// which may take time exponential in the size of f, and fails if ctx is canceled
// or if there is an operator that it does not know.
func NewCGH(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	return valuationsOf(ctx, "cgh", f, false)
}

// valuationsOf is NewCGH, or NewTight if unrolled is set.
func valuationsOf(ctx context.Context, name string, f *ltl.Formula, unrolled bool) (omega.Source, error) {
	if err := admit(ctx, f); err != nil {
		return nil, err
	}
	b := newBasis()
	root, unknown := b.formula(f)
	if unknown != nil {
		return nil, fmt.Errorf("%s: unsupported operator in %s", name, unknown)
	}
	if unrolled {
		root = b.atStart(root)
	}
	return source(newValuations(ctx, omega.NewAlphabet(f.Props()...), b, root, unrolled))
}
