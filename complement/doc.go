// Package complement complements ω-automata: it makes an automaton that accepts exactly the words
// that another one rejects.
//
// A complement is an [omega.Source]. Its states are called macrostates, and are made on request. A
// product check therefore makes only the macrostates that the other automaton can reach, which are
// usually few. [With] takes the construction you name, or picks one, and [Whole] returns an
// explicit automaton.
//
// # Example
//
// This Büchi automaton accepts the words in which a holds only finitely often:
//
//	State: 0  [1] 0   [!a] 1
//	State: 1  [!a] 1 {0}
//
// All cycles through state 1 are accepting. So a word is rejected if every run that enters state 1
// leaves it again. The breakpoint construction tracks that. A macrostate is a pair (S, B). S has
// the states that runs can be in; B has those in which a run may be stuck in state 1:
//
//	({0}, {})     on a to ({0}, {}), mark 0     on !a to ({0,1}, {1}), mark 0
//	({0,1}, {1})  on a to ({0}, {}), mark 0     on !a to ({0,1}, {1})
//
// A letter moves the states of B. If none is left, the edge carries the mark, and B restarts with
// state 1 if that is in S. The only cycle without the mark is the last edge. So the complement
// accepts the words in which a holds infinitely often.
//
// # Choosing a construction
//
// [Prepare] reduces the automaton and classifies it:
//
//   - A deterministic automaton has at most one run on a word. With a sink added, negating the
//     acceptance condition complements it.
//   - An alternating automaton with weak components is dualized. [Nondeterministic] then removes
//     the alternation.
//   - [Buchi] gives any other automaton Büchi acceptance.
//
// In a Büchi automaton, an accepting run finally stays in one strongly connected component. A word
// is rejected if no component has an accepting run that stays. How hard this is depends on the
// component:
//
//   - All cycles accepting: every run must leave. Breakpoints show this (Miyano and Hayashi 1984).
//   - Deterministic: each run that enters has one continuation. It is guessed when the run has seen
//     its last mark (NCSB, Blahoudek et al. 2016).
//   - Neither: runs keep splitting. Either a tree tracks them all (Safra 1988, Piterman 2007), or a
//     ranking is guessed that proves them rejecting (Kupferman and Vardi 2001, Schewe 2009).
//
// Each component goes to a block with its own construction (Havlena et al. 2023). A macrostate has
// the set of reachable states and a part for each block. An [Algorithm] is a rule that assigns
// components to blocks; the older ones put all components into one block.
//
// [Subject.Candidates] orders the constructions by the expected number of macrostates. None is best
// for all automata. So [Whole] and productcheck.Decider let them take turns, with slices of work
// that grow; see [Try].
//
// # Same language, other acceptance
//
// A [Form] says what an automaton is brought to: Büchi acceptance, determinism with parity
// acceptance, marks on states, completeness. It uses parts of the constructions above.
package complement
