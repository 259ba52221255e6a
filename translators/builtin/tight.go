package builtin

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// NewTight returns the automaton B_SB of f, a formula of store s (Schuppan and
// Biere 2005, Table 2), over the alphabet of f's propositions in order of
// occurrence. It is tight: it accepts every lasso that it accepts by a run of
// the same type. It is generalized Büchi, with one acceptance set for each U,
// as that of NewCGH, and one more if f has operators of the past under such of
// the future. The edges of a state are made when first asked for, and kept; this
// fails once ctx is canceled. NewTight itself makes the initial states, which may
// take time exponential in the square of the size of f, and fails if ctx is
// canceled or if there is an operator that it does not know.
func NewTight(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	return valuationsOf(ctx, "tight", f, true)
}
