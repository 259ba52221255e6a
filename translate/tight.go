package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The automaton B_SB of Schuppan and Biere, "Shortest Counterexamples for Symbolic Model Checking
// of LTL with Past" (TACAS 2005), Table 2. It is tight for all formulas, past included. See cgh.go
// for tightness, and for the equations between now and next.
//
// A subformula f has h(f)+1 variables, called generations, where h(f) is its nesting depth of past
// operators. Generation i is the truth of f in round i of the cycle. The last one also stands for
// all later rounds, because f no longer changes then. On cycle{!a; a}, O a has two generations:
//
//	generation 0    false, true    the first round
//	generation 1    true, true     all later rounds
//
// A run tracks all generations in one round:
//
//   - On the stem, only generation 0 exists.
//   - At some point (lb) the loop begins, and all other generations are guessed. From then on, each
//     one must satisfy the equations of cgh.
//   - Each step may be guessed to end a round (le). After it, generation i continues as generation
//     i+1, and the last generation as itself. Generation 0 of Y f, f S g and f U g is unconstrained
//     there.
//   - The last generations have the acceptance sets of cgh. One more set holds the ends of rounds,
//     which must recur forever.
//
// The language is right for every guess: at each position, the generation whose turn it is
// satisfies the equations of cgh. Its number is the number of rounds that have ended. On a lasso
// there is a right guess, with the same first state of the loop after each round.
//
// The implementation keeps less than all of B_SB:
//
//   - Variables are as in cgh. The variable of f S g is its truth at the previous position, in each
//     generation. This is enough: a round leaves f S g as it was, or always makes it the same. If
//     the operands do not change from round h-1 on, f S g at the end of a round does not either.
//   - lb is a variable of the state; le is a choice of the edge. On the stem, the variables of
//     generations other than 0 are left out.
//   - At the first position Y f is false, and f S g is g. So these are replaced if they are not
//     under a future operator. If no other past operators remain, there is one generation, without
//     lb and le, and the automaton is that of cgh.
//   - A run on a lasso with the right guesses is enough, for the language too: ω-regular languages
//     with the same lassos are equal. In such a run, O f and other formulas that can only become
//     true never become false from one generation to the next. Dually for H f. Neither changes in
//     the last generation. Other guesses are not made.
//
// The two constructions share everything but the number of generations. Reductions destroy
// tightness, except for quotients that map a run to a run of the same type.

// tightSource is the newSource of B_SB, with one acceptance set more than that of cghSource if f
// has past operators under future operators. It makes the initial states, which may take time
// exponential in the square of the size of f.
func tightSource(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	return valuationsOf(ctx, f, true)
}
