// Package certify is the trusted core of xcheck: it says whether an automaton accepts a
// lasso word, and whether a formula is true on it. Every word that xcheck prints is
// certified here first, so a printed disagreement is right if this package is.
//
// It is naive on purpose and shares nothing with the packages that search for words. It
// imports ltl for the syntax tree of formulas, and nothing else of this module. An
// [Automaton] is what a text says, word for word: labels and conditions are kept as they
// are written, edges in their order. A word is read from the text that is printed.
//
// Take the automaton of G F a with one state and two edges,
//
//	State: 0
//	[0]  0 {0}
//	[!0] 0
//
// with the condition Inf(0), and the word a; cycle{!a}. Its product with the word has two
// nodes: (state 0, letter 1) and (state 0, letter 2). The letter a enables the first edge,
// to (0, 2), and !a the second, from (0, 2) to itself. The only cycle sees no mark, so
// Inf(0) fails and the word is rejected:
//
//	ok, err := certify.Accepts(ctx, automaton, word) // false, nil
//
// [Disjoint] is an emptiness check of the same kind for small automata: the audit of a run
// uses it to decide again what the searches have decided.
package certify
