// Package certify is the trusted core of xcheck: it decides whether an automaton accepts a lasso
// word, and whether a formula holds on it. xcheck certifies every word here before it prints it. So
// a printed disagreement is right if this package is.
//
// The package is naive on purpose. It shares no code with the packages that search for words, and
// imports only ltl, for the syntax tree of formulas. An [Automaton] is exactly what its text says:
// the labels, the condition and the order of the edges are as written. A [Word] is read back from
// the text that is printed.
//
// Take an automaton of G F a with one state and the condition Inf(0):
//
//	State: 0
//	[0]  0 {0}
//	[!0] 0
//
// Its product with the word a; cycle{!a} has two nodes: state 0 before the first letter, and
// state 0 before the second. The letter a takes the first edge. The letter !a takes the second
// edge, back to the same node. This is the only cycle, and it sees no mark. So Inf(0) fails, and
// the automaton rejects the word:
//
//	ok, err := certify.Accepts(ctx, automaton, word) // false, nil
//
// [Disjoint] is an emptiness check of the same kind, for small automata. The audit of a run uses it
// to decide passed checks a second time.
//
// Start with [Accepts] and [Holds].
package certify
