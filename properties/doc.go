// Package properties decides the properties that the header of an HOA file may declare, on the
// automaton itself. HOA is the Hanoi Omega-Automata format (Babiak et al., CAV 2015).
//
// Tools trust declared properties and choose their algorithms by them. A false property therefore
// makes the next tool wrong, and not the tool that declared it.
//
// [Checker.CheckDeclared] decides everything a header declares, and returns the properties that are
// false or undecided. [Checker.Decide] decides one property. If it does not hold, the [Answer]
// names a state, an edge, a component or a word:
//
//	deterministic: false, state 3 has two edges on a
//
// There are four kinds of properties, by what they cost:
//
//   - Of the text: state-labels, trans-labels, implicit-labels, explicit-labels, state-acc and
//     trans-acc. They say how the text writes labels and marks.
//   - Of the graph: deterministic, complete, colored, univ-branch, no-univ-branch, weak and
//     very-weak. They take linear time. Unreachable states count, as in the format's definitions.
//   - Of cycles: inherently-weak, terminal and semi-deterministic. They can take time exponential
//     in the number of marks, but not for conditions that have a name.
//   - Of words: unambiguous takes quadratic time for named conditions, stutter-invariant needs a
//     complement, and tight can take time exponential in the number of states.
//
// A property that takes too long is undecided, and the Answer says which limit was hit.
//
// The negations (!weak), stutter-sensitive, semi-deterministic and exist-branch come from the draft
// of version 1.1 and from Spot. An alternating automaton can be deterministic in the sense of the
// format: no two edges of a state share a letter.
package properties
