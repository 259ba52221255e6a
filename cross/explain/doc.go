// Package explain says why: why an automaton accepts or rejects a word, and why a formula holds on
// it or does not.
//
// [Acceptance] explains an automaton on a word. The result is a value for people that prints itself:
//
//	stuck at letter 2: state 1 has no edge for !a, only for a
//	         letter  state
//	      1  a       0 -> 1
//	      2          1 stuck
//
// [Repair] names the place of a wrong automaton where a change makes it right, if there is only one.
//
// [Truths] is a table of the truth of all subformulas along a word. [Progression] is what must hold
// from each letter on. [Annotate] adds that to the steps of a run.
package explain
