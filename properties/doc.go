// Package properties decides the properties that the header of an automaton may declare
// in the Hanoi Omega-Automata format (Babiak et al., CAV 2015), on the automaton itself,
// and says why one does not hold: a state, an edge, a component, or a word.
//
// Tools trust what is declared, and choose an algorithm by it, so that a false property
// makes the next tool wrong and not the one that declared it. There are four kinds:
//
//   - Of the text: state-labels, trans-labels, implicit-labels, explicit-labels, state-acc,
//     trans-acc. They say how labels and marks are written, and that is what counts. Of an
//     automaton that was not read from a text they hold, but for state-acc.
//   - Of the graph: deterministic, complete, colored, univ-branch, no-univ-branch, weak,
//     very-weak. They are decided in time linear in the automaton. The definitions
//     speak of all states, reachable or not.
//   - Of cycles: inherently-weak, terminal, semi-deterministic. To know whether a component
//     has accepting and rejecting cycles may take time exponential in the number of marks,
//     though not for the conditions that have names.
//   - Of runs and words: unambiguous takes time quadratic in the automaton (for conditions that
//     have names); stutter-invariant a complement; tight may take time exponential in
//     the number of states.
//
// Wherever an answer takes too long it is that the property is undecided, and by which
// limit.
//
// Of the draft of version 1.1, and of Spot, which writes both, are the negations (!weak), and
// stutter-sensitive, semi-deterministic and exist-branch. Alternating automata may be
// deterministic in the format's sense: no two edges of a state meet.
package properties
