package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The construction of Clarke, Grumberg and Hamaguchi, "Another Look at LTL Model Checking" (FMSD
// 1997). Past operators are as in Table 1 of Schuppan and Biere, "Shortest Counterexamples for
// Symbolic Model Checking of LTL with Past" (TACAS 2005).
//
// All operators are first expressed by !, &, xor, X, U, Y and S. A state says whether each temporal
// subformula is true. So each word has exactly one run. A step must satisfy
//
//	f U g now  =  g now | f now & (f U g) next
//	X f now    =  f next
//	Y f next   =  f now                                     Y f is false at first
//	f S g next =  g next | f next & (f S g) now             f S g is g at first
//
// Each f U g has an acceptance set: the steps at which it is false, or g is true.
//
// In the paper, a state is a valuation of all subformulas, propositions included. Here the edge
// carries the letter, and a state has a variable only for what the letter and the next state leave
// open. Before position i the variables are
//
//   - whether f U g is true at i,
//   - whether f is true at i, for each X f, and the whole formula,
//   - Y f at i,
//   - Y(f S g) at i, which is the truth of f S g at i-1.
//
// Boolean connectives are computed from these, as sets of letters. A guess is made only if it
// leaves a letter for this step and, as far as can be told, one for the next step.
//
// For a U b, the states are the two values of a U b. The mark is where b holds or a U b does not:
//
//	true:   -b-> true, false with the mark;  -a&!b-> true
//	false:  -!b-> false with the mark;       -!a&!b-> true with the mark
//
// For formulas without past, the automaton is tight (Schuppan and Biere, Definition 2). A run on a
// lasso u·v^ω that it accepts is in the same state after u and after u·v. The reason is that a
// state is a function of the suffix still to be read (Proposition 1). Tableaux are not tight: for p
// & X G q on cycle{p&q} they go from p & X G q to G q and stay there.
//
// With past operators the automaton is not tight, because the first rounds of v may differ. A run
// may need up to |u| + (h+1)·|v| letters to reach its loop, where h is the nesting depth of past
// operators (Proposition 2). For this bound a state may tell Y f from f, as f S g does here.

// cghSource is the newSource of the construction. It makes the initial states, which may take time
// exponential in the size of f.
func cghSource(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	return valuationsOf(ctx, f, false)
}

// valuationsOf is cghSource, or tightSource if unrolled is set.
func valuationsOf(ctx context.Context, f *ltl.Formula, unrolled bool) (omega.Source, error) {
	b := newBasis()
	root := b.formula(f)
	if unrolled {
		root = b.atStart(root)
	}
	return newValuations(ctx, omega.NewAlphabet(f.Props()...), b, root, unrolled)
}
