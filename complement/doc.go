// Package complement makes, from an ω-automaton, one that accepts exactly the
// words that it rejects.
//
// The result is a Source: its states, called macrostates, are made when they
// are asked for. A product check with another automaton thus computes only those
// that the other automaton can reach, mostly a small part.
//
//   - A deterministic automaton has one run at most on a word. Once it is
//     completed by a sink, negating the acceptance condition complements it:
//     [Deterministic].
//   - Any other one is first brought to Büchi acceptance ([Buchi]), then
//     determinized to parity acceptance ([Determinize]), and then complemented as
//     a deterministic one.
//
// [Of] chooses. Alternating automata are not supported.
package complement
