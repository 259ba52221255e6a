// Package random makes random automata, acceptance conditions and words.
//
// [Automaton] and [Word] are for tests. A [Generator] makes a reproducible sequence of automata as
// Spot's randaut does, with a [Pattern] for their acceptance conditions.
package random
